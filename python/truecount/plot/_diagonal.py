"""A plot of estimated against true prevalences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount.evaluation import Evaluation
from truecount.plot._axes import GREY, bins, check_result, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["diagonal"]

_BINS = 21


def diagonal(evaluation: Evaluation, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot estimated against true prevalences; an unbiased method lies on the diagonal.

    Samples are binned by their true prevalence into at most 21 bins (with the protocol "grid", one
    for each of its prevalences). The line is the mean estimate of each bin at its mean true
    prevalence. The band is one standard deviation of the errors to each side.

    Parameters
    ----------
    evaluation : Evaluation
        The result of `truecount.evaluate`.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    colors, labels : optional
        Colours and labels of the methods, as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes
    """
    check_result(evaluation, Evaluation, "evaluation", "truecount.evaluate")
    styles = series(ax, evaluation.methods, colors, labels)
    ax = new_axes(ax)
    truth = evaluation.truth
    low, high = float(truth.min()), float(truth.max())
    groups = bins(truth, low, high, _BINS)
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
    ax.set_xlabel("true prevalence")
    ax.set_ylabel("estimated prevalence\n(mean ± one standard deviation)")
    legend(ax)
    return ax
