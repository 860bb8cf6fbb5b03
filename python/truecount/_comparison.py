"""Comparison of two samples, or of the estimates of two models or several methods."""

from __future__ import annotations

import warnings as python_warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from truecount import _core
from truecount._columns import short_repr
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError
from truecount._differences import Differences, group_texts
from truecount._fitted_model import FittedModel, check_model
from truecount._options import FormulaKwargs, IntervalOptions, formula_options, unknown_choice_error
from truecount._sets import parse_test_sets
from truecount._signature import show_options_of
from truecount._totals import NO_TOTAL

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["CompareKwargs", "compare"]


class CompareKwargs(FormulaKwargs, total=False):
    """Keyword arguments of `Model.compare`."""

    other: FittedModel | None
    labelled: Literal["paired", "independent"] | None
    items: Literal["same", "different"] | None
    by: Any
    other_by: Any
    test_probabilities: Any
    other_probabilities: Any
    weights: Any
    other_weights: Any


def _sample_relation(
    other: FittedModel | None, has_scores: bool, labelled: str | None, items: str | None
) -> tuple[bool, bool]:
    """Return whether the labelled items are the same, and whether the test items are the same."""
    choices = {"labelled": (labelled, ("paired", "independent")), "items": (items, ("same", "different"))}
    for name, (value, known) in choices.items():
        if value is not None and value not in known:
            raise unknown_choice_error(name, value, known)
        if other is None and value is not None:
            raise OptionError(f"{name} is for another model: give other, or leave it out", "option-conflict", name=name)
    if other is None:
        return True, False
    if labelled is None:
        raise OptionError(
            "say whether both models have learnt from the same labelled items (labelled='paired') or not "
            "(labelled='independent')",
            "option-invalid",
            name="labelled",
            value=None,
        )
    if has_scores and items is None:
        raise OptionError(
            "say whether other_scores are of the same items (items='same') or not (items='different')",
            "option-invalid",
            name="items",
            value=None,
        )
    if not has_scores and items == "different":
        raise OptionError("the items are said to be different: give other_scores", "option-conflict", name="items")
    return labelled == "paired", not has_scores or items == "same"


@dataclass(frozen=True)
class _TalliedSample:
    """One of the two samples in a comparison."""

    name: str
    core_tally: _core.Tally
    values: dict[str, list[Any]]
    rows: int

    @classmethod
    def tally(
        cls, model: FittedModel, name: str, columns: tuple[Any, Any, Any, Any], options: IntervalOptions
    ) -> _TalliedSample:
        """Tally a sample, and emit the warnings about its estimates."""
        try:
            sets = parse_test_sets(*columns)
            if sets.several and sets.groups is None:
                raise ScoreError(
                    "test_scores are several test sets; give one column, and by", "column-invalid", column="test_scores"
                )
            try:
                tally = model._core.tally(sets.columns, 0)
                estimates, _, _ = model._core.estimate_tally(tally, options, True, NO_TOTAL)
            except TruecountError as error:
                raise sets.explain(error) from None
        except TruecountError as error:
            raise (error if name == "test_scores" else error.at(name)) from None
        by_code: dict[str, list[str]] = {}
        for warning in (warning for warnings in estimates["warnings"] for warning in warnings):
            by_code.setdefault(warning.code, []).append(warning)
        number = len(estimates["warnings"])
        for texts in by_code.values():
            share = "" if number == 1 else f" ({len(texts)} of {number} estimates)"
            python_warnings.warn(f"{name}: {texts[0]}{share}", PrevalenceWarning, stacklevel=4)
        return cls(name, tally, sets.values, len(sets.columns["scores"][0]))

    def groups(self) -> dict[tuple[Any, ...], int]:
        """Return the number of each group, by its values."""
        return {values: number for number, values in enumerate(zip(*self.values.values()))} if self.values else {(): 0}


def _pairs(first: _TalliedSample, second: _TalliedSample) -> list[tuple[int, int]]:
    """Return the pairs of groups that both samples have, and warn of the other groups."""
    groups, others = first.groups(), second.groups()
    if not groups.keys() & others.keys():
        raise OptionError("by and other_by have no group in common", "option-conflict", name="other_by")
    for sample, own, known in ((first, groups, others), (second, others, groups)):
        left_out = [values for values in own if values not in known]
        if left_out:
            names = ", ".join(short_repr(values if len(values) > 1 else values[0]) for values in left_out[:5])
            more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
            python_warnings.warn(f"left out, only in {sample.name}: {names}{more}", PrevalenceWarning, stacklevel=4)
    return [(number, others[values]) for values, number in groups.items() if values in others]


@show_options_of(formula_options)
def compare(
    model: FittedModel,
    test_scores: Any,
    other_scores: Any,
    *,
    other: FittedModel | None = None,
    labelled: str | None = None,
    items: str | None = None,
    by: Any = None,
    other_by: Any = None,
    test_probabilities: Any = None,
    other_probabilities: Any = None,
    weights: Any = None,
    other_weights: Any = None,
    **kwargs: Unpack[FormulaKwargs],
) -> Differences:
    """Return the result of `Model.compare`."""
    options = formula_options('a comparison has formulas of its own; leave out interval="bootstrap"', **kwargs)
    check_model(other, "other")
    paired, same = _sample_relation(other, other_scores is not None, labelled, items)
    if other_scores is not None and not same and (by is None) != (other_by is None):
        raise OptionError("by and other_by: give the groups of both, or of none", "option-conflict", name="other_by")
    first = _TalliedSample.tally(model, "test_scores", (test_scores, test_probabilities, weights, by), options)
    if other is None and other_scores is None:
        if len(model._methods) == 1:
            raise OptionError(
                "there is nothing to compare with: give other_scores or another model, or fit several methods",
                "option-invalid",
                name="other_scores",
            )
        result = _core.compare_methods(model._core, first.core_tally, options, group_texts(first.values))
        return Differences(result, first.values, options[0])
    if same:
        for name, value in (("other_by", other_by), ("other_weights", other_weights)):
            if value is not None:
                raise OptionError(
                    f"{name} is for other items; of the same ones leave it out", "option-conflict", name=name
                )
        other_by, other_weights = by, weights
        if other_scores is None:
            other_scores = test_scores
            other_probabilities = test_probabilities if other_probabilities is None else other_probabilities
    second = _TalliedSample.tally(
        other or model, "other_scores", (other_scores, other_probabilities, other_weights, other_by), options
    )
    if same and first.rows != second.rows:
        raise ScoreError(
            f"there are {first.rows} test_scores but {second.rows} other_scores, which are said to be of the same "
            "items",
            "length-mismatch",
            column="other_scores",
            values=second.rows,
            others=first.rows,
        )
    other_core = None if other is None else other._core
    samples = (model._core, first.core_tally), (other_core, second.core_tally)
    result = _core.compare_samples(
        *samples, _pairs(first, second), options, (paired, same), ("other", group_texts(first.values))
    )
    return Differences(result, first.values, options[0])
