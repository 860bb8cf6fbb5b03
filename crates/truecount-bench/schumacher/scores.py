"""Labelled scores and pools by the design of Schumacher, Strohmaier and Lemmerich (2025), and experiment files.

    Rscript sets.R TABLES
    python scores.py TABLES OUT [--seeds N] [--classifier NAME] [SET …]

A share of each set's rows is labelled, with six different prevalences; all other rows are the pool. The number
of labelled rows leaves enough rows in the pool for a test sample at every test prevalence. With y₁ positives
and y₀ negatives, labelled share r and training prevalence t, the size n of the labelled and the test sample
together is the minimum, over the paper's test prevalences p, of y₁/(r t + (1 − r) p) and
y₀/(r (1 − t) + (1 − r)(1 − p)). (The paper computes n for each p separately, and so labels other rows for each.)

Everything else follows the paper's published code. Classifiers of ten stratified folds score the labelled rows;
there are fewer folds if a class has fewer rows, and none if it has only one. A classifier fitted to all labelled
rows scores the pool. Logistic regression is scikit-learn's with default settings and 1000 iterations. The paper
tunes other classifiers on sets of at most 10,000 rows; here two more run on these sets with default settings and
half of the rows labelled.

OUT gets CLASSIFIER/SET.toml and a folder with two tables for each labelled sample. The column `scaled` is the
score mapped to [0, 1] by the range of the labelled scores and clipped, on which the paper's HDy has its bins.
The same package versions write the same files.
"""

import argparse
from pathlib import Path

import numpy as np
from sets import SETS, read
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

CLASSIFIERS = {
    "logistic": LogisticRegression(max_iter=1000),
    "forest": RandomForestClassifier(random_state=1),
    "boosting": GradientBoostingClassifier(random_state=1),
}
MAX_ROWS_OF_OTHERS = 10_000
SHARES = (0.1, 0.3, 0.5, 0.7)
SHARES_OF_OTHERS = (0.5,)
TRAINING = (0.9, 0.7, 0.5, 0.3, 0.1, 0.05)
TEST = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01, 0.0)
FOLDS = 10
SAMPLES = 1


def sizes(y, share, training):
    """Returns the numbers of labelled negatives and positives, and the size of a test sample."""
    positives = y.sum()
    n = float(len(y))
    for test in TEST:
        n = min(
            n,
            (len(y) - positives) / (share * (1 - training) + (1 - share) * (1 - test)),
            positives / (share * training + (1 - share) * test),
        )
    n = int(n)
    counts = [int(n * share * part) for part in (1 - training, training)]
    return counts, int(n * (1 - share))


def predict(classifier, features):
    """Returns the score and the probability of each row."""
    probability = classifier.predict_proba(features)[:, 1]
    score = classifier.decision_function(features) if hasattr(classifier, "decision_function") else probability
    return np.column_stack([score, probability])


def out_of_fold(classifier, features, y):
    """Returns cross-fitted scores and probabilities of the labelled rows; in-sample ones if a class has one row."""
    folds = min(FOLDS, np.bincount(y).min())
    if folds < 2:
        return predict(clone(classifier).fit(features, y), features)
    scores = np.empty((len(y), 2))
    for training, held_out in StratifiedKFold(folds).split(features, y):
        fitted = clone(classifier).fit(features[training], y[training])
        scores[held_out] = predict(fitted, features[held_out])
    return scores


def write(folder, labelled, pool):
    """Writes the tables of labelled rows and of the pool (pairs of scores and labels), with all digits."""
    low, high = labelled[0][:, 0].min(), labelled[0][:, 0].max()
    for name, (scores, y) in (("labelled", labelled), ("pool", pool)):
        scaled = np.clip((scores[:, 0] - low) / (high - low or 1.0), 0.0, 1.0)
        rows = zip(scores.tolist(), scaled.tolist(), y.tolist())
        lines = (f"{s!r},{p!r},{z!r},{label}\n" for (s, p), z, label in rows)
        (folder / f"{name}.csv").write_text("score,probability,scaled,label\n" + "".join(lines))


def entry(folder, name, classifier, training):
    """Returns one `[[scores]]` table of an experiment file; paths are relative to that file."""
    return f"""
[[scores]]
data = "{name}"
classifier = "{classifier}"
training = "{training}"
train = "{folder}/labelled.csv"
pool = "{folder}/pool.csv"
probability = "probability"
"""


def make(out, tables, name, classifier_name, seeds):
    """Writes all labelled samples of one set with their pools, and the experiment file."""
    features, y = read(name, tables)
    classifier = CLASSIFIERS[classifier_name]
    entries, smallest = [], len(y)
    for seed in range(1, seeds + 1):
        for share in SHARES if classifier_name == "logistic" else SHARES_OF_OTHERS:
            for training in TRAINING:
                counts, size = sizes(y, share, training)
                smallest = min(smallest, size)
                rng = np.random.default_rng([seed, round(100 * share), round(100 * training)])
                labelled = np.concatenate(
                    [rng.choice(np.flatnonzero(y == c), counts[c], replace=False) for c in (0, 1)]
                )
                pool = np.setdiff1d(np.arange(len(y)), labelled)
                description = f"prevalence {training}, share {share}, seed {seed}"
                folder = Path(name) / f"{share}-{training}-{seed}"
                target = out / classifier_name / folder
                target.mkdir(parents=True, exist_ok=True)
                scores = out_of_fold(classifier, features[labelled], y[labelled])
                fitted = clone(classifier).fit(features[labelled], y[labelled])
                write(target, (scores, y[labelled]), (predict(fitted, features[pool]), y[pool]))
                entries.append(entry(folder, name, classifier_name, description))
    protocol = f'\n[[protocol]]\nshift = "prior"\nprevalences = {list(TEST)}\n'
    head = f'methods = ["all"]\nsizes = [{smallest}]\nsamples = {SAMPLES}\nseed = 1\n'
    (out / classifier_name / f"{name}.toml").write_text(head + protocol + "".join(entries))


def main():
    parser = argparse.ArgumentParser(description="Labelled scores and pools by the design of Schumacher et al. (2025)")
    parser.add_argument("tables", type=Path, help="folder with what sets.R wrote")
    parser.add_argument("out", type=Path, help="folder for the scores, made if need be")
    parser.add_argument("--seeds", type=int, default=10, help="labelled samples of each kind (10, as in the paper)")
    parser.add_argument("--classifier", choices=CLASSIFIERS, default="logistic")
    parser.add_argument("sets", nargs="*", metavar="SET", help="sets of sets.py; all by default")
    args = parser.parse_intermixed_args()
    for name in args.sets or SETS:
        if args.classifier != "logistic" and SETS[name].rows > MAX_ROWS_OF_OTHERS:
            continue
        make(args.out, args.tables, name, args.classifier, args.seeds)
        print(name, flush=True)


if __name__ == "__main__":
    main()
