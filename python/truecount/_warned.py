"""Warnings below a result: of a table each kind once, the gravest first, with the rows that have it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from truecount._conditions import Caveat

__all__ = ["gravest", "marks", "said", "warned"]

_MARKS = {"note": "", "caution": "*", "unreliable": "†"}
"""What stands beside an estimate, from the least grave to the gravest."""

_GRAVITY = [*_MARKS]

_MOST_NAMED = 5


def gravest(warnings: Iterable[Caveat]) -> str | None:
    """How grave the gravest is."""
    return max((warning.severity for warning in warnings), key=_GRAVITY.index, default=None)


def marks(severity: str | None) -> str:
    """What stands beside an estimate whose gravest warning is so grave."""
    return "" if severity is None else _MARKS[severity]


def said(warnings: Iterable[Caveat]) -> list[str]:
    """A sentence for each warning of a single result."""
    return [f"{warning.severity} ({warning.code}): {warning}" for warning in warnings]


def warned(rows: Sequence[tuple[str, Iterable[Caveat]]]) -> list[str]:
    """A sentence for each kind of warning that named rows have."""
    found: dict[str, list[tuple[str, Caveat]]] = {}
    for name, warnings in rows:
        for warning in warnings:
            found.setdefault(warning.code, []).append((name, warning))
    kinds = sorted(found.values(), key=lambda of: -_GRAVITY.index(of[0][1].severity))
    return [_of_kind(of, len(rows)) for of in kinds]


def _of_kind(found: Sequence[tuple[str, Caveat]], rows: int) -> str:
    name, first = found[0]
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    named = ", ".join(name for name, _ in found[:_MOST_NAMED]) + more
    where = "" if rows == 1 else " – all rows" if len(found) == rows else f" – {named}"
    example = f" (as of {name})" if len({str(warning) for _, warning in found}) > 1 else ""
    return f"{_MARKS[first.severity]} {first.severity}, {first.code}{where}: {first}{example}".strip()
