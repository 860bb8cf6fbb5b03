"""Adjusted Count at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truecount._check import Check
from truecount._table import p_is
from truecount.plot._axes import BLUE, VERMILION, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["adjusted_count"]

_Z = 1.959963984540054
"""Normal quantile of 0.975."""


def adjusted_count(
    check: Check, row: int = 0, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Adjusted Count at every threshold: flat, but for sampling, where only the prevalence has changed.

    The band has at each threshold the 95 % interval of its own, ±1.96 standard errors; a band that leaves the prevalence of the
    nearest mixture of the labelled classes tells where the test scores are no such mixture. `Check.p_value` judges all
    thresholds together.

    Parameters
    ----------
    check : Check
        What `truecount.check` returned.
    row : int, default 0
        Which of its test sets.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.
    colors, labels : optional
        Of the series "adjusted count" and "mixture", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes
    """
    row = range(len(check))[row]
    curve, columns = check.adjusted_count(row), check.to_dict()
    theta, prevalence, se = curve["theta"], curve["prevalence"], curve["se"]
    mixture = float(columns["prevalence"][row])
    defaults = {"adjusted count": (BLUE, "Adjusted Count"), "mixture": (VERMILION, f"nearest mixture: {mixture:.3f}")}
    counted, mixed = series(ax, [*defaults], colors, labels, defaults)
    ax = new_axes(ax)
    lower, upper = prevalence - _Z * se, prevalence + _Z * se
    ax.fill_between(theta, lower, upper, color=counted.color, alpha=0.2, linewidth=0, label="95 % band, pointwise")
    ax.plot(theta, prevalence, color=counted.color, linewidth=1.4, label=counted.label)
    ax.axhline(mixture, color=mixed.color, linewidth=1.4, linestyle="--", label=mixed.label)
    # Where the rates hardly differ, the curve may leave the page.
    ax.set_ylim(max(-0.5, float(lower.min()) - 0.02), min(1.5, float(upper.max()) + 0.02))
    ax.set_xlabel("threshold θ")
    ax.set_ylabel("prevalence by\nAdjusted Count at θ")
    ax.set_title(f"{columns['verdict'][row]}: {p_is(columns['p_value'][row])}", loc="left", fontsize="medium")
    legend(ax)
    return ax
