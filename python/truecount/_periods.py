"""Periods of time that dates are grouped by."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import factorize
from truecount._names import Period
from truecount._options import choice

__all__ = ["periods"]


def periods(dates: Any, every: Period) -> NDArray[np.object_]:
    """Return the period of each date, as values for `by`.

    Parameters
    ----------
    dates : array-like
        Dates or points in time, or texts such as 2026-01-31, with a time or without, 31.1.2026, and
        31/1/2026 or 1/31/2026 if a date shows whether the day comes first. A UTC offset of a text
        is ignored. A missing date stays missing.
    every : {"hour", "day", "week", "month", "quarter", "year"}
        The period. A week begins on Monday.

    Returns
    -------
    numpy.ndarray
        Texts such as 2026-01-31 12:00, 2026-01-31, 2026-W05, 2026-01, 2026-Q1 and 2026, or None.

    Raises
    ------
    OptionError
        If a date is not in one period: it is another text, it is longer than the period, or day
        and month may be in either order.

    Examples
    --------
    >>> import truecount as tc
    >>> tc.periods(["2026-01-31 12:30", "2026-02-01", None], "week").tolist()
    ['2026-W05', '2026-W05', None]
    """
    rows, distinct = factorize(dates, "dates")
    texts = [None if value is None else _text(value) for value in distinct]
    names = np.array(_core.periods(texts, choice(every, "every", "periods")), dtype=object)
    return names[rows]


def _text(value: Any) -> str:
    """Return a date as text, with its time even at midnight."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, np.datetime64) and np.datetime_data(value.dtype)[0] not in ("Y", "M", "W", "D"):
        return str(np.datetime_as_string(value, unit="s"))
    return str(value)
