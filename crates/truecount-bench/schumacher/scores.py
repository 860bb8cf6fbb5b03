"""Labelled scores and pools, by the design of Schumacher, Strohmaier and Lemmerich (2025), and a file for `truecount experiment` beside them.

    Rscript sets.R TABLES
    python scores.py TABLES OUT [--seeds N] [--classifier NAME] [SET …]

Of each set's rows a share is labelled, in six ways that differ in the share of positives among them; all other rows are the pool. So many
rows are labelled that the pool has enough for a test sample of the rest at every test prevalence: n of the labelled and the test
sample together is the least, over the paper's test prevalences p, of y₁/(r t + (1 − r) p) and y₀/(r (1 − t) + (1 − r)(1 − p)), of y₁ positives
and y₀ negatives, labelled share r and training prevalence t. (The paper takes that n for each p by itself, and so labels other rows for each.)

Everything else is the paper's published code: ten stratified folds score the labelled rows, fewer where a class has fewer, none where it
has one row only; a classifier of all of them scores the pool. Logistic regression is scikit-learn's, as it comes, with 1000 iterations.
The paper tunes other classifiers on sets of at most 10,000 rows; here are two more on those, as they come, with half of the rows labelled.

OUT gets CLASSIFIER/SET.toml and a folder of two tables for each labelled sample. The column `scaled` is the score with the least labelled one
at 0 and the largest at 1, and what is beyond them at these: the paper's HDy has its bins there. Same versions, same files.
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
LARGEST_OF_OTHERS = 10_000
SHARES = (0.1, 0.3, 0.5, 0.7)
SHARES_OF_OTHERS = (0.5,)
TRAINING = (0.9, 0.7, 0.5, 0.3, 0.1, 0.05)
TEST = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01, 0.0)
FOLDS = 10
SAMPLES = 1


def sizes(y, share, training):
    """Labelled negatives and positives, and rows in a test sample."""
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


def scored(classifier, features):
    """The score and the probability of each row."""
    probability = classifier.predict_proba(features)[:, 1]
    score = classifier.decision_function(features) if hasattr(classifier, "decision_function") else probability
    return np.column_stack([score, probability])


def out_of_fold(classifier, features, y):
    """Scores of labelled rows by classifiers that have not seen them, where there are rows enough for that."""
    folds = min(FOLDS, np.bincount(y).min())
    if folds < 2:
        return scored(clone(classifier).fit(features, y), features)
    scores = np.empty((len(y), 2))
    for learnt, held_out in StratifiedKFold(folds).split(features, y):
        fitted = clone(classifier).fit(features[learnt], y[learnt])
        scores[held_out] = scored(fitted, features[held_out])
    return scores


def write(folder, labelled, pool):
    """The tables of labelled rows and of the pool, each given as scores and labels, with every digit of a double."""
    least, largest = labelled[0][:, 0].min(), labelled[0][:, 0].max()
    for name, (scores, y) in (("labelled", labelled), ("pool", pool)):
        scaled = np.clip((scores[:, 0] - least) / (largest - least or 1.0), 0.0, 1.0)
        rows = zip(scores.tolist(), scaled.tolist(), y.tolist())
        lines = (f"{s!r},{p!r},{z!r},{label}\n" for (s, p), z, label in rows)
        (folder / f"{name}.csv").write_text("score,probability,scaled,label\n" + "".join(lines))


def entry(folder, name, classifier, training):
    """One `[[scores]]` of an experiment; paths are relative to its file."""
    return f"""
[[scores]]
data = "{name}"
classifier = "{classifier}"
training = "{training}"
train = "{folder}/labelled.csv"
pool = "{folder}/pool.csv"
probability = "probability"
"""


def make(out, tables, name, called, seeds):
    """All labelled samples of one set, with the pools that belong to them."""
    features, y = read(name, tables)
    classifier = CLASSIFIERS[called]
    entries, smallest = [], len(y)
    for seed in range(1, seeds + 1):
        for share in SHARES if called == "logistic" else SHARES_OF_OTHERS:
            for training in TRAINING:
                counts, size = sizes(y, share, training)
                smallest = min(smallest, size)
                rng = np.random.default_rng([seed, round(100 * share), round(100 * training)])
                labelled = np.concatenate(
                    [rng.choice(np.flatnonzero(y == c), counts[c], replace=False) for c in (0, 1)]
                )
                pool = np.setdiff1d(np.arange(len(y)), labelled)
                how = f"prevalence {training}, share {share}, seed {seed}"
                folder = Path(name) / f"{share}-{training}-{seed}"
                (out / called / folder).mkdir(parents=True, exist_ok=True)
                known = out_of_fold(classifier, features[labelled], y[labelled])
                fitted = clone(classifier).fit(features[labelled], y[labelled])
                write(out / called / folder, (known, y[labelled]), (scored(fitted, features[pool]), y[pool]))
                entries.append(entry(folder, name, called, how))
    protocol = f'\n[[protocol]]\nshift = "prior"\nprevalences = {list(TEST)}\n'
    head = f'methods = ["all"]\nsizes = [{smallest}]\nsamples = {SAMPLES}\nseed = 1\n'
    (out / called / f"{name}.toml").write_text(head + protocol + "".join(entries))


def main():
    parser = argparse.ArgumentParser(description="Labelled scores and pools by the design of Schumacher et al. (2025)")
    parser.add_argument("tables", type=Path, help="folder with what sets.R wrote")
    parser.add_argument("out", type=Path, help="folder for the scores, made if need be")
    parser.add_argument("--seeds", type=int, default=10, help="labelled samples of each kind (10, as in the paper)")
    parser.add_argument("--classifier", choices=CLASSIFIERS, default="logistic")
    parser.add_argument("sets", nargs="*", metavar="SET", help="sets of sets.py; all by default")
    asked = parser.parse_intermixed_args()
    for name in asked.sets or SETS:
        if asked.classifier != "logistic" and SETS[name].rows > LARGEST_OF_OTHERS:
            continue
        make(asked.out, asked.tables, name, asked.classifier, asked.seeds)
        print(name, flush=True)


if __name__ == "__main__":
    main()
