"""A plot of estimates with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truecount._conditions import OptionError
from truecount._results import Estimate, Estimates
from truecount._table import format_value, percent
from truecount.plot._axes import check_result, new_axes
from truecount.plot._forest import Line, forest, rows_axes
from truecount.plot._legend import legend
from truecount.plot._points import note_severities, unreliable
from truecount.plot._series import Colors, Labels, name, series
from truecount.plot._time_series import parse_dates, plot_over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["intervals"]

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

    If the last group column has dates, or texts such as 2026-01-31, 2026-01, 2026-W05 or 2026-Q1,
    prevalences are plotted against time. Each method and combination of the other columns is a
    series, of which there may be at most seven. Estimates that a warning calls unreliable are grey
    and hollow. The legend has their number, and the numbers of estimates with a caution and of
    estimates without a date, which are left out.

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

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        If there are more than 200 groups, or if a colour or the name of a series is unknown.
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
        legend(ax)
        return ax
    rows = np.arange(len(estimates)).reshape(-1, len(methods))
    if len(rows) > _MAX_GROUPS:
        hint = "choose some, by estimating those alone"
        raise OptionError(
            f"estimates are of {len(rows)} groups, more than the {_MAX_GROUPS} that a picture has room for; {hint}",
            "option-invalid",
            name="estimates",
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
    ax.set_ylabel(name(", ".join(estimates.groups)) or "method")
    ax.set_xlabel(axis)
    note_severities(ax, estimates.severity.tolist())
    legend(ax)
    return ax
