"""truecount's default beside QuaPy's quantifiers in QuaPy's own protocol: a table in Markdown.

    python uniform.py FILE [SPLITS]

The package truecount must be installed. Each set of sets.py is divided at random into labelled rows and a pool, in as many ways as SPLITS
says (50); the pool's samples have prevalences uniform on [0, 1] (`UPP`). All quantifiers are as they come, with the same classifier, the same
labelled rows and, where they read probabilities, the same ones: those of five folds, as QuaPy makes them for each by itself. What is found goes
into FILE after each split; what FILE has is not measured again.

Differences are paired by split. Those beyond the two-sided 5 % of Student's t count as such, each by itself: with so many comparisons, a few
in a hundred would even if nothing differed, and splits of the same few rows are more alike than t takes them to be.
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
SPLITS, REPEATS = 50, 100
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


def measured(file, splits):
    """What file has in the end: an error for each split and method, and seconds."""
    if not file.exists():
        pd.DataFrame(columns=COLUMNS).to_csv(file, index=False)
    known = set(pd.read_csv(file)[KEY].itertuples(index=False, name=None))
    for each in SETS:
        for split in range(splits):
            if (each.name, each.classifier, split) not in known:
                pd.DataFrame(measure(each, split)).to_csv(file, mode="a", header=False, index=False)
        print(f"{each.name}, {each.classifier}", file=sys.stderr, flush=True)
    return pd.read_csv(file).query("split < @splits").pivot(index=KEY, columns="method", values=["error", "seconds"])


def compare(theirs, ours):
    """How much larger their error is and its standard error from split to split, in percent of ours; 1, 0, −1 if ours is ahead, level, behind."""
    difference = theirs - ours
    error = stats.sem(difference)
    far = abs(difference.mean()) > stats.t.ppf(1 - LEVEL / 2, len(difference) - 1) * error
    mark = "**" if far and difference.mean() < 0 else ""
    shown = f"{mark}{100 * difference.mean() / ours.mean():+.0f} ± {100 * error / ours.mean():.0f}{mark}"
    return shown.replace("-", "−"), int(far * np.sign(difference.mean()))


def main():
    """The table, and what it comes to."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    warnings.simplefilter("ignore")  # of few labels, and of early stops
    found = measured(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else SPLITS)
    outcomes, refused = [], []
    print(f"| set | classifier | labelled, sample | `{OURS}` | {' | '.join(PEERS)} |")
    print("|---|---|---|" + "---:|" * (1 + len(PEERS)))
    for each in SETS:
        errors = found["error"].loc[each.name, each.classifier]
        answered = errors.dropna(subset=OURS)
        if len(answered) < len(errors):
            without = errors.drop(answered.index)[[*PEERS]].mean()
            refused.append(f"{each.name}: `{OURS}` refuses {len(errors) - len(answered)} of {len(errors)} splits; there the errors of QuaPy's are "
                           + ", ".join(f"{name} {error:.4f}" for name, error in without.items()))
        cells, signs = zip(*(compare(answered[peer], answered[OURS]) for peer in PEERS))
        outcomes.append(signs)
        print(f"| {each.name} | {each.classifier} | {each.labelled}, {each.size} | {answered[OURS].mean():.4f} | {' | '.join(cells)} |")
    seconds = found["seconds"].mean()
    print(f"| processor time of an aggregation, µs | | | {' | '.join(f'{1e6 * seconds[method]:.0f}' for method in (OURS, *PEERS))} |")
    outcomes = np.array(outcomes)
    ahead, level, behind = ((outcomes == sign).sum() for sign in (1, 0, -1))
    print(f"\n`{OURS}` is ahead in {ahead} of {outcomes.size} comparisons, level in {level} and behind in {behind};")
    print(f"on no set is it behind more than {(outcomes < 0).sum(axis=1).max()} of {len(PEERS)}.")
    print(*refused, sep="\n")


if __name__ == "__main__":
    main()
