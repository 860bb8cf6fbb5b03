"""Differences between estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import python_value
from truecount._conditions import OptionError
from truecount._groups import sort_levels, sort_order, to_array
from truecount._interval import IntervalTable
from truecount._options import IntervalOptions, refuse_bootstrap
from truecount._table import escape_untrusted, format_p_value, format_value, join_columns, percent, take_rows
from truecount._totals import TotalOptions

__all__ = [
    "CompareGroups",
    "DifferenceColumns",
    "Differences",
    "GroupComparison",
    "GroupTexts",
    "Levels",
    "Reference",
    "ScoreSource",
    "group_texts",
    "score_differences",
]

ScoreSource = Union["_core.Tally", "_core.Columns"]
"""The data that estimates of groups were made from."""

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

    @property
    def difference(self) -> NDArray[np.float64]:
        """Prevalences minus those of the references."""
        return self._column("difference")

    @property
    def ratio(self) -> NDArray[np.float64]:
        """Prevalences over those of the references; NaN if the latter are 0."""
        return self._column("ratio")

    @property
    def p_value(self) -> NDArray[np.float64]:
        """The p-values for the hypothesis of equal prevalences."""
        return self._column("p_value")

    @property
    def p_value_holm(self) -> NDArray[np.float64]:
        """The p-values adjusted for the number of differences by Holm's method."""
        return self._column("p_value_holm")

    @property
    def level(self) -> float:
        """Nominal coverage of the intervals."""
        return self._level

    def _names(self) -> list[str]:
        several = len(set(self._columns["method"])) > 1
        return [*self._groups, "reference", *(["method"] if several else [])]

    def _header(self) -> tuple[list[str], int]:
        names = [*map(escape_untrusted, self._names())]
        return [*names, "difference", f"{percent(self._level)} % interval", "ratio", "interval", "p (Holm)"], len(names)

    def _cells(self, row: int) -> list[str]:
        values = {name: column[row] for name, column in self._columns.items()}
        ratio, ratio_upper = values["ratio"], values["ratio_upper"]
        return [
            *(escape_untrusted(format_value(values[name])) for name in self._names()),
            _signed(values["difference"]),
            f"{_signed(values['lower'])} – {_signed(values['upper'])}",
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


def _signed(value: float) -> str:
    text = f"{value:+.4f}"
    return text if any(digit in text for digit in "123456789") else text[1:]


def score_differences(
    model: _core.Model, source: ScoreSource, options: IntervalOptions, checked: bool, totals: TotalOptions
) -> CompareGroups:
    """Return the function that compares groups by their scores."""

    def compare(levels: Levels, reference: Reference, texts: GroupTexts) -> DifferenceColumns:
        refuse_bootstrap(options[2], 'a comparison has formulas of its own; leave out interval="bootstrap"')
        tally = source if isinstance(source, _core.Tally) else model.tally(source, 0)
        return _core.compare_groups((model, tally, checked), options, totals, levels, reference, texts)

    return compare


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
