"""Comparisons of groups, samples, models or methods."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import python_value, sort_levels, sort_order, to_array
from truecount._errors import (
    OptionError,
    PrevalenceWarning,
    TruecountError,
    length_error,
    option_conflict,
    option_error,
    short_repr,
)
from truecount._fit import FittedModel, check_model
from truecount._inputs import parse_one_column
from truecount._options import FormulaKwargs, formula_options, takes_options_of, unknown_choice_error
from truecount._table import (
    Column,
    IntervalTable,
    escape_untrusted,
    format_p_value,
    format_signed,
    format_value,
    join_columns,
    percent,
    take_rows,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Differences"]


DifferenceColumns = tuple[dict[str, Any], list[str], NDArray[np.int64], Optional[NDArray[np.int64]], list[str]]
"""Columns, names of columns with missing values, each row's group, its reference or -1, and the notes."""

GroupTexts = list[tuple[str, list[Optional[str]]]]
"""Each grouping column with the groups' values as texts."""

Levels = tuple[NDArray[np.uint32], NDArray[np.int64]]
"""The groups in order, and where each level starts, with the end."""

Reference = Union[str, list[Optional[int]]]
"""A word, or the index of the reference in each level."""

CompareGroups = Callable[[Levels, Reference, GroupTexts], DifferenceColumns]
"""Compares groups with a reference."""


class Differences(IntervalTable):
    """A table of differences, a row for each comparison.

    Standard errors account for the correlation of estimates from the same labelled scores. After
    the columns of the groups, the columns are:

    ================================  ==============================================================
    ``class``                         class, of several classes only
    ``reference``                     group, method or sample that the group is compared with
    ``method``                        method
    ``prevalence``                    prevalence of the group
    ``prevalence_reference``          prevalence of the reference
    ``difference``                    prevalence minus prevalence of the reference
    ``se``, ``lower``, ``upper``      standard error and interval of the difference
    ``ratio``                         prevalence over that of the reference; NaN if the latter is 0
    ``ratio_lower``, ``ratio_upper``  interval of the ratio; infinite if the reference may be 0
    ``p_value``                       p-value for the hypothesis of equal prevalences
    ``p_value_holm``                  p-value adjusted for the number of differences (Holm 1979)
    ``correlation``                   correlation of the two estimates
    ``level``                         nominal coverage of the intervals
    ================================  ==============================================================

    ``differences["ratio"]`` is the column with this name. `to_dict`, `to_pandas`, `to_polars` and
    `to_arrow` convert the whole table, and iteration yields its rows as dicts.
    """

    def __init__(self, result: DifferenceColumns, groups: dict[str, list[Any]], level: float) -> None:
        columns, optional, rows, references, notes = result
        if groups:
            rank = np.empty(len(next(iter(groups.values()))), dtype=np.intp)
            rank[sort_order(groups)] = np.arange(len(rank))
            order = np.argsort(rank[rows], kind="stable")
            columns, rows = take_rows(columns, order), rows[order]
            references = None if references is None else references[order]
        values = {name: to_array(column) for name, column in groups.items()}
        if references is not None and bool(np.all(references >= 0)):
            columns["reference"] = [*values.values()][-1][references]
        self._level = level
        self._sentences = notes
        self._groups = list(groups)
        self._nullable = tuple(optional)
        self._columns = join_columns({name: column[rows] for name, column in values.items()}, columns)

    difference = Column[np.float64]("Prevalences minus those of the references.")
    ratio = Column[np.float64]("Prevalences over those of the references; NaN if the latter are 0.")
    p_value = Column[np.float64]("The p-values for the hypothesis of equal prevalences.")
    p_value_holm = Column[np.float64]("The p-values adjusted for the number of differences by Holm's method.")

    @property
    def level(self) -> float:
        """Nominal coverage of the intervals."""
        return self._level

    def _names(self) -> list[str]:
        several = len(set(self._columns["method"])) > 1
        class_ = ["class"] if "class" in self._columns else []
        return [*self._groups, *class_, "reference", *(["method"] if several else [])]

    def _header(self) -> tuple[list[str], int]:
        names = [*map(escape_untrusted, self._names())]
        return [*names, "difference", f"{percent(self._level)} % interval", "ratio", "interval", "p (Holm)"], len(names)

    def _cells(self, row: int) -> list[str]:
        values = {name: column[row] for name, column in self._columns.items()}
        ratio, ratio_upper = values["ratio"], values["ratio_upper"]
        return [
            *(escape_untrusted(format_value(values[name])) for name in self._names()),
            format_signed(values["difference"]),
            f"{format_signed(values['lower'])} – {format_signed(values['upper'])}",
            "–" if ratio != ratio else f"{ratio:.2f}",
            f"{values['ratio_lower']:.2f} – " + ("∞" if np.isinf(ratio_upper) else f"{ratio_upper:.2f}"),
            format_p_value(values["p_value_holm"]),
        ]

    def _notes(self) -> list[str]:
        methods = set(self._columns["method"])
        method = [f"method: {name}" for name in methods] if len(methods) == 1 else []
        return [*method, *self._sentences]


def group_texts(groups: dict[str, list[Any]]) -> GroupTexts:
    """Return the groups' values as texts."""
    return [
        (name, [None if value is None else format_value(value) for value in values]) for name, values in groups.items()
    ]


@dataclass(frozen=True)
class GroupComparison:
    """The values of groups, and the function that compares the groups."""

    compare: CompareGroups
    values: dict[str, list[Any]]
    level: float

    def with_reference(self, reference: Any) -> Differences:
        """Compare the groups with a reference: a word, or a value of the last column."""
        groups, starts = sort_levels(self.values)
        words = [word for word, _ in _core.names("references")]
        is_word = isinstance(reference, str) and reference in words
        parsed = reference if is_word else self._reference_indices(reference, groups, starts, words)
        result = self.compare((groups, starts), parsed, group_texts(self.values))
        return Differences(result, self.values, self.level)

    def _reference_indices(
        self, reference: Any, groups: NDArray[np.uint32], starts: NDArray[np.int64], words: Sequence[str]
    ) -> list[int | None]:
        """Return the index of the group with this value in each level, or None."""
        name, values = [*self.values.items()][-1]
        value = python_value(reference)
        matches = np.array([own is None if value is None else own == value for own in values], dtype=np.bool_)
        positions = np.flatnonzero(matches[groups])
        if len(positions) == 0:
            raise OptionError(
                f"reference is {reference!r}: no group has {name} = {format_value(reference)!r}; it must be such "
                f"a value, or one of {', '.join(words)}",
                "group-unknown",
                column=name,
                value=reference,
            )
        indices: list[int | None] = [None] * (len(starts) - 1)
        for level, position in zip(np.searchsorted(starts, positions, side="right") - 1, positions):
            indices[level] = int(position - starts[level])
        return indices


def _sample_relation(
    other: FittedModel | None, has_scores: bool, labelled: str | None, items: str | None
) -> tuple[bool, bool]:
    """Return whether the labelled items are the same, and whether the test items are the same."""
    choices = {"labelled": (labelled, ("paired", "independent")), "items": (items, ("same", "different"))}
    for name, (value, known) in choices.items():
        if value is not None and value not in known:
            raise unknown_choice_error(name, value, known)
        if other is None and value is not None:
            raise option_conflict(name, f"{name} is for another model: give other, or leave it out")
    if other is None:
        return True, False
    if labelled is None:
        raise option_error(
            "labelled",
            "say whether both models have learnt from the same labelled items (labelled='paired') or not "
            "(labelled='independent')",
            value=None,
        )
    if has_scores and items is None:
        raise option_error(
            "items",
            "say whether other_scores are of the same items (items='same') or not (items='different')",
            value=None,
        )
    if not has_scores and items == "different":
        raise option_conflict("items", "the items are said to be different: give other_scores")
    return labelled == "paired", not has_scores or items == "same"


@dataclass(frozen=True)
class _Sample:
    """One of the two samples in a comparison."""

    name: str
    estimates: _core.StoredEstimates
    values: dict[str, list[Any]]
    rows: int

    @classmethod
    def estimate(
        cls, model: FittedModel, name: str, columns: tuple[Any, Any, Any, Any], request: _core.Request
    ) -> _Sample:
        """Estimate the groups of a sample, and emit the warnings about the estimates."""
        try:
            sets = parse_one_column(*columns)
            estimates, each = sets.call(_core.estimate_sample, model._core, sets.columns, request)
        except TruecountError as error:
            raise (error if name == "test_scores" else error.at(name)) from None
        by_code: dict[str, list[str]] = {}
        for warning in (warning for warnings in each for warning in warnings):
            by_code.setdefault(warning.code, []).append(warning)
        for texts in by_code.values():
            share = "" if len(each) == 1 else f" ({len(texts)} of {len(each)} estimates)"
            python_warnings.warn(f"{name}: {texts[0]}{share}", PrevalenceWarning, stacklevel=4)
        return cls(name, estimates, sets.values, len(sets.columns["scores"][0]))

    def groups(self) -> dict[tuple[Any, ...], int]:
        """Return the number of each group, by its values."""
        return {values: number for number, values in enumerate(zip(*self.values.values()))} if self.values else {(): 0}


def _pairs(first: _Sample, second: _Sample) -> list[tuple[int, int]]:
    """Return the pairs of groups that both samples have, and warn of the other groups."""
    groups, others = first.groups(), second.groups()
    if not groups.keys() & others.keys():
        raise option_conflict("other_by", "by and other_by have no group in common")
    for sample, own, known in ((first, groups, others), (second, others, groups)):
        left_out = [values for values in own if values not in known]
        if left_out:
            names = ", ".join(short_repr(values if len(values) > 1 else values[0]) for values in left_out[:5])
            more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
            python_warnings.warn(f"left out, only in {sample.name}: {names}{more}", PrevalenceWarning, stacklevel=4)
    return [(number, others[values]) for values, number in groups.items() if values in others]


class ComparingModel(FittedModel):
    """A model that compares."""

    @takes_options_of(formula_options)
    def compare(
        self,
        test_scores: Any,
        other_scores: Any = None,
        *,
        other: FittedModel | None = None,
        labelled: Literal["paired", "independent"] | None = None,
        items: Literal["same", "different"] | None = None,
        by: Any = None,
        other_by: Any = None,
        test_probabilities: Any = None,
        other_probabilities: Any = None,
        weights: Any = None,
        other_weights: Any = None,
        **kwargs: Unpack[FormulaKwargs],
    ) -> Differences:
        """Compare prevalences of two samples, or estimates of two models or several methods.

        - ``model.compare(scores, other_scores)`` compares two samples of different items.
        - ``model.compare(scores)`` compares the model's other methods with its first.
        - ``model.compare(scores, other_scores, other=…, labelled=…, items=…)`` compares models.

        `Estimates.compare` compares the groups of one sample. The standard errors of differences account for the
        correlation of estimates from the same labelled scores or the same test scores.

        Parameters
        ----------
        test_scores, other_scores : array-like of float, shape (n,)
            The scores of both samples. With `other`, the default of `other_scores` is `test_scores`.
        other : Model, optional
            The model of the other estimates, which must have the same methods.
        labelled : {"paired", "independent"}
            With `other`: whether both models were fitted to scores of the same labelled items in the same order
            ("paired"), as of two classifiers, or of independent samples ("independent").
        items : {"same", "different"}
            With `other` and `other_scores`: whether both are scores of the same items in the same
            order, or of different items.
        by, other_by : array-like, shape (n,), or several columns, optional
            The groups of both samples, which are compared group by group. If the items are the
            same, `by` is for both samples.
        test_probabilities, other_probabilities, weights, other_weights
            As in `estimate`. If the items are the same, `weights` are for both samples.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Warns
        -----
        PrevalenceWarning
            For groups that only one sample has, which are left out, and for warnings about the estimates.

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> now = np.r_[rng.normal(2, 1, 90), rng.normal(0, 1, 210)]
        >>> before = np.r_[rng.normal(2, 1, 30), rng.normal(0, 1, 270)]
        >>> differences = model.compare(now, before)
        >>> differences.difference.round(2), differences.se.round(2)
        (array([0.26]), array([0.03]))
        """
        if weights is not None:
            kwargs.setdefault("target", "population")
        options = formula_options('a comparison has formulas of its own; leave out interval="bootstrap"', **kwargs)
        check_model(other, "other")
        paired, same = _sample_relation(other, other_scores is not None, labelled, items)
        if other_scores is not None and not same and (by is None) != (other_by is None):
            raise option_conflict("other_by", "by and other_by: give the groups of both, or of none")
        request: _core.Request = {"options": options, "check": True}
        first = _Sample.estimate(self, "test_scores", (test_scores, test_probabilities, weights, by), request)
        if other is None and other_scores is None:
            if len(self._methods) == 1:
                raise option_error(
                    "other_scores",
                    "there is nothing to compare with: give other_scores or another model, or fit several methods",
                )
            result = _core.compare_methods(self._core, first.estimates, options, group_texts(first.values))
            return Differences(result, first.values, options["level"])
        if same:
            for name, value in (("other_by", other_by), ("other_weights", other_weights)):
                if value is not None:
                    raise option_conflict(name, f"{name} is for other items; of the same ones leave it out")
            other_by, other_weights = by, weights
            if other_scores is None:
                other_scores = test_scores
                other_probabilities = test_probabilities if other_probabilities is None else other_probabilities
        second = _Sample.estimate(
            other or self, "other_scores", (other_scores, other_probabilities, other_weights, other_by), request
        )
        if same and first.rows != second.rows:
            raise length_error(
                f"there are {first.rows} test_scores but {second.rows} other_scores, which are said to be of the same "
                "items",
                "other_scores",
                second.rows,
                first.rows,
            )
        other_core = None if other is None else other._core
        samples = (self._core, first.estimates), (other_core, second.estimates)
        result = _core.compare_samples(
            *samples, _pairs(first, second), options, (paired, same), ("other", group_texts(first.values))
        )
        return Differences(result, first.values, options["level"])
