"""Estimates of test sets and groups, and each score's contribution to an estimate."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, Groups, check_lengths, numbers, same_index, to_array
from truecount._compare import GroupComparison
from truecount._errors import (
    OptionError,
    PrevalenceWarning,
    ScoreError,
    TruecountError,
    invalid_column,
    option_conflict,
    option_error,
)
from truecount._fit import FittedModel
from truecount._inputs import TestSets, group_sizes, missing_unit, parse_test_sets, sort_columns, unit_codes
from truecount._options import (
    READ_POSTERIORS,
    FitKwargs,
    Interval,
    Method,
    Methods,
    Misfit,
    Target,
    request_options,
    split_fit_kwargs,
    takes_options_of,
    to_int,
)
from truecount._results import Estimate, Estimates

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["estimate", "estimate_each"]


class DesignKwargs(TypedDict, total=False):
    """Keyword arguments about the sampling design of test scores."""

    clusters: Any
    strata: Any
    replicate_weights: Any
    replicate_kind: str | None
    cluster_population: Any
    lonely_psu: str | None


def _divide_by_design(
    sets: TestSets, scores: Any, design: dict[str, Any], population: Any
) -> tuple[_core.Columns, _core.Design]:
    """Divide test sets by the strata and clusters of their rows; `population` has the sizes of strata or clusters."""
    if design["cluster_population"] is not None and design["clusters"] is None:
        raise option_conflict("cluster_population", "cluster_population needs clusters; give the cluster of each row")
    name = next(name for name, value in design.items() if value is not None)
    if sets.several and sets.groups is None:
        raise option_conflict(name, "clusters, strata and replicate_weights are for one column of test scores")
    units: dict[str, Groups] = {}
    rows = len(sets.unsorted["scores"][0])
    for name in ("strata", "clusters"):
        if (values := design[name]) is not None:
            units[name] = unit_groups(values, name, ("test_scores", scores), rows)
    parts = np.zeros(rows, dtype=np.uint32) if sets.groups is None else sets.groups.rows
    first = np.zeros(0, dtype=np.int64)
    for column in [unit.rows for unit in units.values()] or [parts]:
        parts, first = _core.factorize_pairs(parts, column)
    replicates = replicate_columns(design, ("test_scores", scores), rows)
    columns, sorted_replicates = sort_columns(sets.unsorted, parts, len(first), replicates[0] if replicates else [])
    groups = ([0] * len(first), 1) if sets.groups is None else (sets.groups.rows[first].tolist(), sets.groups.number)
    result: _core.Design = {"groups": groups, "lonely_psu": design["lonely_psu"]}
    for name, unit in units.items():
        result[name] = unit.rows[first].tolist()  # type: ignore[literal-required]
        if name == "strata":
            result["stratum_names"] = unit.values[name]
    sizes, name = population, "population"
    if (clusters := design["cluster_population"]) is not None:
        if population is not None:
            cluster_rows = group_sizes(population, name, units["clusters"], scores)
            result["cluster_rows"] = cluster_rows[units["clusters"].rows[first]].tolist()
        sizes, name, result["counts_clusters"] = clusters, "cluster_population", True
    if sizes is not None and "strata" in units:
        result["stratum_sizes"] = group_sizes(sizes, name, units["strata"], scores).tolist()
    elif sizes is not None:
        result["strata"], result["stratum_sizes"] = [0] * len(first), [float(to_int(sizes, name, 1, 53))]
    if replicates is not None:
        result["replicates"] = sorted_replicates, replicates[1]
    return columns, result


def unit_groups(values: Any, name: str, of: tuple[str, Any], rows: int) -> Groups:
    """Number the strata or clusters of rows, which have the index of the argument `of`, a name and its value."""
    same_index(name, values, *of)
    codes, distinct, missing = unit_codes(values, name)
    if missing is not None:
        raise ScoreError(missing_unit(name, missing), "test-unit-missing", column=name, row=missing)
    check_lengths({name: codes}, of[0], rows)
    return Groups(codes, {name: distinct}, len(distinct))


def replicate_columns(design: Mapping[str, Any], of: tuple[str, Any], rows: int) -> tuple[list[Floats], str] | None:
    """Return the columns of replicate weights and their kind; `of` is as in `unit_groups`."""
    name, advice = "replicate_weights", "give a table with a column for each replicate"
    replicate_weights, kind = design.get(name), design.get("replicate_kind")
    if (replicate_weights is None) != (kind is None):
        raise option_conflict("replicate_kind", "replicate_weights and replicate_kind need each other; give both")
    if kind is None or replicate_weights is None:
        return None
    same_index(name, replicate_weights, *of)
    if len(np.shape(replicate_weights)) != 2:
        raise invalid_column(name, f"{name} is not a table; {advice}")
    table = numbers(replicate_weights, name, ndim=2)
    check_lengths({name: table}, of[0], rows)
    if table.shape[1] < 2:
        raise invalid_column(name, f"{name} has fewer than two columns; {advice}")
    return [np.ascontiguousarray(column) for column in table.T], kind


class PooledScores(NamedTuple):
    """The scores of the same rows by several classifiers, each of which counts by its share."""

    classifiers: list[Floats]
    """The scores by each classifier."""
    shares: Floats

    def take(self, rows: NDArray[np.intp]) -> PooledScores:
        """Return the scores of these rows."""
        return PooledScores([scores[rows] for scores in self.classifiers], self.shares)

    def design(self, sets: TestSets) -> _core.Design:
        """Return the design of sets that have the score of one classifier for each row."""
        classifiers = self.classifiers
        if sets.groups is not None:
            classifiers, _ = _core.sort_by_group(classifiers, sets.groups.rows, sets.groups.number)
        return {"groups": None, "pooled": (classifiers, self.shares.tolist())}


class OptionKwargs(TypedDict, total=False):
    """Keyword arguments of `truecount.estimate` that go to the library as they are."""

    level: float
    target: Target
    interval: Interval
    misfit: Misfit
    resamples: int
    seed: int


class IntervalKwargs(OptionKwargs, total=False):
    """Keyword arguments of `truecount.estimate` about the interval and the shift check."""

    population: Any
    check: bool | None


class GroupKwargs(IntervalKwargs, total=False):
    """Keyword arguments about the interval and the check, and those for groups."""

    total: bool
    standardise: Any
    sort: bool
    publish: str | None


class EstimateKwargs(IntervalKwargs, DesignKwargs, total=False):
    """Keyword arguments of `Model.estimate`."""

    test_probabilities: Any
    weights: Any


class EstimateEachKwargs(GroupKwargs, EstimateKwargs, total=False):
    """Keyword arguments of `Model.estimate_each`."""


def estimate_sets(
    model: FittedModel,
    each: bool,
    test_scores: Any,
    by: Any,
    pooled: PooledScores | None = None,
    *,
    total: bool = False,
    standardise: Any = None,
    population: Any = None,
    sort: bool = True,
    publish: str | None = None,
    test_probabilities: Any = None,
    weights: Any = None,
    clusters: Any = None,
    strata: Any = None,
    replicate_weights: Any = None,
    replicate_kind: str | None = None,
    cluster_population: Any = None,
    lonely_psu: str | None = None,
    level: float = 0.95,
    target: Target | None = None,
    interval: Interval = "wilson",
    misfit: Misfit = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Any:
    """Estimate one test set, or return a table if `each` is set or there are groups.

    `pooled` has the scores of each row by all classifiers, and `test_scores` the score by one of them. It excludes
    the bootstrap and a sampling design.
    """
    # The first statement: there are only arguments yet.
    options = {name: value for name, value in locals().items() if name in OptionKwargs.__annotations__}
    sets = parse_test_sets(test_scores, test_probabilities, weights, by)
    single = not each and by is None
    if single:
        _refuse_several(model, sets)
        if publish is not None:
            raise option_conflict("publish", "publish flags the rows of a table, which by and estimate_each give")
    checked = (sets.groups is not None or not sets.several) if check is None else bool(check)
    options["target"] = "" if target is None else target
    if interval != "bootstrap":
        del options["resamples"], options["seed"]
    options = request_options(options, {"publish": publish})
    request: _core.Request = {"options": options, "check": checked}
    columns = sets.columns
    design = {
        "clusters": clusters, "strata": strata, "replicate_weights": replicate_weights,
        "replicate_kind": replicate_kind, "cluster_population": cluster_population, "lonely_psu": lonely_psu,
    }  # fmt: skip
    if any(value is not None for value in design.values()):
        of_units = None if strata is None and cluster_population is None else population
        columns, request["design"] = _divide_by_design(sets, test_scores, design, of_units)
        population = population if of_units is None else None
    elif pooled is not None:
        request["design"] = pooled.design(sets)
    _add_sizes(request, sets, test_scores, bool(total), standardise, population)
    core = model._core
    try:
        if single:
            values = core.estimate_one(columns, request)
            metadata = model._metadata(options["level"], values["target"], options.get("resamples"))
            return Estimate._from_values(values, next(iter(metadata.methods)), metadata, {})
        estimates, totals, _ = core.estimate(columns, request)
    except TruecountError as error:
        raise sets.explain(error, request.get("design")) from None
    metadata = model._metadata(options["level"], estimates["target"], options.get("resamples"))
    metadata = replace(metadata, is_weighted=weights is not None)
    if sets.groups is None:
        return Estimates(estimates, {name: to_array(values) for name, values in sets.values.items()}, metadata)
    comparison = GroupComparison(partial(_core.compare_groups, core, columns, request), sets.values, options["level"])
    table = Estimates._from_groups(estimates, sets.values, metadata, sort)
    return table._with_total(None if totals is None else Estimates(totals, {}, metadata), comparison)


def _refuse_several(model: FittedModel, sets: TestSets) -> None:
    if sets.several:
        raise invalid_column(
            "test_scores",
            "test_scores are several test sets: estimate_each gives a row for each; if they are one, give one column",
        )
    if len(model._methods) > 1:
        raise option_conflict(
            "method",
            f"there are {len(model._methods)} methods, {', '.join(model._methods)}: estimate_each gives a row for each",
        )


def _add_sizes(
    request: _core.Request, sets: TestSets, scores: Any, total: bool, standardise: Any, population: Any
) -> None:
    """Add the total and the sizes of groups to a request."""
    if sets.groups is None:
        for name, is_set in (("total", total), ("standardise", standardise is not None)):
            if is_set:
                raise option_conflict(name, f"{name} combines groups; give their column as by")
        if population is not None and sets.several:
            raise option_conflict("population", "population is for one column of test scores; give their groups as by")
        if population is not None:
            request["options"]["population"] = to_int(population, "population", 1, 53)
        return
    request["options"] |= {"by": ["by"], "total": total}
    if standardise is not None:
        request["standardise"] = group_sizes(standardise, "standardise", sets.groups, scores)
    if population is not None:
        request["populations"] = group_sizes(population, "population", sets.groups, scores)


def _method_index(model: FittedModel, method: str | None) -> int:
    known = list(model._methods)
    if method is not None and method not in known:
        message = f"the model has no method '{method}'; it has {', '.join(known)}"
        raise OptionError(message, "method-unknown", name=method, known=known)
    return 0 if method is None else known.index(method)


class EstimatingModel(FittedModel):
    """A model that estimates."""

    @overload
    def estimate(self, test_scores: Any, *, by: None = None, **kwargs: Unpack[EstimateKwargs]) -> Estimate: ...

    @overload
    def estimate(self, test_scores: Any, *, by: Any, **kwargs: Unpack[EstimateEachKwargs]) -> Estimates: ...

    @takes_options_of(estimate_sets)
    def estimate(self, test_scores: Any, *, by: Any = None, **kwargs: Any) -> Estimate | Estimates:
        """Estimate the prevalence of test scores.

        Parameters
        ----------
        test_scores, by, **kwargs
            As in `truecount.estimate`.

        Returns
        -------
        Estimate
            The estimate of one test set by one method; with `by`, an `Estimates` table.
        """
        result: Estimate | Estimates = estimate_sets(self, False, test_scores, by, **kwargs)
        return result

    @takes_options_of(estimate_sets)
    def estimate_each(self, test_scores: Any, *, by: Any = None, **kwargs: Unpack[EstimateEachKwargs]) -> Estimates:
        """Estimate a prevalence for each test set by each of the model's methods.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,) or (n_sets, n); or a list of columns
            One test set, or several as rows of an array or in a list, which are estimated in parallel.
        by, **kwargs
            As in `truecount.estimate`.

        Returns
        -------
        Estimates
            A row for each test set or group, and method.
        """
        result: Estimates = estimate_sets(self, True, test_scores, by, **kwargs)
        return result

    def influence(self, test_scores: Any, *, method: Method | None = None, test_probabilities: Any = None) -> Floats:
        """Return the contribution of each test score: numbers whose mean is the estimate ``raw``.

        For Efficient Sweep the contribution of a score depends on the other test scores.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
        method : str, optional
            One of the model's methods; by default the first.
        test_probabilities : array-like of float, shape (n,), optional
            As in `estimate`.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        TruecountError
            If the method's estimate is not the mean of one function of the score.
        """
        sets = parse_test_sets(test_scores, test_probabilities, None, None)
        if sets.several:
            raise invalid_column("test_scores", "test_scores are several test sets; give one column")
        return sets.call(self._core.influence, _method_index(self, method), sets.columns)

    def influence_expr(self, scores: Any, *, method: Method | None = None) -> Any:
        """Return a polars expression of each score's contribution, whose mean is the estimate.

        The expression works in ``select`` and ``group_by(…).agg``, and in lazy and streaming frames.

        Parameters
        ----------
        scores : polars.Expr or str
            An expression such as ``pl.col("score")``, or the name of the column. A null or NaN is an error.
        method : str, optional
            As in `influence`.

        Returns
        -------
        polars.Expr

        Examples
        --------
        ``frame.group_by("week").agg(model.influence_expr(pl.col("score")).mean())``
        """
        import polars

        index = _method_index(self, method)

        # Polars' own expressions could not raise an error for a null, and take longer except in many small groups.
        def contributions(column: Any) -> Any:
            # For a small group, reading it through Arrow would take longer than the rest.
            values = column if column.has_nulls() else column.to_numpy()
            return polars.Series(column.name, self.influence(values, method=method))

        # Raises the error for a method without influence now instead of in the query.
        self.influence(np.array([0.5]), method=method)
        # With a choice among means, the contribution of a score depends on its group.
        elementwise = self.methods[index] not in _core.methods_with("chooses_among_means")
        column = polars.col(scores) if isinstance(scores, str) else scores
        if not isinstance(column, polars.Expr):
            raise option_error(
                "scores", f"scores is a {type(scores).__name__}; give a polars expression, or the name of a column"
            )
        return column.map_batches(contributions, return_dtype=polars.Float64, is_elementwise=elementwise)


class FitEstimateKwargs(FitKwargs, EstimateKwargs, total=False):
    """Keyword arguments of `estimate` without groups."""

    method: Method | None
    probabilities: bool | None


class FitEstimateEachKwargs(FitKwargs, EstimateEachKwargs, total=False):
    """Keyword arguments of `estimate` with groups, and of `estimate_each`."""

    method: Methods | None
    probabilities: bool | None


def _fit(
    train_scores: Any, train_labels: Any, test_scores: Any, method: Any, probabilities: bool | None, kwargs: Any
) -> tuple[EstimatingModel, Any]:
    """Return the model, and the keyword arguments of the estimate; the scores may be probabilities too."""
    if probabilities:
        for name, scores in (("train_probabilities", train_scores), ("test_probabilities", test_scores)):
            if kwargs.setdefault(name, scores) is not scores:
                raise option_conflict(name, f"with probabilities=True the scores are the {name}; leave out one of them")
    fit, options = split_fit_kwargs(kwargs)
    model = EstimatingModel.fit(train_scores, train_labels, method=method, **fit)
    readers = [name for name in model.methods if name in READ_POSTERIORS]
    if probabilities is None and readers and not fit.keys() & {"family", "transform", "train_probabilities"}:
        scores, _, _ = model._core.labelled
        if scores.min() >= 0.0 and scores.max() <= 1.0:
            warnings.warn(
                f"the posterior probabilities of {', '.join(readers)} are those of fitted normal distributions; if the "
                "scores, which lie in [0, 1], are probabilities of the positive class, say probabilities=True, "
                "otherwise probabilities=False",
                PrevalenceWarning,
                stacklevel=4,
            )
    return model, options


@overload
def estimate(
    train_scores: Any, train_labels: Any, test_scores: Any, *, by: None = None, **kwargs: Unpack[FitEstimateKwargs]
) -> Estimate: ...


@overload
def estimate(
    train_scores: Any, train_labels: Any, test_scores: Any, *, by: Any, **kwargs: Unpack[FitEstimateEachKwargs]
) -> Estimates: ...


@takes_options_of(estimate_sets, FittedModel.fit)
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: Methods | None = None,
    by: Any = None,
    probabilities: bool | None = None,
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
    probabilities : bool, optional
        Whether the scores are probabilities of the positive class, which methods of posterior probabilities (``sld``,
        ``dys``, ``pacc``, ``kdey-ml`` and others) then use as they are, as in QuaPy. False by default, with a warning
        if the scores lie in [0, 1] and neither `train_probabilities` nor `family` nor `transform` is given.

    Groups
    ------
    by : array-like, shape (n,), or several columns as a dict or data frame, optional
        Groups: each combination of their values has its own estimate.
    sort : bool, default True
        Whether groups are sorted by their values, with missing values last; otherwise they are in
        the order of appearance.
    total : bool, default False
        With `by`: whether to estimate all groups together too, from all scores: `Estimates.total`.
    standardise : mapping or Series by group, or like `test_scores`, optional
        With `by`: sizes of the groups in a standard population, to which `Estimates.total` is then standardised. A
        column must be constant within each group. With several columns in `by`, groups are tuples.
    publish : str, optional
        Rule that flags or suppresses rows of the table: ``"nchs"``, ``"statcan"`` or limits as in ``"cv=0.16,0.33"``.

    Test rows
    ---------
    test_probabilities : like `test_scores`, optional
        A classifier's probabilities for the test scores; required if there are `train_probabilities`.
    weights : like `test_scores`, optional
        Survey weights. Their ratios matter, and for the number of positives their sum.
    clusters : array-like, shape (n,), optional
        The cluster of each test score, such as a household or a day: rows that were drawn together.
    strata : array-like, shape (n,), optional
        The stratum that each test score was drawn in, with a fixed number of rows, or of clusters,
        from each. Implies ``target="population"``.
    replicate_weights : array-like of float, shape (n, n_replicates), optional
        Replicate weights, which contain the design, in addition to `weights`. Implies ``target="population"``.
    replicate_kind : str, optional
        Kind of the replicate weights: ``"bootstrap"``, ``"brr"``, ``"fay=0.5"`` (with its factor),
        ``"jk1"``, ``"jk2"``, ``"jkn"`` or ``"sdr"`` (successive differences).
    population : int; with `by` or `strata` a mapping or Series, or like `test_scores`; optional
        Size of the finite population that the test scores were drawn from: of each group or, with
        `strata`, of each stratum. Implies ``target="population"``.
    cluster_population : int; with `strata` a mapping or Series, or like `test_scores`; optional
        Number of clusters in the population, of each stratum. `population` is then the number of rows of each cluster,
        if only some of them were drawn.
    lonely_psu : {"error", "certainty", "adjust", "average"}
        Treatment of strata with a single row or cluster, as ``survey.lonely.psu`` in R.

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
        of the population that they come from, the default with `weights`.
    interval : {"wilson", "wald", "bootstrap"}
        Kind of standard errors and intervals; the bootstrap, of both samples, works for every method.
    resamples, seed : int
        Number of resamples and seed of the bootstrap; results do not depend on the number of threads.
    misfit : {"widen", "warn"}
        Action if the test scores are not a mixture of the labelled classes: widen the interval by
        the systematic error that goes with such a misfit, or only warn.
    check : bool, optional
        Whether to check that the test scores are a mixture of the labelled classes, as `misfit` needs. By default a
        single test set and groups are checked, but not the several test sets of `estimate_each`.

    Returns
    -------
    Estimate
        One estimate; with `by`, an `Estimates` table.

    Raises
    ------
    TruecountError
        If an argument cannot be used; no rows are dropped silently. Several test sets, or several
        methods without `by`, need `estimate_each`.

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> estimate = tc.estimate(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8])
    >>> round(estimate.prevalence, 3), estimate.n
    (0.631, 5)
    >>> tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"]).prevalence.round(3)
    array([0.637, 0.363])
    """
    model, options = _fit(train_scores, train_labels, test_scores, method, probabilities, kwargs)
    result: Estimate | Estimates = model.estimate(test_scores, by=by, **options)
    return result


@takes_options_of(estimate)
def estimate_each(
    train_scores: Any, train_labels: Any, test_scores: Any, *, by: Any = None, **kwargs: Unpack[FitEstimateEachKwargs]
) -> Estimates:
    """Estimate a prevalence for each of several test sets, and by each of several methods.

    Parameters
    ----------
    train_scores, train_labels, by, **kwargs
        As in `estimate`.
    test_scores
        As in `Model.estimate_each`.
    method
        As in `Model.fit`.

    Returns
    -------
    Estimates
        A row for each test set or group, and method.
    """
    method, probabilities = kwargs.pop("method", None), kwargs.pop("probabilities", None)
    model, options = _fit(train_scores, train_labels, test_scores, method, probabilities, kwargs)
    return model.estimate_each(test_scores, by=by, **options)
