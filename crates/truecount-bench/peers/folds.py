"""Who scores new rows: all folds' classifiers, one of them drawn for each row, or one fitted to all labelled rows.

    python folds.py SPLITS

The package truecount must be installed. Each set of sets.py is divided SPLITS times at random into labelled rows and
a pool, from which 100 samples are drawn with prevalences uniform on [0, 1]. Prints a table in Markdown: the mean
absolute error of Efficient Sweep, and the coverage and the mean width of its 95 % intervals.
"""

import os

# Before numpy is imported.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "RAYON")}

import sys

import numpy as np
from sets import CLASSIFIERS, SETS
from sklearn.base import clone
from sklearn.model_selection import train_test_split

import truecount as tc

SAMPLES = 100
SCORERS = ("all folds", "one fold", "refit")


def draw_samples(y, size, seed):
    """Returns the rows of the samples that the pool has enough rows for, and their prevalences."""
    rng = np.random.default_rng(seed)
    classes = [np.flatnonzero(y == label) for label in (0, 1)]
    rows, truths = [], []
    for prevalence in rng.uniform(size=SAMPLES):
        counts = np.array([size - round(prevalence * size), round(prevalence * size)])
        if (counts <= [len(members) for members in classes]).all():
            rows.append(np.concatenate([rng.choice(*pair, replace=False) for pair in zip(classes, counts)]))
            truths.append(counts[1] / size)
    return np.array(rows), np.array(truths)


def measure(data_set, split):
    """Returns error, coverage and width for each scorer, or None if no classifier separates the classes."""
    X, y = data_set.rows(split)
    X, pool, y, pool_y = train_test_split(X, y, train_size=data_set.labelled, stratify=y, random_state=split)
    rows, truths = draw_samples(pool_y, data_set.size, split)
    sample = np.repeat(np.arange(len(rows)), data_set.size)
    new = pool[rows.ravel()]
    classifier = CLASSIFIERS[data_set.classifier]
    try:
        folds = tc.EfficientSweep(clone(classifier)).fit(X, y)
        refit = tc.EfficientSweep(clone(classifier), ensemble=False).fit(X, y)
    except tc.LabelError:
        return None
    scores, _ = folds.scores(new)
    tables = (
        folds.estimate(new, by=sample, check=False),
        folds.model_.estimate(scores, by=sample, check=False),
        refit.estimate(new, by=sample, check=False),
    )
    return [
        (
            np.abs(table.prevalence - truths).mean(),
            ((table.lower <= truths) & (truths <= table.upper)).mean(),
            (table.upper - table.lower).mean(),
        )
        for table in tables
    ]


def main():
    splits = int(sys.argv[1])
    print(f"| set | {' | '.join(f'{scorer}: error | covered | width' for scorer in SCORERS)} |")
    print("|---|" + "---|" * 9)
    means = []
    for data_set in SETS:
        results = [measure(data_set, split) for split in range(splits)]
        mean = np.mean([result for result in results if result is not None], axis=0)
        means.append(mean)
        print_row(f"{data_set.name}, {data_set.classifier}", mean)
    print_row("mean", np.mean(means, axis=0))
    errors = np.array(means)[:, :, 0]
    for index in (1, 2):
        change = 100 * np.mean(errors[:, 0] / errors[:, index] - 1)
        print(f"all folds against {SCORERS[index]}: {change:+.1f} % error, mean over the sets")


def print_row(name, mean):
    cells = " | ".join(f"{error:.4f} | {100 * covered:.1f} % | {width:.3f}" for error, covered, width in mean)
    print(f"| {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
