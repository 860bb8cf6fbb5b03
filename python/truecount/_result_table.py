"""Result tables from the compiled half, which has both their columns and their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truecount._groups import to_array
from truecount._table import Table, escape_untrusted, format_value, join_columns

if TYPE_CHECKING:
    from truecount import _core

__all__ = ["ResultTable", "group_columns"]


def group_columns(values: dict[str, list[Any]], groups: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Return the values of the groups with these numbers, a column for each name."""
    return {name: to_array(column)[groups] for name, column in values.items()}


class ResultTable(Table):
    """A table of results from the compiled half, with the groups of its rows."""

    def __init__(self, result: _core.ResultDict, groups: dict[str, NDArray[Any]] | None = None) -> None:
        groups = {} if groups is None else groups
        self._groups = list(groups)
        self._columns = join_columns(groups, result["columns"])
        self._nullable = tuple(result["optional"])
        self._heading = result["header"]
        self._texts = len(groups) + result["names"]
        self._lines = result["lines"]
        self._explained = result["explained"]

    def _header(self) -> tuple[list[str], int]:
        return [*map(escape_untrusted, self._groups), *self._heading], self._texts

    def _cells(self, row: int) -> list[str]:
        return [*(escape_untrusted(format_value(self._columns[name][row])) for name in self._groups), *self._lines[row]]

    def _notes(self) -> list[str]:
        return list(self._explained)
