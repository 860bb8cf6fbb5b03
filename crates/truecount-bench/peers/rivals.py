"""The methods of QuaPy, mlquantify and quantificationlib that truecount also has, and reasons for differences.

A rival gets the same scores, probabilities and labels; none trains a classifier. QuaPy's threshold methods (T50,
MAX, X, MS, MS2) and SMM read the scores; counts read whether the score is at least 0; all other methods read
probabilities.
"""

import warnings
from dataclasses import dataclass
from typing import Any, Callable
from unittest import mock

import numpy as np
import quapy.functional
from mlquantify import counting, likelihood, matching
from quantificationlib.baselines import ac as adjusted
from quantificationlib.baselines import cc as counts
from quantificationlib.multiclass import df as histograms
from quantificationlib.multiclass import em, friedman
from quapy.method import _kdey as quapy_kdey
from quapy.method import _threshold_optim as quapy_cuts
from quapy.method import aggregative as quapy_methods
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import manhattan_distances

from problems import Problem

ROUNDING = 1e-9
SEARCH = 1e-5
EDGE = 1e-12
MIN_PROBABILITY = 1e-6


class Classifier(BaseEstimator):
    """A placeholder for the classifier that the packages require; it only has the classes."""

    def __init__(self):
        self.classes_ = np.array([0, 1])

    def fit(self, _scores, _labels):
        """Does nothing."""
        return self

    def predict(self, _scores):
        """Is never called."""
        raise NotImplementedError

    predict_proba = predict


READS = {
    "crisp": lambda s, _p: (s >= 0.0).astype(int),
    "crisp columns": lambda s, _p: np.column_stack((s < 0.0, s >= 0.0)).astype(float),
    "scores": lambda s, _p: s,
    "mirrored scores": lambda s, _p: np.column_stack((-s, s)),
    "probabilities": lambda _s, p: np.column_stack((1.0 - p, p)),
}


@dataclass(frozen=True)
class Case:
    """A problem with both answers, the parameters of our method, and the peer's fitted object."""

    problem: Problem
    train: np.ndarray
    test: np.ndarray
    ours: float
    parameters: dict
    theirs: float
    fitted: Any


@dataclass(frozen=True)
class Rival:
    """A method of a peer.

    `fit` takes values and labels, and returns the fitted object and its aggregation. `explain` returns the reason for
    a difference, or None. `other_definition` says how the method's definition differs from ours; then only times are
    compared. `many` and `one` are the numbers of sets and of scores for timing.
    """

    package: str
    name: str
    ours: str
    reads: str
    fit: Callable
    explain: Callable = lambda case: None
    other_definition: str | None = None
    many: int = 5000
    one: int = 1_000_000

    def train(self, problem):
        """Returns the values that the method is fitted to."""
        return READS[self.reads](problem.scores, problem.probabilities)

    def test(self, problem):
        """Returns the values that the method aggregates."""
        return READS[self.reads](problem.test_scores, problem.test_probabilities)


def fit_quapy(kind, **options):
    """Returns a function that fits a method of QuaPy."""

    def fit(values, labels):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about missing cross-validation
            method = kind(classifier=Classifier(), fit_classifier=False, **options)
        method.train_prevalence = np.array([np.mean(labels == 0), np.mean(labels == 1)])
        method.aggregation_fit(values, labels)
        return method, lambda test: method.aggregate(test)[1]

    return fit


def with_clipped_probabilities(fit):
    """Returns a `fit` that clips probabilities to [1e-6, 1 - 1e-6], as truecount does.

    QuaPy's calibration fails at probabilities of 0 and 1.
    """

    def fit_clipped(values, labels):
        fitted, aggregate = fit(clip(values), labels)
        return fitted, lambda test: aggregate(clip(test))

    return fit_clipped


def clip(probabilities):
    """Clips probabilities to [1e-6, 1 - 1e-6]."""
    return np.clip(probabilities, MIN_PROBABILITY, 1.0 - MIN_PROBABILITY)


def fit_mlquantify(kind, **options):
    """Returns a function that fits a method of mlquantify.

    `aggregate` needs the training values in every call, and most methods are fitted anew in each.
    """

    def fit(values, labels):
        method = kind(Classifier(), **options)
        return method, lambda test: method.aggregate(test, values, labels)[1]

    return fit


def fit_mlquantify_once(kind, **options):
    """Returns a function that fits a method of mlquantify that stays fitted."""

    def fit(values, labels):
        method = kind(Classifier(), **options)
        method.aggregate(values, values, labels)
        return method, lambda test: method.aggregate(test)[1]

    return fit


def fit_mlquantify_untrained(kind):
    """Returns a function that prepares a method of mlquantify without training."""

    def fit(_values, _labels):
        method = kind(Classifier())
        return method, lambda test: method.aggregate(test, classes=[0, 1])[1]

    return fit


def fit_quantificationlib(kind):
    """Returns a function that fits a method of quantificationlib, which takes predictions instead of features."""

    def fit(values, labels):
        method = kind().fit(None, labels, predictions_train=values)
        return method, lambda test: method.predict(None, predictions_test=test)[1]

    return fit


def another_cut(loss):
    """Explains another threshold.

    Several thresholds may be equally good, and QuaPy accepts thresholds with more false than true positives.
    """

    def explain(case):
        cut = case.parameters["cutoff"]
        theirs, ours = (case.problem.rates(cut) for cut in (case.fitted.threshold, cut))
        adjusted = ((case.test >= cut).mean() - ours[1]) / (ours[0] - ours[1])
        if abs(np.clip(adjusted, 0.0, 1.0) - case.ours) > ROUNDING:
            return None
        if theirs[0] < theirs[1]:
            return "QuaPy's cut has more false than true positives"
        equal = abs(loss(*theirs) - loss(*ours)) < ROUNDING
        return "another cut, equally good by the criterion" if equal else None

    return explain


def searched(case):
    """Explains differences of ternary searches, which stop at an interval of 1e-5."""
    return "both within the 1e-5 left by a search" if abs(case.ours - case.theirs) <= SEARCH else None


def outwards(values):
    """Moves probabilities away from ½ by 1e-12, so that values on an edge fall into truecount's bin."""
    positive = np.clip(values[:, 1] + np.where(values[:, 1] < 0.5, -EDGE, EDGE), 0.0, 1.0)
    return np.column_stack((1.0 - positive, positive))


def on_edges(fit, tolerance=SEARCH):
    """Explains values on the edge of a bin.

    They belong to the bin farther from ½ in truecount, and to the upper bin in the peers.
    """

    def explain(case):
        _, aggregate = fit(outwards(case.train), case.problem.labels)
        equal = abs(case.ours - aggregate(outwards(case.test))) <= tolerance
        return "probabilities on an edge between bins; equal off the edges" if equal else None

    return explain


def hundredths(fit):
    """Explains QuaPy's grid of 100 prevalences in steps of 1/99; its documentation says 101 in steps of 1/100."""
    off_edges = on_edges(fit, ROUNDING)

    def explain(case):
        with mock.patch.object(quapy.functional, "prevalence_linspace", lambda **_: np.linspace(0.0, 1.0, 101)):
            theirs = case.fitted.aggregate(case.test)[1]
            if abs(case.ours - theirs) < ROUNDING:
                return "steps of 1/99; equal with the documented 1/100"
            return off_edges(case) and "the same, and probabilities on an edge between bins"

    return explain


def binned(fit):
    """Explains differences of DyS."""
    return either(searched, on_edges(fit))


def either(*reasons):
    """Returns the first explanation that applies."""
    return lambda case: next(filter(None, (reason(case) for reason in reasons)), None)


def likelier(densities):
    """Explains early stops, by the lower likelihood. `densities` returns f⁻ and f⁺ at the test scores of a case."""

    def explain(case):
        negative, positive = densities(case)
        ours, theirs = (np.log(a * positive + (1.0 - a) * negative).sum() for a in (case.ours, case.theirs))
        return "stopped early: our likelihood is at least as high" if ours >= theirs - ROUNDING else None

    return explain


def posterior_densities(case):
    """Returns f⁻ and f⁺ by Bayes' rule, up to a factor."""
    prior = case.problem.labels.mean()
    return case.test[:, 0] / (1.0 - prior), case.test[:, 1] / prior


def kernel_densities(kernels):
    """Returns a function for f⁻ and f⁺ of two scikit-learn kernel densities."""
    return lambda case: np.exp([kernel.score_samples(case.test) for kernel in kernels(case.fitted)])


def closer(function=lambda values, _share: values):
    """Explains early stops of least squares, by the larger residual of the means of a function of the values."""

    def explain(case):
        columns = (values if values.ndim == 1 else values[:, 1] for values in (case.train, case.test))
        train, test = (function(values, case.problem.labels.mean()) for values in columns)
        negative, positive = (train[case.problem.labels == y].mean() for y in (0, 1))
        ours, theirs = (abs(negative + a * (positive - negative) - test.mean()) for a in (case.ours, case.theirs))
        return "stopped early: our residual is at least as small" if ours <= theirs + ROUNDING else None

    return explain


def less_energy(case):
    """Explains early stops, by the larger energy distance (without terms that are equal for all mixtures)."""
    train, test = case.train[:, 1], case.test[:, 1]
    negative, positive = (train[case.problem.labels == y] for y in (0, 1))
    between = [
        [np.abs(np.subtract.outer(a, b)).mean() for b in (negative, positive, test)] for a in (negative, positive)
    ]

    def energy(share):
        mixture = np.array([1.0 - share, share])
        within = mixture @ np.array(between)[:, :2] @ mixture
        return 2.0 * mixture @ np.array(between)[:, 2] - within

    ours, theirs = energy(case.ours), energy(case.theirs)
    return "stopped early: our energy distance is no larger" if ours <= theirs + EDGE else None


def likelier_line(case):
    """Explains an early stop of QuaPy's calibration.

    Our calibration line in the log odds is at least as likely, and with it QuaPy's method gives our answer.
    """
    labels, parameters = case.problem.labels, case.parameters

    def our_calibration(values):
        odds = np.log(clip(values)[:, 1]) - np.log1p(-clip(values)[:, 1])
        if "slope" in parameters:
            positive = 1.0 / (1.0 + np.exp(-parameters["intercept"] - parameters["slope"] * odds))
        else:
            positive = (odds > parameters["cut_of_log_odds"]).astype(float)
        return np.column_stack((1.0 - positive, positive))

    def likelihood(recalibrated):
        return np.log(np.maximum(recalibrated[np.arange(len(labels)), labels], EDGE)).sum()

    share = case.fitted.train_prevalence
    if abs(case.fitted.EM(share, our_calibration(case.test))[0][1] - case.ours) > ROUNDING:
        return None
    theirs = likelihood(case.fitted.calibration_function(clip(case.train)))
    early = likelihood(our_calibration(case.train)) >= theirs - ROUNDING
    return (
        "its optimiser stopped early: our line is at least as likely, and of it the answer is the same"
        if early
        else None
    )


def above(values, share):
    """Returns the indicator that Friedman's method averages."""
    return (values >= share).astype(float)


def off_share(fit, tolerance=ROUNDING):
    """Explains probabilities equal to the labelled share, which the peers' Friedman method counts for both classes."""

    def explain(case):
        share = case.problem.labels.mean()
        if not any((values[:, 1] == share).any() for values in (case.train, case.test)):
            return None
        train, test = (
            values + np.where(values[:, 1:] == share, [-EDGE, EDGE], 0.0) for values in (case.train, case.test)
        )
        _, aggregate = fit(train, case.problem.labels)
        equal = abs(case.ours - aggregate(test)) <= tolerance
        return "probabilities equal to the labelled share, counted for both classes; equal off it" if equal else None

    return explain


def steps_apart(case):
    """Explains another stopping rule of expectation maximisation: the answers differ by at most two steps."""
    densities = np.transpose(posterior_densities(case))

    def step(share):
        parts = densities * [1.0 - share, share]
        return (parts[:, 1] / parts.sum(axis=1)).mean()

    for first, last in (case.ours, case.theirs), (case.theirs, case.ours):
        if ROUNDING >= min(abs(step(first) - last), abs(step(step(first)) - last)):
            return "stops a step or two sooner or later"
    return None


def nearer(case):
    """Explains an early stop, by the larger Hellinger distance between the histograms with truecount's bins."""
    classes = [case.train[case.problem.labels == y] for y in (0, 1)]
    counts = [np.histogram(outwards(values)[:, 1], bins=8, range=(0.0, 1.0))[0] for values in (*classes, case.test)]
    negative, positive, test = (bins / bins.sum() for bins in counts)
    ours, theirs = (np.sqrt(test * (a * positive + (1.0 - a) * negative)).sum() for a in (case.ours, case.theirs))
    return "stopped early: our distance is at least as small, edges in our bins" if ours >= theirs - ROUNDING else None


def half_of_positives(tpr, _fpr):
    """Returns the criterion of T50."""
    return abs(tpr - 0.5)


def largest_difference(tpr, fpr):
    """Returns the criterion of MAX."""
    return fpr - tpr


def equal_errors(tpr, fpr):
    """Returns the criterion of X."""
    return abs(1.0 - tpr - fpr)


def failure_reason(problem, ours):
    """Returns the reason for which our method fails although the peers return an answer, or None."""
    if ours == "ms2":
        differences = [np.subtract(*problem.rates(cut)) for cut in np.unique(problem.scores)]
        return "refused: no cut has rates 1/4 apart" if max(differences) <= 0.25 else None
    friedman = above(problem.probabilities, problem.labels.mean())
    values = {
        "ac": problem.scores >= 0.0,
        "pacc": problem.probabilities,
        "friedman": friedman,
        "smm": problem.scores,
    }.get(ours)
    if values is None:
        return None
    means = [values[problem.labels == y].mean() for y in (0, 1)]
    return "refused: the positives' mean is not above the negatives'" if means[1] <= means[0] else None


STEPS = "7 to 100 steps, not 12 to 1000"
GRID = "its cuts are 101 probabilities, 0.01 apart"
KDEY = {"explain": likelier(kernel_densities(lambda fitted: fitted.mix_densities)), "many": 100, "one": 10_000}
MLQ_GKDEY = likelier(kernel_densities(lambda fitted: fitted.train_representation_))
MLQ_KDEY = KDEY | {"explain": likelier(kernel_densities(lambda fitted: fitted.tr_representation_))}


def _quapy(name, ours, reads, kind, given=None, **options):
    return Rival("QuaPy", name, ours, reads, fit_quapy(kind, **given or {}), **options)


def _mlquantify(name, ours, reads, fit, **options):
    return Rival("mlquantify", name, ours, reads, fit, **options)


def _quantificationlib(name, ours, reads, kind, **options):
    return Rival("quantificationlib", name, ours, reads, fit_quantificationlib(kind), **options)


EXACT = {"solver": "exact-raise"}
TOPSOE = {"divergence": "topsoe"}
EIGHT = {"bins_size": 8}
MLQ_HD = fit_mlquantify(matching.DyS, **EIGHT, distance="hellinger")
MLQ_TOPSOE = fit_mlquantify(matching.DyS, **EIGHT)
TERNARY = {"search": "ternary_search"}
QLIB_FM = fit_quantificationlib(friedman.FriedmanME)
MLQ_FM = fit_mlquantify_once(counting.FM)
MLQ_HDY = fit_mlquantify(matching.HDy)
LIKELIER = {"explain": likelier(posterior_densities), "many": 200, "one": 10_000}
TO_END = {"tol": 1e-15, "max_iter": 3000}

QUAPY = [
    _quapy("CC", "cc", "crisp", quapy_methods.CC),
    _quapy("PCC", "pcc", "probabilities", quapy_methods.PCC),
    _quapy("ACC", "ac", "crisp", quapy_methods.ACC, EXACT),
    _quapy("PACC", "pacc", "probabilities", quapy_methods.PACC, EXACT),
    _quapy("SMM", "smm", "mirrored scores", quapy_methods.SMM),
    _quapy("T50", "t50", "scores", quapy_cuts.T50, explain=another_cut(half_of_positives)),
    _quapy("MAX", "max", "scores", quapy_cuts.MAX, explain=another_cut(largest_difference)),
    _quapy("X", "x", "scores", quapy_cuts.X, explain=another_cut(equal_errors)),
    _quapy("MS", "ms-quapy", "scores", quapy_cuts.MS, one=100_000),
    _quapy("MS2", "ms2", "scores", quapy_cuts.MS2, one=100_000),
    _quapy("EMQ", "sld", "probabilities", quapy_methods.EMQ),
    _quapy("EDy", "edy", "probabilities", quapy_methods.EDy, {"distance": manhattan_distances}, many=200, one=10_000),
    Rival(
        "QuaPy",
        "EMQ BCTS",
        "sld-bcts",
        "probabilities",
        with_clipped_probabilities(fit_quapy(quapy_methods.EMQ, calib="bcts")),
        explain=likelier_line,
    ),
    _quapy("DyS HD", "dys", "probabilities", quapy_methods.DyS, explain=binned(fit_quapy(quapy_methods.DyS))),
    _quapy(
        "DyS topsoe",
        "dys-topsoe",
        "probabilities",
        quapy_methods.DyS,
        TOPSOE,
        explain=binned(fit_quapy(quapy_methods.DyS, **TOPSOE)),
    ),
    _quapy(
        "HDy", "hdy", "probabilities", quapy_methods.HDy, explain=hundredths(fit_quapy(quapy_methods.HDy)), many=200
    ),
    _quapy("KDEyML", "kdey-ml", "probabilities", quapy_kdey.KDEyML, **KDEY),
]

MLQUANTIFY = [
    _mlquantify("CC", "cc", "crisp", fit_mlquantify_untrained(counting.CC)),
    _mlquantify("PCC", "pcc", "probabilities", fit_mlquantify_untrained(counting.PCC)),
    _mlquantify("ACC", "ac", "crisp", fit_mlquantify(counting.ACC)),
    _mlquantify("GACC", "ac", "crisp", fit_mlquantify_once(counting.GACC), explain=closer()),
    _mlquantify("GPACC", "pacc", "probabilities", fit_mlquantify_once(counting.GPACC), explain=closer()),
    _mlquantify("FM", "friedman", "probabilities", MLQ_FM, explain=either(off_share(MLQ_FM, SEARCH), closer(above))),
    _mlquantify(
        "EDy", "edy", "probabilities", fit_mlquantify_once(matching.EDy), explain=less_energy, many=200, one=10_000
    ),
    _mlquantify("SMM", "smm", "mirrored scores", fit_mlquantify(matching.SMM)),
    _mlquantify("T50", "t50", "probabilities", fit_mlquantify(counting.T50), other_definition=GRID),
    _mlquantify("TMAX", "max", "probabilities", fit_mlquantify(counting.TMAX), other_definition=GRID),
    _mlquantify("TX", "x", "probabilities", fit_mlquantify(counting.TX), other_definition=GRID),
    _mlquantify("MS", "ms-quapy", "probabilities", fit_mlquantify(counting.MS), other_definition=GRID),
    _mlquantify("MS2", "ms2", "probabilities", fit_mlquantify(counting.MS2), other_definition=GRID),
    _mlquantify("EMQ", "sld", "probabilities", fit_mlquantify(likelihood.EMQ), other_definition=STEPS),
    _mlquantify("EMQ (end)", "ml", "probabilities", fit_mlquantify(likelihood.EMQ, **TO_END), **LIKELIER),
    _mlquantify("DyS HD", "dys", "probabilities", MLQ_HD, explain=binned(MLQ_HD)),
    _mlquantify("DyS topsoe", "dys-topsoe", "probabilities", MLQ_TOPSOE, explain=binned(MLQ_TOPSOE)),
    _mlquantify("HDy", "hdy", "probabilities", MLQ_HDY, explain=on_edges(MLQ_HDY, ROUNDING)),
    _mlquantify("KDEyML", "kdey-ml", "probabilities", fit_mlquantify_once(matching.KDEyML), **MLQ_KDEY),
]

# Aliases, and the same estimators in a third package: only their answers are compared, not their
# errors and times.
ALSO = [
    _quapy("BBSEhard", "ac", "crisp", quapy_methods.BBSEhard, EXACT),
    _quapy("BBSEsoft", "pacc", "probabilities", quapy_methods.BBSEsoft, EXACT),
    _quapy(
        "DMy HD",
        "dys",
        "probabilities",
        quapy_methods.DMy,
        TERNARY,
        explain=binned(fit_quapy(quapy_methods.DMy, **TERNARY)),
    ),
    _mlquantify("TAC", "ac", "crisp columns", fit_mlquantify(counting.TAC)),
    _mlquantify("GKDEyML", "kdey-ml", "probabilities", fit_mlquantify_once(matching.GKDEyML), explain=MLQ_GKDEY),
    _quantificationlib("CC", "cc", "crisp columns", counts.CC),
    _quantificationlib("PCC", "pcc", "probabilities", counts.PCC),
    _quantificationlib("AC", "ac", "crisp columns", adjusted.AC),
    _quantificationlib("PAC", "pacc", "probabilities", adjusted.PAC),
    _quantificationlib("FriedmanME", "friedman", "probabilities", friedman.FriedmanME, explain=off_share(QLIB_FM)),
    _quantificationlib("EM", "sld", "probabilities", em.EM, explain=steps_apart),
    _quantificationlib("HDy", "dys", "probabilities", histograms.HDy, explain=either(searched, nearer)),
]

MEASURED = QUAPY + MLQUANTIFY
RIVALS = MEASURED + ALSO
