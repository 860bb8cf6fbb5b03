"""Threads, processes, memory and interrupts."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truecount as tc

POSIX = pytest.mark.skipif(os.name != "posix", reason="processes and signals as POSIX has them")
FORK = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")


def fit_model(family: str = "kernel") -> tc.Model:
    random = np.random.default_rng(1)
    scores = np.r_[random.normal(2, 1, 300), random.normal(0, 1, 300)]
    return tc.Model.fit(scores, np.repeat([1, 0], 300), method="o-cs,es,sld,t-ms,dys", family=family)


def jobs(model: tc.Model) -> dict[str, Callable[[], Any]]:
    random = np.random.default_rng(2)
    large, small = random.normal(1, 1.5, 300_000), random.normal(1, 1.5, (200, 50))
    by, quick = random.integers(0, 300, 100_000), fit_model("normal")
    return {
        "one large set": lambda: model.estimate_each(large),
        "a few scores": lambda: model.estimate_each(small[0]),
        "many small sets": lambda: model.estimate_each(small),
        "groups": lambda: model.estimate(large[:100_000], by=by),
        "tallies": lambda: sum(model.tally(small[index], by=by[:50]) for index in range(40)).estimate_each(),  # type: ignore[union-attr]
        "bootstrap": lambda: quick.estimate_each(small[0], interval="bootstrap", resamples=100),
    }


def bits(actual: Any) -> str:
    rows = [actual] if isinstance(actual, tc.Estimate) else list(actual)
    return hashlib.sha256(
        repr([(row.raw.hex(), row.se, row.interval, row.warnings) for row in rows]).encode()
    ).hexdigest()


@pytest.mark.parametrize("name", jobs(fit_model()))
def test_four_threads_give_the_same_bits_as_one(name: str) -> None:
    job = jobs(fit_model())[name]
    expected = bits(job())
    with ThreadPoolExecutor(4) as threads:
        assert {bits(result) for result in threads.map(lambda _: job(), range(8))} == {expected}


def test_different_calls_at_the_same_time() -> None:
    work = jobs(fit_model())
    expected = {name: bits(job()) for name, job in work.items()}
    with ThreadPoolExecutor(4) as threads:
        result = {name: threads.submit(job) for _ in range(3) for name, job in work.items()}
        assert {name: bits(one.result()) for name, one in result.items()} == expected


ALL_BITS = """
import sys
sys.path.insert(0, sys.argv[1])
import test_threads
for name, job in test_threads.jobs(test_threads.fit_model()).items():
    print(name, test_threads.bits(job()))
"""


def test_any_number_of_threads_gives_the_same_bits() -> None:
    def printed(threads: int) -> str:
        environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
        command = [sys.executable, "-c", ALL_BITS, os.path.dirname(__file__)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    one = printed(1)
    assert len(one.splitlines()) == len(jobs(fit_model()))
    assert printed(2) == printed(3) == one


def in_child(results: Any, job: Callable[[], Any]) -> None:
    results.put(bits(job()))


@FORK
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("name", jobs(fit_model()))
def test_a_forked_process_can_compute(name: str) -> None:
    job = jobs(fit_model())[name]
    expected = bits(job())
    fork = multiprocessing.get_context("fork")
    results = fork.Queue()
    child = fork.Process(target=in_child, args=(results, job))
    child.start()
    try:
        assert results.get(timeout=10) == expected
        child.join(timeout=10)
        assert child.exitcode == 0
        # The parent can compute as well.
        assert bits(job()) == expected
    finally:
        child.kill()


def test_other_threads_run_during_a_call() -> None:
    fitted, scores = fit_model(), np.random.default_rng(1).normal(1, 1, 3_000_000)
    done, turns = threading.Event(), 0

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    before, begun = turns, time.perf_counter()
    fitted.estimate_each(scores, check=False)
    during, seconds = turns - before, time.perf_counter() - begun
    done.set()
    other.join()
    # A thread that is blocked during the call would count to 1 or 2 only.
    assert seconds > 0.05
    assert during > 0.1 * seconds / 0.001


INTERRUPTED = """
import sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np, test_threads
fitted = test_threads.fit_model()
print("ready", flush=True)
try:
    fitted.estimate_each(np.zeros(30000), interval="bootstrap", resamples=1_000_000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@POSIX
def test_a_bootstrap_can_be_interrupted() -> None:
    command = [sys.executable, "-c", INTERRUPTED, os.path.dirname(__file__)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            sent = time.perf_counter()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert time.perf_counter() - sent < 5
        finally:
            process.kill()


PEAK = """
import sys, resource
import numpy as np, truecount as tc
n = int(sys.argv[1])
model = tc.Model.fit([3.0, 2.0, 1.5, 0.0, 1.0, 0.5], [1, 1, 1, 0, 0, 0])
values = np.random.default_rng(1).normal(1, 1, n)
if sys.argv[2] == "read-only":
    values.flags.writeable = False
elif sys.argv[2] == "table":
    values = values.reshape(100, -1)
elif sys.argv[2] == "polars":
    import polars
    values = polars.Series(values)
elif sys.argv[2] == "pyarrow":
    import pyarrow
    values = pyarrow.array(values)
elif sys.argv[2] == "pandas":
    import pandas
    values = pandas.Series(values)
elif sys.argv[2] == "memoryview":
    values = memoryview(values)
model.estimate_each(values[:1000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
model.estimate_each(values)
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is measured as Linux has it, in kilobytes")
@pytest.mark.parametrize("holder", ["numpy", "read-only", "table", "memoryview", "pandas", "polars", "pyarrow"])
def test_large_columns_are_not_copied(holder: str) -> None:
    n = 10_000_000
    done = subprocess.run([sys.executable, "-c", PEAK, str(n), holder], capture_output=True, text=True, check=True)
    before, after = map(int, done.stdout.split())
    # 8 n bytes would be a copy.
    assert 1024 * (after - before) < 0.1 * 8 * n


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of memory as Linux has it")
def test_running_out_of_memory_ends_the_command(tmp_path: Path) -> None:
    scores = np.linspace(-2, 3, 300_000)
    rows = "".join(f"{score:.3f},g{i}\n" for i, score in enumerate(scores))
    (tmp_path / "test.csv").write_text("score,g\n" + rows)
    fit_model().save(tmp_path / "model.json")
    words = "estimate --model model.json --test test.csv --by g --threads 1 -o out.csv"
    script = f"ulimit -v 400000; exec '{sys.executable}' -m truecount {words}"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("error: there is not enough memory\n"), done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "test.csv"]
