"""Groups of rows: the values of one or several columns, numbered in order of first appearance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import is_arrow, is_pandas

__all__ = ["Groups", "groups"]


@dataclass(frozen=True)
class Groups:
    """The group of each row, and the values that make each group, a column for each name."""

    rows: NDArray[np.uint32]
    values: dict[str, NDArray[Any]]
    number: int

    def named(self, group: int) -> str:
        """A group in words."""
        return ", ".join(f"{name} = {_word(column[group])}" for name, column in self.values.items())


def _word(value: Any) -> str:
    return repr(value.item()) if isinstance(value, np.generic) and value.dtype.kind not in "mM" else repr(value) if isinstance(value, str) else str(value)


def _objects(values: Any) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Any values that can be keys of a dictionary; all that is missing is one value."""
    known: dict[Any, int] = {}
    first: list[int] = []
    rows = np.empty(len(values), dtype=np.uint32)
    for row, value in enumerate(values):
        key = None if value != value else value  # NaN and NaT are not equal to themselves
        try:
            group = known.setdefault(key, len(known))
        except TypeError:
            raise ValueError(f"by: value {row} is {value!r}, which cannot be compared; make text or numbers of it") from None
        if group == len(first):
            first.append(row)
        rows[row] = group
    return rows, np.array(first, dtype=np.int64)


def _of_array(values: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    kind = values.dtype.kind
    if kind in "biu":
        return _core.number_integers(np.ascontiguousarray(values).astype(np.int64, copy=False))
    if kind in "mM":
        return _core.number_integers(np.ascontiguousarray(values).view(np.int64))
    if kind == "f":
        return _core.number_floats(np.require(values, np.float64, ["C", "A"]))
    return _objects(values.tolist())


def _column(values: Any, name: str) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """Each row's group, and each group's value."""
    if is_pandas(values, "Series", "Index", "Categorical"):
        array = np.asarray(values.astype(object) if str(values.dtype) == "category" else values.to_numpy())
        rows, first = _of_array(array)
        return rows, array[first]
    if not isinstance(values, np.ndarray) and is_arrow(values):
        numbered = _core.number_values(values)
        if numbered is None:
            numbered = _objects(values.to_pylist() if hasattr(values, "to_pylist") else list(values))
        rows, first = numbered
        return rows, _taken(values, first)
    array = values if isinstance(values, np.ndarray) else _listed(values)
    if array.ndim != 1:
        raise ValueError(f"by: '{name}' has the shape {array.shape}; one dimension is needed")
    rows, first = _of_array(array)
    return rows, array[first]


def _listed(values: Any) -> NDArray[Any]:
    """A list as an array that keeps what texts and whole numbers are."""
    values = list(values)
    kinds = {type(value) for value in values}
    if kinds and kinds <= {int, bool} or kinds == {float}:
        return np.asarray(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _taken(values: Any, first: NDArray[np.int64]) -> NDArray[Any]:
    """The values of these rows of an Arrow column."""
    if hasattr(values, "gather"):  # polars
        return np.asarray(values.gather(first).to_numpy())
    if hasattr(values, "take"):  # pyarrow
        taken = values.take(first)
        return np.asarray(taken.to_numpy(zero_copy_only=False) if hasattr(taken, "to_numpy") else taken.to_pylist())
    return _listed([values[int(row)] for row in first])


def _columns(by: Any) -> dict[str, Any]:
    """Columns by name."""
    if isinstance(by, (str, bytes)):
        raise ValueError(f"by is the text {by!r}; give the column itself, one value for each test score")
    if isinstance(by, Mapping):
        return {str(name): column for name, column in by.items()}
    if is_pandas(by, "DataFrame"):
        return {str(name): by[name] for name in by.columns}
    if hasattr(by, "get_columns"):  # a data frame of polars
        return {column.name: column for column in by.get_columns()}
    if hasattr(by, "column_names") and hasattr(by, "column"):  # a table of pyarrow
        return {name: by.column(name) for name in by.column_names}
    name = getattr(by, "name", None)
    return {name if isinstance(name, str) and name else "group": by}


def groups(by: Any, length: int) -> Groups:
    """The groups of that many rows."""
    columns = _columns(by)
    if not columns:
        raise ValueError("by has no columns")
    together: NDArray[np.uint32] | None = None
    first: NDArray[np.int64] | None = None
    parts: list[tuple[str, NDArray[np.uint32], NDArray[Any]]] = []
    for name, values in columns.items():
        if values.__class__ is list and any(value.__class__ is list for value in values):
            raise ValueError(f"by: '{name}' is a list of lists; give one value for each test score")
        rows, distinct = _column(values, name)
        if len(rows) != length:
            raise ValueError(f"by: '{name}' has {len(rows)} values but there are {length} test scores")
        parts.append((name, rows, distinct))
        together, first = (rows, None) if together is None else _core.number_pairs(together, rows)
    assert together is not None
    if first is None:
        name, _, distinct = parts[0]
        return Groups(together, {name: distinct}, len(distinct))
    return Groups(together, {name: distinct[rows[first]] for name, rows, distinct in parts}, len(first))
