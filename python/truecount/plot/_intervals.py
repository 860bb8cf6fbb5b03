"""Estimates of groups with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._results import Estimate, Estimates
from truecount._table import cut, percent, visible, worded
from truecount.plot._axes import legend_beside, new_axes, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["intervals"]

_MOST_GROUPS = 200

_LONGEST_NAME = 30


def _name(text: str) -> str:
    """A group's name as it is, in which a dollar does not begin a formula."""
    return cut(visible(text), _LONGEST_NAME).replace("$", r"\$")


def intervals(estimates: Estimate | Estimates, ax: Axes | None = None) -> Axes:
    """Prevalences with their intervals, a line for each group in the order of the table, the first on top.

    Parameters
    ----------
    estimates : Estimate or Estimates
        What `truecount.estimate` returned, for at most 200 groups or test sets.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure, as high as the lines need.

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
