"""A plot of the variance of Continuous Sweep against its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from truecount import _core
from truecount._conditions import OptionError
from truecount._options import to_float, to_int
from truecount.plot._axes import BLUE, GREY, VERMILION, model_of, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["threshold"]

_POINTS = 400

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

    Marks show the optimal threshold, which has the least variance, and the traditional ¼. A small
    threshold includes Adjusted Counts with large variances; the largest threshold (max J) includes
    a single one.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
        A model with a method that fits a family.
    alpha : float, default 0.5
        Prevalence of the test scores, in [0, 1].
    n : int, optional
        Number of test scores: plots the standard error. By default the plot is of n times the
        variance, which does not depend on n.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    colors, labels : optional
        Colours and labels of the series "variance" and "optimal", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        If no method of the model fits a family, or if `alpha` or `n` lies outside its range.

    Notes
    -----
    The variance is that of Theorem 2 in Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous
    Sweep for Binary Quantification Learning*. It accounts for the sampling of the test scores, and
    takes the fitted classes as exact.
    """
    alpha = to_float(alpha, "alpha")
    if not 0.0 <= alpha <= 1.0:
        raise OptionError(f"alpha is {alpha}; it must be between 0 and 1", "option-invalid", name="alpha", value=alpha)
    if n is not None:
        n = to_int(n, "n", 1)
    p, variance, optimal, max_j = _core.threshold_variances(model_of(model)._core, alpha, _POINTS)
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
    legend(ax)
    return ax
