"""Absolute error against the distance from the training prevalence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount import _core
from truecount._conditions import OptionError
from truecount._options import real
from truecount.evaluation import Evaluation
from truecount.plot._axes import bins, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["error_by_shift"]

_GROUPS = 11


def error_by_shift(
    evaluation: Evaluation,
    train_prevalence: float | None = None,
    ax: Axes | None = None,
    *,
    colors: Colors = None,
    labels: Labels = None,
) -> Axes:
    """Mean absolute error against the prevalence shift, the distance of a sample's prevalence from that of the labelled scores.

    Samples are put together by their shift, into at most 11 groups; bars are one standard error of the mean to each side.

    Parameters
    ----------
    evaluation : Evaluation
    train_prevalence : float, optional
        By default that of the labelled scores that the methods learnt from.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.
    colors, labels : optional
        Of the methods, as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        For a training prevalence outside [0, 1].
    """
    trained = evaluation.train_prevalence if train_prevalence is None else real(train_prevalence, "train_prevalence")
    if not 0.0 <= trained <= 1.0:
        raise OptionError(
            f"train_prevalence is {trained}; it must be between 0 and 1",
            "option-invalid",
            name="train_prevalence",
            value=trained,
        )
    drawn = series(ax, evaluation.methods, colors, labels)
    ax = new_axes(ax)
    shift = np.abs(evaluation.truth - trained)
    groups = bins(shift, float(shift.min()), float(shift.max()), _GROUPS)
    x = np.array([shift[group].mean() for group in groups])
    for method, of in zip(evaluation.methods, drawn):
        error = np.abs(evaluation.of(method)["prevalence"] - evaluation.truth)
        means = [_core.mean(error[group]) for group in groups]
        y = np.array([mean for mean, _ in means])
        se = np.array([0.0 if se is None else se for _, se in means])
        ax.errorbar(x, y, yerr=se, label=of.label, markersize=4, linewidth=1.4, elinewidth=1, capsize=2, **of.style)
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"prevalence shift: |true − {trained:.3g}|")
    ax.set_ylabel("mean absolute error\n(± standard error)")
    legend(ax)
    return ax
