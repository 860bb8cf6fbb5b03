"""Two samples, or two models' or several methods' estimates of one: how far they are apart."""

from __future__ import annotations

import warnings as python_warnings
from dataclasses import dataclass
from typing import Any

from truecount import _core
from truecount._columns import shown
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError
from truecount._differences import Differences
from truecount._fitted import Fitted
from truecount._options import Reporting, refuse_bootstrap, reporting, unknown_choice
from truecount._sets import test_sets
from truecount._sizes import NOTHING

__all__ = ["compare"]


def _kinship(other: Fitted | None, has_scores: bool, labelled: str | None, scores: str | None) -> tuple[bool, bool]:
    """Whether the labelled items are the same, and whether the test items are."""
    choices = {"labelled": (labelled, ("paired", "apart")), "scores": (scores, ("same", "different"))}
    for name, (value, known) in choices.items():
        if value is not None and value not in known:
            raise unknown_choice(name, value, known)
        if other is None and value is not None:
            raise OptionError(f"{name} is for another model: give other, or leave it out", "option-conflict", name=name)
    if other is None:
        return True, False
    if labelled is None:
        raise OptionError(
            "say whether both models have learnt from the same labelled items (labelled='paired') or not (labelled='apart')",
            "option-invalid",
            name="labelled",
            value=None,
        )
    if has_scores and scores is None:
        raise OptionError(
            "say whether other_scores are of the same items (scores='same') or not (scores='different')",
            "option-invalid",
            name="scores",
            value=None,
        )
    if not has_scores and scores == "different":
        raise OptionError("scores are said to be different: give other_scores", "option-conflict", name="scores")
    return labelled == "paired", not has_scores or scores == "same"


@dataclass(frozen=True)
class _Tallied:
    """One side of a comparison."""

    name: str
    tally: _core.Tally
    values: dict[str, list[Any]]
    rows: int

    @classmethod
    def of(cls, model: Fitted, name: str, given: tuple[Any, Any, Any, Any], asked: Reporting) -> _Tallied:
        """A side, of which it is said what there is to beware of."""
        try:
            sets = test_sets(*given)
            if sets.several and sets.groups is None:
                raise ScoreError(
                    "test_scores are several test sets; give one column, and by", "column-invalid", column="test_scores"
                )
            try:
                tally = model._core.tally(sets.columns, 0)
                columns, _, _ = model._core.finish(tally, asked, True, NOTHING)
            except TruecountError as error:
                raise sets.explain(error) from None
        except TruecountError as error:
            raise (error if name == "test_scores" else error.at(name)) from None
        found: dict[str, list[str]] = {}
        for warning in (warning for warnings in columns["warnings"] for warning in warnings):
            found.setdefault(warning.code, []).append(warning)
        for texts in found.values():
            of = "" if len(columns["warnings"]) == 1 else f" ({len(texts)} of {len(columns['warnings'])} estimates)"
            python_warnings.warn(f"{name}: {texts[0]}{of}", PrevalenceWarning, stacklevel=4)
        return cls(name, tally, sets.values, len(sets.columns["scores"][0]))

    def groups(self) -> dict[tuple[Any, ...], int]:
        """The number of each group."""
        return {values: number for number, values in enumerate(zip(*self.values.values()))} if self.values else {(): 0}


def _pairs(first: _Tallied, second: _Tallied) -> list[tuple[int, int]]:
    """The groups of the first that the second has too; the others are told of."""
    groups, others = first.groups(), second.groups()
    if not groups.keys() & others.keys():
        raise OptionError("by and other_by have no group in common", "option-conflict", name="other_by")
    for side, own, known in ((first, groups, others), (second, others, groups)):
        left_out = [values for values in own if values not in known]
        if left_out:
            named = ", ".join(shown(values if len(values) > 1 else values[0]) for values in left_out[:5])
            more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
            python_warnings.warn(f"left out, only in {side.name}: {named}{more}", PrevalenceWarning, stacklevel=4)
    return [(number, others[values]) for values, number in groups.items() if values in others]


def compare(
    model: Fitted,
    test_scores: Any,
    other_scores: Any,
    *,
    other: Fitted | None,
    labelled: str | None,
    scores: str | None,
    by: Any,
    other_by: Any,
    test_probabilities: Any,
    other_probabilities: Any,
    weights: Any,
    other_weights: Any,
    level: float,
    target: str,
    interval: str,
    misfit: str,
) -> Differences:
    """What `Model.compare` gives."""
    refuse_bootstrap(interval, 'a comparison has formulas of its own; leave out interval="bootstrap"')
    paired, same = _kinship(other, other_scores is not None, labelled, scores)
    if other_scores is not None and not same and (by is None) != (other_by is None):
        raise OptionError("by and other_by: give the groups of both, or of none", "option-conflict", name="other_by")
    asked = reporting(level, target, interval, misfit)
    first = _Tallied.of(model, "test_scores", (test_scores, test_probabilities, weights, by), asked)
    if other is None and other_scores is None:
        if len(model._methods) == 1:
            raise OptionError(
                "there is nothing to compare with: give other_scores or another model, or fit several methods",
                "option-invalid",
                name="other_scores",
            )
        return Differences(_core.methods_apart(model._core, first.tally, asked), first.values, asked[0])
    if same:
        for name, given in (("other_by", other_by), ("other_weights", other_weights)):
            if given is not None:
                raise OptionError(
                    f"{name} is for other items; of the same ones leave it out", "option-conflict", name=name
                )
        other_by, other_weights = by, weights
        if other_scores is None:
            other_scores = test_scores
            other_probabilities = test_probabilities if other_probabilities is None else other_probabilities
    second = _Tallied.of(
        other or model, "other_scores", (other_scores, other_probabilities, other_weights, other_by), asked
    )
    if same and first.rows != second.rows:
        raise ScoreError(
            f"there are {first.rows} test_scores but {second.rows} other_scores, which are said to be of the same items",
            "length-mismatch",
            column="other_scores",
            values=second.rows,
            others=first.rows,
        )
    models = model._core, None if other is None else other._core
    sides = (models[0], first.tally), (models[1], second.tally)
    found = _core.samples_apart(*sides, _pairs(first, second), asked, (paired, same), "other")
    return Differences(found, first.values, asked[0])
