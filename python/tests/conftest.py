"""Fixtures: the spam data, and the package's command."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import truecount as tc

SPAM = Path(__file__).parents[2] / "data" / "spam"


@dataclass(frozen=True)
class Spam:
    """1,600 labelled scores, and 13,646 unlabelled scores of 24 weeks."""

    train: NDArray[np.float64]
    labels: NDArray[np.int64]
    test: NDArray[np.float64]
    week: list[str]

    train_path: Path = SPAM / "train.csv"
    test_path: Path = SPAM / "weeks.csv"


@pytest.fixture(scope="session")
def spam() -> Spam:
    train = np.loadtxt(Spam.train_path, delimiter=",", skiprows=1)
    with open(Spam.test_path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    test = np.array([float(row["score"]) for row in rows])
    return Spam(train[:, 0], train[:, 1].astype(np.int64), test, [row["week"] for row in rows])


@pytest.fixture(scope="session")
def spam_model(spam: Spam) -> tc.Model:
    return tc.Model.fit(spam.train, spam.labels)


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Returns a function that runs the command, checks its exit status and returns its output."""

    def run(*arguments: object, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "truecount", *map(str, arguments)], capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    return run
