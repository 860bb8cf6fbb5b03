"""truecount's default beside QuaPy's quantifiers in QuaPy's own protocol: a table in Markdown.

    python uniform.py SPLITS [FILE]

The package truecount must be installed. Each set of sets.py is divided at random into labelled rows and a pool, in as many ways as
SPLITS, two or more, says; the pool's samples have prevalences uniform on [0, 1] (`UPP`). All quantifiers are as they come, with the same
classifier, the same labelled rows and, where they read probabilities, the same ones: those of five folds, as QuaPy makes them for each
by itself.
What is found goes into FILE after each split, and what FILE has is not measured again.

Differences are paired by split. Those beyond the two-sided 5 % of Student's t count as such, each by itself: with so many comparisons, a
few in a hundred would even if nothing differed, and splits of the same few rows are more alike than t takes them to be.
"""

import os

# Before numpy is imported.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "RAYON")}

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from quapy.data import LabelledCollection
from quapy.evaluation import evaluate
from quapy.method.aggregative import EMQ, PACC, DyS, HDy, KDEyML
from quapy.protocol import UPP
from scipy import stats
from sets import CLASSIFIERS, SETS
from sklearn.base import clone

import truecount as tc
from truecount.quapy import Quantifier

OURS = "es"
PEERS = {"EMQ": EMQ, "KDEyML": KDEyML, "DyS": DyS, "PACC": PACC, "HDy": HDy}
REPEATS = 100
LEVEL = 0.05
KEY = ["set", "classifier", "split"]
COLUMNS = [*KEY, "method", "error", "seconds"]


def ours(classifier, labelled):
    """Our quantifier, or None where it refuses, as the labelled positives do not have the higher scores."""
    try:
        return Quantifier(OURS, clone(classifier)).fit(*labelled.Xy)
    except tc.LabelError:
        return None


def peers(classifier, labelled):
    """QuaPy's quantifiers by name. What the classifier learnt and its probabilities are the same for all, so they share them."""
    first = PACC(clone(classifier))
    probabilities, labels = first.classifier_fit_predict(*labelled.Xy)
    for name, kind in PEERS.items():
        peer = kind(first.classifier, fit_classifier=False, val_split=None)
        peer.train_prevalence = labelled.prevalence()  # EMQ's
        peer.aggregation_fit(probabilities, labels)
        yield name, peer


def error_and_seconds(quantifier, protocol):
    """Its mean absolute error, and the processor time of one aggregation."""
    spent, aggregate = [], quantifier.aggregate

    def timed(scores):
        start = time.process_time()
        found = aggregate(scores)
        spent.append(time.process_time() - start)
        return found

    quantifier.aggregate = timed
    return evaluate(quantifier, protocol, "mae"), np.mean(spent)


def measure(each, split):
    """A row for each quantifier that answers."""
    labelled, pool = LabelledCollection(*each.rows(split)).split_stratified(each.labelled, random_state=split)
    protocol = UPP(pool, each.size, REPEATS, random_state=split)
    classifier = CLASSIFIERS[each.classifier]
    for name, quantifier in [(OURS, ours(classifier, labelled)), *peers(classifier, labelled)]:
        if quantifier is not None:
            yield each.name, each.classifier, split, name, *error_and_seconds(quantifier, protocol)


def measured(splits, file):
    """An error and seconds for each set, split and method, those that file has and those that are missing, which it gets."""
    known = pd.read_csv(file) if file and file.exists() else pd.DataFrame(columns=COLUMNS)
    found, done = [known.query("split < @splits")], set(known[KEY].itertuples(index=False, name=None))
    for split in range(splits):
        for each in SETS:
            if (each.name, each.classifier, split) not in done:
                found.append(pd.DataFrame(measure(each, split), columns=COLUMNS))
                if file:
                    found[-1].to_csv(file, mode="a", header=not file.exists(), index=False)
        print(f"{split + 1} of {splits}", file=sys.stderr, flush=True)
    return pd.concat(found).pivot(index=KEY, columns="method", values=["error", "seconds"]).astype(float)


def compare(theirs, ours):
    """How much larger their error is, in percent of ours, with its standard error; and 1, 0 or −1 if ours is ahead, level or behind."""
    difference = theirs - ours
    error = stats.sem(difference)
    t = difference.mean() / error
    sign = int(np.sign(t)) if abs(t) > stats.t.ppf(1 - LEVEL / 2, len(difference) - 1) else 0
    mark = "**" if sign < 0 else ""
    percent = 100 / ours.mean()
    return f"{mark}{round(percent * difference.mean()):+d} ± {round(percent * error)}{mark}".replace("-", "−"), sign


def refusals(name, errors):
    """What is to be said of splits without an estimate of ours."""
    without = errors[errors[OURS].isna()]
    if len(without):
        theirs = ", ".join(f"{peer} {without[peer].mean():.2f}" for peer in PEERS)
        yield f"Of “{name}” `{OURS}` refuses {len(without)} of {len(errors)} splits, which are left out; errors there: {theirs}."


def main():
    """The table, and what it comes to."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    warnings.simplefilter("ignore")  # of few labels, and of early stops
    found = measured(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)
    signs, refused = [], []
    print(f"| set | classifier | labelled, sample | `{OURS}` | {' | '.join(PEERS)} |")
    print("|---|---|---|" + "---:|" * (1 + len(PEERS)))
    for each in SETS:
        errors = found["error"].loc[each.name, each.classifier]
        refused += refusals(each.name, errors)
        answered = errors.dropna(subset=OURS)
        cells, of_set = zip(*(compare(answered[peer], answered[OURS]) for peer in PEERS))
        signs.append(of_set)
        print(
            f"| {each.name} | {each.classifier} | {each.labelled}, {each.size} | {answered[OURS].mean():.4f} | {' | '.join(cells)} |"
        )
    times = found["seconds"].mean()
    print(
        f"| processor time of an aggregation, µs | | | {' | '.join(f'{1e6 * times[method]:.0f}' for method in (OURS, *PEERS))} |\n"
    )
    signs = np.array(signs)
    ahead, level, behind = ((signs == sign).sum() for sign in (1, 0, -1))
    outcome = f"`{OURS}` is ahead in {ahead} of {signs.size} comparisons, level in {level} and behind in {behind};"
    most = f"on no set is it behind more than {(signs < 0).sum(axis=1).max()} of {len(PEERS)}."
    print(*refused, outcome, most, sep="\n")


if __name__ == "__main__":
    main()
