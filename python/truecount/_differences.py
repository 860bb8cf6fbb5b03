"""How far estimates are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import plain
from truecount._conditions import OptionError
from truecount._groups import levels, natural, order
from truecount._options import Reporting, refuse_bootstrap
from truecount._sizes import Summed
from truecount._table import Table, beside, p_value, percent, taken, visible, worded

__all__ = ["Compared", "Differences", "Found", "Source"]

Source = Union["_core.Tally", "_core.Columns"]
"""What estimates of groups were made from."""

Found = tuple[dict[str, Any], list[str], NDArray[np.int64], Optional[NDArray[np.int64]]]
"""Columns, those that may lack a value, each row's group, and the group that it is compared with, if that is a single one."""


class Differences(Table):
    """A table of differences, a row for each pair that was compared.

    Estimates that rest on the same labelled scores err together, which is taken into account. Beside the columns of groups there are:

    ==================================  ====================================================================
    ``reference``                         the group, method or sample that the group is compared with
    ``method``                          the method
    ``prevalence``                      of the group
    ``prevalence_reference``              of what it is compared with
    ``difference``                      the first less the second
    ``se``, ``lower``, ``upper``        the difference's standard error, and both ends of its interval
    ``ratio``                           the first over the second; NaN where the second is 0
    ``ratio_lower``, ``ratio_upper``    both ends of its interval; infinite where the second may be 0
    ``p_value``                         the probability of so large a difference if there is none
    ``p_value_holm``                    p_value with Holm's correction for the number of differences (Holm 1979)
    ``correlation``                     of the two estimates
    ``level``                           nominal coverage of the intervals
    ==================================  ====================================================================

    ``differences["ratio"]`` is the column of that name; `to_dict`, `to_pandas`, `to_polars` and `to_arrow` give the whole table, and
    iterating gives its rows as dicts.
    """

    def __init__(self, found: Found, groups: dict[str, list[Any]], level: float) -> None:
        columns, optional, rows, others = found
        if groups:
            rank = np.empty(len(next(iter(groups.values()))), dtype=np.intp)
            rank[order(groups)] = np.arange(len(rank))
            places = np.argsort(rank[rows], kind="stable")
            columns, rows, others = taken(columns, places), rows[places], None if others is None else others[places]
        values = {name: natural(column) for name, column in groups.items()}
        if others is not None and bool(np.all(others >= 0)):
            columns["reference"] = [*values.values()][-1][others]
        self._level = level
        self._groups = list(groups)
        self._nullable = tuple(optional)
        self._columns = beside({name: column[rows] for name, column in values.items()}, columns)

    @property
    def difference(self) -> NDArray[np.float64]:
        """The first prevalence less the second."""
        return self._column("difference")

    @property
    def se(self) -> NDArray[np.float64]:
        """The differences' standard errors."""
        return self._column("se")

    @property
    def interval(self) -> NDArray[np.float64]:
        """Lower and upper ends of the differences' intervals, shape (number of rows, 2)."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))

    @property
    def ratio(self) -> NDArray[np.float64]:
        """The first prevalence over the second; NaN where that is 0."""
        return self._column("ratio")

    @property
    def p_value(self) -> NDArray[np.float64]:
        """Probabilities of so large a difference if there is none."""
        return self._column("p_value")

    @property
    def p_value_holm(self) -> NDArray[np.float64]:
        """The same adjusted for the number of differences."""
        return self._column("p_value_holm")

    @property
    def level(self) -> float:
        """The intervals' nominal coverage."""
        return self._level

    def _names(self) -> list[str]:
        several = len(set(self._columns["method"])) > 1
        return [*self._groups, "reference", *(["method"] if several else [])]

    def _header(self) -> tuple[list[str], int]:
        names = [*map(visible, self._names())]
        return [*names, "difference", f"{percent(self._level)} % interval", "ratio", "interval", "p (Holm)"], len(names)

    def _cells(self, row: int) -> list[str]:
        of = {name: column[row] for name, column in self._columns.items()}
        return [
            *(visible(worded(of[name])) for name in self._names()),
            _signed(of["difference"]),
            f"{_signed(of['lower'])} – {_signed(of['upper'])}",
            "–" if of["ratio"] != of["ratio"] else f"{of['ratio']:.2f}",
            f"{of['ratio_lower']:.2f} – " + ("∞" if np.isinf(of["ratio_upper"]) else f"{of['ratio_upper']:.2f}"),
            p_value(of["p_value_holm"]),
        ]

    def _notes(self) -> list[str]:
        methods = set(self._columns["method"])
        return [f"method: {name}" for name in methods] if len(methods) == 1 else []


def _signed(value: float) -> str:
    text = f"{value:+.4f}"
    return text if any(digit in text for digit in "123456789") else text[1:]


@dataclass(frozen=True)
class Compared:
    """What groups' estimates were made from, to compare them."""

    model: _core.Model
    source: Source
    values: dict[str, list[Any]]
    reporting: Reporting
    checked: bool
    summed: Summed

    def with_reference(self, reference: Any) -> Differences:
        """The differences from what is named."""
        refuse_bootstrap(self.reporting[2], 'a comparison has formulas of its own; leave out interval="bootstrap"')
        places, starts = levels(self.values)
        words = [word for word, _ in _core.names("references")]
        named = isinstance(reference, str) and reference in words
        asked = reference if named else self._places(reference, places, starts, words)
        tally = self.source if isinstance(self.source, _core.Tally) else self.model.tally(self.source, 0)
        found = _core.groups_apart(
            (self.model, tally, self.checked), self.reporting, self.summed, (places, starts), asked
        )
        return Differences(found, self.values, self.reporting[0])

    def _places(
        self, reference: Any, groups: NDArray[np.uint32], starts: NDArray[np.int64], words: Sequence[str]
    ) -> list[int | None]:
        """The place of the group with that value in each level."""
        name, values = [*self.values.items()][-1]
        value = plain(reference)
        wanted = np.array([own is None if value is None else own == value for own in values], dtype=np.bool_)[groups]
        places = np.flatnonzero(wanted)
        if len(places) == 0:
            raise OptionError(
                f"reference is {reference!r}: no group has {name} = {worded(reference)!r}; it must be such a value, or one of "
                f"{', '.join(words)}",
                "group-unknown",
                column=name,
                value=reference,
            )
        level = np.searchsorted(starts, places, side="right") - 1
        found: list[int | None] = [None] * (len(starts) - 1)
        for number, place in zip(level, places):
            found[number] = int(place - starts[number])
        return found
