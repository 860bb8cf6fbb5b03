"""Times of calls from Python: truecount compared with QuaPy and mlquantify, as a table in Markdown.

    python calls.py [METHOD…]

The package truecount must be installed. The peers and data are those of compare.py, which also compares the
answers. Measured is aggregation with fitted methods, on one thread: 5000 sets of 250 scores and one set of a
million. The peers take one set per call; truecount takes all sets in one call and, for comparison, one by one. A
single set is checked for shift unless `check=False`. Cells show the ratio of the peer's time to truecount's, with
truecount's time in brackets. Slow peers get a part of the sets, and their time is scaled (~).

A second table shows groups of a million rows by a column of pandas, compared with pandas' own mean by group.
"""

import os

# Before numpy is imported.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "RAYON")}

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
from compare import ONE_SIZE, SEED, SET_SIZE, SETS, cost, duration, seconds
from problems import timed_problem
from rivals import MEASURED

import truecount as tc

POSTERIORS = {"pcc", "pacc", "friedman", "edy", "sld", "sld-bcts", "ml", "kdey-ml", "dys", "dys-topsoe", "hdy"}
LOOPED_SETS = 1000

KEYS = {"str": "str", "object": object, "category": "category"}
GROUPS = [100, 50_000]


@dataclass(frozen=True)
class Ours:
    """truecount's times in seconds: all sets in one call, set by set, and one large set.

    The pairs are times with and without the check.
    """

    many: float
    singly: tuple[float, float]
    one: tuple[float, float]


def ours(method, problem):
    """Returns truecount's times for a method."""
    train, test = (problem.probabilities, problem.test_probabilities) if method in POSTERIORS else (None, None)
    model = tc.Model.fit(problem.scores, problem.labels, method=method, train_probabilities=train)

    def cost_of(shape, number, **options):
        """Returns the time of this many test sets (or tables of test sets) of this shape, one after the other."""
        scores = problem.test_scores[: number * np.prod(shape)].reshape(number, *shape)
        given = [None] * number if test is None else test[: number * np.prod(shape)].reshape(number, *shape)
        estimate = model.estimate if len(shape) == 1 else model.estimate_each
        return seconds(lambda pair: estimate(pair[0], test_probabilities=pair[1], **options), list(zip(scores, given)))

    def with_and_without_check(shape, number):
        return cost_of(shape, number), cost_of(shape, number, check=False)

    singly = tuple(time * SETS / LOOPED_SETS for time in with_and_without_check((SET_SIZE,), LOOPED_SETS))
    return Ours(cost_of((SETS, SET_SIZE), 1), singly, with_and_without_check((ONE_SIZE,), 1))


def ratio_cell(value, theirs):
    """Formats the ratio of their time to ours, with at least three digits, and our time in brackets."""
    ratio = theirs / value
    return f"{ratio:.{max(0, 3 - len(str(int(ratio))))}f} ({duration(value)})"


def groups(problem):
    """Prints the table of groups, by type of key and number of groups."""
    model = tc.Model.fit(problem.scores, problem.labels)
    scores = problem.test_scores[:ONE_SIZE]
    print("\n| keys | groups | pandas' mean | ours, `es` | `check=False` |")
    print("|---|---:|---:|---:|---:|")
    for name, kind in KEYS.items():
        for number in GROUPS:
            indices = np.random.default_rng(SEED).integers(0, number, ONE_SIZE)
            names = np.array([f"office {group}" for group in range(number)], dtype=object)
            frame = pd.DataFrame({"score": scores, "office": pd.Series(names[indices]).astype(kind)})
            mean = seconds(lambda frame: frame.groupby("office", observed=True).score.mean(), [frame])
            times = [
                seconds(lambda frame: model.estimate(frame.score, by=frame.office, check=check), [frame])
                for check in (None, False)
            ]
            cells = [f"`{name}`", f"{number:,}", duration(mean), *(ratio_cell(value, mean) for value in times)]
            print(f"| {' | '.join(cells)} |", flush=True)


def main():
    """Prints the tables."""
    rivals = [rival for rival in MEASURED if not sys.argv[1:] or rival.ours in sys.argv[1:]]
    problem = timed_problem(SETS * SET_SIZE, SEED)
    mine = {method: ours(method, problem) for method in dict.fromkeys(rival.ours for rival in rivals)}
    header = [
        "ours",
        "theirs",
        f"{SET_SIZE} scores: theirs",
        "ours, all sets in one call",
        "one by one",
        "`check=False`",
    ]
    header += [f"{ONE_SIZE:,} scores: theirs", "ours", "`check=False`"]
    print(f"| {' | '.join(header)} |")
    print("|---|---|" + "---:|" * 7)
    for rival in rivals:
        times, (many, one) = mine[rival.ours], cost(rival, problem)
        cells = [
            f"`{rival.ours}`",
            f"{rival.package} {rival.name}",
            "~" * (rival.many < SETS) + duration(many / SETS),
            *(ratio_cell(value / SETS, many / SETS) for value in (times.many, *times.singly)),
            "~" * (rival.one < ONE_SIZE) + duration(one),
            *(ratio_cell(value, one) for value in times.one),
        ]
        print(f"| {' | '.join(cells)} |", flush=True)
    groups(problem)


if __name__ == "__main__":
    main()
