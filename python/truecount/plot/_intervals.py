"""Estimates of groups with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._results import Estimate, Estimates
from truecount._table import percent, worded
from truecount.plot._axes import new_axes
from truecount.plot._forest import Line, forest, rows_axes
from truecount.plot._legend import legend
from truecount.plot._over_time import dates, over_time
from truecount.plot._points import note_severities, unreliable
from truecount.plot._series import Colors, Labels, name, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["intervals"]

_MOST_GROUPS = 200

_MOST_SERIES = 7


def _series(estimates: Estimates) -> dict[str, NDArray[np.intp]]:
    """The rows by the columns of groups but the last and by method; the name is the method's where all have the same."""
    others = [*estimates.groups.values()][:-1]
    rows: dict[str, list[int]] = {}
    several = len(set(estimates.method)) > 1 or not others
    for row, method in enumerate(estimates.method):
        named = [worded(column[row]) for column in others] + ([method] if several else [])
        rows.setdefault(", ".join(named), []).append(row)
    return {of: np.array(places) for of, places in rows.items()}


def intervals(
    estimates: Estimate | Estimates, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Prevalences with their intervals, a line for each group in the order of the table, the first on top.

    If the last column of the groups is dates, or texts such as 2026-01-31, 2026-01, 2026-W05 or 2026-Q1, prevalences are drawn
    against time, with a series for each method and combination of the other columns, if these are no more than seven. Estimates
    that a warning calls unreliable are grey and hollow; the legend counts them, those to be read with caution, and those without
    a date, which have no place in time.

    Parameters
    ----------
    estimates : Estimate or Estimates
        What `truecount.estimate` or `truecount.estimate_each` returned, for at most 200 groups or test sets; any number of dates.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure, as high as its lines need.
    colors : colour, sequence of colours or dict of str to colour, optional
        Colours of the series, which are the methods, against time also the groups of the other columns ("north, es"): one for
        all, one for each in their order, or some by name.
    labels : str, sequence of str or dict of str to str, optional
        What the legend calls them, in the same way.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        For more groups than can be told apart; for a colour that there is not, or one of a series that there is not.
    """
    if isinstance(estimates, Estimate):
        estimates = Estimates._of_one(estimates)
    if not isinstance(estimates, Estimates):
        raise OptionError(
            f"estimates is {shown(estimates)}; it must be what truecount.estimate returned",
            "option-invalid",
            name="estimates",
        )
    methods = list(dict.fromkeys(estimates.method.tolist()))
    axis = f"prevalence, {percent(estimates.level)} % interval"
    by_series = _series(estimates)
    found = dates([*estimates.groups.values()][-1]) if estimates.groups and len(by_series) <= _MOST_SERIES else None
    if found is not None and len(np.unique(found[0][~np.isnat(found[0])])) > 1:
        drawn = series(ax, [*by_series], colors, labels, unnamed=len(by_series) == 1)
        ax = new_axes(ax)
        over_time(ax, estimates, [*zip(by_series.values(), drawn)], *found)
        ax.set_xlabel(name([*estimates.groups][-1]), loc="left")  # The year may stand on the right.
        ax.set_ylabel(axis)
        note_severities(ax, estimates.severity.tolist())
        legend(ax)
        return ax
    rows = np.arange(len(estimates)).reshape(-1, len(methods))
    if len(rows) > _MOST_GROUPS:
        hint = "choose some, by estimating those alone"
        raise OptionError(
            f"estimates are of {len(rows)} groups, more than the {_MOST_GROUPS} that a picture has room for; {hint}",
            "option-invalid",
            name="estimates",
        )
    names = [name(", ".join(worded(column[row]) for column in estimates.groups.values())) for row in rows[:, 0]]
    single = not estimates.groups
    drawn = series(ax, methods, colors, labels, unnamed=len(methods) == 1 and not single)
    ax = rows_axes(ax, *((len(methods), 1) if single else rows.shape))
    if single:
        # Of a single test set the methods are named where groups would be.
        names = [of.label for of in drawn]
    grey = unreliable(estimates)
    lines = []
    for place, of in enumerate(drawn):
        its = rows[:, place]
        at = np.array([place]) if single else np.arange(len(rows))
        lines.append(Line(of, at, estimates.prevalence[its], estimates.interval[its], grey[its]))
    forest(ax, names, lines, labelled=not single)
    largest = float(np.nanmax(np.append(estimates.interval, estimates.prevalence))) or 1.0
    ax.set_xlim(-0.02 * largest, 1.02 * largest)
    ax.set_ylabel(name(", ".join(estimates.groups)) or "method")
    ax.set_xlabel(axis)
    note_severities(ax, estimates.severity.tolist())
    legend(ax)
    return ax
