"""The package's command, started by its script and as a Python module."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

import truecount as tc

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and names of files as POSIX has them")
SCRIPT = Path(sysconfig.get_path("scripts")) / ("truecount.exe" if os.name == "nt" else "truecount")
MODULE = [sys.executable, "-m", "truecount"]


def installed() -> bool:
    try:
        return bool(version("truecount"))
    except PackageNotFoundError:
        return False


@pytest.fixture(params=["script", "module"])
def program(request: pytest.FixtureRequest) -> list[str]:
    if request.param == "module":
        return MODULE
    if not installed():
        pytest.skip("the package is imported from its folder, where there is no script")
    return [str(SCRIPT)]


def run(program: list[str], *words: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*program, *words], capture_output=True, text=True, encoding="utf-8", check=False, **options)


def files(spam: Any) -> list[str]:
    return ["--train", str(spam.train_path), "--test", str(spam.test_path)]


def test_version_is_that_of_the_package(program: list[str]) -> None:
    done = run(program, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"truecount {tc.__version__}\n", "")


def test_estimates_agree_with_the_package(program: list[str], spam: Any) -> None:
    done = run(program, "estimate", *files(spam), "--by", "week", "--format", "json")
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by=spam.week)
    rows = json.loads(done.stdout)["estimates"]
    assert [(row["prevalence"], row["se"], row["lower"], row["upper"]) for row in rows] == [
        (row.prevalence, row.se, *row.interval) for row in estimates
    ]


def test_exit_status_and_messages(program: list[str], spam: Any, tmp_path: Path) -> None:
    assert run(program, "estimate", *files(spam)).returncode == 0
    no_file = run(program, "estimate", "--train", tmp_path / "none.csv", "--test", spam.test_path)
    assert (no_file.returncode, no_file.stdout) == (1, "")
    assert no_file.stderr.startswith("error: ")
    assert "none.csv" in no_file.stderr
    # Messages name the program, not the Python interpreter.
    unknown = run(program, "estimate", *files(spam), "--group-by", "week")
    assert unknown.returncode == 2
    assert "a similar argument exists: '--by'" in unknown.stderr
    assert "Usage: truecount estimate" in unknown.stderr
    nothing = run(program)
    assert nothing.returncode == 2
    assert "Usage: truecount [OPTIONS] [COMMAND]" in nothing.stderr


def test_a_report_names_its_command(program: list[str], spam: Any) -> None:
    done = run(program, "report", *files(spam), "--by", "week", "-o", "-")
    assert done.returncode == 0
    assert f"truecount report --train {spam.train_path} --test {spam.test_path} --by week -o -" in done.stdout


def test_the_command_does_not_import_numpy(spam: Any) -> None:
    code = """
import sys
from truecount.__main__ import main
sys.argv = ["truecount", *sys.argv[1:]]
status = main()
assert not {"numpy", "truecount._public"} & set(sys.modules)
sys.exit(status)
"""
    done = run([sys.executable, "-c", code], "estimate", *files(spam))
    assert done.returncode == 0, done.stderr


def test_standard_input(program: list[str], spam: Any) -> None:
    from_file = run(program, "estimate", *files(spam), "--format", "csv")
    from_pipe = run(
        program,
        "estimate",
        "--train",
        spam.train_path,
        "--test",
        "-",
        "--format",
        "csv",
        input=spam.test_path.read_text(),
    )
    assert from_pipe.returncode == 0
    assert from_pipe.stdout == from_file.stdout


NAMES = [
    "λ – 数.csv",
    pytest.param(b"caf\xe9.csv", marks=pytest.mark.skipif(sys.platform != "linux", reason="names are UTF-8")),
]


@pytest.mark.parametrize("name", NAMES)
def test_file_names_in_any_language(program: list[str], spam: Any, tmp_path: Path, name: str | bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(spam.test_path.read_bytes())
    done = run(program, "estimate", "--train", spam.train_path, "--test", path, "--format", "csv")
    assert done.returncode == 0
    assert done.stdout == run(program, "estimate", *files(spam), "--format", "csv").stdout


@POSIX
def test_a_closed_pipe_is_no_error(program: list[str], spam: Any, tmp_path: Path) -> None:
    # More output than a pipe can buffer.
    many = tmp_path / "many.csv"
    with open(many, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["score", "group"])
        writer.writerows([score, group] for group in range(5000) for score in (0.1, 0.9))
    command = [
        *program,
        "estimate",
        "--train",
        str(spam.train_path),
        "--test",
        str(many),
        "--by",
        "group",
        "--format",
        "csv",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith("group,")
        process.stdout.close()
        message = process.stderr.read()
        assert process.wait() == 0
    assert "Traceback" not in message
    assert "BrokenPipe" not in message


def reset_signals() -> None:
    """Restores the defaults of signals that a job in the background or under nohup ignores."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def started(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Starts a command, and kills it at the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=reset_signals) as process:
        try:
            yield process
        finally:
            process.kill()


@POSIX
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_end_the_command(
    program: list[str], spam: Any, tmp_path: Path, sent: signal.Signals, status: int
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (
        started([*program, "estimate", "--train", str(spam.train_path), "--test", str(pipe)]) as process,
        open(pipe, "w") as file,
    ):
        # The command has opened the pipe, and waits for scores.
        file.write("score\n")
        file.flush()
        process.send_signal(sent)
        assert process.wait(timeout=60) == status
        assert process.communicate() == ("", "")


@POSIX
def test_an_interrupted_experiment_keeps_its_finished_cells(program: list[str], spam: Any, tmp_path: Path) -> None:
    pool = spam.train_path.with_name("pool.csv")
    training = [f"[[training]]\nsize = {size}\nrepeats = 5\n" for size in range(100, 300, 10)]
    scores = f'[[scores]]\ndata = "spam"\ntrain = "{spam.train_path}"\npool = "{pool}"\n'
    experiment = tmp_path / "experiment.toml"
    experiment.write_text("samples = 500\n" + "".join(training) + scores + "[[protocol]]\n")
    out = tmp_path / "out"
    with started([*program, "experiment", str(experiment), "--out", str(out)]) as process:
        while process.poll() is None and not list(out.glob("cells/*.parquet")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        assert process.returncode == 130
    assert message.startswith("error: interrupted: ") and " of 20 cells are in " in message
    assert "Traceback" not in message


@POSIX
def test_ignored_signals_stay_ignored(program: list[str], spam: Any, tmp_path: Path) -> None:
    """Shells start background jobs of scripts with SIGINT ignored."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    estimate = [*program, "estimate", "--train", str(spam.train_path), "--test", str(pipe), "--format", "csv"]
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    with started([sys.executable, "-c", ignoring, *estimate]) as process:
        with open(pipe, "w") as file:
            file.write("score\n")
            file.flush()
            process.send_signal(signal.SIGINT)
            file.write("0.1\n0.9\n")
        printed, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert len(printed.splitlines()) == 2
