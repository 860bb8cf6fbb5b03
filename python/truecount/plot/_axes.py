"""Colours and axes of all plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import rcParams
from matplotlib.colors import to_rgba
from numpy.typing import NDArray

from truecount._columns import Floats, short_repr
from truecount._conditions import OptionError
from truecount._model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "BLUE",
    "GREY",
    "SHADE",
    "VERMILION",
    "bins",
    "check_result",
    "inches_wide",
    "is_dark",
    "model_of",
    "new_axes",
]

BLUE, VERMILION = "#0072B2", "#D55E00"
GREY = "#767676"
"""A grey with the same contrast to white and to black."""

SHADE: dict[str, Any] = {"color": GREY, "alpha": 0.17, "linewidth": 0, "zorder": 0}
"""The style of areas behind the data, on a background of any colour."""


def model_of(model: Any) -> Model:
    """Return a model, or the model of a fitted estimator."""
    fitted = getattr(model, "model_", model)
    if not isinstance(fitted, Model):
        raise OptionError(
            f"model is {short_repr(model)}; it must be a truecount.Model or a fitted estimator of "
            "truecount.quantifiers",
            "option-invalid",
            name="model",
        )
    return fitted


def check_result(value: Any, kind: type, name: str, function: str) -> None:
    """Raise an error unless the argument with this name is a result of this function."""
    if not isinstance(value, kind):
        raise OptionError(
            f"{name} is {short_repr(value)}; it must be what {function} returned",
            "option-invalid",
            name=name,
            value=value,
        )


def new_axes(ax: Axes | None, height: float = 4.0) -> Axes:
    """Return the axes, or new ones 6 inches wide, without the top and right spines."""
    if ax is None:
        _, ax = plt.subplots(figsize=(6.0, height), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def is_dark(ax: Axes | None) -> bool:
    """Return whether the axes, or new axes, have a dark background."""
    faces: list[Any] = [rcParams["axes.facecolor"], rcParams["figure.facecolor"]]
    if ax is not None:
        faces = [ax.patch.get_facecolor(), ax.figure.patch.get_facecolor()]
    red, green, blue, opaque = to_rgba(faces[0])
    if opaque == 0.0:
        red, green, blue, _ = to_rgba(faces[1])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5


def inches_wide(ax: Axes) -> float:
    """Return the current width of the axes in inches."""
    return float(ax.bbox.width / ax.figure.dpi)


def bins(x: Floats, first: float, last: float, number: int) -> list[NDArray[np.intp]]:
    """Return the indices of the values in each of `number` equal bins, without empty bins."""
    width = (last - first) / (number - 1) if last > first else 1.0
    nearest = np.floor((x - first) / width + 0.5)
    return [np.flatnonzero(nearest == k) for k in np.unique(nearest)]
