"""Errors of estimates from real scores: truecount, QuaPy and mlquantify on the same samples from pools.

    python accuracy.py FOLDER

The design is that of `truecount-bench study pools`: 30, 100 and 500 labels of each class and disjoint test
samples of 500, of which 2, 10 and 50 % are positive. They are drawn from data/spam/pool.csv and from the
probabilities that crates/truecount-bench/pools/make.py wrote into FOLDER. Probabilities are adjusted to equal
shares of the classes, as in the labelled samples; a score is the log odds. Every method has its default settings,
and estimates are clipped to [0, 1].
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from problems import Problem, answers
from rivals import MEASURED

LABELS, POSITIVES, SIZE = (30, 100, 500), (10, 50, 250), 500
REPLICATIONS = 50
SEED = 20261122
MIN_PROBABILITY = 1e-6  # probabilities of 0 and 1 have no log odds


def log_odds(share):
    """Returns the log odds of a probability inside (0, 1)."""
    return np.log(share / (1.0 - share))


def pools(folder):
    """Yields the file, the scores of the positives and the scores of the negatives of each pool."""
    for file in [Path("data/spam/pool.csv"), *sorted(folder.glob("*.csv"))]:
        values, labels = np.loadtxt(file, delimiter=",", skiprows=1, unpack=True)
        are_probabilities = values.min() >= 0.0 and values.max() <= 1.0
        scores = log_odds(np.clip(values, MIN_PROBABILITY, 1.0 - MIN_PROBABILITY)) if are_probabilities else values
        scores = scores - log_odds(labels.mean())
        yield file, scores[labels == 1], scores[labels == 0]


def draw(rng, positive, negative, labels, positives):
    """Draws a problem with disjoint samples."""
    drawn = (
        rng.choice(positive, labels + positives, replace=False),
        rng.choice(negative, labels + SIZE - positives, replace=False),
    )
    train, test = (np.concatenate(parts) for parts in zip(*((scores[:labels], scores[labels:]) for scores in drawn)))
    return Problem(train, 1.0 / (1.0 + np.exp(-train)), np.repeat((1, 0), labels), test, 1.0 / (1.0 + np.exp(-test)))


def theirs(rival, problem):
    """Returns the rival's estimate, or None if it fails."""
    try:
        _, aggregate = rival.fit(rival.train(problem), problem.labels)
        return float(aggregate(rival.test(problem)))
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None


def estimates(problems):
    """Yields every method's estimate for each problem; None if a method fails."""
    for problem, answer in zip(problems, answers(problems)):
        ours = {("truecount", method): result.get("raw") for method, result in answer.items()}
        yield ours | {(rival.package, rival.name): theirs(rival, problem) for rival in MEASURED}


def main():
    """Prints the table of means over pools, prevalences and samples."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    errors = defaultdict(lambda: defaultdict(list))
    for number, (file, positive, negative) in enumerate(pools(Path(sys.argv[1]))):
        print(file, file=sys.stderr, flush=True)
        for labels in LABELS:
            for positives in POSITIVES:
                rng = np.random.default_rng([SEED, number, labels, positives])
                problems = [draw(rng, positive, negative, labels, positives) for _ in range(REPLICATIONS)]
                for raw_by_method in estimates(problems):
                    for method, raw in raw_by_method.items():
                        error = None if raw is None else abs(np.clip(raw, 0.0, 1.0) - positives / SIZE)
                        errors[method][labels].append(error)
    print("mean absolute errors; none: samples without an estimate, which the errors leave out\n")
    print(f"{'':12}{'labels of each class:':22}" + "".join(f"{labels:>10}" for labels in LABELS) + f"{'none':>8}")
    for (package, name), by_labels in errors.items():
        known = [[error for error in by_labels[labels] if error is not None] for labels in LABELS]
        none = sum(error is None for labels in LABELS for error in by_labels[labels])
        cells = "".join(f"{np.mean(each):10.4f}" if each else f"{'–':>10}" for each in known)
        print(f"{package:12}{name:22}{cells}{none:8}")


if __name__ == "__main__":
    main()
