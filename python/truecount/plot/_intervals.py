"""Estimates of groups with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._results import Estimates
from truecount.plot._axes import legend_beside, new_axes, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["intervals"]


def intervals(estimates: Estimates, ax: Axes | None = None) -> Axes:
    """Prevalences with their intervals, a line for each group in the order of the table, the first on top.

    Parameters
    ----------
    estimates : Estimates
        What `truecount.estimate` returned for groups, test sets or several methods.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure, as high as the lines need.

    Returns
    -------
    matplotlib.axes.Axes
    """
    methods = list(dict.fromkeys(estimates.method.tolist()))
    rows = np.arange(len(estimates)).reshape(-1, len(methods))
    names = [", ".join(str(column[row]) for column in estimates.groups.values()) for row in rows[:, 0]]
    if not estimates.groups:
        # One test set: a line for each method.
        names, methods, rows = methods, [""], rows.T
    ax = new_axes(ax, height=max(4.0, 1.0 + len(names) * (0.1 + 0.1 * len(methods))))
    for place, method in enumerate(methods):
        of = rows[:, place]
        # Methods of one group lie beside each other.
        height = np.arange(len(names)) + 0.7 * ((place + 0.5) / len(methods) - 0.5)
        style = series(place)
        ends = estimates.interval[of]
        ax.hlines(height, ends[:, 0], ends[:, 1], color=style["color"], linewidth=1.6)
        ax.plot(estimates.prevalence[of], height, linestyle="none", markersize=4.5, label=method, **style)
    ax.set_yticks(np.arange(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylabel(", ".join(estimates.groups) or "method")
    ax.set_xlabel(f"prevalence, {100 * estimates.level:g} % interval")
    if len(methods) > 1:
        legend_beside(ax)
    return ax
