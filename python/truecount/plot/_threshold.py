"""The variance of Continuous Sweep at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from truecount import _core
from truecount._conditions import OptionError
from truecount._options import real, whole
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
    """The variance of Continuous Sweep against its threshold p_Δ, with the optimal threshold and the traditional ¼.

    A small threshold lets in Adjusted Counts with large variances, the largest one there can be (max J) leaves a single one; the
    optimal threshold has the least variance.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
        Fitted with a method that fits a family.
    alpha : float, default 0.5
        Prevalence of the test scores, in [0, 1].
    n : int, optional
        Number of test scores, for their standard error; otherwise n times the variance is drawn, which is the same for every n.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.
    colors, labels : optional
        Of the series "variance" and "optimal", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        For a model whose methods fit no distributions, and for parameters outside their ranges.

    Notes
    -----
    The variance is that of Theorem 2 of Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for Binary
    Quantification Learning*: of drawing test scores, the fitted classes taken as true.
    """
    alpha = real(alpha, "alpha")
    if not 0.0 <= alpha <= 1.0:
        raise OptionError(f"alpha is {alpha}; it must be between 0 and 1", "option-invalid", name="alpha", value=alpha)
    if n is not None:
        n = whole(n, "n", 1)
    p, variance, optimal, max_j = _core.thresholds(model_of(model)._core, alpha, _POINTS)
    y = variance if n is None else np.sqrt(variance / n)
    # Of the curve, which the axis names, only a label that is asked for.
    defaults = {"variance": (BLUE, ""), "optimal": (VERMILION, f"optimal: {optimal:.3f}")}
    curve, best = series(ax, [*defaults], colors, labels, defaults)
    ax = new_axes(ax)
    ax.plot(p, y, color=curve.color, linewidth=1.6, label=curve.label)
    marks = [(optimal, best.color, "o", best.label)]
    if _TRADITIONAL < max_j:
        marks.append((_TRADITIONAL, GREY, "s", "traditional: ¼"))
    for place, colour, marker, label in marks:
        at = float(np.interp(place, p, y))
        ax.plot([place, place], [0.0, at], color=colour, linewidth=1, linestyle=":")
        ax.plot([place], [at], color=colour, marker=marker, markersize=7, linestyle="none", label=label)
    ax.axvline(max_j, color=GREY, linewidth=1, linestyle="--", label=f"max J: {max_j:.3f}")
    least = float(y.min())
    ax.set_ylim(0.0, min(float(y.max()), 4.0 * least) * 1.05)
    ax.set_xlim(0.0, max_j * 1.03)
    ax.set_xlabel(r"threshold $p^\Delta$")
    ax.set_ylabel("n × variance of\nContinuous Sweep" if n is None else "standard error of\nContinuous Sweep")
    ax.set_title(f"{'' if n is None else f'n = {n}, '}prevalence {alpha:g}", loc="left", fontsize="medium")
    legend(ax)
    return ax
