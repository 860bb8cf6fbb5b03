"""Legends inside the axes, where nothing is drawn.

A legend beside the axes lies on the neighbour in a grid of axes, or is cut off. Inside, one of nine places is free, with one column or
more and letters that are small enough; where none is, the page grows above the data.
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

_PLACES: dict[str, Any] = {
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
"""Of letters, as shares of `legend.fontsize`."""

_LEGIBLE = 0.69
"""Smaller letters only where no others fit."""

_BESIDE_OTHERS = 0.8
"""Of the axes' width and height, where a layout may take some of it for the names of axes that are drawn later."""

_AIR = 2.0
"""Dots around a legend."""

_HEADROOM = 0.25
"""Of the axes' height; smaller letters are better than more."""


def note(ax: Axes, text: str, **mark: Any) -> None:
    """An entry of the legend that belongs to no series, with a mark or without."""
    ax.plot([], [], label=text, **({"linestyle": "none"} | mark))


def legend(ax: Axes) -> None:
    """A legend of what has a label, if anything has; to be called when all the rest is drawn."""
    number = len(ax.get_legend_handles_labels()[1])
    if number == 0:
        return
    figure = ax.figure.canvas.figure  # not that of a part of it
    room_left = 1.0
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # The axes get the size that they are going to have.
        room_left = 1.0 if len(figure.axes) == 1 else _BESIDE_OTHERS
    drawn = [*_drawn(ax)]
    above: dict[str, Any] | None = None
    lowest = math.inf
    for form in _forms(number):
        if form["fontsize"] < _LEGIBLE * _size() and above is not None:
            break
        made = ax.legend(**form)
        box, room = made.get_window_extent(), ax.bbox.padded(-_pad(made))
        if box.width > room_left * room.width or box.height > room_left * room.height:
            continue
        for place, anchor in _PLACES.items():
            if not _covers(box.anchored(anchor, room).padded(_AIR), drawn):
                ax.legend(**{**form, "loc": place})
                return
        if lowest > _HEADROOM * room.height and box.height < lowest:
            above, lowest = form, box.height
    made = ax.legend(**{**(above or form), "loc": "upper center"})
    _headroom(ax, made.get_window_extent().height + 2.0 * _pad(made))


def _size() -> float:
    """Of a legend's letters, in points."""
    return float(FontProperties(size=rcParams["legend.fontsize"]).get_size_in_points())


def _forms(number: int) -> Iterator[dict[str, Any]]:
    """Size of letters and number of columns, the most legible first; so many columns as make fewer lines."""
    heights = sorted({-(-number // columns) for columns in range(1, number + 1)}, reverse=True)
    for share in _SIZES:
        for height in heights:
            yield {"fontsize": share * _size(), "ncols": -(-number // height), "frameon": False, "loc": "upper left"}


def _pad(made: Legend) -> float:
    """Room between a legend and the edge of its axes, in dots."""
    size = made.prop.get_size_in_points()
    return float(made.borderaxespad * size * made.axes.figure.dpi / 72.0)


def _drawn(ax: Axes) -> Iterator[tuple[Path, bool]]:
    """What is drawn, in dots, and whether it is filled; points, if it is not even a line. What lies behind may be covered."""
    for line in ax.get_lines():
        path = line.get_transform().transform_path(line.get_path())
        vertices = np.asarray(path.vertices)
        # Of markers alone each is a path of its own.
        alone = line.get_linestyle() in ("None", "none", " ", "")
        yield from ((Path([point, point]), False) for point in vertices) if alone else ((path, False),)
    for collection in ax.collections:
        filled = not isinstance(collection, LineCollection)
        yield from ((collection.get_transform().transform_path(path), filled) for path in collection.get_paths())
    for patch in ax.patches:
        if patch.get_zorder() > 0:
            yield patch.get_transform().transform_path(patch.get_path()), True


def _covers(box: Bbox, drawn: list[tuple[Path, bool]]) -> bool:
    return any(len(path) > 0 and path.intersects_bbox(box, filled) for path, filled in drawn)


def _headroom(ax: Axes, dots: float) -> None:
    """So much room above what the axes show now; ticks stay where they are."""
    bottom, top = ax.get_ylim()
    low, high = sorted((bottom, top))
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
    ax.set_ylim(bottom, bottom + (top - bottom) / max(1.0 - dots / ax.bbox.height, 0.1))
