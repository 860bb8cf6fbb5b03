"""Sizes of groups: by the values of the groups, or in a column that is constant within a group."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from truecount._columns import is_pandas, numbers, python_value, same_index, short_repr
from truecount._conditions import OptionError, ScoreError
from truecount._groups import Groups
from truecount._options import to_float

__all__ = ["NO_TOTAL", "TotalOptions", "group_sizes"]

TotalOptions = tuple[bool, Optional[NDArray[np.float64]], Optional[NDArray[np.float64]]]
"""Whether the total is estimated, the weights of the groups in it, and their population sizes."""

NO_TOTAL: TotalOptions = (False, None, None)
"""Options without a total and without population sizes."""


def group_sizes(sizes: Any, name: str, groups: Groups, scores: Any) -> NDArray[np.float64]:
    """Return the size of each group, by its number."""
    if isinstance(sizes, (int, float, np.number, str, bytes)):
        raise OptionError(
            f"{name} is {short_repr(sizes)}; groups have a size each: give a dict or Series by group, or a column",
            "option-invalid",
            name=name,
            value=sizes,
        )
    rows = len(groups.rows)
    if isinstance(sizes, Mapping):
        return _sizes_by_group(sizes.items(), name, groups)
    if is_pandas(sizes, "Series"):
        index = scores.index if is_pandas(scores, "Series") else None
        if not (len(sizes) == rows if index is None else sizes.index.equals(index)):
            return _sizes_by_group(sizes.items(), name, groups)
    same_index(name, sizes, "test_scores", scores)
    column = numbers(sizes, name)
    if len(column) != rows:
        raise ScoreError(
            f"{name} has {len(column)} values but there are {rows} test scores; give one for each score, or a "
            "dict or Series by group",
            "length-mismatch",
            column=name,
            values=len(column),
            others=rows,
        )
    result = np.empty(groups.number)
    result[groups.rows] = column
    different = np.flatnonzero((result[groups.rows] != column) & (column == column))
    if len(different):
        row = int(different[0])
        group = int(groups.rows[row])
        raise OptionError(
            f"{name} has both {column[row]:g} and {result[group]:g} in the group {_group_repr(groups, group)}; a "
            "group has one size",
            "sizes-differ",
            name=name,
            group=_group_dict(groups, group),
        )
    return np.array([_to_size(size, name, groups, group) for group, size in enumerate(result)])


def _sizes_by_group(items: Any, name: str, groups: Groups) -> NDArray[np.float64]:
    several = len(groups.values) > 1
    known: dict[tuple[Any, ...], Any] = {}
    for key, size in items:
        values = tuple(map(python_value, key)) if several and isinstance(key, tuple) else (python_value(key),)
        if values in known:
            raise OptionError(
                f"{name} has two sizes of the group {short_repr(key)}; a group has one size",
                "sizes-differ",
                name=name,
                group=dict(zip(groups.values, values)),
            )
        known[values] = size
    result = np.empty(groups.number)
    for group, values in enumerate(zip(*groups.values.values())):
        if values not in known:
            raise OptionError(
                f"{name} has no size of the group {_group_repr(groups, group)}; add it",
                "size-missing",
                name=name,
                group=_group_dict(groups, group),
            )
        result[group] = _to_size(known.pop(values), name, groups, group)
    for values in known:
        raise OptionError(
            f"{name} has a size of {short_repr(values if several else values[0])}, a group without scores; leave "
            "it out if the whole is to be without it",
            "size-unused",
            name=name,
            group=dict(zip(groups.values, values)),
        )
    return result


def _to_size(size: Any, name: str, groups: Groups, group: int) -> float:
    must = f"the size of a group, as of {_group_repr(groups, group)}, is a number above 0"
    number = to_float(size, name, must)
    if not (number > 0 and isfinite(number)):
        raise OptionError(f"{name} is {short_repr(size)}; {must}", "option-invalid", name=name, value=size)
    return number


def _group_dict(groups: Groups, group: int) -> dict[str, Any]:
    return {name: values[group] for name, values in groups.values.items()}


def _group_repr(groups: Groups, group: int) -> str:
    values = tuple(_group_dict(groups, group).values())
    return short_repr(values if len(values) > 1 else values[0])
