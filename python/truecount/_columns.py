"""Columns of whatever the caller has: numpy arrays, lists, pandas, polars, Arrow.

Scores become contiguous arrays of doubles, without a copy where they are that already. A missing value becomes NaN, which the
library refuses with its row.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core

__all__ = ["Floats", "describe", "is_pandas", "is_arrow", "located", "numbers", "positives"]

Floats = NDArray[np.float64]
"""Doubles in one piece."""

_SHOWN = 5


def is_pandas(values: Any, *names: str) -> bool:
    """Whether it is a pandas object of one of these classes; pandas is not imported for it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and any(isinstance(values, getattr(pandas, name)) for name in names)


def is_arrow(values: Any) -> bool:
    """Whether it offers its data through the Arrow PyCapsule interface."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def _of_objects(values: Sequence[Any], name: str) -> Floats:
    """Numbers among any objects; what stands for nothing is NaN."""

    def number(row: int, value: Any) -> float:
        if value is None or type(value).__name__ in ("NAType", "NaTType"):
            return np.nan
        if isinstance(value, (Real, np.number, np.bool_)) or type(value).__name__ == "Decimal":
            return float(value)
        raise ValueError(f"{name}: value {row} is {value!r}, not a number")

    return np.array([number(row, value) for row, value in enumerate(values)], dtype=np.float64)


def _of_array(array: NDArray[Any], name: str) -> NDArray[Any]:
    """An array of numbers of any shape."""
    if isinstance(array, np.ma.MaskedArray):
        return np.asarray(array.astype(np.float64).filled(np.nan))
    kind = array.dtype.kind
    if kind in "fiub":
        return array
    if kind == "O" and array.ndim == 1:
        return _of_objects(array.tolist(), name)
    if kind in "US":
        raise ValueError(f"{name} are text ({describe(array.ravel()[0]) if array.size else 'empty'} …); make numbers of them")
    raise ValueError(f"{name} have the type {array.dtype}; they must be numbers")


def _raw(values: Any, name: str) -> NDArray[Any]:
    """A numeric array of any shape and type."""
    if isinstance(values, np.ndarray):
        return _of_array(values, name)
    if isinstance(values, (str, bytes)) or isinstance(values, Mapping):
        raise ValueError(f"{name} is a {type(values).__name__}; give the numbers themselves")
    if is_pandas(values, "DataFrame"):
        raise ValueError(f"{name} is a data frame; give one of its columns")
    if is_pandas(values, "Series", "Index"):
        if isinstance(values.dtype, np.dtype):
            return _of_array(values.to_numpy(), name)
        if sys.modules["pandas"].api.types.is_numeric_dtype(values.dtype):
            return np.asarray(values.to_numpy(dtype="float64", na_value=np.nan))
        return _of_objects(values.tolist(), name)
    if is_arrow(values):
        try:
            return _core.floats(values)
        except TypeError as error:
            raise ValueError(f"{name}: {error}") from None
    if not hasattr(values, "__len__") and not hasattr(values, "__array__"):
        values = list(values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} are no column of numbers: their parts have different lengths") from None
    if array.dtype.kind in "US" and isinstance(values, (list, tuple)):
        return _of_objects(values, name)
    return _of_array(array, name)


def numbers(values: Any, name: str, *, ndim: tuple[int, ...] = (1,)) -> Floats:
    """Doubles in one piece, of one of these numbers of dimensions."""
    array = _raw(values, name)
    if array.ndim not in ndim:
        hint = ""
        if array.ndim == 2 and array.shape[1] == 1:
            hint = f"; flatten it: {name}.ravel()"
        elif array.ndim == 2 and array.shape[1] == 2:
            hint = f"; take the column of the positive class: {name}[:, 1]"
        raise ValueError(f"{name} have the shape {array.shape}; one dimension is needed{hint}")
    return np.require(array, np.float64, ["C", "A"])


def describe(value: Any) -> str:
    """A value as it would be typed."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def _plain(values: Any, name: str) -> NDArray[Any]:
    """Labels as an array; objects where they are no numbers."""
    if is_pandas(values, "Series", "Index"):
        dtype = values.dtype
        if isinstance(dtype, np.dtype) and dtype.kind in "iubf":
            return np.asarray(values.to_numpy())
        return np.array(values.tolist() + [None], dtype=object)[:-1]
    if isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray):
        array = values
    elif hasattr(values, "to_pylist"):  # pyarrow
        array = np.array([*values.to_pylist(), None], dtype=object)[:-1]
    elif hasattr(values, "to_list") and not isinstance(values, np.ndarray):  # polars
        array = np.array([*values.to_list(), None], dtype=object)[:-1]
    elif hasattr(values, "__array__") and not isinstance(values, np.ma.MaskedArray):
        array = np.asarray(values)
    else:
        if isinstance(values, (str, bytes, Mapping)):
            raise ValueError(f"{name} is a {type(values).__name__}; give the labels themselves")
        array = np.empty(len(values := list(values)), dtype=object)
        array[:] = [None if value is np.ma.masked else value for value in values]
    if array.ndim != 1:
        raise ValueError(f"{name} have the shape {array.shape}; one dimension is needed")
    return array


def _missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, (float, np.floating)) and value != value)


def _found(labels: NDArray[Any], name: str) -> dict[Any, tuple[int, int]]:
    """Each label with its number of rows and its first row, in order of appearance."""
    if labels.dtype.kind in "iubUS":
        values, first, counts = np.unique(labels, return_index=True, return_counts=True)
        order = np.argsort(first)
        return {values[i].item(): (int(counts[i]), int(first[i])) for i in order}
    found: dict[Any, tuple[int, int]] = {}
    for row, value in enumerate(labels.tolist()):
        if _missing(value):
            raise ValueError(f"{name}: label {row} is missing; label it or leave out the row")
        count, first_row = found.get(value, (0, row))
        found[value] = (count + 1, first_row)
    return found


def positives(labels: Any, positive: Any, name: str) -> tuple[NDArray[np.bool_], Any, Any]:
    """Which labels are the positive one; that label, and the other.

    Without a name for it the positive label is True, or 1 beside 0 or -1.
    """
    array = _plain(labels, name)
    found = _found(array, name)

    def listed() -> str:
        each = [
            f"{value!r} ({count} {'row' if count == 1 else 'rows'}, first in row {row})"
            for value, (count, row) in list(found.items())[:_SHOWN]
        ]
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        return ", ".join(each) + more

    if not found:
        raise ValueError(f"{name}: there are none")
    if len(found) != 2:
        remedy = "label some of the other class too" if len(found) == 1 else "correct the others or leave out their rows"
        raise ValueError(f"{name}: two labels are needed, found {listed()}; {remedy}")
    one, other = found
    if positive is None:
        if set(found) not in ({0, 1}, {-1, 1}):
            raise ValueError(f"{name}: which label is the positive one? Found {listed()}; name it, as in positive={other!r}")
        positive = 1
    if positive not in found:
        raise ValueError(f"{name}: no label is {positive!r}, found {listed()}; name the positive one, as in positive={other!r}")
    positive, negative = (one, other) if one == positive else (other, one)
    return np.require(array == positive, np.bool_, ["C", "A"]), positive, negative


def located(error: ValueError, scores: str, probabilities: str, weights: str = "weights") -> ValueError:
    """The library's error with the argument that it is about."""
    message = str(error.args[0])
    for start, name in (("score ", scores), ("probability ", probabilities), ("weight ", weights)):
        if message.startswith(start):
            return ValueError(f"{name}: {message}")
    return ValueError(message)
