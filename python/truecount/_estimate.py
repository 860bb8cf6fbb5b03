"""The functions `estimate` and `estimate_each`, which fit a model and estimate in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from truecount._estimation import EstimateEachKwargs, EstimateKwargs, estimate_sets
from truecount._model import Model
from truecount._names import Method, Methods
from truecount._results import Estimate, Estimates
from truecount._settings import FitKwargs, split_fit_kwargs
from truecount._signature import refuse_unknown_options, show_options_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["estimate", "estimate_each"]


class FitEstimateKwargs(FitKwargs, EstimateKwargs, total=False):
    """Keyword arguments of `estimate` without groups."""


class FitEstimateEachKwargs(FitKwargs, EstimateEachKwargs, total=False):
    """Keyword arguments of `estimate` with groups, and of `estimate_each`."""


@overload
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Method | None = None,
    by: None = None,
    **kwargs: Unpack[FitEstimateKwargs],
) -> Estimate: ...


@overload
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any,
    **kwargs: Unpack[FitEstimateEachKwargs],
) -> Estimates: ...


@show_options_of(estimate_sets, Model.fit)
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any = None,
    **kwargs: Any,
) -> Estimate | Estimates:
    """Estimate the prevalence of positives among test scores, with a standard error.

    Parameters
    ----------
    train_scores : array-like of float, shape (n_labelled,)
        Scores of a labelled sample; a higher score means more likely positive. May be a list, or a
        column of numpy, pandas, polars or Arrow; a contiguous numpy array of doubles is not copied.
    train_labels : array-like, shape (n_labelled,)
        The labels of these scores, two different values.
    test_scores : array-like of float, shape (n,)
        The scores whose prevalence is estimated; for several test sets use `estimate_each`.
    method : str, default "es"
        The method, a name in ``truecount.methods()``. With `by` it may be a list of names, or
        ``"all"`` for all methods that the labelled scores allow.

    Groups
    ------
    by : array-like, shape (n,), or several columns as a dict or data frame, optional
        Groups: each combination of their values has its own estimate.
    sort : bool, default True
        Whether groups are sorted by their values, with missing values last; otherwise they are in
        the order of appearance.
    total : bool, default False
        With `by`: whether to estimate all groups together too, from all scores: `Estimates.total`.
    total_weights : mapping or Series by group, or like `test_scores`, optional
        With `by`: weights of the groups in the total, such as their population sizes. A column must
        be constant within each group. With several columns in `by`, groups are tuples.

    Test rows
    ---------
    test_probabilities : like `test_scores`, optional
        A classifier's probabilities for the test scores; required if there are
        `train_probabilities`.
    weights : like `test_scores`, optional
        Survey weights, of which only ratios matter.
    clusters : array-like, shape (n,), optional
        The cluster of each test score, such as a household or a day: rows that were drawn together.
    strata : array-like, shape (n,), optional
        The stratum that each test score was drawn in, with a fixed number of rows, or of clusters,
        from each. Implies ``target="population"``.
    replicate_weights : array-like of float, shape (n, n_replicates), optional
        Replicate weights, which contain the design, in addition to `weights`. Implies
        ``target="population"``.
    replicate_kind : str, optional
        Kind of the replicate weights: ``"bootstrap"``, ``"brr"``, ``"fay=0.5"`` (with its factor),
        ``"jk1"``, ``"jk2"`` or ``"sdr"`` (successive differences).
    population : int; with `by` or `strata` a mapping or Series, or like `test_scores`; optional
        Size of the finite population that the test scores were drawn from: of each group or, with
        `strata`, of each stratum. Implies ``target="population"``.

    Labelled rows
    -------------
    positive, train_probabilities, train_weights, train_clusters, train_strata
        As in `Model.fit`.

    Fit
    ---
    family, transform, rates, threshold, cutoff
        As in `Model.fit`.

    Uncertainty
    -----------
    level : float, default 0.95
        Nominal coverage of the intervals.
    target : {"sample", "population"}
        Whether the standard error and the interval are for the prevalence of these test scores, or
        of the population that they come from.
    interval : {"wilson", "wald", "bootstrap"}
        Kind of standard errors and intervals; the bootstrap, of both samples, works for every
        method.
    resamples, seed : int
        Number of resamples and seed of the bootstrap; results do not depend on the number of
        threads.
    misfit : {"widen", "warn"}
        Action if the test scores are not a mixture of the labelled classes: widen the interval by
        the systematic error that goes with such a misfit, or only warn.
    check : bool, optional
        Whether to check that the test scores are a mixture of the labelled classes, as `misfit`
        needs. By default a single test set and groups are checked, but not the several test sets of
        `estimate_each`.

    Returns
    -------
    Estimate
        One estimate; with `by`, an `Estimates` table.

    Raises
    ------
    TruecountError
        If an argument cannot be used; no rows are dropped silently. Several test sets, or several
        methods without `by`, need `estimate_each`.

    Notes
    -----
    Efficient Sweep is the weighted mean of Adjusted Count over all thresholds with the least
    variance. It is the mean of one function of the score, a step function on bins from the labelled
    scores, without a family of distributions. Continuous Sweep (``o-cs``; Kloos, Karch, Meertens,
    Scholtus, de Rooij, *Continuous Sweep for Binary Quantification Learning*) weights all
    thresholds equally where the rates of the fitted classes differ by more than a threshold. The
    standard errors of both account for the sampling of the test scores and of the labelled scores.

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> estimate = tc.estimate(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8])
    >>> round(estimate.prevalence, 3), estimate.n
    (0.634, 5)
    >>> tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"]).prevalence.round(3)
    array([0.644, 0.356])
    """
    refuse_unknown_options(estimate, kwargs)
    fit, options = split_fit_kwargs(kwargs)
    result: Estimate | Estimates = Model.fit(train_scores, train_labels, method=method, **fit).estimate(
        test_scores, by=by, **options
    )
    return result


@show_options_of(estimate_sets, Model.fit)
def estimate_each(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any = None,
    **kwargs: Unpack[FitEstimateEachKwargs],
) -> Estimates:
    """Estimate a prevalence for each of several test sets, and by each of several methods.

    Parameters
    ----------
    train_scores, train_labels
        As in `estimate`.
    test_scores : array-like of float, shape (n,) or (n_sets, n); or a list of columns
        One test set, or several as rows of an array or in a list, which are estimated in parallel.
    method : str or iterable of str, default "es"
        Methods: names in a list, or in a text with commas; ``"all"`` stands for all methods that
        the labelled scores allow.
    by, total, total_weights, population, sort
        As in `estimate`.
    test_probabilities, weights, clusters, strata, replicate_weights, replicate_kind
        As in `estimate`.
    level, target, interval, misfit, resamples, seed, check
        As in `estimate`.
    family, transform, rates, threshold, cutoff, positive
        As in `Model.fit`.
    train_probabilities, train_weights, train_clusters, train_strata
        As in `Model.fit`.

    Returns
    -------
    Estimates
        A row for each test set or group, and method.

    Raises
    ------
    TruecountError
        If an argument cannot be used.

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> estimates = tc.estimate_each(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8], method=["es", "ac"])
    >>> estimates.prevalence.round(3)
    array([0.634, 0.733])
    """
    refuse_unknown_options(estimate_each, kwargs)
    fit, options = split_fit_kwargs(kwargs)
    return Model.fit(train_scores, train_labels, method=method, **fit).estimate_each(test_scores, by=by, **options)
