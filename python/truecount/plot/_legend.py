"""Legends inside the axes, at a location without data.

A legend outside the axes would overlap the next axes in a grid, or be cut off. Inside, one of nine
locations is usually free, with one or more columns and a small enough font. If none is, the axes
get headroom above the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rcParams
from matplotlib.collections import LineCollection
from matplotlib.font_manager import FontProperties
from matplotlib.legend import Legend
from matplotlib.path import Path
from matplotlib.transforms import Bbox

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["legend", "note"]

_LOCATIONS: dict[str, Any] = {
    "upper right": "NE",
    "upper left": "NW",
    "lower right": "SE",
    "lower left": "SW",
    "center right": "E",
    "center left": "W",
    "upper center": "N",
    "lower center": "S",
    "center": "C",
}

_SIZES = (1.0, 0.83, 0.69, 0.55, 0.45)
"""Font sizes, as shares of `legend.fontsize`."""

_LEGIBLE = 0.69
"""Smaller fonts are used only if no other fits."""

_USABLE_IN_GRID = 0.8
"""Usable share of the axes in a grid, where a layout may shrink them for axis labels."""

_MARGIN = 2.0
"""Dots around a legend."""

_HEADROOM = 0.25
"""Largest headroom as a share of the axes' height; smaller fonts are better than more headroom."""


def note(ax: Axes, text: str, **mark: Any) -> None:
    """Add an entry to the legend that belongs to no series, with or without a mark."""
    ax.plot([], [], label=text, **({"linestyle": "none"} | mark))


def legend(ax: Axes) -> None:
    """Draw a legend of all labels, if any; to be called after everything else is drawn."""
    number = len(ax.get_legend_handles_labels()[1])
    if number == 0:
        return
    figure = ax.figure.canvas.figure  # not a subfigure
    usable = 1.0
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # gives the axes their final size
        usable = 1.0 if len(figure.axes) == 1 else _USABLE_IN_GRID
    paths = [*_paths(ax)]
    fallback: dict[str, Any] | None = None
    min_height = math.inf
    for layout in _layouts(number):
        if layout["fontsize"] < _LEGIBLE * _default_size() and fallback is not None:
            break
        candidate = ax.legend(**layout)
        box, room = candidate.get_window_extent(), ax.bbox.padded(-_pad(candidate))
        if box.width > usable * room.width or box.height > usable * room.height:
            continue
        for location, anchor in _LOCATIONS.items():
            if not _covers(box.anchored(anchor, room).padded(_MARGIN), paths):
                ax.legend(**{**layout, "loc": location})
                return
        if min_height > _HEADROOM * room.height and box.height < min_height:
            fallback, min_height = layout, box.height
    last = ax.legend(**{**(fallback or layout), "loc": "upper center"})
    _add_headroom(ax, last.get_window_extent().height + 2.0 * _pad(last))


def _default_size() -> float:
    """Return the default font size of a legend, in points."""
    return float(FontProperties(size=rcParams["legend.fontsize"]).get_size_in_points())


def _layouts(number: int) -> Iterator[dict[str, Any]]:
    """Yield font sizes with useful numbers of columns, the most legible first."""
    heights = sorted({-(-number // columns) for columns in range(1, number + 1)}, reverse=True)
    for share in _SIZES:
        for height in heights:
            size = share * _default_size()
            yield {"fontsize": size, "ncols": -(-number // height), "frameon": False, "loc": "upper left"}


def _pad(legend: Legend) -> float:
    """Return the space between a legend and the edge of its axes, in dots."""
    size = legend.prop.get_size_in_points()
    return float(legend.borderaxespad * size * legend.axes.figure.dpi / 72.0)


def _paths(ax: Axes) -> Iterator[tuple[Path, bool]]:
    """Yield the paths of the data in dots, and whether each is filled."""
    for line in ax.get_lines():
        path = line.get_transform().transform_path(line.get_path())
        vertices = np.asarray(path.vertices)
        # Markers without a line are a path each.
        only_markers = line.get_linestyle() in ("None", "none", " ", "")
        yield from ((Path([point, point]), False) for point in vertices) if only_markers else ((path, False),)
    for collection in ax.collections:
        filled = not isinstance(collection, LineCollection)
        yield from ((collection.get_transform().transform_path(path), filled) for path in collection.get_paths())
    for patch in ax.patches:
        if patch.get_zorder() > 0:
            yield patch.get_transform().transform_path(patch.get_path()), True


def _covers(box: Bbox, paths: list[tuple[Path, bool]]) -> bool:
    return any(len(path) > 0 and path.intersects_bbox(box, filled) for path, filled in paths)


def _add_headroom(ax: Axes, dots: float) -> None:
    """Add this space above the current limits of the axes, and keep the ticks."""
    bottom, top = ax.get_ylim()
    low, high = sorted((bottom, top))
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
    ax.set_ylim(bottom, bottom + (top - bottom) / max(1.0 - dots / ax.bbox.height, 0.1))
