"""truecount's default method compared with QuaPy's quantifiers in QuaPy's own protocol: a table in Markdown.

    python uniform.py SPLITS [FILE]

The package truecount must be installed. Each set of sets.py is divided SPLITS times (two or more) at random into
labelled rows and a pool, whose samples have prevalences uniform on [0, 1] (`UPP`). All quantifiers have their
default settings, the same classifier, the same labelled rows and the same probabilities, which come from five
folds, as in QuaPy. Results are appended to FILE after each split, and results in FILE are not measured again.

Differences are paired by split, and significant by the two-sided t test at 5 %, without a correction for multiple
comparisons: a few in a hundred would be significant by chance. Splits of the same few rows are also more similar
than the t test assumes.
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
    """Returns our quantifier, or None if the labelled positives do not have the higher scores."""
    try:
        return Quantifier(OURS, clone(classifier)).fit(*labelled.Xy)
    except tc.LabelError:
        return None


def peers(classifier, labelled):
    """Yields QuaPy's quantifiers by name; they share the fitted classifier and its probabilities."""
    first = PACC(clone(classifier))
    probabilities, labels = first.classifier_fit_predict(*labelled.Xy)
    for name, kind in PEERS.items():
        peer = kind(first.classifier, fit_classifier=False, val_split=None)
        peer.train_prevalence = labelled.prevalence()  # for EMQ
        peer.aggregation_fit(probabilities, labels)
        yield name, peer


def error_and_seconds(quantifier, protocol):
    """Returns a quantifier's mean absolute error, and the processor time of one aggregation."""
    times, aggregate = [], quantifier.aggregate

    def timed(scores):
        start = time.process_time()
        result = aggregate(scores)
        times.append(time.process_time() - start)
        return result

    quantifier.aggregate = timed
    return evaluate(quantifier, protocol, "mae"), np.mean(times)


def measure(data_set, split):
    """Yields a row for each quantifier that can be fitted."""
    collection = LabelledCollection(*data_set.rows(split))
    labelled, pool = collection.split_stratified(data_set.labelled, random_state=split)
    protocol = UPP(pool, data_set.size, REPEATS, random_state=split)
    classifier = CLASSIFIERS[data_set.classifier]
    for name, quantifier in [(OURS, ours(classifier, labelled)), *peers(classifier, labelled)]:
        if quantifier is not None:
            yield data_set.name, data_set.classifier, split, name, *error_and_seconds(quantifier, protocol)


def measure_all(splits, file):
    """Returns error and time for each set, split and method.

    Results are read from the file as far as it has them; new results are appended to it.
    """
    known = pd.read_csv(file) if file and file.exists() else pd.DataFrame(columns=COLUMNS)
    results, done = [known.query("split < @splits")], set(known[KEY].itertuples(index=False, name=None))
    for split in range(splits):
        for data_set in SETS:
            if (data_set.name, data_set.classifier, split) not in done:
                results.append(pd.DataFrame(measure(data_set, split), columns=COLUMNS))
                if file:
                    results[-1].to_csv(file, mode="a", header=not file.exists(), index=False)
        print(f"{split + 1} of {splits}", file=sys.stderr, flush=True)
    return pd.concat(results).pivot(index=KEY, columns="method", values=["error", "seconds"]).astype(float)


def compare(theirs, ours):
    """Returns a cell and a sign.

    The cell has the excess of their error in percent of ours, with its standard error. The sign is 1 if ours is
    significantly better, −1 if theirs is, and 0 otherwise.
    """
    difference = theirs - ours
    error = stats.sem(difference)
    t = difference.mean() / error
    sign = int(np.sign(t)) if abs(t) > stats.t.ppf(1 - LEVEL / 2, len(difference) - 1) else 0
    mark = "**" if sign < 0 else ""
    percent = 100 / ours.mean()
    return f"{mark}{round(percent * difference.mean()):+d} ± {round(percent * error)}{mark}".replace("-", "−"), sign


def failure_notes(name, errors):
    """Yields a note on splits without an estimate of ours, if there are any."""
    without = errors[errors[OURS].isna()]
    if len(without):
        theirs = ", ".join(f"{peer} {without[peer].mean():.2f}" for peer in PEERS)
        yield (
            f"Of “{name}” `{OURS}` refuses {len(without)} of {len(errors)} splits, which are left out; "
            f"errors there: {theirs}."
        )


def main():
    """Prints the table and its outcome."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    warnings.simplefilter("ignore")  # about few labels and convergence
    results = measure_all(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)
    signs, notes = [], []
    print(f"| set | classifier | labelled, sample | `{OURS}` | {' | '.join(PEERS)} |")
    print("|---|---|---|" + "---:|" * (1 + len(PEERS)))
    for data_set in SETS:
        errors = results["error"].loc[data_set.name, data_set.classifier]
        notes += failure_notes(data_set.name, errors)
        complete = errors.dropna(subset=OURS)
        cells, set_signs = zip(*(compare(complete[peer], complete[OURS]) for peer in PEERS))
        signs.append(set_signs)
        names = f"{data_set.name} | {data_set.classifier} | {data_set.labelled}, {data_set.size}"
        print(f"| {names} | {complete[OURS].mean():.4f} | {' | '.join(cells)} |")
    times = results["seconds"].mean()
    cells = " | ".join(f"{1e6 * times[method]:.0f}" for method in (OURS, *PEERS))
    print(f"| processor time of an aggregation, µs | | | {cells} |\n")
    signs = np.array(signs)
    ahead, level, behind = ((signs == sign).sum() for sign in (1, 0, -1))
    outcome = f"`{OURS}` is ahead in {ahead} of {signs.size} comparisons, level in {level} and behind in {behind};"
    worst = f"on no set is it behind more than {(signs < 0).sum(axis=1).max()} of {len(PEERS)}."
    print(*notes, outcome, worst, sep="\n")


if __name__ == "__main__":
    main()
