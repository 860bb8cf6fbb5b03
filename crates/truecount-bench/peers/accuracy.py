"""How far estimates of real scores are off: truecount, QuaPy and mlquantify on the same samples from pools.

    python accuracy.py FOLDER COMMAND…      COMMAND runs truecount's example `peers`

The design is that of `truecount-bench study pools`: 30, 100 and 500 labels of each class and disjoint test samples of 500, of which
2, 10 and 50 % are positive, drawn from data/spam/pool.csv and from the probabilities that crates/truecount-bench/pools/make.py wrote into FOLDER.
A score is the log odds of a probability at equal shares of the classes, which is what the labelled samples have; methods that read
probabilities are given that one. Every method is as it comes, and estimates are kept inside [0, 1].
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from problems import Problem, answers_of
from rivals import MEASURED

LABELS, POSITIVES, SIZE = (30, 100, 500), (10, 50, 250), 500
REPLICATIONS = 50
SEED = 20261122
LEAST = 1e-6  # probabilities of 0 and 1 have no log odds


def log_odds(share):
    """Of a probability that is neither 0 nor 1."""
    return np.log(share / (1.0 - share))


def pools(folder):
    """The scores of the positives and the negatives of each pool."""
    for file in [Path("data/spam/pool.csv"), *sorted(folder.glob("*.csv"))]:
        values, labels = np.loadtxt(file, delimiter=",", skiprows=1, unpack=True)
        are_probabilities = values.min() >= 0.0 and values.max() <= 1.0
        scores = log_odds(np.clip(values, LEAST, 1.0 - LEAST)) if are_probabilities else values
        scores = scores - log_odds(labels.mean())
        yield file, scores[labels == 1], scores[labels == 0]


def draw(rng, positive, negative, labels, positives):
    """A problem whose samples have no case in common."""
    some = (
        rng.choice(positive, labels + positives, replace=False),
        rng.choice(negative, labels + SIZE - positives, replace=False),
    )
    train, test = (np.concatenate(parts) for parts in zip(*((scores[:labels], scores[labels:]) for scores in some)))
    return Problem(train, 1.0 / (1.0 + np.exp(-train)), np.repeat((1, 0), labels), test, 1.0 / (1.0 + np.exp(-test)))


def theirs(rival, problem):
    """The rival's estimate, or None where it fails."""
    try:
        _, aggregate = rival.fit(rival.train(problem), problem.labels)
        return float(aggregate(rival.test(problem)))
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None


def estimates(command, problems):
    """Every method's estimate of each problem, None where there is none."""
    for problem, answer in zip(problems, answers_of(command, "estimate", problems)):
        ours = {("truecount", method): found.get("raw") for method, found in answer.items()}
        yield ours | {(rival.package, rival.name): theirs(rival, problem) for rival in MEASURED}


def main():
    """The table: means over pools, prevalences and samples."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    errors = defaultdict(lambda: defaultdict(list))
    for number, (file, positive, negative) in enumerate(pools(Path(sys.argv[1]))):
        print(file, file=sys.stderr, flush=True)
        for labels in LABELS:
            for positives in POSITIVES:
                rng = np.random.default_rng([SEED, number, labels, positives])
                problems = [draw(rng, positive, negative, labels, positives) for _ in range(REPLICATIONS)]
                for found in estimates(sys.argv[2:], problems):
                    for method, raw in found.items():
                        error = None if raw is None else abs(np.clip(raw, 0.0, 1.0) - positives / SIZE)
                        errors[method][labels].append(error)
    print("mean absolute errors; none: samples without an estimate, which the errors leave out\n")
    print(f"{'':12}{'labels of each class:':22}" + "".join(f"{labels:>10}" for labels in LABELS) + f"{'none':>8}")
    for (package, name), of_labels in errors.items():
        known = [[error for error in of_labels[labels] if error is not None] for labels in LABELS]
        none = sum(error is None for labels in LABELS for error in of_labels[labels])
        cells = "".join(f"{np.mean(each):10.4f}" if each else f"{'–':>10}" for each in known)
        print(f"{package:12}{name:22}{cells}{none:8}")


if __name__ == "__main__":
    main()
