"""Tables of results: columns by name, for any data frame library."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import python_value, to_array
from truecount._errors import AttributeHints, EstimateWarning, OptionError, warning_lines

_MAX_LINES = 40


_S = TypeVar("_S", bound=np.generic)


class Column(Generic[_S]):
    """A column of a table as a read-only attribute with the column's name."""

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, table: None, owner: type) -> Column[_S]: ...

    @overload
    def __get__(self, table: Table, owner: type) -> NDArray[_S]: ...

    def __get__(self, table: Table | None, owner: type) -> Column[_S] | NDArray[_S]:
        return self if table is None else table._column(self._name)

    def __set__(self, table: Table, value: object) -> NoReturn:
        raise AttributeError(f"the column {self._name!r} cannot be set", name=self._name, obj=table)


class OptionalColumn(Column[Any]):
    """A column that is None for a table without it."""

    @overload  # type: ignore[override]
    def __get__(self, table: None, owner: type) -> OptionalColumn: ...

    @overload
    def __get__(self, table: Table, owner: type) -> NDArray[Any] | None: ...

    def __get__(self, table: Table | None, owner: type) -> Any:
        return None if table is not None and self._name not in table._columns else super().__get__(table, owner)


class Table(AttributeHints):
    """A table of named columns.

    A table supports the Arrow PyCapsule interface: ``polars.DataFrame(table)``,
    ``pyarrow.table(table)`` and DuckDB accept it.
    """

    _columns: dict[str, Any]
    """Arrays, or lists of texts or of tuples of texts."""

    _nullable: tuple[str, ...] = ()
    """Columns where NaN is a missing value."""

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the column with this name, read-only, as in `to_dict`."""
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        return self._column(name)

    def _ipython_key_completions_(self) -> list[Any]:
        return self.columns

    if not TYPE_CHECKING:  # type checkers would accept any attribute

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name not in self._columns:
                return super().__getattr__(name)
            message = f"{type(self).__name__!r} object has no attribute {name!r}; it is a column: take [{name!r}]"
            raise AttributeError(message, name=name, obj=self)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows, as dicts by the names of the columns."""
        columns = self.to_dict()
        return ({name: python_value(column[row]) for name, column in columns.items()} for row in range(len(self)))

    def _column(self, name: str) -> NDArray[Any]:
        """Return a column as a read-only array, because changes would not reach other columns."""
        column = self._columns[name]
        array = column.view() if isinstance(column, np.ndarray) else _as_array(column)
        array.flags.writeable = False
        return array

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return a new numpy array for each column, with NaN for missing numbers.

        Returns
        -------
        dict of str to ndarray, shape (number of rows,)
        """
        return {name: _as_array(column).copy() for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame; pandas must be installed."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """Return a polars DataFrame; polars must be installed."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """Return a pyarrow Table; pyarrow must be installed."""
        import pyarrow

        return pyarrow.table(self)

    def _to_core_table(self) -> Any:
        nullable = [name for name in self._nullable if name in self._columns]
        return _core.arrow_table([(name, _arrow_column(column)) for name, column in self._columns.items()], nullable)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self._to_core_table().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._to_core_table().__arrow_c_schema__()

    def _header(self) -> tuple[list[str], int]:
        """Return the headings of the formatted table, and the number of leading text columns."""
        raise NotImplementedError

    def _cells(self, row: int) -> list[str]:
        """Return the formatted cells of a row."""
        raise NotImplementedError

    def _notes(self) -> list[str]:
        """Return the notes below the formatted table."""
        return []

    def _formatted_rows(self) -> list[list[str]]:
        """Return the formatted rows; in a long table, a gap replaces those in the middle."""
        if len(self) <= _MAX_LINES:
            return [self._cells(row) for row in range(len(self))]
        half = _MAX_LINES // 2
        gap = ["⋮"] * len(self._header()[0])
        return [*map(self._cells, range(half)), gap, *map(self._cells, range(len(self) - half, len(self)))]

    def __repr__(self) -> str:
        header, left = self._header()
        notes = self._notes()
        lines = [line for note in notes for line in _core.wrap(escape_untrusted(note), "  ")]
        return "\n".join([*_core.align(header, self._formatted_rows(), left), *(["", *lines] if lines else [])])

    def _repr_html_(self) -> str:
        header, left = self._header()
        return as_html(header, self._formatted_rows(), left, self._notes())


def join_columns(groups: dict[str, NDArray[Any]], columns: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of groups followed by the columns of results."""
    for name in groups:
        if name in columns:
            raise OptionError(
                f"by: a column '{name}' would stand twice in the results; rename it, as in by={{'by_{name}': …}}",
                "column-twice",
                column=name,
            )
    return groups | columns


def take_rows(columns: dict[str, Any], rows: NDArray[np.intp]) -> dict[str, Any]:
    """Return these rows of columns that are arrays or lists; other values stay."""

    def take(column: Any) -> Any:
        if isinstance(column, np.ndarray):
            return column[rows]
        return [column[row] for row in rows.tolist()] if isinstance(column, list) else column

    return {name: take(column) for name, column in columns.items()}


def _as_array(column: Any) -> NDArray[Any]:
    if isinstance(column, np.ndarray):
        return column
    array = np.empty(len(column), dtype=object)
    array[:] = column
    return array


_NULL_INTEGER = -(2**63)
"""The integer that represents a missing value on the way to Arrow."""


def _arrow_column(column: Any) -> Any:
    """Return a column in the form that `_core.arrow_table` takes."""
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
        if set(map(type, column)) == {int, type(None)} and all(value is None or abs(value) < 2**63 for value in column):
            return np.array([_NULL_INTEGER if value is None else value for value in column], dtype=np.int64), ""
        return [None if value is None or value != value else format_value(value) for value in column]
    if column and isinstance(column[0], tuple):
        return [list(texts) for texts in column]
    return list(column)


def escape_untrusted(text: str) -> str:
    """Escape characters in text from the data that control the cursor or the writing direction."""
    return _core.escape_untrusted(text.encode("utf-8", "backslashreplace").decode())


def format_value(value: Any) -> str:
    """Return a group's value as text; a point in time has only the precision that it needs."""
    if isinstance(value, datetime) and value.tzinfo is None:
        value = np.datetime64(value)
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="auto"))
    return str(value.item() if isinstance(value, np.timedelta64) else value)


def format_number(value: float) -> str:
    """Return a number with four decimals; a dash for NaN."""
    return "–" if value != value else f"{value:.4f}"


def format_signed(value: float) -> str:
    """Return a number with four decimals and its sign; a dash for NaN."""
    text = f"{value:+.4f}"
    return format_number(value) if value != value else text if text.strip("+-0.") else text[1:]


def format_p_value(value: float) -> str:
    """Return a p-value in the format of all tables; a dash for NaN."""
    return "–" if value != value else _core.format_p_value(value)


def p_value_phrase(value: float) -> str:
    """Return a p-value as part of a sentence: "p = 0.03" or "p < 0.001"."""
    text = _core.format_p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def percent(share: float) -> str:
    """Return a share in percent, with all its digits."""
    return f"{(100 * Decimal(repr(share))).normalize():f}"


def as_html(header: Sequence[str], rows: Sequence[Sequence[str]], left: int, notes: Sequence[str]) -> str:
    """Return a table with its notes as HTML for a notebook."""

    def cells(tag: str, row: Sequence[str]) -> str:
        sides = ("left" if i < left else "right" for i in range(len(row)))
        return "".join(
            f'<{tag} style="text-align:{side}">{html.escape(cell)}</{tag}>' for side, cell in zip(sides, row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', header)}</tr></thead><tbody>{body}</tbody></table>{paragraphs(notes)}"


def paragraphs(texts: Iterable[str]) -> str:
    """Return a paragraph of HTML for each text."""
    return "".join(f"<p>{html.escape(escape_untrusted(text))}</p>" for text in texts)


class IntervalResult(AttributeHints):
    """A result with an interval."""

    interval: tuple[float, float]

    @property
    def lower(self) -> float:
        """Lower end of the interval."""
        return self.interval[0]

    @property
    def upper(self) -> float:
        """Upper end of the interval."""
        return self.interval[1]


class SentenceResult(IntervalResult):
    """A result that is one prevalence, with a sentence and warnings."""

    prevalence: float
    warnings: tuple[EstimateWarning, ...]

    def _sentence(self) -> str:
        raise NotImplementedError

    def _lines(self) -> list[str]:
        """Return the lines below the sentence."""
        return warning_lines(self.warnings)

    def __float__(self) -> float:
        return self.prevalence

    def __repr__(self) -> str:
        lines = (f"  {escape_untrusted(line)}" for line in self._lines())
        return "\n".join([f"{type(self).__name__}: {self._sentence()}", *lines])

    def _repr_html_(self) -> str:
        prevalence = f"{self.prevalence:.4f}"
        sentence = f"<p><b>{prevalence}</b>{html.escape(self._sentence().removeprefix(prevalence))}</p>"
        return sentence + paragraphs(self._lines())


class IntervalTable(Table):
    """A table of results with standard errors and intervals; NaN for methods without a formula."""

    se = Column[np.float64]("Standard errors.")
    lower = Column[np.float64]("Lower ends of the intervals.")
    upper = Column[np.float64]("Upper ends of the intervals.")

    @property
    def interval(self) -> NDArray[np.float64]:
        """Lower and upper ends of the intervals, shape (number of rows, 2)."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))


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
