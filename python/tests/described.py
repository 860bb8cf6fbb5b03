"""Described tables beside the command's JSON."""

from __future__ import annotations

import json
import math
from typing import Any

from truecount._result_table import ResultTable


def _same(value: Any, other: Any) -> bool:
    """JSON has neither infinity nor NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return other is None
    if isinstance(value, tuple):
        return [warning.code for warning in value] == [warning["code"] for warning in other]
    return bool(value == other)


def assert_same(
    found: ResultTable, printed: str, table: str, groups: tuple[str, ...] = (), but: tuple[str, ...] = ()
) -> None:
    """Every number of every row, to the last bit, and the same columns but for these, which only JSON has."""
    rows = json.loads(printed)[table]
    assert len(rows) == len(found)
    assert found.columns == [*groups, *(name for name in rows[0] if name not in ("group", *but))]
    for row, own in zip(rows, found):
        for name in found.columns:
            other = row["group"][name] if name in groups else row[name]
            assert _same(own[name], other), (name, own[name], other)
