"""Compares truecount's 95 % intervals with prediction-powered inference under label shift.

Both get the same data: normal classes whose means differ by one standard deviation, half of the labelled scores
positive, and a test set drawn from a population with prevalence 0.3. `ppi_distribution_label_shift_ci` reads
whether a score is above the midpoint between the classes; truecount reads the score. The intervals of ppi_py for
counts refer to the test sample and those for means to the population, so each is compared with truecount's
interval for the same target. ppi_py is slow, and gets only the first data sets. The script fails if one of
truecount's intervals is not narrower by a factor of 1.3, or misses more often than the Monte Carlo error allows.
"""

import sys
from collections import defaultdict

import numpy as np
from ppi_py import ppi_distribution_label_shift_ci
from problems import draw

import truecount as tc

SETTINGS = [(100, 1000), (1000, 1000), (1000, 10_000)]
PREVALENCE = 0.3
LEVEL = 0.95
REPLICATIONS, RIVALS = 2000, 500
SEED = 20261123
NAME = "prediction-powered"
TARGETS = ("sample", "population")
OURS = {"o-cs": {"method": "o-cs"}, "es": {"method": "es"}, "es family": {"method": "es", "rates": "family"}}


def problem(train, test, rng):
    """Draws a data set; also returns the share of positives in its test sample."""
    share = rng.binomial(test, PREVALENCE) / test
    return draw(rng, train, test, separation=1.0, spread=1.0, shares=(0.5, share), noise=0.0), share


def rival(data):
    """Returns the intervals of prediction-powered inference for both targets, as shares."""
    n = len(data.test_scores)
    predictions = [(scores >= 0.0).astype(int) for scores in (data.scores, data.test_scores)]

    def interval(return_counts):
        ends = ppi_distribution_label_shift_ci(
            data.labels, *predictions, K=2, nu=np.array([0.0, 1.0]), alpha=1.0 - LEVEL, return_counts=return_counts
        )
        return np.array(ends) / (n if return_counts else 1)

    return {"sample": interval(True), "population": interval(False)}


def ours(data, method, **options):
    """Returns the intervals of a method for both targets; None if it cannot be fitted."""
    try:
        model = tc.Model.fit(data.scores, data.labels, method=method, **options)
        estimates = {target: model.estimate(data.test_scores, target=target) for target in TARGETS}
    except tc.TruecountError:
        return None
    return {target: (estimate.lower, estimate.upper) for target, estimate in estimates.items()}


def measure(train, test):
    """Returns, for every target and method, an array with rows (truth, lower, upper) for the data sets."""
    rng = np.random.default_rng([SEED, train, test])
    rows_by_key = defaultdict(list)
    for k in range(REPLICATIONS):
        data, share = problem(train, test, rng)
        answers = {name: ours(data, **options) for name, options in OURS.items()}
        if k < RIVALS:
            answers[NAME] = rival(data)
        for method, intervals in answers.items():
            for target, truth in zip(TARGETS, (share, PREVALENCE)):
                if intervals is not None:
                    rows_by_key[target, method].append((truth, *intervals[target]))
    return {key: np.array(rows) for key, rows in rows_by_key.items()}


def report(train, test):
    """Prints the table of one setting, and returns the failures."""
    results = measure(train, test)
    failures = []
    for (target, method), (truth, lower, upper) in sorted((key, rows.T) for key, rows in results.items()):
        covers = (lower <= truth) & (truth <= upper)
        coverage, error = covers.mean(), np.sqrt(LEVEL * (1.0 - LEVEL) / len(covers))
        width = (upper - lower).mean()
        rivals = results[target, NAME]
        ratio = (rivals[:, 2] - rivals[:, 1]).mean() / width
        sets = f"({train}, {test})"
        print(
            f"{sets:15}{target:12}{method:20}{len(covers):6}{100 * coverage:10.1f}{width:10.4f}{ratio:8.2f}", flush=True
        )
        if method != NAME and (ratio < 1.3 or coverage < LEVEL - 0.01 - 4.0 * error):
            failures.append(f"{sets} {target} {method}: coverage {coverage:.3f}, {ratio:.2f} times as narrow")
    return failures


def main():
    """Prints the table, and fails if one of our intervals is too wide or misses too often."""
    print(f"\n95 % intervals, prevalence {PREVALENCE}; the ratio is how many times as narrow as {NAME}\n")
    print(f"{'(train, test)':15}{'target':12}{'method':20}{'sets':>6}{'coverage':>10}{'width':>10}{'ratio':>8}")
    failures = [failure for sizes in SETTINGS for failure in report(*sizes)]
    if failures:
        sys.exit("\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
