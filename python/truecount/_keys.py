"""The values that make groups, as tally files hold them: columns of one type each.

A column is written as its kind, plain values and, of points in time, a zone; `read` gives back what `written` took.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from truecount._columns import shown
from truecount._conditions import TallyError

__all__ = ["Column", "read", "written"]

Column = tuple[str, list[Any], "str | None"]
"""The kind of a column, its values, and the zone of points in time."""

_EPOCH = datetime(1970, 1, 1)
_DAY = date(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)


def written(name: str, values: Sequence[Any]) -> Column:
    """The column of that name.

    Raises
    ------
    TallyError
        For values that have no type there, or several.
    """
    given = [value for value in values if value is not None]
    kinds = set(map(type, given))

    def column(kind: str, plain: Any = None, zone: str | None = None) -> Column:
        return kind, [None if value is None else plain(value) if plain else value for value in values], zone

    if kinds <= {str}:
        return column("text")
    if kinds == {bool}:
        return column("flag")
    if kinds == {int} and -(2**63) <= min(given) and max(given) < 2**63:
        return column("whole")
    if kinds == {int} and min(given) >= 0 and max(given) < 2**64:
        return column("natural")
    if kinds == {float}:
        return column("float")
    if kinds == {date}:
        return column("date", lambda value: (value - _DAY).days)
    if kinds == {time} and all(value.tzinfo is None for value in given):
        return column("clock", _microseconds_of_day)
    if kinds == {Decimal} and all(value.is_finite() for value in given):
        return column("decimal", lambda value: f"{value:f}")
    zones = {_zone(value) for value in given}
    if kinds == {datetime} and (zones == {None} or None not in zones):
        return column("us", _microseconds, zones.pop() if len(zones) == 1 else "UTC")
    if kinds <= {datetime, np.datetime64} and zones == {None}:
        return column("ns", lambda value: int(np.datetime64(value, "ns").astype(np.int64)))
    if len(kinds) > 1:
        first, second = shown(given[0]), shown(next(value for value in given if type(value) is not type(given[0])))
        what = f"by: '{name}' has values of several types, such as {first} and {second}; a tally file takes one: make them the same"
    else:
        what = (
            f"by: '{name}' has the value {shown(given[0])}, of a type that a tally file does not know; make text of it"
        )
    raise TallyError(what, "group-not-writable", column=name, value=given[0])


def read(kind: str, values: list[Any], zone: str | None) -> list[Any]:
    """The values of a column."""
    if kind == "date":
        return [value if value is None else _DAY + timedelta(days=value) for value in values]
    if kind == "clock":
        return [value if value is None else (_EPOCH + value * _MICROSECOND).time() for value in values]
    if kind == "decimal":
        return [value if value is None else Decimal(value) for value in values]
    if kind in ("s", "ms", "us", "ns"):
        return [value if value is None else _time(np.array(value, f"datetime64[{kind}]")[()], zone) for value in values]
    return values


def _microseconds(value: datetime) -> int:
    """Since 1970, at zero longitude for a value with a zone."""
    plain = value if value.tzinfo is None else value.astimezone(timezone.utc).replace(tzinfo=None)
    return (plain - _EPOCH) // _MICROSECOND


def _microseconds_of_day(value: time) -> int:
    return (datetime.combine(_DAY, value) - _EPOCH) // _MICROSECOND


def _time(value: Any, zone: str | None) -> Any:
    """As Python has it; nanoseconds, which it has not, as numpy does."""
    known = value.astype("datetime64[us]")
    if known != value:
        return value
    plain: datetime = known.item()
    return plain if zone is None else plain.replace(tzinfo=timezone.utc).astimezone(_named(zone))


def _zone(value: Any) -> str | None:
    """The zone of a point in time, by its name or else by its distance from zero longitude; none of what has no zone."""
    zone = getattr(value, "tzinfo", None)
    if zone is None:
        return None
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    return name or ("UTC" if zone is timezone.utc else value.strftime("%z"))


def _named(zone: str) -> tzinfo:
    if zone[:1] in "+-":
        found = datetime.strptime(zone, "%z").tzinfo
        assert found is not None
        return found
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):  # The system has no table of zones: the same instants.
        return timezone.utc
