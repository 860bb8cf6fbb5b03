"""From test sets to estimates."""

from __future__ import annotations

from typing import Any, TypedDict

from truecount._conditions import OptionError, ScoreError, TruecountError
from truecount._differences import Compared, Source
from truecount._fitted import Fitted
from truecount._groups import natural
from truecount._names import Interval, Misfit, Target
from truecount._options import reporting, whole
from truecount._results import Estimate, Estimates
from truecount._sets import Sets, test_sets
from truecount._sizes import NOTHING, Summed, sizes

__all__ = ["Asked", "AskedOfGroups", "OfAll", "OfGroups", "estimate"]


class Asked(TypedDict, total=False):
    """What may be asked of whatever is counted: arguments of `truecount.estimate`."""

    population: Any
    level: float
    target: Target
    interval: Interval
    misfit: Misfit
    resamples: int
    seed: int
    check: bool | None


class AskedOfGroups(Asked, total=False):
    """And of groups of it."""

    total: bool
    total_weights: Any
    sort: bool


class OfAll(Asked, total=False):
    """What may be asked of test scores."""

    test_probabilities: Any
    weights: Any


class OfGroups(AskedOfGroups, OfAll, total=False):
    """And of groups of them."""


def estimate(
    model: Fitted,
    each: bool,
    test_scores: Any,
    by: Any,
    *,
    total: bool = False,
    total_weights: Any = None,
    population: Any = None,
    sort: bool = True,
    test_probabilities: Any = None,
    weights: Any = None,
    level: float = 0.95,
    target: Target = "sample",
    interval: Interval = "wilson",
    misfit: Misfit = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Any:
    """A table of groups, and of all there is if each is asked for; else the one estimate."""
    sets = test_sets(test_scores, test_probabilities, weights, by)
    summed, size = _summed(sets, test_scores, bool(total), total_weights, population, interval)
    asked = reporting(level, target, interval, misfit, size)
    checked = (sets.groups is not None or not sets.several) if check is None else bool(check)
    alone = not each and by is None
    if alone:
        _refuse_several(model, sets)
    source: Source = sets.columns
    together = None
    core = model._core
    try:
        if interval == "bootstrap":
            drawn = whole(resamples, "resamples", 1), whole(seed, "seed", 0, 64)
            columns = core.bootstrap(sets.columns, asked, checked, *drawn)
            if summed[0]:
                together = core.bootstrap(sets.whole, asked, checked, *drawn)
        elif alone:
            found = core.estimate_one(sets.columns, asked, checked)
            return Estimate._of(found, next(iter(model._methods)), model._terms(asked[0]), {})
        elif summed is NOTHING:
            columns = core.estimate(sets.columns, asked, checked)
        else:
            source = core.tally(sets.columns, 0)
            columns, together, _ = core.finish(source, asked, checked, summed)
    except TruecountError as error:
        raise sets.explain(error) from None
    terms = model._terms(asked[0], resamples if interval == "bootstrap" else None)
    if alone:
        return Estimate._of_row(columns, 0, next(iter(terms.methods)), terms, {})
    if sets.groups is None:
        return Estimates(columns, {name: natural(values) for name, values in sets.values.items()}, terms)
    totals = None if together is None else Estimates(together, {}, terms)
    compared = Compared(core, source, sets.values, asked, checked, summed)
    return Estimates._of_groups(columns, sets.values, terms, sort)._together(totals, compared)


def _refuse_several(model: Fitted, sets: Sets) -> None:
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


def _summed(
    sets: Sets, scores: Any, total: bool, total_weights: Any, population: Any, interval: str
) -> tuple[Summed, float | None]:
    """What is asked of groups together; and of what is no groups, the size of the population."""
    groups = sets.groups
    if groups is None:
        for name, asked in (("total", total), ("total_weights", total_weights is not None)):
            if asked:
                raise OptionError(f"{name} adds up groups; give their column as by", "option-conflict", name=name)
        if population is None:
            return NOTHING, None
        if sets.several:
            raise OptionError(
                "population is for one column of test scores; give all scores in one column, and their groups as by",
                "option-conflict",
                name="population",
            )
        return NOTHING, float(whole(population, "population", 1, 53))
    if interval == "bootstrap":
        for name, given in (("total_weights", total_weights), ("population", population)):
            if given is not None:
                raise OptionError(
                    f'{name} of groups has formulas of its own; leave out interval="bootstrap"',
                    "option-conflict",
                    name=name,
                )
    if not total and total_weights is None and population is None:
        return NOTHING, None
    weights = None if total_weights is None else sizes(total_weights, "total_weights", groups, scores)
    populations = None if population is None else sizes(population, "population", groups, scores)
    return (total or weights is not None, weights, populations), None
