"""Estimation of test sets and groups by a fitted model."""

from __future__ import annotations

from typing import Any, TypedDict

from truecount import _core
from truecount._conditions import OptionError, ScoreError, TruecountError
from truecount._differences import GroupComparison, ScoreSource, score_differences
from truecount._fitted_model import FittedModel
from truecount._groups import to_array
from truecount._names import Interval, Misfit, Target
from truecount._options import bootstrap_options, interval_options, to_int
from truecount._results import Estimate, Estimates
from truecount._sets import TestSets, parse_test_sets
from truecount._test_design import DesignKwargs, PooledScores, TestDesign
from truecount._totals import NO_TOTAL, TotalOptions, group_sizes

__all__ = ["EstimateEachKwargs", "EstimateKwargs", "GroupKwargs", "IntervalKwargs", "estimate_sets"]


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
        raise ScoreError(
            "test_scores are several test sets: estimate_each gives a row for each; if they are one, give one column",
            "column-invalid",
            column="test_scores",
        )
    if len(model._methods) > 1:
        raise OptionError(
            f"there are {len(model._methods)} methods, {', '.join(model._methods)}: estimate_each gives a row for each",
            "option-conflict",
            name="method",
        )


def _total_options(
    sets: TestSets, scores: Any, total: bool, total_weights: Any, population: Any, interval: str
) -> tuple[TotalOptions, float | None]:
    """Return the options for groups and their total, and the population size without groups."""
    groups = sets.groups
    if groups is None:
        for name, is_set in (("total", total), ("total_weights", total_weights is not None)):
            if is_set:
                raise OptionError(f"{name} adds up groups; give their column as by", "option-conflict", name=name)
        if population is None:
            return NO_TOTAL, None
        if sets.several:
            raise OptionError(
                "population is for one column of test scores; give all scores in one column, and their groups as by",
                "option-conflict",
                name="population",
            )
        return NO_TOTAL, float(to_int(population, "population", 1, 53))
    if interval == "bootstrap":
        for name, value in (("total_weights", total_weights), ("population", population)):
            if value is not None:
                raise OptionError(
                    f'{name} of groups has formulas of its own; leave out interval="bootstrap"',
                    "option-conflict",
                    name=name,
                )
    if not total and total_weights is None and population is None:
        return NO_TOTAL, None
    weights = None if total_weights is None else group_sizes(total_weights, "total_weights", groups, scores)
    populations = None if population is None else group_sizes(population, "population", groups, scores)
    return (total or weights is not None, weights, populations), None
