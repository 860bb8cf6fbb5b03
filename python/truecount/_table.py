"""Tables of results: columns by name, for any data frame library."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import plain
from truecount._conditions import OptionError

__all__ = [
    "Table",
    "as_html",
    "beside",
    "number",
    "p_is",
    "p_value",
    "paragraphs",
    "percent",
    "taken",
    "visible",
    "worded",
]

_MOST_LINES = 40


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

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The column of that name, read-only, as `to_dict` has it."""
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        return self._column(name)

    def __iter__(self) -> Iterator[Any]:
        """The rows, each a dict by the names of the columns."""
        columns = self.to_dict()
        return ({name: plain(column[row]) for name, column in columns.items()} for row in range(len(self)))

    def _column(self, name: str) -> NDArray[Any]:
        """What is shown of a column cannot be changed, as the rest would no longer fit it."""
        column = self._columns[name]
        shown = column.view() if isinstance(column, np.ndarray) else _array(column)
        shown.flags.writeable = False
        return shown

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """A new numpy array for each column; a missing number is NaN, lists of texts are objects.

        Returns
        -------
        dict of str to ndarray, shape (number of rows,)
        """
        return {name: _array(column).copy() for name, column in self._columns.items()}

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
        nullable = [name for name in self._nullable if name in self._columns]
        return _core.table([(name, _arrow_column(column)) for name, column in self._columns.items()], nullable)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self._arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._arrow().__arrow_c_schema__()

    def _header(self) -> tuple[list[str], int]:
        """The names above the columns that are shown, and how many of them are texts, which stand on the left."""
        raise NotImplementedError

    def _cells(self, row: int) -> list[str]:
        """What is shown of a row."""
        raise NotImplementedError

    def _notes(self) -> list[str]:
        """What stands below."""
        return []

    def _shown(self) -> list[list[str]]:
        """The rows, those in the middle left out where they are many."""
        if len(self) <= _MOST_LINES:
            return [self._cells(row) for row in range(len(self))]
        half = _MOST_LINES // 2
        gap = ["⋮"] * len(self._header()[0])
        return [*map(self._cells, range(half)), gap, *map(self._cells, range(len(self) - half, len(self)))]

    def __repr__(self) -> str:
        header, left = self._header()
        notes = self._notes()
        lines = [line for note in notes for line in _core.wrap(visible(note), "  ")]
        return "\n".join([*_core.align(header, self._shown(), left), *(["", *lines] if lines else [])])

    def _repr_html_(self) -> str:
        header, left = self._header()
        return as_html(header, self._shown(), left, self._notes())


def beside(groups: dict[str, NDArray[Any]], columns: dict[str, Any]) -> dict[str, Any]:
    """The columns of groups and those of results."""
    for name in groups:
        if name in columns:
            raise OptionError(
                f"by: a column '{name}' would stand twice in the results; rename it, as in by={{'by_{name}': …}}",
                "column-twice",
                column=name,
            )
    return groups | columns


def taken(columns: dict[str, Any], rows: NDArray[np.intp]) -> dict[str, Any]:
    """These rows of columns, which are arrays or lists; what is of all rows stays."""

    def of(column: Any) -> Any:
        if isinstance(column, np.ndarray):
            return column[rows]
        return [column[row] for row in rows.tolist()] if isinstance(column, list) else column

    return {name: of(column) for name, column in columns.items()}


def _array(column: Any) -> NDArray[Any]:
    if isinstance(column, np.ndarray):
        return column
    array = np.empty(len(column), dtype=object)
    array[:] = column
    return array


_NOTHING = -(2**63)
"""What stands for no whole number on the way to Arrow."""


def _are_integers_with_gaps(column: NDArray[Any]) -> bool:
    return set(map(type, column)) == {int, type(None)} and all(value is None or abs(value) < 2**63 for value in column)


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
        if _are_integers_with_gaps(column):
            return np.array([_NOTHING if value is None else value for value in column], dtype=np.int64), ""
        return [None if value is None or value != value else worded(value) for value in column]
    if column and isinstance(column[0], tuple):
        return [list(texts) for texts in column]
    return list(column)


def visible(text: str) -> str:
    """Text from the data as it can be shown: characters that move the cursor or turn the direction of writing are escaped."""
    return _core.visible(text.encode("utf-8", "backslashreplace").decode())


def worded(value: Any) -> str:
    """A group's value in words; a point in time no more precise than it is."""
    if isinstance(value, datetime) and value.tzinfo is None:
        value = np.datetime64(value)
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="auto"))
    return str(value.item() if isinstance(value, np.timedelta64) else value)


def number(value: float) -> str:
    """Four decimals; a dash for none."""
    return "–" if value != value else f"{value:.4f}"


def p_value(value: float) -> str:
    """A p-value as all tables have it; a dash for none."""
    return "–" if value != value else _core.p_value(value)


def p_is(value: float) -> str:
    """A p-value in a sentence."""
    text = _core.p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def percent(share: float) -> str:
    """A hundred times a number, to all its digits."""
    return f"{(100 * Decimal(repr(share))).normalize():f}"


def as_html(header: Sequence[str], rows: Sequence[Sequence[str]], left: int, notes: Sequence[str]) -> str:
    """The same for a notebook."""

    def cells(tag: str, row: Sequence[str]) -> str:
        sides = ("left" if i < left else "right" for i in range(len(row)))
        return "".join(
            f'<{tag} style="text-align:{side}">{html.escape(cell)}</{tag}>' for side, cell in zip(sides, row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', header)}</tr></thead><tbody>{body}</tbody></table>{paragraphs(notes)}"


def paragraphs(texts: Iterable[str]) -> str:
    """Sentences for a notebook, a paragraph each."""
    return "".join(f"<p>{html.escape(visible(text))}</p>" for text in texts)
