"""Forest plots: named rows of points with intervals, the first on top."""

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

_MIN_FONT_SIZE = 5.0
"""Smallest font size of names in points; if rows have less height, only some are named."""


@dataclass(frozen=True)
class Line:
    """The points of a series: rows, values, interval ends (NaN if missing), and which are grey."""

    series: Series
    rows: NDArray[np.intp]
    values: Floats
    ends: NDArray[np.float64]
    grey: NDArray[np.bool_]


def rows_axes(ax: Axes | None, rows: int, points_per_row: int) -> Axes:
    """Return the axes, or new ones with the height for these rows and points per row."""
    return new_axes(ax, height=max(4.0, 1.0 + rows * (0.1 + 0.1 * points_per_row)))


def forest(ax: Axes, names: Sequence[str], lines: Sequence[Line], labelled: bool) -> None:
    """Draw lines in named rows; points of one row lie side by side."""
    points_per_row = int(np.bincount(np.concatenate([line.rows for line in lines])).max())
    row_height = 72.0 * float(ax.bbox.height) / float(ax.figure.dpi) / len(names)
    size = min(4.5, max(1.5, 0.6 * row_height / points_per_row))
    for index, line in enumerate(lines):
        y = line.rows + (0.7 * ((index + 0.5) / points_per_row - 0.5) if points_per_row > 1 else 0.0)
        ax.hlines(y, line.ends[:, 0], line.ends[:, 1], colors=shades(line.series, line.grey), linewidth=0.35 * size)
        points(ax, line.series, line.grey, line.values, y, size, label=line.series.label if labelled else "")
    if points_per_row > 1:
        for row in range(0, len(names), 2):
            ax.axhspan(row - 0.5, row + 0.5, **SHADE)
    every = math.ceil(_MIN_FONT_SIZE / row_height)
    default = FontProperties(size=rcParams["ytick.labelsize"]).get_size_in_points()
    font_size = min(default, max(_MIN_FONT_SIZE, row_height))
    ax.set_yticks(np.arange(0, len(names), every), names[::every], fontsize=font_size)
    ax.set_ylim(len(names) - 0.4, -0.6)
