"""Estimates of groups that are dates, against time."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import dates as matplotlib_dates
from matplotlib import rcParams
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FixedLocator, FuncFormatter
from numpy.typing import NDArray

from truecount._columns import is_pandas
from truecount._results import Estimates
from truecount.plot._axes import GREY, inches_wide
from truecount.plot._legend import note
from truecount.plot._points import points, shades, unreliable
from truecount.plot._series import Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["dates", "over_time"]

ticks: Any = matplotlib_dates
"""Its functions have no types."""

_MOST_WHISKERS = 16
"""An inch; with more of them there are bands."""

_GAP = 1.6
"""Times the usual distance: of months and quarters none is that long."""

_TICK, _SHORT_TICK = 0.085, 0.05
"""Inches that 2026-W05 needs for each point of its letters' size, and what matplotlib writes."""

_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})")
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")


def _of_text(text: str) -> tuple[datetime, str] | None:
    """When a date begins, and its form."""
    try:
        if found := _WEEK.fullmatch(text):
            return datetime.fromisocalendar(int(found[1]), int(found[2]), 1), "week"
        if found := _QUARTER.fullmatch(text):
            return datetime(int(found[1]), 3 * int(found[2]) - 2, 1), "quarter"
        if found := _MONTH.fullmatch(text):
            return datetime(int(found[1]), int(found[2]), 1), "month"
        # A year alone, or eight digits, may be a number.
        return (datetime.fromisoformat(text), "day") if text[4:5] == "-" else None
    except ValueError:
        return None


def _of_value(value: Any) -> tuple[datetime, str] | None:
    if isinstance(value, str):
        return _of_text(value)
    if is_pandas(value, "Period"):
        return value.start_time.to_pydatetime(), {"W": "week", "Q": "quarter", "M": "month"}.get(
            value.freqstr[0], "day"
        )
    if isinstance(value, datetime):
        return value, "day"
    return (datetime(value.year, value.month, value.day), "day") if isinstance(value, date) else None


def dates(values: NDArray[Any]) -> tuple[NDArray[np.datetime64], str] | None:
    """When groups begin, and the form in which their dates are written; none of what is no date.

    What is missing is NaT.
    """
    if values.dtype.kind == "M":
        return (values.astype("datetime64[us]"), "day") if not np.isnat(values).all() else None
    known = [value for value in values if value is not None and value != ""]
    if not known:
        return None
    found: dict[Any, tuple[datetime, str]] = {}
    for value in known:
        moment = _of_value(value)
        if moment is None:
            return None
        found[value] = moment
    missing = np.datetime64("NaT", "us")
    one_zone = len({str(moment.tzinfo) for moment, _ in found.values()}) == 1

    def begins(value: Any) -> np.datetime64:
        if value not in found:
            return missing
        moment = found[value][0]
        # Numpy has no zones: what the clocks of the one zone show, or the same instants.
        offset = None if one_zone else moment.utcoffset()
        return np.datetime64(moment.replace(tzinfo=None) - (offset or moment - moment), "us")

    forms = {form for _, form in found.values()}
    form = next(form for form in ("day", "week", "month", "quarter") if form in forms)
    return np.array([begins(value) for value in values], dtype="datetime64[us]"), form


def _usual(at: NDArray[np.datetime64]) -> float:
    """The median of the distances between neighbours, of two the lesser."""
    return float(np.quantile(np.diff(at).astype(np.int64), 0.5, method="lower"))


def _runs(at: NDArray[np.datetime64]) -> Sequence[NDArray[np.intp]]:
    """Places without a gap between them."""
    distances = np.diff(at).astype(np.int64)
    if len(distances) == 0:
        return [np.arange(len(at))]
    return np.split(np.arange(len(at)), np.flatnonzero(distances > _GAP * _usual(at)) + 1)


def _ticks(ax: Axes, first: np.datetime64, last: np.datetime64, form: str) -> None:
    """Ticks where calendars have them, no more than there is room for."""
    days = (last - first).astype(int)
    letters = FontProperties(size=rcParams["xtick.labelsize"]).get_size_in_points()
    most = max(2, int(inches_wide(ax) / (_TICK * letters)))
    most_short = int(inches_wide(ax) / (_SHORT_TICK * letters))
    if form == "week" and days < 3 * 366:
        every = max(1, math.ceil((days / 7 + 1) / most))
        # Matplotlib's own locator of weekdays searches for minutes where intervals are long.
        ax.xaxis.set_major_locator(FixedLocator(ticks.date2num(np.arange(first, last + 1, 7 * every))))
        ax.xaxis.set_major_formatter(ticks.DateFormatter("%G-W%V"))
    elif form == "quarter" and days < 3 * 366:
        every = math.ceil((days / 91 + 1) / most)
        ax.xaxis.set_major_locator(ticks.MonthLocator((1, 4, 7, 10) if every == 1 else (1, 7) if every == 2 else (1,)))

        def named(day: float, _: int) -> str:
            moment = ticks.num2date(day)
            return f"{moment.year}-Q{(moment.month + 2) // 3}"

        ax.xaxis.set_major_formatter(FuncFormatter(named))
    else:
        # With fewer ticks it finds no interval for some spans, and says so.
        locator = ticks.AutoDateLocator(minticks=3 if most_short >= 6 else 2, maxticks=max(5, most_short + 1))
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ticks.ConciseDateFormatter(locator))


def _bands(
    ax: Axes, of: Series, grey: NDArray[np.bool_], at: NDArray[np.datetime64], ends: NDArray[np.float64]
) -> None:
    """A band in the series' colour, grey as far as the neighbours of what is grey."""
    near = grey | np.append(grey[1:], False) | np.append(False, grey[:-1])
    for colour, where in ((of.color, ~grey), (GREY, near)):
        for run in np.split(np.arange(len(at)), np.flatnonzero(np.diff(where)) + 1):
            if where[run[0]]:
                ax.fill_between(at[run], ends[run, 0], ends[run, 1], color=colour, alpha=0.2, linewidth=0)


def over_time(
    ax: Axes,
    estimates: Estimates,
    lines: Sequence[tuple[NDArray[np.intp], Series]],
    begins: NDArray[np.datetime64],
    form: str,
) -> None:
    """Prevalences with their intervals where they stand in time, whiskers or, of many, bands; gaps stay gaps."""
    whiskers = sum(len(rows) for rows, _ in lines) <= _MOST_WHISKERS * inches_wide(ax)
    all_grey = unreliable(estimates)
    for place, (all_rows, of) in enumerate(lines):
        known = all_rows[~np.isnat(begins[all_rows])]
        rows = known[np.argsort(begins[known], kind="stable")]
        at, prevalence, ends, grey = begins[rows], estimates.prevalence[rows], estimates.interval[rows], all_grey[rows]
        if whiskers and len(lines) > 1 and len(at) > 1:
            # Lines at the same date lie beside each other.
            at = at + np.timedelta64(int(0.12 * _usual(at) * (place - (len(lines) - 1) / 2)), "us")
        for run in _runs(at):
            if whiskers or len(run) == 1:
                ax.vlines(at[run], ends[run, 0], ends[run, 1], colors=shades(of, grey[run]), linewidth=1.5)
                points(ax, of, grey[run], at[run], prevalence[run], 4.5, linestyle=of.line, linewidth=0.7)
            else:
                _bands(ax, of, grey[run], at[run], ends[run])
                points(ax, of, grey[run], at[run], prevalence[run], 3.0, linestyle=of.line, linewidth=1.2, marker="")
        if of.label:
            ax.plot([], [], label=of.label, **(of.style if whiskers else {**of.style, "marker": ""}))
    there = begins[~np.isnat(begins)]
    if len(there) < len(begins):
        note(ax, f"without a date: {len(begins) - len(there)} of {len(begins)}")
    _ticks(ax, there.min().astype("M8[D]"), there.max().astype("M8[D]"), form)
    ax.set_ylim(0.0, min(1.02, ax.get_ylim()[1]))
