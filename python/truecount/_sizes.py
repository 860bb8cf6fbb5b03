"""Sizes of groups: by the values that make them, or in a column that is the same throughout a group."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from truecount._columns import is_pandas, numbers, plain, same_index, shown
from truecount._conditions import OptionError, ScoreError
from truecount._groups import Groups
from truecount._options import real

__all__ = ["NOTHING", "Summed", "sizes"]

Summed = tuple[bool, Optional[NDArray[np.float64]], Optional[NDArray[np.float64]]]
"""Whether all groups together are asked for, the weight of each group in them, and its size in the population."""

NOTHING: Summed = (False, None, None)
"""Nothing is asked of the groups together."""


def sizes(given: Any, name: str, groups: Groups, scores: Any) -> NDArray[np.float64]:
    """The size of every group, in the order of their numbers."""
    if isinstance(given, (int, float, np.number, str, bytes)):
        raise OptionError(
            f"{name} is {shown(given)}; groups have a size each: give a dict or Series by group, or a column",
            "option-invalid",
            name=name,
            value=given,
        )
    rows = len(groups.rows)
    if isinstance(given, Mapping):
        return _by_group(given.items(), name, groups)
    if is_pandas(given, "Series"):
        index = scores.index if is_pandas(scores, "Series") else None
        if not (len(given) == rows if index is None else given.index.equals(index)):
            return _by_group(given.items(), name, groups)
    same_index(name, given, "test_scores", scores)
    column = numbers(given, name)
    if len(column) != rows:
        raise ScoreError(
            f"{name} has {len(column)} values but there are {rows} test scores; give one for each score, or a dict or Series by group",
            "length-mismatch",
            column=name,
            values=len(column),
            others=rows,
        )
    found = np.empty(groups.number)
    found[groups.rows] = column
    others = np.flatnonzero((found[groups.rows] != column) & (column == column))
    if len(others):
        row = int(others[0])
        place = groups.rows[row]
        raise OptionError(
            f"{name} has both {column[row]:g} and {found[place]:g} in the group {_shown(groups, int(place))}; a group has one size",
            "sizes-differ",
            name=name,
            group=_named(groups, int(place)),
        )
    return np.array([_checked(size, name, groups, place) for place, size in enumerate(found)])


def _by_group(items: Any, name: str, groups: Groups) -> NDArray[np.float64]:
    several = len(groups.values) > 1
    known: dict[tuple[Any, ...], Any] = {}
    for key, size in items:
        values = tuple(map(plain, key)) if several and isinstance(key, tuple) else (plain(key),)
        if values in known:
            raise OptionError(
                f"{name} has two sizes of the group {shown(key)}; a group has one size",
                "sizes-differ",
                name=name,
                group=dict(zip(groups.values, values)),
            )
        known[values] = size
    found = np.empty(groups.number)
    for place, values in enumerate(zip(*groups.values.values())):
        if values not in known:
            raise OptionError(
                f"{name} has no size of the group {_shown(groups, place)}; add it",
                "size-missing",
                name=name,
                group=_named(groups, place),
            )
        found[place] = _checked(known.pop(values), name, groups, place)
    for values in known:
        raise OptionError(
            f"{name} has a size of {shown(values if several else values[0])}, a group without scores; leave it out if the whole is to "
            "be without it",
            "size-unused",
            name=name,
            group=dict(zip(groups.values, values)),
        )
    return found


def _checked(size: Any, name: str, groups: Groups, place: int) -> float:
    must = f"the size of a group, as of {_shown(groups, place)}, is a number above 0"
    found = real(size, name, must)
    if not (found > 0 and isfinite(found)):
        raise OptionError(f"{name} is {shown(size)}; {must}", "option-invalid", name=name, value=size)
    return found


def _named(groups: Groups, place: int) -> dict[str, Any]:
    return {name: values[place] for name, values in groups.values.items()}


def _shown(groups: Groups, place: int) -> str:
    values = tuple(_named(groups, place).values())
    return shown(values if len(values) > 1 else values[0])
