"""Estimates of groups that are dates, against time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import dates as matplotlib_dates
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from truecount._results import Estimates
from truecount._table import percent
from truecount.plot._axes import legend_beside, new_axes, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Line", "dates", "over_time"]

ticks: Any = matplotlib_dates
"""Its functions have no types."""

_MOST_WHISKERS = 80
"""Of a picture; with more of them there are bands."""

_GAP = 1.6
"""Times the usual distance: of months and quarters none is that long."""

_MOST_TICKS = 6

_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})")
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")


@dataclass(frozen=True)
class Line:
    """Rows of a table, a point in time for each, and the name of what they have in common."""

    name: str
    rows: NDArray[np.intp]


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
        moment = _of_text(value) if isinstance(value, str) else (value, "day") if isinstance(value, datetime) else None
        if isinstance(value, date) and moment is None:
            moment = datetime(value.year, value.month, value.day), "day"
        if moment is None:
            return None
        found[value] = moment
    missing = np.datetime64("NaT", "us")

    def begins(value: Any) -> np.datetime64:
        if value not in found:
            return missing
        moment = found[value][0]
        # Numpy has no zones: the same instants.
        return np.datetime64(moment.replace(tzinfo=None) - (moment.utcoffset() or moment - moment), "us")

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


def _ticks(ax: Axes, days: float, form: str) -> None:
    """Ticks where calendars have them."""
    if form == "week" and days < 3 * 366:
        every = max(1, round(days / 7 / _MOST_TICKS + 0.5))
        ax.xaxis.set_major_locator(ticks.WeekdayLocator(ticks.MO, interval=every))
        ax.xaxis.set_major_formatter(ticks.DateFormatter("%G-W%V"))
    elif form == "quarter" and days < 3 * 366:
        months = (1, 4, 7, 10) if days <= 92 * _MOST_TICKS else (1, 7)
        ax.xaxis.set_major_locator(ticks.MonthLocator(months))

        def named(day: float, _: int) -> str:
            moment = ticks.num2date(day)
            return f"{moment.year}-Q{(moment.month + 2) // 3}"

        ax.xaxis.set_major_formatter(FuncFormatter(named))
    else:
        locator = ticks.AutoDateLocator(minticks=3, maxticks=_MOST_TICKS + 1)
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ticks.ConciseDateFormatter(locator))


def over_time(estimates: Estimates, lines: Sequence[Line], begins: NDArray[np.datetime64], form: str, ax: Axes | None) -> Axes:
    """Prevalences with their intervals where they stand in time, whiskers or, of many, bands; gaps stay gaps."""
    ax = new_axes(ax)
    whiskers = sum(len(line.rows) for line in lines) <= _MOST_WHISKERS
    for place, line in enumerate(lines):
        known = line.rows[~np.isnat(begins[line.rows])]
        rows = known[np.argsort(begins[known], kind="stable")]
        style = series(place)
        at, prevalence, ends = begins[rows], estimates.prevalence[rows], estimates.interval[rows]
        if whiskers and len(lines) > 1 and len(at) > 1:
            # Lines at the same date lie beside each other.
            at = at + np.timedelta64(int(0.12 * _usual(at) * (place - (len(lines) - 1) / 2)), "us")
        for run in _runs(at):
            if whiskers or len(run) == 1:
                ax.vlines(at[run], ends[run, 0], ends[run, 1], color=style["color"], linewidth=1.5)
                ax.plot(at[run], prevalence[run], linewidth=0.7, markersize=4.5, **style)
            else:
                ax.fill_between(at[run], ends[run, 0], ends[run, 1], color=style["color"], alpha=0.2, linewidth=0)
                ax.plot(at[run], prevalence[run], color=style["color"], linewidth=1.2)
        ax.plot([], [], label=line.name, **({**style, "marker": style["marker"] if whiskers else ""}))
    there = begins[~np.isnat(begins)]
    _ticks(ax, (there.max() - there.min()) / np.timedelta64(1, "D"), form)
    ax.set_ylim(0.0, min(1.02, ax.get_ylim()[1]))
    ax.set_ylabel(f"prevalence, {percent(estimates.level)} % interval")
    if len(lines) > 1:
        legend_beside(ax)
    return ax
