"""A plot of the absolute error against the prevalence shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount import _core
from truecount._conditions import OptionError
from truecount._options import to_float
from truecount.evaluation import Evaluation
from truecount.plot._axes import bins, check_result, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["error_by_shift"]

_BINS = 11


def error_by_shift(
    evaluation: Evaluation,
    train_prevalence: float | None = None,
    ax: Axes | None = None,
    *,
    colors: Colors = None,
    labels: Labels = None,
) -> Axes:
    """Plot the mean absolute error against the prevalence shift.

    The shift is the distance between the prevalences of a sample and of the labelled scores.
    Samples are binned by their shift into at most 11 bins; bars are one standard error of the mean
    to each side.

    Parameters
    ----------
    evaluation : Evaluation
        The result of `truecount.evaluate`.
    train_prevalence : float, optional
        Prevalence of the labelled scores; by default of those that the model was fitted to.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    colors, labels : optional
        Colours and labels of the methods, as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        If `train_prevalence` lies outside [0, 1].
    """
    check_result(evaluation, Evaluation, "evaluation", "truecount.evaluate")
    prevalence = (
        evaluation.train_prevalence if train_prevalence is None else to_float(train_prevalence, "train_prevalence")
    )
    if not 0.0 <= prevalence <= 1.0:
        raise OptionError(
            f"train_prevalence is {prevalence}; it must be between 0 and 1",
            "option-invalid",
            name="train_prevalence",
            value=prevalence,
        )
    styles = series(ax, evaluation.methods, colors, labels)
    ax = new_axes(ax)
    shift = np.abs(evaluation.truth - prevalence)
    groups = bins(shift, float(shift.min()), float(shift.max()), _BINS)
    x = np.array([shift[group].mean() for group in groups])
    for method, style in zip(evaluation.methods, styles):
        error = np.abs(evaluation.for_method(method)["prevalence"] - evaluation.truth)
        means = [_core.mean(error[group]) for group in groups]
        y = np.array([mean for mean, _ in means])
        se = np.array([0.0 if se is None else se for _, se in means])
        line = {"label": style.label, "markersize": 4, "linewidth": 1.4, **style.line_style}
        ax.errorbar(x, y, yerr=se, elinewidth=1, capsize=2, **line)
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"prevalence shift: |true − {prevalence:.3g}|")
    ax.set_ylabel("mean absolute error\n(± standard error)")
    legend(ax)
    return ax
