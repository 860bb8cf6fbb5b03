"""Estimates as points with intervals; grey where a warning says that they are not to be published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgba
from numpy.typing import NDArray

from truecount._results import Estimates
from truecount.plot._axes import GREY
from truecount.plot._legend import note
from truecount.plot._series import Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["note_severities", "points", "shades", "unreliable"]

_HOLLOW: dict[str, Any] = {"color": GREY, "markerfacecolor": "none", "linestyle": "none"}


def unreliable(estimates: Estimates) -> NDArray[np.bool_]:
    """Which rows have a warning of that severity."""
    return np.array([severity == "unreliable" for severity in estimates.severity], dtype=np.bool_)


def shades(of: Series, grey: NDArray[np.bool_]) -> list[Any]:
    """A colour for each interval."""
    return [to_rgba(GREY if is_grey else of.color) for is_grey in grey]


def points(ax: Axes, of: Series, grey: NDArray[np.bool_], x: Any, y: Any, size: float, **line: Any) -> None:
    """A line through points with filled markers, and hollow grey ones where it says so."""
    ax.plot(x, y, markersize=size, markevery=(~grey).tolist(), **({**of.style, "linestyle": "none"} | line))
    if grey.any():
        ax.plot(x[grey], y[grey], markersize=size, marker=of.marker, zorder=2.1, **_HOLLOW)


def note_severities(ax: Axes, severity: Sequence[str | None]) -> None:
    """Legend entries that say how many estimates have warnings, and what grey means."""
    for kind, mark in (("unreliable", {"marker": "o", "markersize": 4.5, **_HOLLOW}), ("caution", {})):
        number = [*severity].count(kind)
        if number:
            note(ax, f"{kind}: {number} of {len(severity)}", **mark)
