"""Tables of results: columns by name, for any data frame library."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core

__all__ = ["Table", "aligned", "as_html", "beside", "number", "visible", "worded"]

_MOST_LINES = 40
_MOST_COLUMNS = 80
_SHORTEST = 12


class Table:
    """Columns of one length.

    It offers itself through the Arrow PyCapsule interface, so that ``polars.DataFrame(table)``, ``pyarrow.table(table)`` and
    DuckDB take it as it is.
    """

    _columns: dict[str, Any]
    """Arrays, or lists of texts or of tuples of texts."""

    _nullable: tuple[str, ...] = ()
    """Columns where NaN stands for nothing."""

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """A numpy array for each column; a missing number is NaN, lists of texts are objects.

        Returns
        -------
        dict of str to ndarray, shape (number of rows,)
        """
        return {name: _array(column) for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """A pandas DataFrame; pandas must be installed."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """A polars DataFrame; polars must be installed."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """A pyarrow Table; pyarrow must be installed."""
        import pyarrow

        return pyarrow.table(self)

    def _arrow(self) -> Any:
        return _core.table([(name, _arrow_column(column)) for name, column in self._columns.items()], list(self._nullable))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self._arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._arrow().__arrow_c_schema__()

    def _lines(self) -> tuple[list[str], list[list[str]], int]:
        """The header, the rows that are shown, and how many columns are texts, which stand on the left."""
        raise NotImplementedError

    def _notes(self) -> list[str]:
        """What stands below."""
        return []

    def __repr__(self) -> str:
        header, rows, left = self._lines()
        return "\n".join([*aligned(header, _some(rows), left), *(["", *self._notes()] if self._notes() else [])])

    def _repr_html_(self) -> str:
        header, rows, left = self._lines()
        return as_html(header, _some(rows), left, self._notes())


def beside(groups: dict[str, NDArray[Any]], columns: dict[str, Any]) -> dict[str, Any]:
    """The columns of groups and those of results."""
    for name in groups:
        if name in columns:
            raise ValueError(f"by: a column '{name}' would stand twice in the results; rename it, as in by={{'by_{name}': …}}")
    return groups | columns


def _array(column: Any) -> NDArray[Any]:
    if isinstance(column, np.ndarray):
        return column
    array = np.empty(len(column), dtype=object)
    array[:] = column
    return array


def _arrow_column(column: Any) -> Any:
    """A column as `_core.table` takes it."""
    if isinstance(column, np.ndarray):
        kind = column.dtype.kind
        if kind == "M":
            unit, step = np.datetime_data(column.dtype)
            if unit not in ("D", "s", "ms", "us", "ns") or step != 1:
                column, unit = column.astype("datetime64[s]"), "s"
            return np.ascontiguousarray(column).view(np.int64), unit
        if kind == "f":
            return np.require(column, np.float64, ["C", "A"])
        if kind in "iu":
            return np.ascontiguousarray(column, dtype=np.int64), None
        if kind == "b":
            return np.ascontiguousarray(column)
        return [None if value is None or value != value else worded(value) for value in column]
    if column and isinstance(column[0], tuple):
        return [list(texts) for texts in column]
    return list(column)


def _some(rows: list[list[str]]) -> list[list[str]]:
    """The rows, those in the middle left out where they are many."""
    if len(rows) <= _MOST_LINES:
        return rows
    half = _MOST_LINES // 2
    gap = ["⋮"] * len(rows[0])
    return [*rows[:half], gap, *rows[len(rows) - half :]]


def visible(text: str) -> str:
    """Text from the data as it can be shown: what would move the cursor or the direction of writing is an escape."""
    hidden = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
    return "".join(c if c.isprintable() and ord(c) not in hidden else c.encode("unicode_escape").decode() for c in text)


def worded(value: Any) -> str:
    """A group's value in words; a point in time no more precise than it is."""
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="auto"))
    return str(value.item() if isinstance(value, np.timedelta64) else value)


def number(value: float) -> str:
    """Four decimals; a dash for none."""
    return "–" if value != value else f"{value:.4f}"


def _width(text: str) -> int:
    """How many columns of a terminal it takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _cut(text: str, width: int) -> str:
    """Its beginning, as much as there is room for."""
    if _width(text) <= width:
        return text
    while _width(text) >= width:
        text = text[:-1]
    return f"{text}…"


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Lines of a table, its first columns on the left, cut where the lines would be too long, and the numbers on the right."""
    table = [list(header), *map(list, rows)]
    widths = [max(_width(row[i]) for row in table) for i in range(len(header))]
    while left and sum(widths) + 3 * (len(widths) - 1) > _MOST_COLUMNS and max(widths[:left]) > _SHORTEST:
        widths[widths.index(max(widths[:left]))] -= 1

    def line(row: Sequence[str]) -> str:
        cells = [_cut(cell, width) for cell, width in zip(row, widths)]
        room = [" " * (width - _width(cell)) for cell, width in zip(cells, widths)]
        return "   ".join(cell + space if i < left else space + cell for i, (cell, space) in enumerate(zip(cells, room))).rstrip()

    rule = "─" * (sum(widths) + 3 * (len(widths) - 1))
    return [line(header), rule, *map(line, rows)]


def as_html(header: Sequence[str], rows: Sequence[Sequence[str]], left: int, notes: Sequence[str]) -> str:
    """The same for a notebook."""

    def cells(tag: str, row: Sequence[str]) -> str:
        sides = ("left" if i < left else "right" for i in range(len(row)))
        return "".join(f'<{tag} style="text-align:{side}">{html.escape(cell)}</{tag}>' for side, cell in zip(sides, row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    below = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    return f"<table><thead><tr>{cells('th', header)}</tr></thead><tbody>{body}</tbody></table>{below}"
