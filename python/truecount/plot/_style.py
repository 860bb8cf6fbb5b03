"""Axes, colours, series, legends and points of all plots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import rcParams
from matplotlib.collections import LineCollection
from matplotlib.colors import is_color_like, to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.legend import Legend
from matplotlib.path import Path
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats
from truecount._errors import OptionError, invalid_option, option_error, short_repr
from truecount._model import Model
from truecount._results import Estimates
from truecount._table import escape_untrusted, format_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, VERMILION = "#0072B2", "#D55E00"
GREY = "#767676"
"""A grey with the same contrast to white and to black."""

SHADE: dict[str, Any] = {"color": GREY, "alpha": 0.17, "linewidth": 0, "zorder": 0}
"""The style of areas behind the data, on a background of any colour."""


def model_of(model: Any) -> Model:
    """Return a model, or the model of a fitted estimator."""
    fitted = getattr(model, "model_", model)
    if not isinstance(fitted, Model):
        raise option_error(
            "model",
            f"model is {short_repr(model)}; it must be a truecount.Model or a fitted estimator of "
            "truecount.quantifiers",
        )
    return fitted


def check_result(value: Any, kind: type, name: str, function: str) -> None:
    """Raise an error unless the argument with this name is a result of this function."""
    if not isinstance(value, kind):
        raise invalid_option(name, value, f"it must be what {function} returned")


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


_LOCATIONS: dict[str, Any] = {
    "upper right": "NE", "upper left": "NW", "lower right": "SE", "lower left": "SW", "center right": "E",
    "center left": "W", "upper center": "N", "lower center": "S", "center": "C",
}  # fmt: skip

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


def legend(ax: Axes) -> Axes:
    """Draw a legend of all labels, if any, after everything else is drawn, and return the axes."""
    number = len(ax.get_legend_handles_labels()[1])
    if number == 0:
        return ax
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
            place = box.anchored(anchor, room).padded(_MARGIN)
            if not any(len(path) > 0 and path.intersects_bbox(place, filled) for path, filled in paths):
                ax.legend(**{**layout, "loc": location})
                return ax
        if min_height > _HEADROOM * room.height and box.height < min_height:
            fallback, min_height = layout, box.height
    last = ax.legend(**{**(fallback or layout), "loc": "upper center"})
    _add_headroom(ax, last.get_window_extent().height + 2.0 * _pad(last))
    return ax


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


def _add_headroom(ax: Axes, dots: float) -> None:
    """Add this space above the current limits of the axes, and keep the ticks."""
    bottom, top = ax.get_ylim()
    low, high = sorted((bottom, top))
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
    ax.set_ylim(bottom, bottom + (top - bottom) / max(1.0 - dots / ax.bbox.height, 0.1))


Color = Union[str, tuple[float, float, float], tuple[float, float, float, float], tuple[str, float]]
"""A colour of matplotlib."""

Colors = Optional[Union[Color, Sequence[Color], Mapping[Any, Color], NDArray[Any]]]
"""A colour for all series, a colour for each in their order, or a mapping of names to colours."""

Labels = Optional[Union[str, Sequence[str], Mapping[Any, str]]]
"""A label for each series in their order, or a mapping of names to labels; or a single label."""

_BLACK = "#000000"

_COLORS = (BLUE, VERMILION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", _BLACK)
"""Okabe and Ito's colours, without yellow, which is too light for a line."""

_MARKERS = "osD^vPX"

_LINES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (5, 1, 1, 1)),
    (0, (3, 1)),
    (0, (5, 1, 1, 1, 1, 1)),
    (0, (9, 2)),
)
"""Line styles, which distinguish lines without markers in print without colours."""

_BEGINNING, _END = 21, 9
"""Numbers of letters at both ends of a long name that are shown; names often begin alike."""


@dataclass(frozen=True)
class Series:
    """The style and label of a series."""

    label: str
    color: Any
    marker: str
    line: Any

    @property
    def line_style(self) -> dict[str, Any]:
        """The style of a line with markers."""
        return {"color": self.color, "marker": self.marker, "linestyle": self.line}


def name(text: str) -> str:
    """Return a name from the data as a label, in which a dollar does not begin a formula."""
    text = escape_untrusted(text)
    return (text if len(text) <= _BEGINNING + _END else _core.truncate(text, _BEGINNING) + text[-_END:]).replace(
        "$", r"\$"
    )


def series(
    ax: Axes | None,
    names: Sequence[str],
    colors: Colors,
    labels: Labels,
    defaults: Mapping[str, tuple[str, str]] | None = None,
    unnamed: bool = False,
) -> list[Series]:
    """Return a style for each name; by default the first 49 styles are different.

    It must be called before a figure is created, which an error would leave open. `defaults` are
    other default colours and labels. `unnamed` series have a label only if one is given.
    """
    styles = []
    given_colors = _by_name("colors", colors, names, is_color_like)
    given_labels = _by_name("labels", labels, names, lambda label: isinstance(label, str))
    for index, series_name in enumerate(names):
        turn, color_index = divmod(index, len(_COLORS))
        colour = "#FFFFFF" if _COLORS[color_index] == _BLACK and is_dark(ax) else _COLORS[color_index]
        colour, label = (defaults or {}).get(series_name, (colour, "" if unnamed else name(series_name)))
        kind = (color_index + turn) % len(_MARKERS)
        label, colour = given_labels.get(series_name, label), given_colors.get(series_name, colour)
        styles.append(Series(label, colour, _MARKERS[kind], _LINES[kind]))
    return styles


_MUST = {"colors": "a colour of matplotlib, such as 'tab:blue', '#0072B2' or (0.0, 0.45, 0.7)", "labels": "a text"}


def _by_name(argument: str, value: Any, names: Sequence[str], is_valid: Callable[[Any], bool]) -> dict[str, Any]:
    """Return the colours or labels of an argument by the names of series."""

    def error(problem: str) -> OptionError:
        return option_error(argument, f"{argument} {problem}", value=value)

    if value is None:
        return {}
    known = ", ".join(names)
    if isinstance(value, Mapping):
        result = {format_value(key): each for key, each in value.items()}
        unknown = [key for key in result if key not in names]
        if unknown:
            raise error(f"has {unknown[0]!r}, which is no series; there are {known}")
    elif isinstance(value, str) or is_valid(value) or not isinstance(value, Iterable):
        if argument == "labels" and len(names) > 1:
            raise error(
                f"is {short_repr(value)} for {len(names)} series; give one for each of {known}, in a list or by name"
            )
        result = dict.fromkeys(names, value)
    else:
        values = [*value]
        if len(values) != len(names):
            raise error(f"has {len(values)} for {len(names)} series; give one for each of {known}, or a dict by name")
        result = dict(zip(names, values))
    for series_name, each in result.items():
        if not is_valid(each):
            raise error(f"has {short_repr(each)} for {series_name}; it must be {_MUST[argument]}")
    return result


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
