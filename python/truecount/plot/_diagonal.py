"""Estimated against true prevalence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount.evaluation import Evaluation
from truecount.plot._axes import GREY, bins, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["diagonal"]

_GROUPS = 21


def diagonal(evaluation: Evaluation, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Estimated against true prevalence: a method that is right on average lies on the diagonal.

    Samples are put together by their true prevalence, into at most 21 groups (with the protocol "grid", each of its
    prevalences). The line has the mean estimate of each group at its mean truth, the band around it one standard deviation of
    the errors.

    Parameters
    ----------
    evaluation : Evaluation
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.
    colors, labels : optional
        Of the methods, as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes
    """
    drawn = series(ax, evaluation.methods, colors, labels)
    ax = new_axes(ax)
    truth = evaluation.truth
    low, high = float(truth.min()), float(truth.max())
    groups = bins(truth, low, high, _GROUPS)
    ax.plot([low, high], [low, high], color=GREY, linewidth=1, linestyle="--", label="estimate = truth", zorder=1)
    for method, of in zip(evaluation.methods, drawn):
        error = evaluation.of(method)["prevalence"] - truth
        x = np.array([truth[group].mean() for group in groups])
        y = x + [error[group].mean() for group in groups]
        spread = np.array([error[group].std(ddof=1) if len(group) > 1 else 0.0 for group in groups])
        ax.fill_between(x, y - spread, y + spread, color=of.color, alpha=0.25, linewidth=0)
        ax.plot(x, y, label=of.label, markersize=3.5, linewidth=1.4, **of.style)
    margin = 0.03 * max(high - low, 0.1)
    ax.set_xlim(low - margin, high + margin)
    ax.set_xlabel("true prevalence")
    ax.set_ylabel("estimated prevalence\n(mean ± one standard deviation)")
    legend(ax)
    return ax
