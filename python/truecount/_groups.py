"""Groups of rows: the values of one or several columns, numbered in order of first appearance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import factorised, is_arrow, is_pandas, is_table
from truecount._conditions import OptionError, ScoreError

__all__ = ["Groups", "groups", "levels", "natural", "order"]


@dataclass(frozen=True)
class Groups:
    """The group of each row, and the values that make each group, a column for each name; None is what is missing."""

    rows: NDArray[np.uint32]
    values: dict[str, list[Any]]
    number: int


def natural(values: Sequence[Any]) -> NDArray[Any]:
    """Values as an array of the type that numpy has for them; objects where it has none, as for texts and times with a zone.

    What is missing is NaN among floats, NaT among times, and None elsewhere: whole numbers stay whole.
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
    """The place of each value among them, what is missing last; in order of appearance if they cannot be compared."""
    array = natural(values)
    if array.dtype != np.object_:
        return np.unique(array, return_inverse=True)[1].reshape(-1)
    distinct = dict.fromkeys(values)
    distinct.pop(None, None)
    try:
        ascending = sorted(distinct)
    except TypeError:
        ascending = [*distinct]
    places = dict(zip([*ascending, None], range(len(ascending) + 1)))
    return np.fromiter(map(places.__getitem__, values), np.intp, len(values))


def order(values: Mapping[str, Sequence[Any]]) -> NDArray[np.intp]:
    """The groups in the order of their values: by the first column, then by the second, and so on."""
    # lexsort begins with the last key.
    return np.lexsort([_ranks(column) for column in [*values.values()][::-1]])


def levels(values: Mapping[str, Sequence[Any]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The groups in that order, and where each run of those that differ in the last column only begins, with the last one's end."""
    places = order(values)
    begins = np.zeros(max(len(places) - 1, 0), dtype=np.bool_)
    for column in list(values.values())[:-1]:
        begins |= np.diff(_ranks(column)[places]) != 0
    starts = np.concatenate(([0], np.flatnonzero(begins) + 1, [len(places)])).astype(np.int64)
    return places.astype(np.uint32), starts


def _columns(by: Any) -> Iterable[tuple[Any, Any]]:
    """Columns with their names."""
    if isinstance(by, (str, bytes)):
        raise OptionError(
            f"by is the text {by!r}; give the column itself, one value for each test score",
            "option-invalid",
            name="by",
            value=by,
        )
    if isinstance(by, Mapping):
        return by.items()
    if is_pandas(by, "DataFrame"):
        return [(name, by.iloc[:, place]) for place, name in enumerate(by.columns)]
    if is_table(by) and is_arrow(by):
        if not hasattr(by, "get_column"):
            import pyarrow

            by = pyarrow.table(by)
            return zip(by.column_names, by.columns)
        return [(name, by.get_column(name)) for name in by.columns]
    name = getattr(by, "name", None)
    named = isinstance(name, (int, np.integer)) or (isinstance(name, str) and name)
    return [(name if named else "group", by)]


def groups(by: Any, length: int) -> Groups:
    """The groups of that many rows."""
    columns = [(str(name), values) for name, values in _columns(by)]
    if not columns:
        raise OptionError("by has no columns", "option-invalid", name="by", value=by)
    twice = [name for name, times in Counter(name for name, _ in columns).items() if times > 1]
    if twice:
        raise OptionError(
            f"by: several columns are called '{twice[0]}'; rename all but one",
            "column-twice",
            column=twice[0],
        )
    parts: list[tuple[str, NDArray[np.uint32], list[Any]]] = []
    for name, values in columns:
        rows, distinct = factorised(values, f"by: '{name}'")
        if len(rows) != length:
            raise ScoreError(
                f"by: '{name}' has {len(rows)} values but there are {length} test scores; give one for each score",
                "length-mismatch",
                column=name,
                values=len(rows),
                others=length,
            )
        parts.append((name, rows, distinct))
    name, together, distinct = parts[0]
    if len(parts) == 1:
        return Groups(together, {name: distinct}, len(distinct))
    for _, rows, _ in parts[1:]:
        together, first = _core.number_pairs(together, rows)
    return Groups(
        together, {name: [distinct[code] for code in rows[first]] for name, rows, distinct in parts}, len(first)
    )
