"""Named rows of points with intervals, the first on top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import rcParams
from matplotlib.font_manager import FontProperties
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount.plot._axes import SHADE, new_axes
from truecount.plot._points import points, shades
from truecount.plot._series import Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Line", "forest", "rows_axes"]

_LEAST = 5.0
"""Size of the letters of names, in points; where rows are lower, only some are named."""


@dataclass(frozen=True)
class Line:
    """Points of a series: their rows, values, ends of intervals (NaN for none), and which are grey."""

    series: Series
    rows: NDArray[np.intp]
    values: Floats
    ends: NDArray[np.float64]
    grey: NDArray[np.bool_]


def rows_axes(ax: Axes | None, rows: int, beside: int) -> Axes:
    """The axes, or new ones as high as so many rows need with so many points beside each other."""
    return new_axes(ax, height=max(4.0, 1.0 + rows * (0.1 + 0.1 * beside)))


def forest(ax: Axes, names: Sequence[str], lines: Sequence[Line], labelled: bool) -> None:
    """Draws lines in rows of those names; points of one row lie beside each other."""
    beside = int(np.bincount(np.concatenate([line.rows for line in lines])).max())
    high = 72.0 * float(ax.bbox.height) / float(ax.figure.dpi) / len(names)
    size = min(4.5, max(1.5, 0.6 * high / beside))
    for place, line in enumerate(lines):
        at = line.rows + (0.7 * ((place + 0.5) / beside - 0.5) if beside > 1 else 0.0)
        ax.hlines(at, line.ends[:, 0], line.ends[:, 1], colors=shades(line.series, line.grey), linewidth=0.35 * size)
        points(ax, line.series, line.grey, line.values, at, size, label=line.series.label if labelled else "")
    if beside > 1:
        for row in range(0, len(names), 2):
            ax.axhspan(row - 0.5, row + 0.5, **SHADE)
    every = math.ceil(_LEAST / high)
    letters = FontProperties(size=rcParams["ytick.labelsize"]).get_size_in_points()
    ax.set_yticks(np.arange(0, len(names), every), names[::every], fontsize=min(letters, max(_LEAST, high)))
    ax.set_ylim(len(names) - 0.4, -0.6)
