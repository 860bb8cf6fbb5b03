"""What a call of truecount from Python costs beside QuaPy's and mlquantify's: a table in Markdown.

    python calls.py [METHOD…]

The package truecount must be installed. Peers and data are those of compare.py, where the answers are compared too.
Aggregation alone, everything learnt beforehand, on one thread: 5000 sets of 250 scores and one set of a million. The peers
are called set by set, as they must be; ours takes all sets in one call, and for comparison one by one too. A single set is
checked for shift unless `check=False` says otherwise. Each of our times stands in brackets behind theirs in units of it. Slow
peers are given a part, and their time is scaled (~).

Below it, groups of a million rows by a column of pandas, beside pandas' own mean of each group.
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
LOOPED = 1000

KEYS = {"str": "str", "object": object, "category": "category"}
GROUPS = [100, 50_000]


@dataclass(frozen=True)
class Ours:
    """Seconds for all sets in one call; set by set and for one large set, with the check and without."""

    many: float
    singly: tuple[float, float]
    one: tuple[float, float]


def ours(method, problem):
    """What our method costs."""
    learnt, given = (problem.probabilities, problem.test_probabilities) if method in POSTERIORS else (None, None)
    model = tc.Model.fit(problem.scores, problem.labels, method=method, train_probabilities=learnt)

    def cost_of(shape, number, **options):
        """Of so many test sets, or tables of them, one after the other."""
        cut = [problem.test_scores[: number * np.prod(shape)].reshape(number, *shape), None]
        cut[1] = [None] * number if given is None else given[: number * np.prod(shape)].reshape(number, *shape)
        ask = model.estimate if len(shape) == 1 else model.estimate_each
        return seconds(lambda pair: ask(pair[0], test_probabilities=pair[1], **options), list(zip(*cut)))

    def with_and_without(shape, number):
        return cost_of(shape, number), cost_of(shape, number, check=False)

    singly = tuple(time * SETS / LOOPED for time in with_and_without((SET_SIZE,), LOOPED))
    return Ours(cost_of((SETS, SET_SIZE), 1), singly, with_and_without((ONE_SIZE,), 1))


def beside(value, theirs):
    """A time of ours, and how many times as long theirs is: three digits, or as many as the whole number has."""
    ratio = theirs / value
    return f"{ratio:.{max(0, 3 - len(str(int(ratio))))}f} ({duration(value)})"


def groups(problem):
    """The table of groups; theirs and ours by keys of each type and number of groups."""
    model = tc.Model.fit(problem.scores, problem.labels)
    scores = problem.test_scores[:ONE_SIZE]
    print("\n| keys | groups | pandas' mean | ours, `es` | `check=False` |")
    print("|---|---:|---:|---:|---:|")
    for name, kind in KEYS.items():
        for number in GROUPS:
            drawn = np.random.default_rng(SEED).integers(0, number, ONE_SIZE)
            names = np.array([f"office {group}" for group in range(number)], dtype=object)
            frame = pd.DataFrame({"score": scores, "office": pd.Series(names[drawn]).astype(kind)})
            mean = seconds(lambda one: one.groupby("office", observed=True).score.mean(), [frame])
            found = [
                seconds(lambda one: model.estimate(one.score, by=one.office, check=check), [frame])
                for check in (None, False)
            ]
            cells = [f"`{name}`", f"{number:,}", duration(mean), *(beside(value, mean) for value in found)]
            print(f"| {' | '.join(cells)} |", flush=True)


def main():
    """The tables."""
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
        found, (many, one) = mine[rival.ours], cost(rival, problem)
        cells = [
            f"`{rival.ours}`",
            f"{rival.package} {rival.name}",
            "~" * (rival.many < SETS) + duration(many / SETS),
            *(beside(value / SETS, many / SETS) for value in (found.many, *found.singly)),
            "~" * (rival.one < ONE_SIZE) + duration(one),
            *(beside(value, one) for value in found.one),
        ]
        print(f"| {' | '.join(cells)} |", flush=True)
    groups(problem)


if __name__ == "__main__":
    main()
