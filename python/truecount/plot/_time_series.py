"""Plots of estimates against time."""

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

__all__ = ["parse_dates", "plot_over_time"]

ticks: Any = matplotlib_dates
"""The module without types, as its functions have none."""

_MAX_WHISKERS = 16
"""Largest number of whiskers per inch; with more, intervals are bands."""

_GAP = 1.6
"""Length of a gap as a multiple of the usual distance; months and quarters do not vary as much."""

_TICK, _SHORT_TICK = 0.085, 0.05
"""Inches per point of the font size: width of the label 2026-W05, and of matplotlib's labels."""

_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})")
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")


def _parse_text(text: str) -> tuple[datetime, str] | None:
    """Return when a period begins, and its form."""
    try:
        if match := _WEEK.fullmatch(text):
            return datetime.fromisocalendar(int(match[1]), int(match[2]), 1), "week"
        if match := _QUARTER.fullmatch(text):
            return datetime(int(match[1]), 3 * int(match[2]) - 2, 1), "quarter"
        if match := _MONTH.fullmatch(text):
            return datetime(int(match[1]), int(match[2]), 1), "month"
        # A year alone, or eight digits, may be a number.
        return (datetime.fromisoformat(text), "day") if text[4:5] == "-" else None
    except ValueError:
        return None


def _parse_value(value: Any) -> tuple[datetime, str] | None:
    if isinstance(value, str):
        return _parse_text(value)
    if is_pandas(value, "Period"):
        form = {"W": "week", "Q": "quarter", "M": "month"}.get(value.freqstr[0], "day")
        return value.start_time.to_pydatetime(), form
    if isinstance(value, datetime):
        return value, "day"
    return (datetime(value.year, value.month, value.day), "day") if isinstance(value, date) else None


def parse_dates(values: NDArray[Any]) -> tuple[NDArray[np.datetime64], str] | None:
    """Return when groups begin, and the form of their dates; None if a value is not a date.

    Missing values are NaT.
    """
    if values.dtype.kind == "M":
        return (values.astype("datetime64[us]"), "day") if not np.isnat(values).all() else None
    known = [value for value in values if value is not None and value != ""]
    if not known:
        return None
    parsed: dict[Any, tuple[datetime, str]] = {}
    for value in known:
        moment = _parse_value(value)
        if moment is None:
            return None
        parsed[value] = moment
    missing = np.datetime64("NaT", "us")
    one_zone = len({str(moment.tzinfo) for moment, _ in parsed.values()}) == 1

    def begin(value: Any) -> np.datetime64:
        if value not in parsed:
            return missing
        moment = parsed[value][0]
        # Numpy has no zones: local times if there is one zone, and otherwise UTC.
        offset = None if one_zone else moment.utcoffset()
        return np.datetime64(moment.replace(tzinfo=None) - (offset or moment - moment), "us")

    forms = {form for _, form in parsed.values()}
    form = next(form for form in ("day", "week", "month", "quarter") if form in forms)
    return np.array([begin(value) for value in values], dtype="datetime64[us]"), form


def _usual_distance(x: NDArray[np.datetime64]) -> float:
    """Return the lower median of the distances between neighbours."""
    return float(np.quantile(np.diff(x).astype(np.int64), 0.5, method="lower"))


def _runs(x: NDArray[np.datetime64]) -> Sequence[NDArray[np.intp]]:
    """Return the indices of runs without a gap."""
    distances = np.diff(x).astype(np.int64)
    if len(distances) == 0:
        return [np.arange(len(x))]
    return np.split(np.arange(len(x)), np.flatnonzero(distances > _GAP * _usual_distance(x)) + 1)


def _set_ticks(ax: Axes, first: np.datetime64, last: np.datetime64, form: str) -> None:
    """Set ticks at calendar dates, as many as there is space for."""
    days = (last - first).astype(int)
    font_size = FontProperties(size=rcParams["xtick.labelsize"]).get_size_in_points()
    max_ticks = max(2, int(inches_wide(ax) / (_TICK * font_size)))
    max_short_ticks = int(inches_wide(ax) / (_SHORT_TICK * font_size))
    if form == "week" and days < 3 * 366:
        every = max(1, math.ceil((days / 7 + 1) / max_ticks))
        # Matplotlib's own locator of weekdays searches for minutes in long intervals.
        ax.xaxis.set_major_locator(FixedLocator(ticks.date2num(np.arange(first, last + 1, 7 * every))))
        ax.xaxis.set_major_formatter(ticks.DateFormatter("%G-W%V"))
    elif form == "quarter" and days < 3 * 366:
        every = math.ceil((days / 91 + 1) / max_ticks)
        ax.xaxis.set_major_locator(ticks.MonthLocator((1, 4, 7, 10) if every == 1 else (1, 7) if every == 2 else (1,)))

        def format_quarter(day: float, _: int) -> str:
            moment = ticks.num2date(day)
            return f"{moment.year}-Q{(moment.month + 2) // 3}"

        ax.xaxis.set_major_formatter(FuncFormatter(format_quarter))
    else:
        # With fewer ticks the locator finds no interval for some spans, and warns.
        min_ticks = 3 if max_short_ticks >= 6 else 2
        locator = ticks.AutoDateLocator(minticks=min_ticks, maxticks=max(5, max_short_ticks + 1))
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ticks.ConciseDateFormatter(locator))


def _bands(
    ax: Axes, style: Series, grey: NDArray[np.bool_], x: NDArray[np.datetime64], ends: NDArray[np.float64]
) -> None:
    """Draw a band in the series' colour, and in grey between grey points and their neighbours."""
    near_grey = grey | np.append(grey[1:], False) | np.append(False, grey[:-1])
    for colour, where in ((style.color, ~grey), (GREY, near_grey)):
        for run in np.split(np.arange(len(x)), np.flatnonzero(np.diff(where)) + 1):
            if where[run[0]]:
                ax.fill_between(x[run], ends[run, 0], ends[run, 1], color=colour, alpha=0.2, linewidth=0)


def plot_over_time(
    ax: Axes,
    estimates: Estimates,
    lines: Sequence[tuple[NDArray[np.intp], Series]],
    begins: NDArray[np.datetime64],
    form: str,
) -> None:
    """Draw prevalences against time with whiskers, or bands for many; gaps stay empty."""
    whiskers = sum(len(rows) for rows, _ in lines) <= _MAX_WHISKERS * inches_wide(ax)
    all_grey = unreliable(estimates)
    for index, (all_rows, style) in enumerate(lines):
        known = all_rows[~np.isnat(begins[all_rows])]
        rows = known[np.argsort(begins[known], kind="stable")]
        x, prevalence, ends, grey = begins[rows], estimates.prevalence[rows], estimates.interval[rows], all_grey[rows]
        if whiskers and len(lines) > 1 and len(x) > 1:
            # Whiskers at the same date lie side by side.
            x = x + np.timedelta64(int(0.12 * _usual_distance(x) * (index - (len(lines) - 1) / 2)), "us")
        line = {"linestyle": style.line}
        for run in _runs(x):
            if whiskers or len(run) == 1:
                ax.vlines(x[run], ends[run, 0], ends[run, 1], colors=shades(style, grey[run]), linewidth=1.5)
                points(ax, style, grey[run], x[run], prevalence[run], 4.5, linewidth=0.7, **line)
            else:
                _bands(ax, style, grey[run], x[run], ends[run])
                points(ax, style, grey[run], x[run], prevalence[run], 3.0, linewidth=1.2, marker="", **line)
        if style.label:
            line_style = style.line_style if whiskers else {**style.line_style, "marker": ""}
            ax.plot([], [], label=style.label, **line_style)
    dated = begins[~np.isnat(begins)]
    if len(dated) < len(begins):
        note(ax, f"without a date: {len(begins) - len(dated)} of {len(begins)}")
    _set_ticks(ax, dated.min().astype("M8[D]"), dated.max().astype("M8[D]"), form)
    ax.set_ylim(0.0, min(1.02, ax.get_ylim()[1]))
