"""Pools of scores for `truecount-bench study pools`: six CSV tables of 20,000 held-out cases each.

    python make.py FOLDER

Two synthetic classification problems, each with the probabilities of three classifiers trained on 1500 other
cases. A forest's probabilities have ties, a boosted tree's are overconfident, and naive Bayes treats dependent
features as independent, so that many of its probabilities are close to 0 or 1. No simple family has these
shapes. The same package versions write the same files.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

TRAIN, POOL, FEATURES = 1500, 20_000, 20
SEED = 20261122

CLASSIFIERS = {
    "forest": lambda: RandomForestClassifier(n_estimators=200, random_state=1),
    "boosting": lambda: HistGradientBoostingClassifier(random_state=1),
    "bayes": GaussianNB,
}


def clusters(rng, n):
    """Draws cases from three normal clusters per class, with dependent features; a third is positive."""
    labels = rng.random(n) < 1 / 3
    centres = rng.normal(0.0, 0.8, (2, 3, FEATURES))
    mixings = rng.normal(0.0, 0.4, (2, 3, FEATURES, FEATURES))
    cluster = rng.integers(3, size=n)
    noise = rng.normal(size=(n, FEATURES))
    features = np.empty((n, FEATURES))
    for label in (0, 1):
        for k in range(3):
            rows = (labels == label) & (cluster == k)
            features[rows] = centres[label, k] + noise[rows] @ (np.eye(FEATURES) + mixings[label, k])
    return features, labels


def rule(rng, n):
    """Draws cases whose class depends on a few features, on an interaction of two, and on chance.

    About a seventh of the cases is positive.
    """
    mixing = np.eye(FEATURES) + rng.normal(0.0, 0.2, (FEATURES, FEATURES))
    features = rng.normal(size=(n, FEATURES)) @ mixing
    a, b, c, d, e = features[:, :5].T
    logit = -3.5 + 1.5 * a + 1.5 * np.maximum(b, 0.0) + 1.5 * c * d - 1.5 * (np.abs(e) > 1.0)
    return features, rng.random(n) < 1.0 / (1.0 + np.exp(-logit))


PROBLEMS = {"clusters": clusters, "rule": rule}


def write(file, scores, labels):
    """Writes scores and labels, with all digits."""
    lines = (f"{score!r},{label:d}\n" for score, label in zip(scores.tolist(), labels.tolist()))
    file.write_text("score,label\n" + "".join(lines))


def main():
    """Writes all pools."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, (problem, cases) in enumerate(PROBLEMS.items()):
        features, labels = cases(np.random.default_rng([SEED, number]), TRAIN + POOL)
        for name, classifier in CLASSIFIERS.items():
            fitted = classifier().fit(features[:TRAIN], labels[:TRAIN])
            write(folder / f"{problem}-{name}.csv", fitted.predict_proba(features[TRAIN:])[:, 1], labels[TRAIN:])


if __name__ == "__main__":
    main()
