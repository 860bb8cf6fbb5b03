"""What all pictures have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats, shown
from truecount._conditions import OptionError
from truecount._model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BLUE", "GREY", "SHADE", "VERMILION", "bins", "legend_beside", "model_of", "new_axes", "series"]

BLUE, VERMILION = "#0072B2", "#D55E00"
GREY, SHADE = "#767676", "#E8E8E8"

_SERIES = (BLUE, VERMILION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, without yellow, which is too light for a line."""

_MARKERS = "osD^vPX"


def model_of(model: Any) -> Model:
    """The model, or that of a fitted estimator."""
    found = getattr(model, "model_", model)
    if not isinstance(found, Model):
        raise OptionError(
            f"model is {shown(model)}; it must be a truecount.Model or a fitted estimator of truecount.quantifiers",
            "option-invalid", name="model",
        )
    return found


def new_axes(ax: Axes | None, height: float = 4.0) -> Axes:
    """The axes, or new ones 6 inches wide; open above and on the right."""
    if ax is None:
        _, ax = plt.subplots(figsize=(6.0, height), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def series(place: int) -> dict[str, Any]:
    """Colour and marker of the line in that place; no two are the same of the first 49."""
    turn, colour = divmod(place, len(_SERIES))
    return {"color": _SERIES[colour], "marker": _MARKERS[(colour + turn) % len(_MARKERS)]}


def legend_beside(ax: Axes) -> None:
    """A legend on the right, where it covers nothing."""
    number = len(ax.get_legend_handles_labels()[1])
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="medium" if number <= 12 else "x-small")


def bins(x: Floats, first: float, last: float, number: int) -> list[NDArray[np.intp]]:
    """Places of the values that are nearest to each of so many evenly spaced numbers, without those that none is nearest to."""
    width = (last - first) / (number - 1) if last > first else 1.0
    nearest = np.floor((x - first) / width + 0.5)
    return [np.flatnonzero(nearest == k) for k in np.unique(nearest)]
