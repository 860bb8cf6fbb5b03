"""Estimates of test sets and groups, and each score's contribution to an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, Groups, check_lengths, numbers, same_index, to_array
from truecount._compare import GroupComparison, ScoreSource, score_differences
from truecount._errors import (
    OptionError,
    ScoreError,
    TruecountError,
    invalid_column,
    located,
    option_conflict,
    option_error,
)
from truecount._fit import FittedModel
from truecount._inputs import NO_TOTAL, TestSets, TotalOptions, group_sizes, missing_unit, parse_test_sets, unit_codes
from truecount._options import (
    FitKwargs,
    Interval,
    Method,
    Methods,
    Misfit,
    Target,
    bootstrap_options,
    interval_options,
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


class TestDesign(NamedTuple):
    """The sampling design of test scores, from the caller's arguments."""

    clusters: Any
    strata: Any
    replicate_weights: Any
    replicate_kind: str | None

    @property
    def is_empty(self) -> bool:
        return self.clusters is None and self.strata is None and self.replicate_weights is None

    @property
    def implies_population(self) -> bool:
        """Whether only the population can be the target."""
        return self.strata is not None or self.replicate_weights is not None

    def check(self, sets: TestSets, interval: str, population: Any, is_weighted: bool) -> None:
        """Raise an error for arguments that exclude each other."""
        if (self.replicate_weights is None) != (self.replicate_kind is None):
            raise option_conflict("replicate_kind", "replicate_weights and replicate_kind need each other; give both")
        if self.is_empty:
            return
        given = ("replicate_weights", "strata", "clusters")
        name = next(name for name in given if getattr(self, name) is not None)
        conflict = None
        if sets.several and sets.groups is None:
            conflict = "clusters, strata and replicate_weights are for one column of test scores"
        elif interval == "bootstrap":
            conflict = 'clusters, strata and replicate_weights do not go with interval="bootstrap"; leave it out'
        elif self.replicate_weights is not None and not is_weighted:
            conflict = "replicate_weights go with weights, those of the estimate itself; give both"
        elif self.replicate_weights is not None and any(
            value is not None for value in (self.clusters, self.strata, population)
        ):
            conflict = "replicate_weights contain the design; leave out clusters, strata and population"
        if conflict is not None:
            raise option_conflict(name, conflict)

    def tally(
        self, model: FittedModel, test_scores: Any, probabilities: Any, weights: Any, groups: Groups | None, sizes: Any
    ) -> _core.Tally:
        """Tally the parts of the groups; `sizes` are the population sizes of strata."""
        sets = parse_test_sets(test_scores, probabilities, weights, None)
        rows = len(sets.columns["scores"][0])
        codes = {}
        strata: Groups | None = None
        for name, values in (("strata", self.strata), ("clusters", self.clusters)):
            same_index(name, values, "test_scores", test_scores)
            if values is not None:
                codes[name], distinct, missing = unit_codes(values, name)
                if missing is not None:
                    raise ScoreError(missing_unit(name, missing), "test-unit-missing", column=name, row=missing)
                check_lengths({name: codes[name]}, "test_scores", rows)
                if name == "strata":
                    strata = Groups(codes[name], {name: distinct}, len(distinct))
        stratum_sizes = None
        if strata is not None and sizes is not None:
            stratum_sizes = group_sizes(sizes, "population", strata, test_scores)
        parts = np.zeros(rows, dtype=np.uint32) if groups is None else groups.rows
        first = np.zeros(0, dtype=np.int64)
        for column in codes.values() or [parts]:
            parts, first = _core.factorize_pairs(parts, column)
        replicates = self._replicates(rows, test_scores)
        columns = [sets.columns["scores"], sets.columns["probabilities"], sets.columns["weights"]]
        unsorted = [column[0] for column in columns if column is not None]
        in_order, starts = _core.sort_by_group([*unsorted, *replicates], parts, len(first))
        ordered = iter(in_order)
        scores, probability, weight = ([next(ordered)] if column is not None else None for column in columns)
        sorted_columns: _core.Columns = {
            "scores": scores or [],
            "probabilities": probability,
            "weights": weight,
            "starts": starts,
            "groups": parts,
        }
        number = 1 if groups is None else groups.number
        of_parts = ([0] * len(first) if groups is None else groups.rows[first].tolist(), number)
        design: _core.TestDesign = {
            "clusters": codes["clusters"][first].tolist() if "clusters" in codes else None,
            "strata": codes["strata"][first].tolist() if "strata" in codes else None,
            "sizes": None if stratum_sizes is None else stratum_sizes.tolist(),
            "replicates": (list(ordered), self.replicate_kind) if self.replicate_kind is not None else None,
        }
        try:
            return model._core.tally_design(sorted_columns, of_parts, design)
        except TruecountError as error:
            part = error.fields.pop("set", None)
            if strata is not None and part is not None and error.code == "small-population":
                error.fields["group"] = {"strata": strata.values["strata"][part]}
            raise located(error, "test_scores", "test_probabilities") from None

    def _replicates(self, rows: int, test_scores: Any) -> list[NDArray[np.float64]]:
        """Return the columns of replicate weights."""
        if self.replicate_weights is None:
            return []
        same_index("replicate_weights", self.replicate_weights, "test_scores", test_scores)
        if len(np.shape(self.replicate_weights)) != 2:
            raise invalid_column(
                "replicate_weights", "replicate_weights is not a table; give one with a column for each replicate"
            )
        table = numbers(self.replicate_weights, "replicate_weights", ndim=2)
        check_lengths({"replicate_weights": table}, "test_scores", rows)
        if table.shape[1] < 2:
            raise invalid_column(
                "replicate_weights",
                "replicate_weights has fewer than two columns; give a table with a column for each replicate",
            )
        return [np.ascontiguousarray(column) for column in table.T]


class PooledScores(NamedTuple):
    """The scores of the same rows by several classifiers, each of which counts by its share."""

    classifiers: list[Floats]
    """The scores by each classifier."""
    shares: Floats

    def take(self, rows: NDArray[np.intp]) -> PooledScores:
        """Return the scores of these rows."""
        return PooledScores([scores[rows] for scores in self.classifiers], self.shares)

    def tally(self, model: FittedModel, sets: TestSets) -> _core.Tally:
        """Tally all scores. The sets have the score of one classifier for each row."""
        classifiers = self.classifiers
        if sets.groups is not None:
            classifiers, _ = _core.sort_by_group(classifiers, sets.groups.rows, sets.groups.number)
        return model._core.tally_pooled(sets.columns, classifiers, self.shares.tolist())


class IntervalKwargs(TypedDict, total=False):
    """Keyword arguments of `truecount.estimate` about the interval and the shift check."""

    population: Any
    level: float
    target: Target
    interval: Interval
    misfit: Misfit
    resamples: int
    seed: int
    check: bool | None


class GroupKwargs(IntervalKwargs, total=False):
    """Keyword arguments about the interval and the check, and those for groups."""

    total: bool
    total_weights: Any
    sort: bool


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
    total_weights: Any = None,
    population: Any = None,
    sort: bool = True,
    test_probabilities: Any = None,
    weights: Any = None,
    clusters: Any = None,
    strata: Any = None,
    replicate_weights: Any = None,
    replicate_kind: str | None = None,
    level: float = 0.95,
    target: Target = "sample",
    interval: Interval = "wilson",
    misfit: Misfit = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Any:
    """Estimate one test set, or return a table if `each` is set or there are groups.

    `pooled` has the scores of each row by all classifiers, and `test_scores` the score by one of them.
    They are not used by the bootstrap, or with a sampling design.
    """
    sets = parse_test_sets(test_scores, test_probabilities, weights, by)
    design = TestDesign(clusters, strata, replicate_weights, replicate_kind)
    design.check(sets, interval, population, weights is not None)
    group_population = None if strata is not None else population
    total_options, size = _total_options(sets, test_scores, bool(total), total_weights, group_population, interval)
    if design.implies_population:
        target = "population"
    options = interval_options(level, target, interval, misfit, size)
    whose = options[1] if population is None else "population"
    checked = (sets.groups is not None or not sets.several) if check is None else bool(check)
    single = not each and by is None
    if single:
        _refuse_several(model, sets)
    tally: _core.Tally | None = None
    total_columns = None
    core = model._core
    try:
        if interval == "bootstrap":
            resampling = bootstrap_options(resamples, seed)
            columns = core.bootstrap(sets.columns, options, checked, *resampling)
            if total_options[0]:
                total_columns = core.bootstrap(sets.whole, options, checked, *resampling)
        elif not design.is_empty:
            tally = design.tally(model, test_scores, test_probabilities, weights, sets.groups, population)
        elif pooled is not None:
            tally = pooled.tally(model, sets)
        elif single:
            values = core.estimate_one(sets.columns, options, checked)
            return Estimate._from_values(values, next(iter(model._methods)), model._metadata(options[0], whose), {})
        elif total_options is NO_TOTAL:
            columns = core.estimate(sets.columns, options, checked)
        else:
            tally = core.tally(sets.columns, 0)
        if tally is not None:
            columns, total_columns, _ = core.estimate_tally(tally, options, checked, total_options)
    except TruecountError as error:
        raise sets.explain(error) from None
    metadata = model._metadata(options[0], whose, resamples if interval == "bootstrap" else None)
    if single:
        return Estimate._from_row(columns, 0, next(iter(metadata.methods)), metadata, {})
    if sets.groups is None:
        return Estimates(columns, {name: to_array(values) for name, values in sets.values.items()}, metadata)
    totals = None if total_columns is None else Estimates(total_columns, {}, metadata)
    source: ScoreSource = sets.columns if tally is None else tally
    differences = score_differences(core, source, options, checked, total_options)
    comparison = GroupComparison(differences, sets.values, options[0])
    return Estimates._from_groups(columns, sets.values, metadata, sort)._with_total(totals, comparison)


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


def _total_options(
    sets: TestSets, scores: Any, total: bool, total_weights: Any, population: Any, interval: str
) -> tuple[TotalOptions, float | None]:
    """Return the options for groups and their total, and the population size without groups."""
    groups = sets.groups
    if groups is None:
        for name, is_set in (("total", total), ("total_weights", total_weights is not None)):
            if is_set:
                raise option_conflict(name, f"{name} adds up groups; give their column as by")
        if population is None:
            return NO_TOTAL, None
        if sets.several:
            raise option_conflict(
                "population",
                "population is for one column of test scores; give all scores in one column, and their groups as by",
            )
        return NO_TOTAL, float(to_int(population, "population", 1, 53))
    if interval == "bootstrap":
        for name, value in (("total_weights", total_weights), ("population", population)):
            if value is not None:
                raise option_conflict(name, f'{name} of groups has formulas of its own; leave out interval="bootstrap"')
    if not total and total_weights is None and population is None:
        return NO_TOTAL, None
    weights = None if total_weights is None else group_sizes(total_weights, "total_weights", groups, scores)
    populations = None if population is None else group_sizes(population, "population", groups, scores)
    return (total or weights is not None, weights, populations), None


def _method_index(model: FittedModel, method: str | None) -> int:
    known = list(model._methods)
    if method is None:
        return 0
    if method not in known:
        raise OptionError(
            f"the model has no method '{method}'; it has {', '.join(known)}",
            "method-unknown",
            name=method,
            known=known,
        )
    return known.index(method)


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
        test_scores, by, total, total_weights, population, sort
            As in `truecount.estimate`.
        test_probabilities, weights, clusters, strata, replicate_weights, replicate_kind
            As in `truecount.estimate`.
        level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        Estimate
            The estimate of one test set by one method; with `by`, an `Estimates` table.

        Raises
        ------
        TruecountError
            If an argument cannot be used. Several test sets, or several methods without `by`, need
            `estimate_each`.
        """
        result: Estimate | Estimates = estimate_sets(self, False, test_scores, by, **kwargs)
        return result

    @takes_options_of(estimate_sets)
    def estimate_each(self, test_scores: Any, *, by: Any = None, **kwargs: Unpack[EstimateEachKwargs]) -> Estimates:
        """Estimate a prevalence for each test set by each of the model's methods.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,) or (n_sets, n); or a list of columns
            One test set, or several as rows of an array or in a list, which are estimated in
            parallel.
        by, total, total_weights, population, sort
            As in `truecount.estimate`.
        test_probabilities, weights, clusters, strata, replicate_weights, replicate_kind
            As in `truecount.estimate`.
        level, target, interval, misfit, resamples, seed, check
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
        try:
            return self._core.influence(_method_index(self, method), sets.columns)
        except TruecountError as error:
            raise sets.explain(error) from None

    def influence_expr(self, scores: Any, *, method: Method | None = None) -> Any:
        """Return a polars expression of each score's contribution, whose mean is the estimate.

        The expression works in ``select`` and ``group_by(…).agg``, and in lazy and streaming
        frames.

        Parameters
        ----------
        scores : polars.Expr or str
            An expression such as ``pl.col("score")``, or the name of the column. A null or NaN is
            an error.
        method : str, optional
            As in `influence`.

        Returns
        -------
        polars.Expr

        Raises
        ------
        TruecountError
            If the method's estimate is not the mean of one function of the score.

        Examples
        --------
        ``frame.group_by("week").agg(model.influence_expr(pl.col("score")).mean())``
        """
        import polars

        index = _method_index(self, method)

        # Polars' own expressions (the bins as a tree, `cut` or `search_sorted`) could not raise an
        # error for a null. For a million scores they take more than ten times as long in one group,
        # several times as long in 100 groups, and half as long only in 50,000 groups.
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


@takes_options_of(estimate_sets, FittedModel.fit)
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
    (0.631, 5)
    >>> tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"]).prevalence.round(3)
    array([0.637, 0.363])
    """
    fit, options = split_fit_kwargs(kwargs)
    model = EstimatingModel.fit(train_scores, train_labels, method=method, **fit)
    result: Estimate | Estimates = model.estimate(test_scores, by=by, **options)
    return result


@takes_options_of(estimate_sets, FittedModel.fit)
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

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> estimates = tc.estimate_each(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8], method=["es", "ac"])
    >>> estimates.prevalence.round(3)
    array([0.631, 0.733])
    """
    fit, options = split_fit_kwargs(kwargs)
    model = EstimatingModel.fit(train_scores, train_labels, method=method, **fit)
    return model.estimate_each(test_scores, by=by, **options)
