"""Conversion of columns from numpy arrays, lists, pandas, polars and Arrow.

Equal values give equal numbers, groups and errors, whatever the container. A missing number (None,
null, NA, masked) is an error here, with its row. The library checks for NaN, which is a double.
"""

from __future__ import annotations

import sys
from array import array as typed_array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum
from numbers import Real
from typing import Any, NoReturn, TypeGuard
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._errors import (
    OptionError,
    ScoreError,
    TallyError,
    invalid_column,
    length_error,
    option_error,
    short_repr,
)
from truecount._options import Period, choice

__all__ = ["periods"]


Floats = NDArray[np.float64]
"""A contiguous array of doubles."""


def is_pandas(values: Any, *names: str) -> bool:
    """Return whether a value is one of these classes of pandas, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and any(isinstance(values, getattr(pandas, name)) for name in names)


def is_arrow(values: Any) -> bool:
    """Return whether a value supports the Arrow PyCapsule interface."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def is_table(values: Any) -> bool:
    """Return whether a value has columns: pandas, polars, pyarrow and DuckDB have such types."""
    return hasattr(type(values), "columns")


def frame_columns(values: Any) -> list[tuple[Any, Any]] | None:
    """Return the columns of a data frame with their names; None for other values."""
    if is_pandas(values, "DataFrame"):
        return [(name, values.iloc[:, index]) for index, name in enumerate(values.columns)]
    if not is_table(values) or not is_arrow(values):
        return None
    if hasattr(values, "get_column"):
        return [(name, values.get_column(name)) for name in values.columns]
    import pyarrow

    table = pyarrow.table(values)
    return [*zip(table.column_names, table.columns)]


def only_column(values: Any) -> Any:
    """Return the column of an array of shape (n, 1) or of a frame with one; other values stay."""
    if isinstance(values, np.ndarray):
        return values.reshape(-1) if values.ndim == 2 and values.shape[1] == 1 else values
    columns = frame_columns(values)
    return columns[0][1] if columns is not None and len(columns) == 1 else values


def is_missing(value: Any) -> bool:
    """Return whether a value is missing: None, NaN, NA or NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(np.isscalar(value) and value != value)


def same_index(name: str, values: Any, other_name: str, other: Any) -> None:
    """Raise an error if two columns of pandas have different indexes.

    Rows are matched by position, so rows that do not belong together would be matched.
    """
    if not (is_pandas(values, "Series", "DataFrame") and is_pandas(other, "Series", "DataFrame")):
        return
    # Different lengths raise another error.
    if values.index is not other.index and len(values) == len(other) and not values.index.equals(other.index):
        raise ScoreError(
            f"{name} has another index than {other_name}; reindex it, or give {name}.to_numpy() to go by position",
            "index-mismatch",
            column=name,
            other=other_name,
        )


def check_lengths(columns: Mapping[str, Any], others_name: str, others: int) -> None:
    """Raise an error for a column, unless it is None, that is not as long as the scores with this name."""
    for name, column in columns.items():
        if column is not None and len(column) != others:
            message = f"there are {others} {others_name} but {len(column)} {name}; give one for each row"
            raise length_error(message, name, len(column), others)


def column_hint(name: str, values: Any, width: int) -> str:
    """Return advice to get one column from rows of one number, or of two classes' probabilities."""
    array = hasattr(values, "__array__")
    if width == 1:
        return f"flatten it: {f'{name}.ravel()' if array else f'[row[0] for row in {name}]'}"
    return f"take the column of the positive class: {f'{name}[:, 1]' if array else f'[row[1] for row in {name}]'}"


def _as_column(values: Any, name: str) -> Any:
    """Return a column as a numpy array, a list, a pandas extension column, or an Arrow column."""
    hint = "give one column, with a value for each row"
    values = only_column(values)
    if isinstance(values, np.ndarray) and values.ndim > 0:
        return values
    if (
        isinstance(values, (str, bytes, bytearray, Mapping, Set))
        or is_table(values)
        or type(values).__name__.endswith("GroupBy")
    ):
        raise invalid_column(name, f"{name} is a {type(values).__name__}; {hint}")
    if is_pandas(values, "Series", "Index"):
        return values.to_numpy() if isinstance(values.dtype, np.dtype) else values
    if isinstance(values, list) or is_arrow(values):
        return values
    if (
        isinstance(values, Iterable)
        and not hasattr(values, "__array__")
        and not isinstance(values, (memoryview, typed_array))
    ):
        return [*values]
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise invalid_column(name, f"{name} is a {type(values).__name__} that is no column: {error}") from None
    if array.ndim == 0:
        raise invalid_column(name, f"{name} is {short_repr(values)}; {hint}")
    return array


def _objects(column: Any) -> Sequence[Any]:
    """Return the values of a column of Arrow or pandas as Python objects."""
    for to_list in ("to_pylist", "to_list"):
        if hasattr(column, to_list):
            values: list[Any] = getattr(column, to_list)()
            return values
    return [*column]


def _raise_missing(name: str, row: int) -> NoReturn:
    raise ScoreError(
        f"{name}: value {row} is missing; correct it or leave out its row", "value-missing", column=name, row=row
    )


def _numbers_from_objects(values: Sequence[Any], name: str) -> Floats:
    """Convert any objects to doubles."""

    def number(row: int, value: Any) -> float:
        if isinstance(value, (Real, Decimal, np.bool_)) and not isinstance(value, np.timedelta64):
            try:
                return float(value)
            except OverflowError:  # a whole number without bounds
                return -np.inf if value < 0 else np.inf
        if value is np.ma.masked or is_missing(value):
            _raise_missing(name, row)
        message = f"{name}: value {row} is {short_repr(value)}, not a number; correct it or leave out its row"
        raise ScoreError(message, "value-not-number", column=name, row=row, value=value)

    return np.array([number(row, value) for row, value in enumerate(values)], dtype=np.float64)


def _numbers_from_array(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the numbers in an array of any shape."""
    if array.dtype.kind in "fiub":
        if np.ma.is_masked(array):
            *outer, row = np.argwhere(np.ma.getmaskarray(array))[0].tolist()
            _raise_missing(name + "".join(f"[{number}]" for number in outer), row)
        return np.asarray(array)
    if array.ndim != 1:
        raise invalid_column(name, f"{name} have the type {array.dtype}; they must be numbers")
    return _numbers_from_objects([*array], name)


def _to_array(values: Any, name: str) -> NDArray[Any]:
    column = _as_column(values, name)
    if isinstance(column, list):
        try:
            array = np.asarray(column)
        except ValueError:
            raise invalid_column(name, f"{name} are no column of numbers: their parts have different lengths") from None
        # Numpy converts all values to texts if one is a text.
        return _numbers_from_objects(column, name) if array.dtype.kind in "US" else _numbers_from_array(array, name)
    if isinstance(column, np.ndarray):
        return _numbers_from_array(column, name)
    if is_pandas(column, "Series", "Index"):
        if sys.modules["pandas"].api.types.is_numeric_dtype(column.dtype) and not column.hasnans:
            return np.asarray(column.to_numpy(dtype=np.float64))
        return _numbers_from_objects(_objects(column), name)
    try:
        return _core.floats(column)
    except (
        Exception
    ):  # no numbers, or some are missing, or wrapped ones (a dictionary), or of a type that the library does not know
        return _numbers_from_objects(_objects(column), name)


def are_doubles(values: Any, ndim: int = 1) -> TypeGuard[Floats]:
    """Return whether values are a contiguous numpy array of doubles with this number of dimensions.

    This is the fast path for small test sets, where any conversion takes longer than the estimate.
    """
    if type(values) is not np.ndarray or values.dtype != np.float64 or values.ndim != ndim:
        return False
    return values.flags.c_contiguous and values.flags.aligned


def numbers(values: Any, name: str, *, ndim: int = 1) -> Floats:
    """Return a contiguous array of doubles with `ndim` dimensions, without a copy if possible."""
    if are_doubles(values, ndim):
        return values
    array = _to_array(values, name)
    if array.ndim != ndim:
        hint = "give one column, with a value for each row"
        if array.ndim == 2 and array.shape[1] in (1, 2):
            hint = column_hint(name, values, array.shape[1])
        raise invalid_column(name, f"{name} have the shape {array.shape}, where one dimension is needed; {hint}")
    with np.errstate(over="ignore"):  # a long double above all doubles becomes infinite, an error of the library
        return np.require(np.asarray(array), np.float64, ["C", "A"])


_PYTHON_TYPES = frozenset((int, str, bool))
"""The types of most values, which need no conversion."""


def python_value(value: Any) -> Any:
    """Return a value as a Python object, which does not depend on the library; None if missing."""
    if type(value) in _PYTHON_TYPES:
        return value
    if value is np.ma.masked or is_missing(value):
        return None
    if isinstance(value, (np.datetime64, np.timedelta64)):
        item = value.item()
        if isinstance(item, int):  # nanoseconds
            rounded = value.astype(f"{value.dtype.kind}8[us]")
            item = rounded.item() if rounded == value else value
        return value if isinstance(item, int) else item
    if isinstance(value, np.longdouble):
        return float(value) if float(value) == value else value
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "to_pydatetime") and value.nanosecond == 0:
        return value.to_pydatetime()
    if hasattr(value, "to_pytimedelta") and value.nanoseconds == 0:
        return value.to_pytimedelta()
    return value


def _is_comparable(value: Any) -> bool:
    """Return whether a value can equal another object."""
    try:
        hash(value)
    except TypeError:
        return False
    compares_identity = type(value).__eq__ is object.__eq__  # type: ignore[comparison-overlap]
    return value is None or isinstance(value, Enum) or not compares_identity


def _factorize_objects(values: Iterable[Any], name: str) -> tuple[NDArray[np.uint32], list[Any]]:
    """Number the values in order of first appearance, and return the distinct values too."""
    values = [*values]
    known: defaultdict[Any, int] = defaultdict()
    known.default_factory = known.__len__  # a new value gets the next number
    try:
        codes = np.fromiter(map(known.__getitem__, values), np.uint32, len(values))
        are_comparable = all(map(_is_comparable, known))
    except TypeError:
        are_comparable = False
    if not are_comparable:
        row, value = next((row, value) for row, value in enumerate(values) if not _is_comparable(value))
        message = f"{name}: value {row} is {short_repr(value)}, which cannot be compared; make text or numbers of it"
        raise ScoreError(message, "value-not-comparable", column=name, row=row, value=value)
    return codes, list(known)


def _arrow_values(column: Any, first: NDArray[np.int64]) -> Sequence[Any]:
    """Return the values of these rows of an Arrow column."""
    try:
        chosen = column.gather(first) if hasattr(column, "gather") else column.take(first)
        if hasattr(getattr(chosen, "type", None), "value_type"):  # a dictionary
            chosen = chosen.cast(chosen.type.value_type)
    except Exception:  # another library, or a type that pyarrow takes only one by one
        values = (column[int(row)] for row in first)
        return [value.as_py() if hasattr(value, "as_py") else value for value in values]
    kind = getattr(chosen, "dtype", None) or getattr(chosen, "type", None)
    if getattr(kind, "time_zone", None) is None and getattr(kind, "tz", None) is None:
        array = np.asarray(chosen)
        if array.dtype.kind in "mM":  # to the nanosecond
            return [*array]
    return _objects(chosen)


def _factorize_stored(values: Any, name: str) -> tuple[NDArray[np.uint32], Sequence[Any]]:
    column = _as_column(values, name)
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise invalid_column(
                name, f"{name} have the shape {column.shape}, where one dimension is needed; give a value for each row"
            )
        kind, width = column.dtype.kind, column.dtype.itemsize
        if isinstance(column, np.ma.MaskedArray):
            return _factorize_objects(map(python_value, column), name)
        if kind not in "biumMf" or width > 8:
            return _factorize_objects(column.tolist() if kind in "OUST" else column, name)
        if kind == "f":
            codes, first = _core.factorize_floats(np.require(column, np.float64, ["C", "A"]))
        else:
            column = np.ascontiguousarray(column)
            codes, first = _core.factorize_integers(
                column.view(np.int64) if kind in "mM" else column.astype(np.int64, copy=False)
            )
        distinct = column[first]
        return codes, [*distinct] if kind in "mM" else distinct.tolist()
    if is_pandas(column, "Series", "Index"):
        try:
            codes, distinct = sys.modules["pandas"].factorize(column, use_na_sentinel=False)
        except NotImplementedError:  # a type, such as lists, that Arrow cannot compare
            return _factorize_objects(_objects(column), name)
        return codes.astype(np.uint32), _objects(distinct)
    if is_arrow(column):
        try:
            factorized = _core.factorize_values(column)
        except Exception:  # a type that the library does not support
            factorized = None
        if factorized is not None:
            codes, first = factorized
            return codes, _arrow_values(column, first)
        column = _objects(column)
    return _factorize_objects(column, name)


def factorize(values: Any, name: str) -> tuple[NDArray[np.uint32], list[Any]]:
    """Number the values in order of first appearance, and return the distinct values too.

    All missing values are one value, None.
    """
    codes, stored = _factorize_stored(values, name)
    # Different stored values may be one Python value.
    are_ready = _PYTHON_TYPES.issuperset(map(type, stored))
    merged, distinct = _factorize_objects(stored if are_ready else map(python_value, stored), name)
    return (codes if len(distinct) == len(stored) else merged[codes]), distinct


def number_of_rows(X: Any) -> int:
    """Return the number of rows."""
    shape = getattr(X, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    try:
        return len(X)
    except TypeError:
        hint = "; collect() it" if hasattr(X, "collect") else ""
        raise invalid_column("X", f"X is a {type(X).__name__}, of which no rows can be taken{hint}") from None


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return these rows as an object of the same type."""
    if hasattr(X, "iloc"):  # pandas
        return X.iloc[rows]
    if isinstance(X, (list, tuple)):
        return [X[row] for row in rows.tolist()]
    if is_arrow(X) and hasattr(X, "take"):  # pyarrow
        return X.take(rows)
    return X[rows]


@dataclass(frozen=True)
class Groups:
    """The groups of rows."""

    rows: NDArray[np.uint32]
    """The group of each row."""
    values: dict[str, list[Any]]
    """The values of each group, a list for each column; None is a missing value."""
    number: int


def to_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return values as an array of numpy's type for them, or of objects.

    A missing value is NaN among floats and NaT among times. Elsewhere it is None, so that integers stay integers.
    """
    types = set(map(type, values))
    kinds = types - {type(None)}
    complete = kinds == types
    if kinds == {bool} and complete:
        return np.array(values, dtype=np.bool_)
    if kinds == {int} and complete and -(2**63) <= min(values) and max(values) < 2**63:
        return np.array(values, dtype=np.int64)
    if float in kinds and kinds <= {int, float} and all(abs(value) <= 2**53 for value in values if type(value) is int):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if kinds == {date}:
        return np.array(values, dtype="datetime64[D]")
    if kinds == {timedelta}:
        return np.array(values, dtype="timedelta64[us]")
    if kinds and kinds <= {datetime, np.datetime64} and all(getattr(value, "tzinfo", None) is None for value in values):
        return np.array(values, dtype="datetime64[ns]" if np.datetime64 in kinds else "datetime64[us]")
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _ranks(values: Sequence[Any]) -> NDArray[np.intp]:
    """Return the rank of each value, by appearance if not comparable; missing values are last."""
    array = to_array(values)
    if array.dtype != np.object_:
        return np.unique(array, return_inverse=True)[1].reshape(-1)
    distinct = dict.fromkeys(values)
    distinct.pop(None, None)
    try:
        ascending = sorted(distinct)
    except TypeError:
        ascending = [*distinct]
    ranks = dict(zip([*ascending, None], range(len(ascending) + 1)))
    return np.fromiter(map(ranks.__getitem__, values), np.intp, len(values))


def sort_order(values: Mapping[str, Sequence[Any]]) -> NDArray[np.intp]:
    """Return the groups sorted by the first column, then by the second, and so on."""
    # lexsort begins with the last key.
    return np.lexsort([_ranks(column) for column in [*values.values()][::-1]])


def sort_levels(values: Mapping[str, Sequence[Any]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the groups in the order of their values, and where each level starts, with the end.

    Groups of a level differ in the last column only.
    """
    groups = sort_order(values)
    begins = np.zeros(max(len(groups) - 1, 0), dtype=np.bool_)
    for column in list(values.values())[:-1]:
        begins |= np.diff(_ranks(column)[groups]) != 0
    starts = np.concatenate(([0], np.flatnonzero(begins) + 1, [len(groups)])).astype(np.int64)
    return groups.astype(np.uint32), starts


def _is_column(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_pandas(value, "Series", "Index") or is_arrow(value)


def _columns(by: Any) -> Iterable[tuple[Any, Any]]:
    """Return the grouping columns with their names."""
    if isinstance(by, (str, bytes)):
        raise option_error(
            "by", f"by is the text {by!r}; give the column itself, one value for each test score", value=by
        )
    if isinstance(by, Mapping):
        return by.items()
    columns = frame_columns(by)
    if columns is not None:
        return columns
    if isinstance(by, (list, tuple)) and any(_is_column(value) for value in by):
        message = (
            "by is a list of columns; give a dict with their names, as in by={'area': …, 'week': …}, or a data frame"
        )
        raise option_error("by", message, value=by)
    name = getattr(by, "name", None)
    has_name = isinstance(name, (int, np.integer)) or (isinstance(name, str) and name)
    return [(name if has_name else "group", by)]


def groups(by: Any, length: int) -> Groups:
    """Return the groups of this number of rows."""
    columns = [(str(name), values) for name, values in _columns(by)]
    if not columns:
        raise option_error("by", "by has no columns", value=by)
    duplicates = [name for name, times in Counter(name for name, _ in columns).items() if times > 1]
    if duplicates:
        message = f"by: several columns are called '{duplicates[0]}'; rename all but one"
        raise OptionError(message, "column-twice", column=duplicates[0])
    parts: list[tuple[str, NDArray[np.uint32], list[Any]]] = []
    for name, values in columns:
        rows, distinct = factorize(values, f"by: '{name}'")
        if len(rows) != length:
            raise length_error(
                f"by: '{name}' has {len(rows)} {'value' if len(rows) == 1 else 'values'} but there are {length} test "
                "scores; give one for each row",
                name,
                len(rows),
                length,
            )
        parts.append((name, rows, distinct))
    name, codes, distinct = parts[0]
    if len(parts) == 1:
        return Groups(codes, {name: distinct}, len(distinct))
    for _, rows, _ in parts[1:]:
        codes, first = _core.factorize_pairs(codes, rows)
    return Groups(codes, {name: [distinct[code] for code in rows[first]] for name, rows, distinct in parts}, len(first))


FileColumn = tuple[str, list[Any], "str | None"]
"""The kind of a column, its values, and the zone if they are points in time."""

_EPOCH = datetime(1970, 1, 1)
_DAY = date(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)


def write_column(name: str, values: Sequence[Any]) -> FileColumn:
    """Return the values of the column with this name in the form of tally files.

    Raises
    ------
    TallyError
        If the values have a type that tally files do not have, or several types.
    """
    present = [value for value in values if value is not None]
    kinds = set(map(type, present))

    def column(kind: str, convert: Any = None, zone: str | None = None) -> FileColumn:
        return kind, [None if value is None else convert(value) if convert else value for value in values], zone

    if kinds <= {str}:
        return column("text")
    if kinds == {bool}:
        return column("flag")
    if kinds == {int} and -(2**63) <= min(present) and max(present) < 2**63:
        return column("whole")
    if kinds == {int} and min(present) >= 0 and max(present) < 2**64:
        return column("natural")
    if kinds == {float}:
        return column("float")
    if kinds == {date}:
        return column("date", lambda value: (value - _DAY).days)
    if kinds == {time} and all(value.tzinfo is None for value in present):
        return column("clock", lambda value: (datetime.combine(_DAY, value) - _EPOCH) // _MICROSECOND)
    if kinds == {Decimal} and all(value.is_finite() for value in present):
        return column("decimal", lambda value: f"{value:f}")
    zones = {_zone(value) for value in present}
    if kinds == {datetime} and (zones == {None} or None not in zones):
        return column("us", _microseconds, zones.pop() if len(zones) == 1 else "UTC")
    if kinds <= {datetime, np.datetime64} and zones == {None}:
        return column("ns", lambda value: int(np.datetime64(value, "ns").astype(np.int64)))
    if len(kinds) > 1:
        other = next(value for value in present if type(value) is not type(present[0]))
        message = (
            f"by: '{name}' has values of several types, such as {short_repr(present[0])} and {short_repr(other)}; "
            "a tally file takes one: make them the same"
        )
    else:
        value = short_repr(present[0])
        message = f"by: '{name}' has the value {value}, of a type that a tally file does not know; make text of it"
    raise TallyError(message, "group-not-writable", column=name, value=present[0])


def read_column(kind: str, values: list[Any], zone: str | None) -> list[Any]:
    """Return the values of a column of a tally file."""
    if kind == "date":
        return [value if value is None else _DAY + timedelta(days=value) for value in values]
    if kind == "clock":
        return [value if value is None else (_EPOCH + value * _MICROSECOND).time() for value in values]
    if kind == "decimal":
        return [value if value is None else Decimal(value) for value in values]
    if kind in ("s", "ms", "us", "ns"):
        return [value if value is None else _time(np.array(value, f"datetime64[{kind}]")[()], zone) for value in values]
    return values


def _microseconds(value: datetime) -> int:
    """Return the microseconds since 1970, in UTC if the value has a zone."""
    naive = value if value.tzinfo is None else value.astimezone(timezone.utc).replace(tzinfo=None)
    return (naive - _EPOCH) // _MICROSECOND


def _time(value: Any, zone: str | None) -> Any:
    """Return a point in time as Python's type, or as numpy's if it has nanoseconds."""
    rounded = value.astype("datetime64[us]")
    if rounded != value:
        return value
    naive: datetime = rounded.item()
    return naive if zone is None else naive.replace(tzinfo=timezone.utc).astimezone(_time_zone(zone))


def _zone(value: Any) -> str | None:
    """Return the name of a time zone, or else its offset from UTC; None without a zone."""
    zone = getattr(value, "tzinfo", None)
    if zone is None:
        return None
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    return name or ("UTC" if zone is timezone.utc else value.strftime("%z"))


def _time_zone(zone: str) -> tzinfo:
    if zone[:1] in "+-":
        offset = datetime.strptime(zone, "%z").tzinfo
        assert offset is not None
        return offset
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):  # without a time zone database: the same instants in UTC
        return timezone.utc


def periods(dates: Any, every: Period, zone: str | None = None) -> NDArray[np.object_]:
    """Return the period of each date, as values for `by`.

    Parameters
    ----------
    dates : array-like
        Dates or points in time, or texts such as 2026-01-31, with a time or without, 31.1.2026, and
        31/1/2026 or 1/31/2026 if a date shows whether the day comes first. A missing date stays missing.
    every : {"hour", "day", "week", "month", "quarter", "year"}
        The period. A week begins on Monday.
    zone : str, optional
        Time zone of the hours and days, such as "Europe/Berlin"; times without an offset are UTC. By
        default hours and days are taken as written.

    Returns
    -------
    numpy.ndarray
        Texts such as 2026-01-31 12:00, 2026-01-31, 2026-W05, 2026-01, 2026-Q1 and 2026, or None.

    Examples
    --------
    >>> import truecount as tc
    >>> tc.periods(["2026-01-31 12:30", "2026-02-01", None], "week").tolist()
    ['2026-W05', '2026-W05', None]
    """
    rows, distinct = factorize(dates, "dates")
    texts = [None if value is None else _text(value) for value in distinct]
    names = np.array(_core.periods(texts, choice(every, "every", "periods"), zone), dtype=object)
    return names[rows]


def _text(value: Any) -> str:
    """Return a date as text, with its time even at midnight."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, np.datetime64) and np.datetime_data(value.dtype)[0] not in ("Y", "M", "W", "D"):
        return str(np.datetime_as_string(value, unit="s"))
    return str(value)
