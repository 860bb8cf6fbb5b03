"""Lines of text about warnings. A table has each kind of warning once, the most severe first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from truecount._conditions import EstimateWarning

__all__ = ["grouped_warning_lines", "max_severity", "severity_mark", "warning_lines"]

_MARKS = {"note": "", "caution": "*", "unreliable": "†"}
"""The mark next to an estimate by severity, in ascending order."""

_SEVERITIES = [*_MARKS]

_MAX_NAMES = 5


def max_severity(warnings: Iterable[EstimateWarning]) -> str | None:
    """Return the highest severity; None without warnings."""
    return max((warning.severity for warning in warnings), key=_SEVERITIES.index, default=None)


def severity_mark(severity: str | None) -> str:
    """Return the mark next to an estimate whose highest severity is this."""
    return "" if severity is None else _MARKS[severity]


def warning_lines(warnings: Iterable[EstimateWarning]) -> list[str]:
    """Return a line for each warning of a single result."""
    return [f"{warning.severity} ({warning.code}): {warning}" for warning in warnings]


def grouped_warning_lines(rows: Sequence[tuple[str, Iterable[EstimateWarning]]]) -> list[str]:
    """Return a line for each kind of warning of these named rows."""
    by_code: dict[str, list[tuple[str, EstimateWarning]]] = {}
    for name, warnings in rows:
        for warning in warnings:
            by_code.setdefault(warning.code, []).append((name, warning))
    kinds = sorted(by_code.values(), key=lambda kind: -_SEVERITIES.index(kind[0][1].severity))
    return [_line(kind, len(rows)) for kind in kinds]


def _line(warned: Sequence[tuple[str, EstimateWarning]], rows: int) -> str:
    """Return the line about one kind of warning, which these named rows have."""
    name, first = warned[0]
    more = f" and {len(warned) - _MAX_NAMES} more" if len(warned) > _MAX_NAMES else ""
    names = ", ".join(name for name, _ in warned[:_MAX_NAMES]) + more
    where = "" if rows == 1 else " – all rows" if len(warned) == rows else f" – {names}"
    example = f" (as of {name})" if len({str(warning) for _, warning in warned}) > 1 else ""
    return f"{_MARKS[first.severity]} {first.severity}, {first.code}{where}: {first}{example}".strip()
