"""A plot of Adjusted Count at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truecount._check import Check
from truecount._table import p_value_phrase
from truecount.plot._axes import BLUE, VERMILION, check_result, new_axes
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
    """Plot Adjusted Count at every threshold.

    If only the prevalence has changed, the curve is flat except for sampling error. The band is the
    pointwise 95 % interval, ±1.96 standard errors. Where it does not contain the prevalence of the
    nearest mixture of the labelled classes, the test scores are not such a mixture. `Check.p_value`
    tests all thresholds together.

    Parameters
    ----------
    check : Check
        The result of `truecount.check`.
    row : int, default 0
        The test set, as a row of the check.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    colors, labels : optional
        Colours and labels of the series "adjusted count" and "mixture", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes
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
    ax.set_xlabel("threshold θ")
    ax.set_ylabel("prevalence by\nAdjusted Count at θ")
    ax.set_title(f"{columns['verdict'][row]}: {p_value_phrase(columns['p_value'][row])}", loc="left", fontsize="medium")
    legend(ax)
    return ax
