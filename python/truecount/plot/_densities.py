"""Labelled scores with the densities that were fitted to them."""

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

_MOST_BINS = 100


def densities(model: Any, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Histograms of both classes' labelled scores with the fitted densities over them: does the family fit?

    Scores are as the family sees them, after the transform. The region of thresholds that Continuous Sweep (or Median Sweep)
    averages over is shaded, that of the first such method of the model.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
        Fitted with a method that fits a family.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.
    colors, labels : optional
        Of the series "negative" and "positive", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        For a model whose methods fit no distributions.
    """
    model = model_of(model)
    learnt = model.learnt
    positive, negative = _core.transformed(model._core)
    low, high = min(positive.min(), negative.min()), max(positive.max(), negative.max())
    x = np.linspace(low, high, _POINTS)
    fitted = _core.densities(model._core, x)
    classes = {"negative": (negative, fitted[1], BLUE, "-"), "positive": (positive, fitted[0], VERMILION, "--")}
    defaults = {
        name: (colour, f"{len(scores)} {name}s, {learnt[name]['family']}")
        for name, (scores, _, colour, _) in classes.items()
    }
    drawn = series(ax, [*classes], colors, labels, defaults)
    ax = new_axes(ax)
    for method, what in learnt["methods"].items():
        if what.get("region"):
            for place, (left, right) in enumerate(what["region"]):
                ax.axvspan(left, right, label=f"region of {method}" if place == 0 else None, **SHADE)
            break
    edges = np.linspace(low, high, _bins(positive, negative) + 1).tolist()
    for (scores, density, _, line), of in zip(classes.values(), drawn):
        ax.hist(scores, edges, density=True, color=of.color, alpha=0.35)
        ax.plot(x, density, color=of.color, linewidth=1.6, linestyle=line, label=of.label)
    transform = learnt["transform"]
    ax.set_xlabel("score" if transform == "none" else f"score, transform {transform}")
    ax.set_ylabel("density within the class")
    legend(ax)
    return ax


def _bins(positive: Floats, negative: Floats) -> int:
    """Bins over both classes, as wide as the narrower of Freedman and Diaconis (1981) for either, but at most 100."""
    low, high = float(min(positive.min(), negative.min())), float(max(positive.max(), negative.max()))
    widths = []
    for scores in (positive, negative):
        first, third = np.quantile(scores, (0.25, 0.75))
        widths.append(2.0 * float(third - first) / len(scores) ** (1.0 / 3.0))
    width = max(min(widths), (high - low) / _MOST_BINS)
    return max(1, int((high - low) / width + 0.5))
