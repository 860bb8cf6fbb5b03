"""What all pictures have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import rcParams
from matplotlib.colors import to_rgba
from numpy.typing import NDArray

from truecount._columns import Floats, shown
from truecount._conditions import OptionError
from truecount._model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BLUE", "GREY", "SHADE", "VERMILION", "bins", "inches_wide", "is_dark", "model_of", "new_axes"]

BLUE, VERMILION = "#0072B2", "#D55E00"
GREY = "#767676"
"""As far from white as from black."""

SHADE: dict[str, Any] = {"color": GREY, "alpha": 0.17, "linewidth": 0, "zorder": 0}
"""Of what lies behind the data, on paper of any colour."""


def model_of(model: Any) -> Model:
    """The model, or that of a fitted estimator."""
    found = getattr(model, "model_", model)
    if not isinstance(found, Model):
        raise OptionError(
            f"model is {shown(model)}; it must be a truecount.Model or a fitted estimator of truecount.quantifiers",
            "option-invalid",
            name="model",
        )
    return found


def new_axes(ax: Axes | None, height: float = 4.0) -> Axes:
    """The axes, or new ones 6 inches wide; open above and on the right."""
    if ax is None:
        _, ax = plt.subplots(figsize=(6.0, height), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def is_dark(ax: Axes | None) -> bool:
    """Whether black would not be seen on it, or on new axes."""
    faces: list[Any] = [rcParams["axes.facecolor"], rcParams["figure.facecolor"]]
    if ax is not None:
        faces = [ax.patch.get_facecolor(), ax.figure.patch.get_facecolor()]
    red, green, blue, opaque = to_rgba(faces[0])
    if opaque == 0.0:
        red, green, blue, _ = to_rgba(faces[1])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5


def inches_wide(ax: Axes) -> float:
    """The width of the axes as they now are."""
    return float(ax.bbox.width / ax.figure.dpi)


def bins(x: Floats, first: float, last: float, number: int) -> list[NDArray[np.intp]]:
    """Places of the values that are nearest to each of so many evenly spaced numbers, without those that none is nearest to."""
    width = (last - first) / (number - 1) if last > first else 1.0
    nearest = np.floor((x - first) / width + 0.5)
    return [np.flatnonzero(nearest == k) for k in np.unique(nearest)]
