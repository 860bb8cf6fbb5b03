"""Comparison of result tables with the command's JSON."""

from __future__ import annotations

import json
import math
from typing import Any

from truecount._table import ResultTable


def _same(value: Any, other: Any) -> bool:
    """Returns whether a value equals one of JSON, which has null for infinity and NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return other is None
    if isinstance(value, tuple):
        return [warning.code for warning in value] == [warning["code"] for warning in other]
    return bool(value == other)


def assert_same(
    actual: ResultTable, printed: str, table: str, groups: tuple[str, ...] = (), but: tuple[str, ...] = ()
) -> None:
    """Asserts equal columns and bitwise equal numbers. JSON has the columns `but` in addition."""
    rows = json.loads(printed)[table]
    assert len(rows) == len(actual)
    assert actual.columns == [*groups, *(name for name in rows[0] if name not in ("group", *but))]
    for row, own in zip(rows, actual):
        for name in actual.columns:
            other = row["group"][name] if name in groups else row[name]
            assert _same(own[name], other), (name, own[name], other)
