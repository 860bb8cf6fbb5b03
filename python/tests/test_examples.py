"""The output of the examples is right."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def printed(capsys):
    """Returns a function that runs an example and returns the lines of its output."""

    def run(name):
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return run


def numbers(line):
    return [float(number) for number in re.findall(r"\d+\.\d+", line)]


def test_every_example_is_run_here():
    here = Path(__file__).read_text(encoding="utf-8")
    assert all(f'printed("{path.name}")' in here for path in EXAMPLES.glob("*.py"))


def test_spam_by_week(printed):
    pytest.importorskip("pandas")
    lines = printed("spam_by_week.py")
    weeks = [line for line in lines if re.match(r"2026-W\d\d +\d", line)]
    assert len(weeks) == 24
    truth = np.loadtxt(EXAMPLES.parents[1] / "data" / "spam" / "truth.csv", delimiter=",", skiprows=1, usecols=3)
    columns = np.array([numbers(line) for line in weeks])
    counted, estimated, lower, upper, printed_truth = columns.T
    assert printed_truth == pytest.approx(truth, abs=0.0005 + 1e-9)
    # After rounding, bounds and truths may be equal.
    covered = np.array([line.endswith("yes") for line in weeks])
    sure = (np.abs(truth - lower) > 0.0006) & (np.abs(truth - upper) > 0.0006)
    assert np.array_equal(covered[sure], ((lower <= truth) & (truth <= upper))[sure]) and sure.sum() >= 20
    assert f"{covered.sum()} of the 24 intervals hold the truth." in lines
    # 95 % of 24, minus four standard errors of a count.
    assert covered.sum() >= 24 * 0.95 - 4 * np.sqrt(24 * 0.95 * 0.05)
    (counting,), (ours,) = (
        numbers(next(line for line in lines if name in line)) for name in ("counting what", "truecount:")
    )
    assert counting == pytest.approx(np.abs(counted - truth).mean(), abs=0.001)
    assert ours == pytest.approx(np.abs(estimated - truth).mean(), abs=0.001) and ours < counting / 2
    assert [line.split(":")[0] for line in lines if "fit any mix" in line] == ["2026-W04"]


def test_digits_by_office(printed):
    pytest.importorskip("sklearn")
    lines = printed("digits_by_office.py")
    offices = {line.split()[0]: line for line in lines[1:6]}
    assert list(offices) == ["Aalborg", "Bergen", "Cork", "Delft", "Essen"]
    for name, line in offices.items():
        counted, estimated, lower, upper, truth, *_ = numbers(line)
        assert ("rejected" in line) == (name == "Essen"), line
        # The interval of Essen is widened for its misfit.
        assert lower <= truth <= upper, line
        if name == "Essen":
            assert estimated > 1.9 * truth and upper - lower > 0.4
    assert lines[-1].startswith(
        "The new scores of 1 of 5 groups do not fit any mix of the labelled classes (p (Holm) below 0.01): "
    )


def test_judge(printed):
    lines = printed("judge.py")
    for line, share in zip(lines[1:4], (0.24, 0.12, 0.04)):
        _, estimated, lower, upper, truth = numbers(line)
        # The truth is a binomial share of 20,000.
        assert truth == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000))
        assert lower <= estimated <= upper
    assert "Warnings: none" in lines
    # The audit is of v3, the last version; labels of its own answers give a shorter interval.
    (audited,) = (numbers(line) for line in lines if line.startswith("Audit: "))
    assert audited[2] <= truth <= audited[3] and audited[3] - audited[2] < upper - lower
    result = re.search(
        r"off by (\S+) on average, truecount by (\S+); (\d+) % of its 95 % intervals hold", " ".join(lines)
    )
    flags, ours, holds = map(float, result.groups())
    assert ours < flags / 3
    # The three intervals of a simulation share the labelled answers: count 200 independent ones.
    assert holds == pytest.approx(95, abs=100 * 4 * np.sqrt(0.95 * 0.05 / 200))
