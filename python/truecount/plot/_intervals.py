"""Estimates of groups with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._results import Estimate, Estimates
from truecount._table import cut, percent, visible, worded
from truecount.plot._axes import legend_beside, new_axes, series
from truecount.plot._over_time import Line, dates, over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["intervals"]

_MOST_GROUPS = 200

_MOST_SERIES = 7

_LONGEST_NAME = 30


def _name(text: str) -> str:
    """A group's name as it is, in which a dollar does not begin a formula."""
    return cut(visible(text), _LONGEST_NAME).replace("$", r"\$")


def _series(estimates: Estimates, methods: list[str]) -> list[Line]:
    """The rows by method and by the columns of groups but the last."""
    others = [*estimates.groups.values()][:-1]
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, method in enumerate(estimates.method):
        named = [worded(column[row]) for column in others] + ([method] if len(methods) > 1 else [])
        rows.setdefault(tuple(named), []).append(row)
    return [Line(_name(", ".join(name)), np.array(of)) for name, of in rows.items()]


def intervals(estimates: Estimate | Estimates, ax: Axes | None = None) -> Axes:
    """Prevalences with their intervals, a line for each group in the order of the table, the first on top.

    If the last column of the groups is dates, or texts such as 2026-01-31, 2026-01, 2026-W05 or 2026-Q1, prevalences are drawn
    against time, with a series for each method and combination of the other columns, if these are no more than seven.

    Parameters
    ----------
    estimates : Estimate or Estimates
        What `truecount.estimate` returned, for at most 200 groups or test sets; any number of dates.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure, as high as its lines need.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        For more groups than can be told apart.
    """
    if isinstance(estimates, Estimate):
        estimates = Estimates._of_one(estimates)
    if not isinstance(estimates, Estimates):
        raise OptionError(
            f"estimates is {shown(estimates)}; it must be what truecount.estimate returned",
            "option-invalid", name="estimates",
        )
    methods = list(dict.fromkeys(estimates.method.tolist()))
    rows = np.arange(len(estimates)).reshape(-1, len(methods))
    lines = _series(estimates, methods)
    found = dates([*estimates.groups.values()][-1]) if estimates.groups and len(lines) <= _MOST_SERIES else None
    if found is not None and len(np.unique(found[0][~np.isnat(found[0])])) > 1:
        ax = over_time(estimates, lines, *found, ax)
        ax.set_xlabel(_name([*estimates.groups][-1]))
        return ax
    if len(rows) > _MOST_GROUPS:
        hint = "choose some, by estimating those alone"
        raise OptionError(
            f"estimates are of {len(rows)} groups, more than the {_MOST_GROUPS} that a picture has room for; {hint}",
            "option-invalid", name="estimates",
        )
    names = [_name(", ".join(worded(column[row]) for column in estimates.groups.values())) for row in rows[:, 0]]
    if not estimates.groups:
        # One test set: a line for each method.
        names, methods, rows = methods, [""], rows.T
    ax = new_axes(ax, height=max(4.0, 1.0 + len(names) * (0.1 + 0.1 * len(methods))))
    size = 4.5 if len(methods) <= 3 else 3.0
    for place, method in enumerate(methods):
        of = rows[:, place]
        # Methods of one group lie beside each other.
        height = np.arange(len(names)) + 0.7 * ((place + 0.5) / len(methods) - 0.5)
        style = series(place)
        ends = estimates.interval[of]
        ax.hlines(height, ends[:, 0], ends[:, 1], color=style["color"], linewidth=0.35 * size)
        ax.plot(estimates.prevalence[of], height, linestyle="none", markersize=size, label=method, **style)
    ax.set_yticks(np.arange(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylabel(_name(", ".join(estimates.groups)) or "method")
    ax.set_xlabel(f"prevalence, {percent(estimates.level)} % interval")
    if len(methods) > 1:
        legend_beside(ax)
    return ax
