"""Conversion of columns from numpy arrays, lists, pandas, polars and Arrow.

Equal values give equal numbers, groups and errors, whatever the container. A missing number (None,
null, NA, masked) is an error here, with its row. The library checks for NaN, which is a double.
"""

from __future__ import annotations

import sys
from array import array as typed_array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from numbers import Real
from typing import Any, NoReturn, TypeGuard

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._conditions import ScoreError

__all__ = [
    "Floats",
    "are_doubles",
    "check_lengths",
    "column_hint",
    "factorize",
    "frame_columns",
    "is_arrow",
    "is_missing",
    "is_pandas",
    "is_table",
    "numbers",
    "only_column",
    "python_value",
    "same_index",
    "short_repr",
]

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
            raise ScoreError(
                f"there are {others} {others_name} but {len(column)} {name}; give one for each score",
                "length-mismatch",
                column=name,
                values=len(column),
                others=others,
            )


def column_hint(name: str, values: Any, width: int) -> str:
    """Return advice to get one column from rows of one number, or of two classes' probabilities."""
    array = hasattr(values, "__array__")
    if width == 1:
        return f"flatten it: {f'{name}.ravel()' if array else f'[row[0] for row in {name}]'}"
    return f"take the column of the positive class: {f'{name}[:, 1]' if array else f'[row[1] for row in {name}]'}"


def short_repr(value: Any) -> str:
    """Return the repr of a value, shortened for a message; of a table only its type."""
    text = repr(value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value)
    if "\n" in text:
        return f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:59]}…"


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
        raise ScoreError(f"{name} is a {type(values).__name__}; {hint}", "column-invalid", column=name)
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
        raise ScoreError(
            f"{name} is a {type(values).__name__} that is no column: {error}",
            "column-invalid",
            column=name,
        ) from None
    if array.ndim == 0:
        raise ScoreError(f"{name} is {short_repr(values)}; {hint}", "column-invalid", column=name)
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
        raise ScoreError(
            f"{name}: value {row} is {short_repr(value)}, not a number; correct it or leave out its row",
            "value-not-number",
            column=name,
            row=row,
            value=value,
        )

    return np.array([number(row, value) for row, value in enumerate(values)], dtype=np.float64)


def _numbers_from_array(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the numbers in an array of any shape."""
    if array.dtype.kind in "fiub":
        if np.ma.is_masked(array):
            *outer, row = np.argwhere(np.ma.getmaskarray(array))[0].tolist()
            _raise_missing(name + "".join(f"[{number}]" for number in outer), row)
        return np.asarray(array)
    if array.ndim != 1:
        raise ScoreError(f"{name} have the type {array.dtype}; they must be numbers", "column-invalid", column=name)
    return _numbers_from_objects([*array], name)


def _to_array(values: Any, name: str) -> NDArray[Any]:
    column = _as_column(values, name)
    if isinstance(column, list):
        try:
            array = np.asarray(column)
        except ValueError:
            raise ScoreError(
                f"{name} are no column of numbers: their parts have different lengths",
                "column-invalid",
                column=name,
            ) from None
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
        raise ScoreError(
            f"{name} have the shape {array.shape}, where one dimension is needed; {hint}",
            "column-invalid",
            column=name,
        )
    with np.errstate(over="ignore"):  # a long double above all doubles becomes infinite, an error of the library
        return np.require(np.asarray(array), np.float64, ["C", "A"])


_PYTHON_TYPES = frozenset((int, str, bool))
"""The types of most values, which need no conversion."""


def _are_python_values(values: Iterable[Any]) -> bool:
    return _PYTHON_TYPES.issuperset(map(type, values))


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
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _factorize_objects(values: Iterable[Any], name: str) -> tuple[NDArray[np.uint32], list[Any]]:
    """Number the values in order of first appearance, and return the distinct values too."""
    values = [*values]
    known: defaultdict[Any, int] = defaultdict()
    known.default_factory = known.__len__  # a new value gets the next number
    try:
        codes = np.fromiter(map(known.__getitem__, values), np.uint32, len(values))
    except TypeError:
        row, value = next((row, value) for row, value in enumerate(values) if not _is_comparable(value))
        raise ScoreError(
            f"{name}: value {row} is {short_repr(value)}, which cannot be compared; make text or numbers of it",
            "value-not-comparable",
            column=name,
            row=row,
            value=value,
        ) from None
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
            raise ScoreError(
                f"{name} have the shape {column.shape}, where one dimension is needed; give a value for each row",
                "column-invalid",
                column=name,
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
    merged, distinct = _factorize_objects(stored if _are_python_values(stored) else map(python_value, stored), name)
    return (codes if len(distinct) == len(stored) else merged[codes]), distinct
