"""Groups of rows: the distinct values of one or several columns, in order of first appearance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import factorize, frame_columns, is_arrow, is_pandas
from truecount._conditions import OptionError, ScoreError

__all__ = ["Groups", "groups", "sort_levels", "sort_order", "to_array"]


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

    A missing value is NaN among floats and NaT among times. Elsewhere it is None, so that integers
    stay integers.
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
        raise OptionError(
            f"by is the text {by!r}; give the column itself, one value for each test score",
            "option-invalid",
            name="by",
            value=by,
        )
    if isinstance(by, Mapping):
        return by.items()
    columns = frame_columns(by)
    if columns is not None:
        return columns
    if isinstance(by, (list, tuple)) and any(_is_column(value) for value in by):
        raise OptionError(
            "by is a list of columns; give a dict with their names, as in by={'area': …, 'week': …}, or a data frame",
            "option-invalid",
            name="by",
            value=by,
        )
    name = getattr(by, "name", None)
    has_name = isinstance(name, (int, np.integer)) or (isinstance(name, str) and name)
    return [(name if has_name else "group", by)]


def groups(by: Any, length: int) -> Groups:
    """Return the groups of this number of rows."""
    columns = [(str(name), values) for name, values in _columns(by)]
    if not columns:
        raise OptionError("by has no columns", "option-invalid", name="by", value=by)
    duplicates = [name for name, times in Counter(name for name, _ in columns).items() if times > 1]
    if duplicates:
        raise OptionError(
            f"by: several columns are called '{duplicates[0]}'; rename all but one",
            "column-twice",
            column=duplicates[0],
        )
    parts: list[tuple[str, NDArray[np.uint32], list[Any]]] = []
    for name, values in columns:
        rows, distinct = factorize(values, f"by: '{name}'")
        if len(rows) != length:
            raise ScoreError(
                f"by: '{name}' has {len(rows)} {'value' if len(rows) == 1 else 'values'} but there are {length} test "
                "scores; give one for each score",
                "length-mismatch",
                column=name,
                values=len(rows),
                others=length,
            )
        parts.append((name, rows, distinct))
    name, codes, distinct = parts[0]
    if len(parts) == 1:
        return Groups(codes, {name: distinct}, len(distinct))
    for _, rows, _ in parts[1:]:
        codes, first = _core.factorize_pairs(codes, rows)
    return Groups(codes, {name: [distinct[code] for code in rows[first]] for name, rows, distinct in parts}, len(first))
