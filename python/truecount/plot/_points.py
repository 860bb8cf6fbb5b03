"""Points with intervals, which are grey if a warning calls the estimate unreliable."""

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
    """Return which rows have a warning with the severity "unreliable"."""
    return np.array([severity == "unreliable" for severity in estimates.severity], dtype=np.bool_)


def shades(style: Series, grey: NDArray[np.bool_]) -> list[Any]:
    """Return the colour of each interval."""
    return [to_rgba(GREY if is_grey else style.color) for is_grey in grey]


def points(ax: Axes, style: Series, grey: NDArray[np.bool_], x: Any, y: Any, size: float, **line: Any) -> None:
    """Draw a line through points with filled markers, or hollow grey ones."""
    ax.plot(x, y, markersize=size, markevery=(~grey).tolist(), **({**style.line_style, "linestyle": "none"} | line))
    if grey.any():
        ax.plot(x[grey], y[grey], markersize=size, marker=style.marker, zorder=2.1, **_HOLLOW)


def note_severities(ax: Axes, severity: Sequence[str | None]) -> None:
    """Add legend entries with the numbers of estimates with warnings, which explain grey points."""
    for kind, mark in (("unreliable", {"marker": "o", "markersize": 4.5, **_HOLLOW}), ("caution", {})):
        number = [*severity].count(kind)
        if number:
            note(ax, f"{kind}: {number} of {len(severity)}", **mark)
