"""Labelled scores, test scores, estimates: all in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from truecount._estimating import OfAll, OfGroups
from truecount._model import Model
from truecount._names import Rates, Family, Interval, Method, Methods, Misfit, Target, Transformation
from truecount._results import Estimate, Estimates
from truecount._settings import OfLabelled

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["estimate", "estimate_each"]


class AllInOne(OfLabelled, OfAll, total=False):
    """What may be said of labelled scores, and asked of test scores."""


class GroupsInOne(OfLabelled, OfGroups, total=False):
    """And of groups of them."""


@overload
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Method | None = None,
    by: None = None,
    **asked: Unpack[AllInOne],
) -> Estimate: ...


@overload
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any,
    **asked: Unpack[GroupsInOne],
) -> Estimates: ...


def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any = None,
    total: bool = False,
    total_weights: Any = None,
    population: Any = None,
    sort: bool = True,
    family: Family | None = None,
    transformation: Transformation | None = None,
    rates: Rates | None = None,
    threshold: float | str = "optimal",
    cutoff: float | None = None,
    positive: Any = None,
    train_probabilities: Any = None,
    train_weights: Any = None,
    train_clusters: Any = None,
    test_probabilities: Any = None,
    weights: Any = None,
    level: float = 0.95,
    target: Target = "sample",
    interval: Interval = "wilson",
    misfit: Misfit = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Estimate | Estimates:
    """Estimate the prevalence of positives among test scores, with a standard error.

    Parameters
    ----------
    train_scores : array-like of float, shape (n_labelled,)
        Scores of a labelled sample, higher meaning more positive. Lists, numpy, pandas, polars and Arrow columns will do; a
        contiguous numpy array of doubles is not copied.
    train_labels : array-like, shape (n_labelled,)
        Their labels, two different values.
    test_scores : array-like of float, shape (n,)
        The scores to be counted; of several test sets there is `estimate_each`.
    method : str, default "es"
        The method, a name of ``truecount.methods()``; with `by` also several, in a list, or ``"all"`` that the labelled scores allow.
    by : array-like, shape (n,), or several columns as a dict or data frame, optional
        One estimate for every combination of their values.
    total : bool, default False
        With `by`: whether all groups together are estimated too, from all their scores: `Estimates.total`.
    total_weights : mapping or Series by group, or like `test_scores`, optional
        With `by`: how much each group weighs in the total, such as its size in the population; of a column of sizes the value that
        is the same throughout the group. Of several columns the groups are tuples.
    population : int; with `by` a mapping or Series by group, or like `test_scores`; optional
        How many there are in the finite population that the test scores were drawn from; its prevalence is then meant, whatever
        `target` says.
    sort : bool, default True
        Whether groups come in the order of their values, those without a value last; else in order of appearance.
    family, transformation, rates, threshold, cutoff, positive, train_probabilities, train_weights, train_clusters
        As in `Model.fit`.
    test_probabilities : like `test_scores`, optional
        A classifier's probabilities for the test scores, if there are some for the labelled ones.
    weights : like `test_scores`, optional
        Survey weights, of which only the ratios count.
    level : float, default 0.95
        Nominal coverage of the intervals.
    target : {"sample", "population"}
        Whose prevalence the standard error and interval are for: these very scores', or that of the population they come from.
    interval : {"wilson", "wald", "bootstrap"}
        Where standard errors and intervals come from; the bootstrap, of both samples, is for every method.
    misfit : {"widen", "warn"}
        What is done where the test scores are no mixture of the labelled classes: the interval allows for the systematic error that
        goes with so large a misfit, or is left as it is, with a warning.
    resamples, seed : int
        Of the bootstrap; the same seed gives the same bits with any number of threads.
    check : bool, optional
        Whether to look for test scores that are no mixture of the labelled classes, which `misfit` and a warning are about; by
        default for a single test set and for groups, not for the several test sets of `estimate_each`.

    Returns
    -------
    Estimate; Estimates with `by`

    Raises
    ------
    TruecountError
        For input that cannot be used; nothing is dropped silently. For several test sets, or several methods without `by`, of which
        there is `estimate_each`.

    Notes
    -----
    Efficient Sweep is the mean of Adjusted Count over all thresholds with the weights that make its variance least, and so the mean
    of one function of the score, a step function on bins that is learnt from the labelled scores: no family of distributions is
    fitted. Continuous Sweep (``o-cs``; Kloos, Karch, Meertens, Scholtus, de Rooij, *Continuous Sweep for Binary Quantification
    Learning*) weighs all thresholds alike where the fitted classes' rates differ by more than a threshold. The standard errors of
    both account for the sampling of the test scores and of the labelled ones.

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> found = tc.estimate(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8])
    >>> round(found.prevalence, 3), found.n
    (0.623, 5)
    >>> tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"]).prevalence.round(3)
    array([0.633, 0.367])
    """
    model = Model.fit(
        train_scores,
        train_labels,
        method=method,
        family=family,
        transformation=transformation,
        rates=rates,
        threshold=threshold,
        cutoff=cutoff,
        train_probabilities=train_probabilities,
        train_weights=train_weights,
        train_clusters=train_clusters,
        positive=positive,
    )
    return model.estimate(
        test_scores,
        by=by,
        total=total,
        total_weights=total_weights,
        population=population,
        sort=sort,
        test_probabilities=test_probabilities,
        weights=weights,
        level=level,
        target=target,
        interval=interval,
        misfit=misfit,
        resamples=resamples,
        seed=seed,
        check=check,
    )


def estimate_each(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any = None,
    **asked: Unpack[GroupsInOne],
) -> Estimates:
    """Estimate a prevalence for each of several test sets, and by each of several methods.

    Parameters
    ----------
    train_scores, train_labels
        As in `estimate`.
    test_scores : array-like of float, shape (n,) or (n_sets, n); or a list of columns
        One test set, or several as rows of an array or in a list, which are estimated in parallel.
    method : str or iterable of str, default "es"
        Methods, several of them in a list or between commas; ``"all"`` stands for those that the labelled scores allow.
    by, total, total_weights, population, sort, test_probabilities, weights, level, target, interval, misfit, resamples, seed, check
        As in `estimate`.
    family, transformation, rates, threshold, cutoff, positive, train_probabilities, train_weights, train_clusters
        As in `Model.fit`.

    Returns
    -------
    Estimates
        A row for each test set, or group of one, and method.

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> found = tc.estimate_each(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8], method=["es", "ac"])
    >>> found.prevalence.round(3)
    array([0.623, 0.733])
    """
    of_model: OfLabelled = {name: asked.pop(name) for name in OfLabelled.__annotations__ if name in asked}  # type: ignore[misc, assignment]
    model = Model.fit(train_scores, train_labels, method=method, **of_model)
    return model.estimate_each(test_scores, by=by, **asked)  # type: ignore[misc]
