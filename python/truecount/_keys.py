"""Group values as the columns of tally files, which have one type each.

A column is written as its kind, plain values and, for points in time, a zone; `read_column` is the
inverse of `write_column`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from truecount._columns import short_repr
from truecount._conditions import TallyError

__all__ = ["Column", "read_column", "write_column"]

Column = tuple[str, list[Any], "str | None"]
"""The kind of a column, its values, and the zone if they are points in time."""

_EPOCH = datetime(1970, 1, 1)
_DAY = date(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)


def write_column(name: str, values: Sequence[Any]) -> Column:
    """Return the values of the column with this name in the form of tally files.

    Raises
    ------
    TallyError
        If the values have a type that tally files do not have, or several types.
    """
    present = [value for value in values if value is not None]
    kinds = set(map(type, present))

    def column(kind: str, convert: Any = None, zone: str | None = None) -> Column:
        return kind, [None if value is None else convert(value) if convert else value for value in values], zone

    if kinds <= {str}:
        return column("text")
    if kinds == {bool}:
        return column("flag")
    if kinds == {int} and -(2**63) <= min(present) and max(present) < 2**63:
        return column("whole")
    if kinds == {int} and min(present) >= 0 and max(present) < 2**64:
        return column("natural")
    if kinds == {float}:
        return column("float")
    if kinds == {date}:
        return column("date", lambda value: (value - _DAY).days)
    if kinds == {time} and all(value.tzinfo is None for value in present):
        return column("clock", _microseconds_of_day)
    if kinds == {Decimal} and all(value.is_finite() for value in present):
        return column("decimal", lambda value: f"{value:f}")
    zones = {_zone(value) for value in present}
    if kinds == {datetime} and (zones == {None} or None not in zones):
        return column("us", _microseconds, zones.pop() if len(zones) == 1 else "UTC")
    if kinds <= {datetime, np.datetime64} and zones == {None}:
        return column("ns", lambda value: int(np.datetime64(value, "ns").astype(np.int64)))
    if len(kinds) > 1:
        first, second = (
            short_repr(present[0]),
            short_repr(next(value for value in present if type(value) is not type(present[0]))),
        )
        message = (
            f"by: '{name}' has values of several types, such as {first} and {second}; a tally file takes one: "
            "make them the same"
        )
    else:
        value = short_repr(present[0])
        message = f"by: '{name}' has the value {value}, of a type that a tally file does not know; make text of it"
    raise TallyError(message, "group-not-writable", column=name, value=present[0])


def read_column(kind: str, values: list[Any], zone: str | None) -> list[Any]:
    """Return the values of a column of a tally file."""
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
    """Return the microseconds since 1970, in UTC if the value has a zone."""
    naive = value if value.tzinfo is None else value.astimezone(timezone.utc).replace(tzinfo=None)
    return (naive - _EPOCH) // _MICROSECOND


def _microseconds_of_day(value: time) -> int:
    return (datetime.combine(_DAY, value) - _EPOCH) // _MICROSECOND


def _time(value: Any, zone: str | None) -> Any:
    """Return a point in time as Python's type, or as numpy's if it has nanoseconds."""
    rounded = value.astype("datetime64[us]")
    if rounded != value:
        return value
    naive: datetime = rounded.item()
    return naive if zone is None else naive.replace(tzinfo=timezone.utc).astimezone(_time_zone(zone))


def _zone(value: Any) -> str | None:
    """Return the name of a time zone, or else its offset from UTC; None without a zone."""
    zone = getattr(value, "tzinfo", None)
    if zone is None:
        return None
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    return name or ("UTC" if zone is timezone.utc else value.strftime("%z"))


def _time_zone(zone: str) -> tzinfo:
    if zone[:1] in "+-":
        offset = datetime.strptime(zone, "%z").tzinfo
        assert offset is not None
        return offset
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):  # without a time zone database: the same instants in UTC
        return timezone.utc
