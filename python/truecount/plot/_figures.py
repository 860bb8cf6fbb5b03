"""The plots."""

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

from truecount import _core
from truecount._audit import Audit
from truecount._check import Check
from truecount._columns import Floats, is_pandas
from truecount._compare import Differences
from truecount._errors import max_severity, option_error
from truecount._monitor import MonitorResult
from truecount._options import to_float, to_int
from truecount._plan import Plans
from truecount._results import Estimate, Estimates
from truecount._table import format_p_value, format_value, p_value_phrase, percent
from truecount.evaluation import Evaluation
from truecount.plot._style import (
    BLUE, GREY, SHADE, VERMILION, Colors, Labels, Line, Series, bins, check_result, forest, inches_wide, legend,
    model_of, name, new_axes, note, note_severities, points, rows_axes, series, shades, unreliable,
)  # fmt: skip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


_MAX_GROUPS = 200

_MAX_SERIES = 7


def _rows_by_series(estimates: Estimates) -> dict[str, NDArray[np.intp]]:
    """Return the rows of each series: a method and the values of all group columns but the last.

    The names of series have the method if there are several, or no such columns.
    """
    others = [*estimates.groups.values()][:-1]
    rows: dict[str, list[int]] = {}
    several = len(set(estimates.method)) > 1 or not others
    for row, method in enumerate(estimates.method):
        parts = [format_value(column[row]) for column in others] + ([method] if several else [])
        rows.setdefault(", ".join(parts), []).append(row)
    return {series_name: np.array(indices) for series_name, indices in rows.items()}


def intervals(
    estimates: Estimate | Estimates, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Plot prevalences with their intervals, a line for each group, the first on top.

    If the last group column has dates, or texts such as 2026-01-31, 2026-01, 2026-W05 or 2026-Q1, prevalences are
    plotted against time. Each method and combination of the other columns is a series, of which there may be at most
    seven. Estimates that a warning calls unreliable are grey and hollow. The legend has their number, and the numbers
    of estimates with a caution and of estimates without a date, which are left out.

    Parameters
    ----------
    estimates : Estimate or Estimates
        The result of `truecount.estimate` or `truecount.estimate_each`, for at most 200 groups or
        test sets, or for any number of dates.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure with the height for its lines.
    colors : colour, sequence of colours or dict of str to colour, optional
        One colour for all series, a colour for each in their order, or colours by name. The series
        are the methods; against time also the values of the other columns ("north, es").
    labels : str, sequence of str or dict of str to str, optional
        Labels of the series in the legend, in the same forms.
    """
    if isinstance(estimates, Estimate):
        estimates = Estimates._from_estimate(estimates)
    check_result(estimates, Estimates, "estimates", "truecount.estimate")
    methods = list(dict.fromkeys(estimates.method.tolist()))
    axis = f"prevalence, {percent(estimates.level)} % interval"
    by_series = _rows_by_series(estimates)
    parsed = (
        parse_dates([*estimates.groups.values()][-1]) if estimates.groups and len(by_series) <= _MAX_SERIES else None
    )
    if parsed is not None and len(np.unique(parsed[0][~np.isnat(parsed[0])])) > 1:
        styles = series(ax, [*by_series], colors, labels, unnamed=len(by_series) == 1)
        ax = new_axes(ax)
        plot_over_time(ax, estimates, [*zip(by_series.values(), styles)], *parsed)
        ax.set_xlabel(name([*estimates.groups][-1]), loc="left")  # the year may be on the right
        ax.set_ylabel(axis)
        note_severities(ax, estimates.severity.tolist())
        return legend(ax)
    rows = np.arange(len(estimates)).reshape(-1, len(methods))
    if len(rows) > _MAX_GROUPS:
        hint = "choose some, by estimating those alone"
        raise option_error(
            "estimates",
            f"estimates are of {len(rows)} groups, more than the {_MAX_GROUPS} that a picture has room for; {hint}",
        )
    names = [name(", ".join(format_value(column[row]) for column in estimates.groups.values())) for row in rows[:, 0]]
    single = not estimates.groups
    styles = series(ax, methods, colors, labels, unnamed=len(methods) == 1 and not single)
    ax = rows_axes(ax, *((len(methods), 1) if single else rows.shape))
    if single:
        # For a single test set, the rows are methods instead of groups.
        names = [style.label for style in styles]
    grey = unreliable(estimates)
    lines = []
    for index, style in enumerate(styles):
        chosen = rows[:, index]
        y = np.array([index]) if single else np.arange(len(rows))
        lines.append(Line(style, y, estimates.prevalence[chosen], estimates.interval[chosen], grey[chosen]))
    forest(ax, names, lines, labelled=not single)
    largest = float(np.nanmax(np.append(estimates.interval, estimates.prevalence))) or 1.0
    ax.set_xlim(-0.02 * largest, 1.02 * largest)
    ax.set(xlabel=axis, ylabel=name(", ".join(estimates.groups)) or "method")
    note_severities(ax, estimates.severity.tolist())
    return legend(ax)


_MAX_POINTS = 40
"""Maximum number of periods whose intervals are drawn; for more, the band shows the uncertainty."""


def monitor(result: MonitorResult, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot a monitored series against time: periods, the smooth line with its band, the bound and the alarm.

    Periods with an unreliable estimate are left out.

    Parameters
    ----------
    result : MonitorResult
        The result of `Model.monitor`, whose periods are dates.
    ax, colors, labels : optional
        As in `intervals`; the series are "periods", "smoothed" and "alarm".
    """
    check_result(result, MonitorResult, "result", "Model.monitor")
    columns, by = result.to_dict(), result._groups[0]
    parsed = parse_dates(np.asarray(columns[by]))
    if parsed is None:
        raise option_error("result", "result has periods that are not dates; only dates can be plotted")
    level = percent(float(columns["level"][0]))
    defaults = {
        "periods": (GREY, "estimate"),
        "smoothed": (BLUE, f"smoothed, {level} % band"),
        "alarm": (VERMILION, ""),
    }
    periods, smoothed, alarm = series(ax, [*defaults], colors, labels, defaults)
    ax = new_axes(ax)
    begins, form = parsed
    shown = np.array([severity != "unreliable" for severity in columns["severity"]])
    x, share = begins[shown], columns["prevalence"][shown]
    few = len(begins) <= _MAX_POINTS
    if few:
        ax.vlines(x, columns["lower"][shown], columns["upper"][shown], colors=periods.color, linewidth=1.0)
    ax.plot(x, share, "o", color=periods.color, markersize=3.5, alpha=1.0 if few else 0.5, label=periods.label)
    ax.fill_between(
        begins, columns["smoothed_lower"], columns["smoothed_upper"], color=smoothed.color, alpha=0.2, linewidth=0
    )
    ax.plot(begins, columns["smoothed"], color=smoothed.color, linewidth=1.5, label=smoothed.label)
    if "bound" in columns:
        bound = float(columns["bound"][0])
        ax.axhline(bound, color=alarm.color, linewidth=1, linestyle="--")
        ax.annotate(
            f"limit {percent(bound)} %",
            (0, bound),
            (2, 2),
            ("axes fraction", "data"),
            "offset points",
            color=alarm.color,
        )
    if result.alarm is not None:
        date = format_value(result.alarm.date)
        at = begins[[format_value(value) for value in columns[by]].index(date)]
        ax.axvline(at, color=alarm.color, linewidth=1, label=alarm.label or f"alarm, {date}")
    _set_ticks(ax, begins.min().astype("M8[D]"), begins.max().astype("M8[D]"), form)
    ax.set_title(f"Share of positives by {name(by)}, smoothed", loc="left", fontsize="medium")
    ax.set(xlabel=name(by), ylabel=f"prevalence, {level} % interval")
    return legend(ax)


def plan(plans: Plans, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot the pairs of numbers of scores that reach a goal, a curve for each method, on logarithmic axes.

    Parameters
    ----------
    plans : Plans
        The result of `Model.plan` with a goal and without numbers of scores.
    ax, colors, labels : optional
        As in `intervals`; the series are the methods.
    """
    check_result(plans, Plans, "plans", "Model.plan")
    if not plans._curves:
        raise option_error("plans", "plans have no curve: give the goal se or half_width, which each method must reach")
    styles = series(ax, [method for method, _ in plans._curves], colors, labels, unnamed=len(plans._curves) == 1)
    ax = new_axes(ax)
    for (method, (unlabelled, labelled)), style in zip(plans._curves, styles):
        ax.plot(unlabelled, labelled, color=style.color, linestyle=style.line, label=style.label)
        rows = (plans.method == method) & np.isin(plans.split, ["best", "given"]) & np.isfinite(plans.unlabelled)
        ax.plot(plans.unlabelled[rows], plans.labelled[rows], style.marker, color=style.color)
    ax.set(xscale="log", yscale="log", xlabel="unlabelled scores", ylabel="labelled scores, best split")
    ax.set_title("Numbers of scores that reach the goal", loc="left", fontsize="medium")
    return legend(ax)


_MAX_PAIRS = 200


def differences(
    differences: Differences, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Plot differences between groups with their intervals, a line for each pair, the first on top.

    Parameters
    ----------
    differences : Differences
        The result of `Estimates.compare`, with at most 200 pairs.
    ax, colors, labels : optional
        As in `intervals`; the series are the methods.
    """
    check_result(differences, Differences, "differences", "Estimates.compare")
    columns = differences.to_dict()
    methods = list(dict.fromkeys(columns["method"].tolist()))
    groups = [*columns][: [*columns].index("reference")]
    pairs: dict[str, int] = {}
    rows = np.empty(len(differences), dtype=np.intp)
    for row in range(len(differences)):
        group = ", ".join(format_value(columns[column][row]) for column in groups)
        reference = format_value(columns["reference"][row])
        rows[row] = pairs.setdefault(f"{name(group)} − {name(reference)}", len(pairs))
    if len(pairs) > _MAX_PAIRS:
        raise option_error(
            "differences",
            f"differences are of {len(pairs)} pairs, more than the {_MAX_PAIRS} that a picture has room for; "
            "compare with one group",
        )
    styles = series(ax, methods, colors, labels, unnamed=len(methods) == 1)
    ax = rows_axes(ax, len(pairs), len(methods))
    lines = []
    for method, style in zip(methods, styles):
        chosen = columns["method"] == method
        grey = np.zeros(int(chosen.sum()), dtype=np.bool_)
        lines.append(Line(style, rows[chosen], differences.difference[chosen], differences.interval[chosen], grey))
    ax.axvline(0.0, color=GREY, linewidth=1, linestyle="--", zorder=1)
    forest(ax, [*pairs], lines, labelled=True)
    ax.set(xlabel=f"difference of prevalences, {percent(differences.level)} % interval", ylabel=name(", ".join(groups)))
    return legend(ax)


_NAMES = {
    "labels": "audited labels",
    "ppi++": "with scores (PPI++)",
    "external": "external labels",
    "combined": "combined",
}


def evidence(audit: Audit, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot the estimate from each source of an audit with its interval.

    The recommended estimate has a colour of its own. The external estimate is grey and hollow if a
    warning calls it unreliable.

    Parameters
    ----------
    audit : Audit
        The result of `truecount.audit`.
    ax, colors, labels : optional
        As in `intervals`; the series are "recommended" and "others".
    """
    check_result(audit, Audit, "audit", "truecount.audit")
    estimates = {"labels": audit.labels, "ppi++": audit.ppi, "external": audit.external, "combined": audit.combined}
    sources = {source: estimate for source, estimate in estimates.items() if estimate is not None}
    defaults = {"recommended": (VERMILION, "recommended"), "others": (BLUE, "")}
    recommended, others = series(ax, [*defaults], colors, labels, defaults)
    ax = rows_axes(ax, len(sources), 1)
    severity = max_severity(audit.warnings)
    lines = []
    for style, rows in (
        (recommended, [row for row, source in enumerate(sources) if source == audit.recommended.source]),
        (others, [row for row, source in enumerate(sources) if source != audit.recommended.source]),
    ):
        chosen = [[*sources.values()][row] for row in rows]
        ends = np.array([estimate.interval or (np.nan, np.nan) for estimate in chosen])
        grey = np.array([estimate is audit.external and severity == "unreliable" for estimate in chosen])
        lines.append(Line(style, np.array(rows), np.array([estimate.prevalence for estimate in chosen]), ends, grey))
    forest(ax, [_NAMES[source] for source in sources], lines, labelled=True)
    ax.set(xlabel=f"prevalence, {percent(audit.level)} % interval", ylabel=f"{audit.audited} of {audit.n} audited")
    if audit.p_value is not None:
        p = format_p_value(audit.p_value)
        ax.set_title(
            f"external labels agree with the audit: p {p if p.startswith('<') else f'= {p}'}",
            loc="left",
            fontsize="medium",
        )
    note_severities(ax, [None] * (len(sources) - 1) + [severity])
    return legend(ax)


_Z = 1.959963984540054
"""Normal quantile of 0.975."""


def adjusted_count(
    check: Check, row: int = 0, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Plot Adjusted Count at every threshold.

    If only the prevalence has changed, the curve is flat except for sampling error. The band is the pointwise 95 %
    interval, ±1.96 standard errors. Where it does not contain the prevalence of the nearest mixture of the labelled
    classes, the test scores are not such a mixture. `Check.p_value` tests all thresholds together.

    Parameters
    ----------
    check : Check
        The result of `truecount.check`.
    row : int, default 0
        The test set, as a row of the check.
    ax, colors, labels : optional
        As in `intervals`; the series are "adjusted count" and "mixture".
    """
    check_result(check, Check, "check", "truecount.check")
    row = range(len(check))[row]
    curve, columns = check.adjusted_count(row), check.to_dict()
    theta, prevalence, se = curve["theta"], curve["prevalence"], curve["se"]
    mixture = float(columns["prevalence"][row])
    defaults = {"adjusted count": (BLUE, "Adjusted Count"), "mixture": (VERMILION, f"nearest mixture: {mixture:.3f}")}
    curve_style, mixture_style = series(ax, [*defaults], colors, labels, defaults)
    ax = new_axes(ax)
    lower, upper = prevalence - _Z * se, prevalence + _Z * se
    ax.fill_between(theta, lower, upper, color=curve_style.color, alpha=0.2, linewidth=0, label="95 % band, pointwise")
    ax.plot(theta, prevalence, color=curve_style.color, linewidth=1.4, label=curve_style.label)
    ax.axhline(mixture, color=mixture_style.color, linewidth=1.4, linestyle="--", label=mixture_style.label)
    # Where the rates hardly differ, the curve may have large values.
    ax.set_ylim(max(-0.5, float(lower.min()) - 0.02), min(1.5, float(upper.max()) + 0.02))
    ax.set(xlabel="threshold θ", ylabel="prevalence by\nAdjusted Count at θ")
    p = p_value_phrase(columns["p_value"][row])
    ax.set_title(f"Mix of the labelled classes: {columns['verdict'][row]} ({p})", loc="left", fontsize="medium")
    return legend(ax)


_DENSITY_POINTS = 512

_MAX_BINS = 100


def densities(model: Any, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot histograms of both classes' labelled scores, with the fitted densities if the model fits a family.

    The scores are plotted after the transform. The region of thresholds that the model's first
    Continuous Sweep or Median Sweep averages over is shaded.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
    ax, colors, labels : optional
        As in `intervals`; the series are "negative" and "positive".
    """
    model = model_of(model)
    parameters = model.parameters
    positive, negative = _core.transformed_scores(model._core)
    low, high = min(positive.min(), negative.min()), max(positive.max(), negative.max())
    x = np.linspace(low, high, _DENSITY_POINTS)
    has_family = parameters["positive"] is not None
    fitted = _core.densities(model._core, x) if has_family else (None, None)
    classes = {"negative": (negative, fitted[1], BLUE, "-"), "positive": (positive, fitted[0], VERMILION, "--")}
    defaults = {
        name: (colour, f"{len(scores)} {name}s" + (f", {parameters[name]['family']}" if has_family else ""))
        for name, (scores, _, colour, _) in classes.items()
    }
    styles = series(ax, [*classes], colors, labels, defaults)
    ax = new_axes(ax)
    for method, values in parameters["methods"].items():
        if values.get("region"):
            for index, (left, right) in enumerate(values["region"]):
                ax.axvspan(left, right, label=f"region of {method}" if index == 0 else None, **SHADE)
            break
    edges = np.linspace(low, high, _number_of_bins(positive, negative) + 1).tolist()
    for (scores, density, _, line), style in zip(classes.values(), styles):
        ax.hist(scores, edges, density=True, color=style.color, alpha=0.35, label=None if has_family else style.label)
        if density is not None:
            ax.plot(x, density, color=style.color, linewidth=1.6, linestyle=line, label=style.label)
    transform = parameters["transform"]
    ax.set_xlabel("score" if transform == "none" else f"score, transform {transform}")
    ax.set_ylabel("density within the class")
    return legend(ax)


def _number_of_bins(positive: Floats, negative: Floats) -> int:
    """Return Freedman and Diaconis's (1981) number of bins for the narrower class, at most 100."""
    low, high = float(min(positive.min(), negative.min())), float(max(positive.max(), negative.max()))
    widths = []
    for scores in (positive, negative):
        first, third = np.quantile(scores, (0.25, 0.75))
        widths.append(2.0 * float(third - first) / len(scores) ** (1.0 / 3.0))
    width = max(min(widths), (high - low) / _MAX_BINS)
    return max(1, int((high - low) / width + 0.5))


_THRESHOLD_POINTS = 400

_TRADITIONAL = 0.25


def threshold(
    model: Any,
    alpha: float = 0.5,
    n: int | None = None,
    ax: Axes | None = None,
    *,
    colors: Colors = None,
    labels: Labels = None,
) -> Axes:
    """Plot the variance of Continuous Sweep against its threshold p_Δ.

    Marks show the optimal threshold, which has the least variance, and the traditional ¼. A small threshold includes
    Adjusted Counts with large variances; the largest threshold (max J) includes a single one.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
        A model with a method that fits a family.
    alpha : float, default 0.5
        Prevalence of the test scores, in [0, 1].
    n : int, optional
        Number of test scores: plots the standard error. By default the plot is of n times the
        variance, which does not depend on n.
    ax, colors, labels : optional
        As in `intervals`; the series are "variance" and "optimal".

    Notes
    -----
    The variance is that of Theorem 2 in Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for Binary
    Quantification Learning*. It accounts for the sampling of the test scores, and takes the fitted classes as exact.
    """
    alpha = to_float(alpha, "alpha")
    if not 0.0 <= alpha <= 1.0:
        raise option_error("alpha", f"alpha is {alpha}; it must be between 0 and 1", value=alpha)
    if n is not None:
        n = to_int(n, "n", 1)
    p, variance, optimal, max_j = _core.threshold_variances(model_of(model)._core, alpha, _THRESHOLD_POINTS)
    y = variance if n is None else np.sqrt(variance / n)
    # The axis names the curve, which has no label by default.
    defaults = {"variance": (BLUE, ""), "optimal": (VERMILION, f"optimal: {optimal:.3f}")}
    curve, optimum = series(ax, [*defaults], colors, labels, defaults)
    ax = new_axes(ax)
    ax.plot(p, y, color=curve.color, linewidth=1.6, label=curve.label)
    marks = [(optimal, optimum.color, "o", optimum.label)]
    if _TRADITIONAL < max_j:
        marks.append((_TRADITIONAL, GREY, "s", "traditional: ¼"))
    for x, colour, marker, label in marks:
        height = float(np.interp(x, p, y))
        ax.plot([x, x], [0.0, height], color=colour, linewidth=1, linestyle=":")
        ax.plot([x], [height], color=colour, marker=marker, markersize=7, linestyle="none", label=label)
    ax.axvline(max_j, color=GREY, linewidth=1, linestyle="--", label=f"max J: {max_j:.3f}")
    ax.set_ylim(0.0, min(float(y.max()), 4.0 * float(y.min())) * 1.05)
    ax.set_xlim(0.0, max_j * 1.03)
    ax.set_xlabel(r"threshold $p^\Delta$")
    ax.set_ylabel("n × variance of\nContinuous Sweep" if n is None else "standard error of\nContinuous Sweep")
    ax.set_title(f"{'' if n is None else f'n = {n}, '}prevalence {alpha:g}", loc="left", fontsize="medium")
    return legend(ax)


_DIAGONAL_BINS = 21


def diagonal(evaluation: Evaluation, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot estimated against true prevalences; an unbiased method lies on the diagonal.

    Samples are binned by their true prevalence into at most 21 bins (with the protocol "grid", one
    for each of its prevalences). The line is the mean estimate of each bin at its mean true
    prevalence. The band is one standard deviation of the errors to each side.

    Parameters
    ----------
    evaluation : Evaluation
        The result of `truecount.evaluate`.
    ax, colors, labels : optional
        As in `intervals`; the series are the methods.
    """
    check_result(evaluation, Evaluation, "evaluation", "truecount.evaluate")
    styles = series(ax, evaluation.methods, colors, labels)
    ax = new_axes(ax)
    truth = evaluation.truth
    low, high = float(truth.min()), float(truth.max())
    groups = bins(truth, low, high, _DIAGONAL_BINS)
    ax.plot([low, high], [low, high], color=GREY, linewidth=1, linestyle="--", label="estimate = truth", zorder=1)
    for method, style in zip(evaluation.methods, styles):
        error = evaluation.for_method(method)["prevalence"] - truth
        x = np.array([truth[group].mean() for group in groups])
        y = x + [error[group].mean() for group in groups]
        deviation = np.array([error[group].std(ddof=1) if len(group) > 1 else 0.0 for group in groups])
        ax.fill_between(x, y - deviation, y + deviation, color=style.color, alpha=0.25, linewidth=0)
        ax.plot(x, y, label=style.label, markersize=3.5, linewidth=1.4, **style.line_style)
    margin = 0.03 * max(high - low, 0.1)
    ax.set_xlim(low - margin, high + margin)
    ax.set(xlabel="true prevalence", ylabel="estimated prevalence\n(mean ± one standard deviation)")
    return legend(ax)


_SHIFT_BINS = 11


def error_by_shift(
    evaluation: Evaluation,
    train_prevalence: float | None = None,
    ax: Axes | None = None,
    *,
    colors: Colors = None,
    labels: Labels = None,
) -> Axes:
    """Plot the mean absolute error against the prevalence shift.

    The shift is the distance between the prevalences of a sample and of the labelled scores. Samples are binned by
    their shift into at most 11 bins; bars are one standard error of the mean to each side.

    Parameters
    ----------
    evaluation : Evaluation
        The result of `truecount.evaluate`.
    train_prevalence : float, optional
        Prevalence of the labelled scores; by default of those that the model was fitted to.
    ax, colors, labels : optional
        As in `intervals`; the series are the methods.
    """
    check_result(evaluation, Evaluation, "evaluation", "truecount.evaluate")
    prevalence = (
        evaluation.train_prevalence if train_prevalence is None else to_float(train_prevalence, "train_prevalence")
    )
    if not 0.0 <= prevalence <= 1.0:
        raise option_error(
            "train_prevalence", f"train_prevalence is {prevalence}; it must be between 0 and 1", value=prevalence
        )
    styles = series(ax, evaluation.methods, colors, labels)
    ax = new_axes(ax)
    shift = np.abs(evaluation.truth - prevalence)
    groups = bins(shift, float(shift.min()), float(shift.max()), _SHIFT_BINS)
    x = np.array([shift[group].mean() for group in groups])
    for method, style in zip(evaluation.methods, styles):
        error = np.abs(evaluation.for_method(method)["prevalence"] - evaluation.truth)
        means = [_core.mean(error[group]) for group in groups]
        y = np.array([mean for mean, _ in means])
        se = np.array([0.0 if se is None else se for _, se in means])
        line = {"label": style.label, "markersize": 4, "linewidth": 1.4, **style.line_style}
        ax.errorbar(x, y, yerr=se, elinewidth=1, capsize=2, **line)
    ax.set_ylim(bottom=0)
    ax.set(xlabel=f"prevalence shift: |true − {prevalence:.3g}|", ylabel="mean absolute error\n(± standard error)")
    return legend(ax)
