"""Columns of whatever the caller has: numpy arrays, lists, pandas, polars, Arrow.

Whatever holds them, the same values give the same numbers, the same groups and the same errors. A number that is missing (None,
null, NA, masked) is refused here, with its row; NaN, which is a double like others, by the library.
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
    "factorised",
    "is_arrow",
    "is_missing",
    "is_pandas",
    "is_table",
    "numbers",
    "plain",
    "same_index",
    "shown",
    "taken_from",
]

Floats = NDArray[np.float64]
"""Doubles in one piece."""


def is_pandas(values: Any, *names: str) -> bool:
    """Whether it is a pandas object of one of these classes; pandas is not imported for it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and any(isinstance(values, getattr(pandas, name)) for name in names)


def is_arrow(values: Any) -> bool:
    """Whether it offers its data through the Arrow PyCapsule interface."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def is_table(values: Any) -> bool:
    """Whether it has columns: a data frame of pandas or polars, a table of pyarrow, a relation of DuckDB."""
    return hasattr(type(values), "columns")


def is_missing(value: Any) -> bool:
    """Whether it stands for nothing: None, NaN and what else there is."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(np.isscalar(value) and value != value)


def same_index(name: str, values: Any, other: str, beside: Any) -> None:
    """Refuses columns of pandas whose rows have different labels: by position, what does not belong together would meet."""
    if not (is_pandas(values, "Series", "DataFrame") and is_pandas(beside, "Series", "DataFrame")):
        return
    # Different lengths are an error of their own.
    if values.index is not beside.index and len(values) == len(beside) and not values.index.equals(beside.index):
        raise ScoreError(
            f"{name} has another index than {other}; reindex it, or give {name}.to_numpy() to go by position",
            "index-mismatch",
            column=name,
            other=other,
        )


def taken_from(name: str, values: Any, width: int) -> str:
    """How to make one column of what has rows of one number, or of the probabilities of two classes."""
    array = hasattr(values, "__array__")
    if width == 1:
        return f"flatten it: {f'{name}.ravel()' if array else f'[row[0] for row in {name}]'}"
    return f"take the column of the positive class: {f'{name}[:, 1]' if array else f'[row[1] for row in {name}]'}"


def shown(value: Any) -> str:
    """A value as it would be typed, short enough for a message."""
    text = repr(value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _column(values: Any, name: str) -> Any:
    """The column as one of four: a numpy array, a list, or a column of pandas (with a type of its own) or of Arrow."""
    hint = "give one column, with a value for each row"
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
        raise ScoreError(f"{name} is {shown(values)}; {hint}", "column-invalid", column=name)
    return array


def _objects(column: Any) -> Sequence[Any]:
    """The values of a column of Arrow or pandas, one by one."""
    for to_list in ("to_pylist", "to_list"):
        if hasattr(column, to_list):
            values: list[Any] = getattr(column, to_list)()
            return values
    return [*column]


def _refuse_missing(name: str, row: int) -> NoReturn:
    raise ScoreError(
        f"{name}: value {row} is missing; correct it or leave out its row", "value-missing", column=name, row=row
    )


def _numbers_among(values: Sequence[Any], name: str) -> Floats:
    """Numbers among any objects."""

    def number(row: int, value: Any) -> float:
        if isinstance(value, (Real, Decimal, np.bool_)) and not isinstance(value, np.timedelta64):
            try:
                return float(value)
            except OverflowError:  # a whole number without bounds
                return -np.inf if value < 0 else np.inf
        if value is np.ma.masked or is_missing(value):
            _refuse_missing(name, row)
        raise ScoreError(
            f"{name}: value {row} is {shown(value)}, not a number; correct it or leave out its row",
            "value-not-number",
            column=name,
            row=row,
            value=value,
        )

    return np.array([number(row, value) for row, value in enumerate(values)], dtype=np.float64)


def _numbers_of(array: NDArray[Any], name: str) -> NDArray[Any]:
    """The numbers of an array of any shape."""
    if array.dtype.kind in "fiub":
        if np.ma.is_masked(array):
            *sets, row = np.argwhere(np.ma.getmaskarray(array))[0].tolist()
            _refuse_missing(name + "".join(f"[{number}]" for number in sets), row)
        return np.asarray(array)
    if array.ndim != 1:
        raise ScoreError(f"{name} have the type {array.dtype}; they must be numbers", "column-invalid", column=name)
    return _numbers_among([*array], name)


def _numbers_in(values: Any, name: str) -> NDArray[Any]:
    column = _column(values, name)
    if isinstance(column, list):
        try:
            array = np.asarray(column)
        except ValueError:
            raise ScoreError(
                f"{name} are no column of numbers: their parts have different lengths",
                "column-invalid",
                column=name,
            ) from None
        # Numpy makes texts of all of them if one is.
        return _numbers_among(column, name) if array.dtype.kind in "US" else _numbers_of(array, name)
    if isinstance(column, np.ndarray):
        return _numbers_of(column, name)
    if is_pandas(column, "Series", "Index"):
        if sys.modules["pandas"].api.types.is_numeric_dtype(column.dtype) and not column.hasnans:
            return np.asarray(column.to_numpy(dtype=np.float64))
        return _numbers_among(_objects(column), name)
    try:
        return _core.floats(column)
    except (
        Exception
    ):  # no numbers, or some are missing, or wrapped ones (a dictionary), or of a type that the library does not know
        return _numbers_among(_objects(column), name)


def are_doubles(values: Any, ndim: int = 1) -> TypeGuard[Floats]:
    """Whether they are a numpy array of doubles in one piece, with this number of dimensions.

    It is the way of small sets, one after the other, on which all else would cost more than the estimate.
    """
    if type(values) is not np.ndarray or values.dtype != np.float64 or values.ndim != ndim:
        return False
    return values.flags.c_contiguous and values.flags.aligned


def numbers(values: Any, name: str, *, ndim: int = 1) -> Floats:
    """Doubles in one piece, with this number of dimensions; without a copy where they are that already."""
    if are_doubles(values, ndim):
        return values
    array = _numbers_in(values, name)
    if array.ndim != ndim:
        hint = "give one column, with a value for each row"
        if array.ndim == 2 and array.shape[1] in (1, 2):
            hint = taken_from(name, values, array.shape[1])
        raise ScoreError(
            f"{name} have the shape {array.shape}, where one dimension is needed; {hint}",
            "column-invalid",
            column=name,
        )
    with np.errstate(over="ignore"):  # a long double above all doubles is infinite, and refused with its row
        return np.require(np.asarray(array), np.float64, ["C", "A"])


_PLAIN = frozenset((int, str, bool))
"""The types of most values, which are as Python has them."""


def _are_plain(values: Iterable[Any]) -> bool:
    return _PLAIN.issuperset(map(type, values))


def plain(value: Any) -> Any:
    """What Python has for a value: the same for equal values of different libraries, None for a missing one."""
    if type(value) in _PLAIN:
        return value
    if value is np.ma.masked or is_missing(value):
        return None
    if isinstance(value, (np.datetime64, np.timedelta64)):
        known = value.item()
        if isinstance(known, int):  # nanoseconds
            rounded = value.astype(f"{value.dtype.kind}8[us]")
            known = rounded.item() if rounded == value else value
        return value if isinstance(known, int) else known
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


def _numbered(values: Iterable[Any], name: str) -> tuple[NDArray[np.uint32], list[Any]]:
    """Numbers each value in order of first appearance."""
    values = [*values]
    known: defaultdict[Any, int] = defaultdict()
    known.default_factory = known.__len__  # a value that is new has the next number
    try:
        codes = np.fromiter(map(known.__getitem__, values), np.uint32, len(values))
    except TypeError:
        row, value = next((row, value) for row, value in enumerate(values) if not _is_comparable(value))
        raise ScoreError(
            f"{name}: value {row} is {shown(value)}, which cannot be compared; make text or numbers of it",
            "value-not-comparable",
            column=name,
            row=row,
            value=value,
        ) from None
    return codes, list(known)


def _distinct_arrow(column: Any, first: NDArray[np.int64]) -> Sequence[Any]:
    """The values of these rows."""
    try:
        taken = column.gather(first) if hasattr(column, "gather") else column.take(first)
        if hasattr(getattr(taken, "type", None), "value_type"):  # a dictionary
            taken = taken.cast(taken.type.value_type)
    except Exception:  # of another library, or a type that pyarrow takes only one by one
        values = (column[int(row)] for row in first)
        return [value.as_py() if hasattr(value, "as_py") else value for value in values]
    kind = getattr(taken, "dtype", None) or getattr(taken, "type", None)
    if getattr(kind, "time_zone", None) is None and getattr(kind, "tz", None) is None:
        array = np.asarray(taken)
        if array.dtype.kind in "mM":  # to the nanosecond
            return [*array]
    return _objects(taken)


def _factorised_as_stored(values: Any, name: str) -> tuple[NDArray[np.uint32], Sequence[Any]]:
    column = _column(values, name)
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise ScoreError(
                f"{name} have the shape {column.shape}, where one dimension is needed; give a value for each row",
                "column-invalid",
                column=name,
            )
        kind, width = column.dtype.kind, column.dtype.itemsize
        if isinstance(column, np.ma.MaskedArray):
            return _numbered(map(plain, column), name)
        if kind not in "biumMf" or width > 8:
            return _numbered(column.tolist() if kind in "OUST" else column, name)
        if kind == "f":
            codes, first = _core.number_floats(np.require(column, np.float64, ["C", "A"]))
        else:
            column = np.ascontiguousarray(column)
            codes, first = _core.number_integers(
                column.view(np.int64) if kind in "mM" else column.astype(np.int64, copy=False)
            )
        distinct = column[first]
        return codes, [*distinct] if kind in "mM" else distinct.tolist()
    if is_pandas(column, "Series", "Index"):
        try:
            found, distinct = sys.modules["pandas"].factorize(column, use_na_sentinel=False)
        except NotImplementedError:  # of a type, such as lists, that Arrow cannot compare
            return _numbered(_objects(column), name)
        return found.astype(np.uint32), _objects(distinct)
    if is_arrow(column):
        try:
            numbered = _core.number_values(column)
        except Exception:  # of a type that the library does not know
            numbered = None
        if numbered is not None:
            codes, first = numbered
            return codes, _distinct_arrow(column, first)
        column = _objects(column)
    return _numbered(column, name)


def factorised(values: Any, name: str) -> tuple[NDArray[np.uint32], list[Any]]:
    """The number of each row's value, and the distinct values in order of first appearance; all that is missing is one: None."""
    codes, distinct = _factorised_as_stored(values, name)
    places, values_apart = _numbered(distinct if _are_plain(distinct) else map(plain, distinct), name)
    return (codes if len(values_apart) == len(distinct) else places[codes]), values_apart
