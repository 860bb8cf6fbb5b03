"""Tables whose rows the compiled half describes: what their columns are, and how people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truecount._groups import natural
from truecount._table import Table, beside, visible, worded

if TYPE_CHECKING:
    from truecount import _core

__all__ = ["Described", "of_groups"]


def of_groups(values: dict[str, list[Any]], groups: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The values of the groups of these numbers."""
    return {name: natural(column)[groups] for name, column in values.items()}


class Described(Table):
    """Rows in their order, with the groups that they are of."""

    def __init__(self, found: _core.Described, groups: dict[str, NDArray[Any]] | None = None) -> None:
        groups = {} if groups is None else groups
        self._groups = list(groups)
        self._columns = beside(groups, found["columns"])
        self._nullable = tuple(found["optional"])
        self._heading = found["header"]
        self._texts = len(groups) + found["names"]
        self._lines = found["lines"]
        self._explained = found["explained"]

    def _header(self) -> tuple[list[str], int]:
        return [*map(visible, self._groups), *self._heading], self._texts

    def _cells(self, row: int) -> list[str]:
        return [*(visible(worded(self._columns[name][row])) for name in self._groups), *self._lines[row]]

    def _notes(self) -> list[str]:
        return list(self._explained)
