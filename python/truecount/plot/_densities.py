"""A plot of labelled scores with the fitted densities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from truecount import _core
from truecount._columns import Floats
from truecount.plot._axes import BLUE, SHADE, VERMILION, model_of, new_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["densities"]

_POINTS = 512

_MAX_BINS = 100


def densities(model: Any, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot histograms of both classes' labelled scores with the fitted densities.

    The scores are plotted after the transform. The region of thresholds that the model's first
    Continuous Sweep or Median Sweep averages over is shaded.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
        A model with a method that fits a family.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    colors, labels : optional
        Colours and labels of the series "negative" and "positive", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        If no method of the model fits a family.
    """
    model = model_of(model)
    parameters = model.parameters
    positive, negative = _core.transformed_scores(model._core)
    low, high = min(positive.min(), negative.min()), max(positive.max(), negative.max())
    x = np.linspace(low, high, _POINTS)
    fitted = _core.densities(model._core, x)
    classes = {"negative": (negative, fitted[1], BLUE, "-"), "positive": (positive, fitted[0], VERMILION, "--")}
    defaults = {
        name: (colour, f"{len(scores)} {name}s, {parameters[name]['family']}")
        for name, (scores, _, colour, _) in classes.items()
    }
    styles = series(ax, [*classes], colors, labels, defaults)
    ax = new_axes(ax)
    for method, values in parameters["methods"].items():
        if values.get("region"):
            for index, (left, right) in enumerate(values["region"]):
                ax.axvspan(left, right, label=f"region of {method}" if index == 0 else None, **SHADE)
            break
    edges = np.linspace(low, high, _number_of_bins(positive, negative) + 1).tolist()
    for (scores, density, _, line), style in zip(classes.values(), styles):
        ax.hist(scores, edges, density=True, color=style.color, alpha=0.35)
        ax.plot(x, density, color=style.color, linewidth=1.6, linestyle=line, label=style.label)
    transform = parameters["transform"]
    ax.set_xlabel("score" if transform == "none" else f"score, transform {transform}")
    ax.set_ylabel("density within the class")
    legend(ax)
    return ax


def _number_of_bins(positive: Floats, negative: Floats) -> int:
    """Return Freedman and Diaconis's (1981) number of bins for the narrower class, at most 100."""
    low, high = float(min(positive.min(), negative.min())), float(max(positive.max(), negative.max()))
    widths = []
    for scores in (positive, negative):
        first, third = np.quantile(scores, (0.25, 0.75))
        widths.append(2.0 * float(third - first) / len(scores) ** (1.0 / 3.0))
    width = max(min(widths), (high - low) / _MAX_BINS)
    return max(1, int((high - low) / width + 0.5))
