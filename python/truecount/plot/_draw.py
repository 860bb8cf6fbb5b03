"""Descriptions of figures, and how matplotlib draws them: axes, colours, marks and keys."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import dates as matplotlib_dates
from matplotlib import rcParams
from matplotlib.colors import is_color_like, to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.transforms import ScaledTranslation
from numpy.typing import NDArray

from truecount import _core
from truecount._errors import OptionError, option_error, short_repr
from truecount._table import escape_untrusted, format_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

dates: Any = matplotlib_dates
"""The module without types, as its functions have none."""

BLUE, VERMILION = "#0072B2", "#D55E00"
GREY = "#767676"
"""A grey with the same contrast to white and to black."""

SYMBOLS = {
    "caution": "o",
    "unreliable": "x",
    "not recommended": "o",
    "estimate": "o",
    "interval includes the total": "o",
}
"""The markers of estimates with a warning, by its severity, and of estimates in the background."""


@dataclass
class Layer:
    """Marks of one kind and series: points with intervals, a line, a band, steps between edges, or spans."""

    mark: str
    x: Any
    y: Any = None
    lower: Any = None
    upper: Any = None
    series: str = ""
    severity: Any = None


@dataclass
class Rule:
    """A line across the figure at a position of an axis (x or y), or its diagonal, with a name at the end."""

    at: Any
    axis: str
    name: str = ""
    color: str = GREY
    line: str = "--"


@dataclass
class Figure:
    """A figure: its title, its marks and its axes.

    Attributes
    ----------
    rows : dict of str to float or None
        Positions of the rows by their names, if the y axis has names.
    ticks : tuple or None
        Positions and names of ticks on an axis of time.
    share : str
        The axes (x or y) that have percentages, with the format of their ticks in `form`.
    defaults : dict
        Colours and labels of series that are not those of their order and names.
    limits : dict
        Limits of the axes.
    """

    title: str
    layers: list[Layer]
    xlabel: str = ""
    ylabel: str = ""
    rules: Sequence[Rule] = ()
    rows: dict[str, float] | None = None
    ticks: tuple[Any, Sequence[str]] | None = None
    share: str = ""
    form: str = "{:g} %"
    log: bool = False
    defaults: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def draw_figure(figure: Figure, ax: Axes | None, colors: Colors, labels: Labels) -> Axes:
    """Draw a figure into the axes, or into new ones, and return them."""
    names = list(dict.fromkeys(layer.series for layer in figure.layers))
    marks = {mark for layer in figure.layers if layer.severity is not None for mark in layer.severity}
    # A key of marks has the plain estimates too.
    plain = {names[0]: (BLUE, "estimate")} if len(names) == 1 and marks & {*SYMBOLS} else {}
    styles = _series_styles(ax, names, colors, labels, plain | {**figure.defaults})
    end = 0.0 if figure.rows is None else max(figure.rows.values())
    if ax is None:
        _, ax = plt.subplots(figsize=(6.0, max(4.0, 1.5 + 0.22 * end)), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    for rule in figure.rules:
        _draw_rule(ax, rule)
    for layer in figure.layers:
        _draw_layer(ax, layer, styles[layer.series], figure.rows is not None)
    if figure.log:
        ax.set(xscale="log", yscale="log")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:,.0f}")
    if figure.rows is not None:
        height = 72.0 * float(ax.bbox.height) / float(ax.figure.dpi) / (end + 1.0)
        default = FontProperties(size=rcParams["ytick.labelsize"]).get_size_in_points()
        ax.set_yticks([*figure.rows.values()], [*figure.rows], fontsize=min(default, max(4.0, 0.8 * height)))
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(end + 0.6, 0.4)
    if figure.ticks is not None:
        _set_time_ticks(ax, *figure.ticks)
    for each in figure.share:
        axis = ax.xaxis if each == "x" else ax.yaxis
        axis.set_major_formatter(lambda share, _: re.sub("^[+]0$", "0", figure.form.format(round(100 * share, 6))))
    ax.set(**{f"{axis}lim": ends for axis, ends in figure.limits.items()})
    ax.set_xlabel(figure.xlabel, fontsize="small")
    ax.set_ylabel(figure.ylabel, fontsize="small")
    width = int(1.8 * _room(ax))
    pad = 14.0 if any(rule.name and rule.axis == "x" for rule in figure.rules) else None
    # Lines are not broken within "95 % intervals" and "p = 0.03".
    title = textwrap.wrap(re.sub(" ([%=]) ", "\u00a0\\1\u00a0", figure.title), max(width, 20))
    ax.set_title("\n".join(title).replace("\u00a0", " "), loc="left", fontsize="medium", pad=pad)
    return _draw_key(ax)


def _draw_rule(ax: Axes, rule: Rule) -> None:
    style: dict[str, Any] = {"color": rule.color, "linewidth": 1, "linestyle": rule.line, "zorder": 1}
    if rule.axis == "diagonal":
        ax.axline((0.0, 0.0), slope=1.0, **style)
        return
    if rule.axis == "y":
        ax.axhline(rule.at, **style)
        place: Any = {"xy": (1.0, rule.at), "xycoords": ("axes fraction", "data"), "xytext": (3, 0), "va": "center"}
    else:
        ax.axvline(rule.at, **style)
        place = {"xy": (rule.at, 1.0), "xycoords": ("data", "axes fraction"), "xytext": (0, 2), "ha": "center"}
    if rule.name:
        ax.annotate(rule.name, textcoords="offset points", color=rule.color, fontsize="x-small", **place)


def _draw_layer(ax: Axes, layer: Layer, style: Style, is_rows: bool) -> None:
    known = ax.get_legend_handles_labels()[1]
    label = "" if style.label in known else style.label
    x, y = layer.x, layer.y
    if layer.mark == "line":
        ax.plot(x, y, color=style.color, linestyle=style.line, linewidth=1.5, label=label)
    elif layer.mark == "band":
        ax.fill_between(x, layer.lower, layer.upper, color=style.color, alpha=0.3, linewidth=0)
    elif layer.mark == "steps":
        ax.stairs(y, x, fill=True, color=style.color, alpha=0.35, label=label)
    elif layer.mark == "spans":
        for start, end in zip(layer.lower, layer.upper):
            ax.axvspan(start, end, color=style.color, alpha=0.17, linewidth=0, zorder=0, label=label)
            label = ""
    else:
        x, y = np.asarray(x), np.asarray(y)
        severity = np.full(len(x), None) if layer.severity is None else np.asarray(layer.severity, dtype=object)
        size = 4.5 if len(x) <= 80 else 2.0
        for kind in (None, *SYMBOLS):
            its = np.array([(each if each in SYMBOLS else None) == kind for each in severity], dtype=np.bool_)
            if kind is not None and not its.any():
                continue
            colour = style.color if kind in (None, "caution") else GREY
            if layer.lower is not None:
                ends = np.asarray(layer.lower)[its], np.asarray(layer.upper)[its]
                (ax.hlines if is_rows else ax.vlines)(
                    (y if is_rows else x)[its], *ends, colors=colour, linewidth=0.35 * size
                )
            face: dict[str, Any] = {"markerfacecolor": "none"} if kind == "caution" else {}
            marker = style.marker if kind is None else SYMBOLS[kind]
            name = label if kind is None else "" if kind in known else kind
            ax.plot(x[its], y[its], marker, color=colour, markersize=size, label=name, **face)


def _room(ax: Axes) -> float:
    """Return the width of the axes as a number of letters of tick labels, two to the height of a letter."""
    font_size = FontProperties(size=rcParams["xtick.labelsize"]).get_size_in_points()
    return float(ax.bbox.width / ax.figure.dpi * 72.0 / font_size)


def _set_time_ticks(ax: Axes, at: Any, names: Sequence[str]) -> None:
    """Set ticks at calendar dates, or at some of the names if there are names."""
    if not names:
        number = int(_room(ax) / 4.0)
        # With fewer ticks the locator finds no interval for some spans, and warns.
        locator = dates.AutoDateLocator(minticks=3 if number >= 6 else 2, maxticks=max(5, number + 1))
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
        return
    number = min(len(at), max(2, int(_room(ax) / (0.8 * max(map(len, names)) + 1.0))))
    # The dates next to equal distances, which have gaps where dates are missing.
    places = np.linspace(0.0, 1.0, number) * (at[-1] - at[0]).astype(np.float64)
    nearest = sorted({int(np.abs((at - at[0]).astype(np.float64) - place).argmin()) for place in places})
    ax.set_xticks(at[nearest], [names[index] for index in nearest])


def _draw_key(ax: Axes) -> Axes:
    """Draw the key below the axes, in as many columns as there is space for."""
    entries = sorted(zip(*ax.get_legend_handles_labels()), key=lambda entry: entry[1] in SYMBOLS)
    if not entries:
        return ax
    figure = ax.figure.canvas.figure  # not a subfigure
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # gives the axes their final size
    box = ax.xaxis.get_tightbbox()
    below = (ax.bbox.y0 - box.y0) / figure.dpi if box is not None else 0.0
    place = ax.transAxes + ScaledTranslation(0.0, -below, figure.dpi_scale_trans)
    scale = 4.5 / min([4.5, *(handle.get_markersize() for handle, _ in entries if hasattr(handle, "get_markersize"))])
    for columns in range(len(entries), 0, -1):
        key = ax.legend(
            *zip(*entries), loc="upper left", bbox_to_anchor=(0.0, 0.0), bbox_transform=place, frameon=False, fontsize="small",
            ncols=columns, borderaxespad=0.2, borderpad=0.0, handlelength=1.5, columnspacing=1.2, markerscale=scale,
        )  # fmt: skip
        if key.get_window_extent().width <= ax.bbox.width:
            break
    return ax


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
    "-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)), (0, (3, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (9, 2)),
)  # fmt: skip
"""Line styles, which distinguish lines without markers in print without colours."""

_BEGINNING, _END = 21, 9
"""Numbers of letters at both ends of a long name that are shown; names often begin alike."""


@dataclass(frozen=True)
class Style:
    """The style and label of a series."""

    label: str
    color: Any
    marker: str
    line: Any


def name(text: str) -> str:
    """Return a name from the data as a label, in which a dollar does not begin a formula."""
    text = escape_untrusted(text)
    return (text if len(text) <= _BEGINNING + _END else _core.truncate(text, _BEGINNING) + text[-_END:]).replace(
        "$", r"\$"
    )


def _is_dark(ax: Axes | None) -> bool:
    """Return whether the axes, or new axes, have a dark background."""
    faces: list[Any] = [rcParams["axes.facecolor"], rcParams["figure.facecolor"]]
    if ax is not None:
        faces = [ax.patch.get_facecolor(), ax.figure.patch.get_facecolor()]
    red, green, blue, opaque = to_rgba(faces[0])
    if opaque == 0.0:
        red, green, blue, _ = to_rgba(faces[1])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5


def _series_styles(
    ax: Axes | None,
    names: Sequence[str],
    colors: Colors,
    labels: Labels,
    defaults: Mapping[str, tuple[str, str]],
) -> dict[str, Style]:
    """Return a style for each series; by default the first 49 styles are different, and a single one has no label.

    It must be called before a figure is created, which an error would leave open.
    """
    styles = {}
    given_colors = _by_name("colors", colors, names, is_color_like)
    given_labels = _by_name("labels", labels, names, lambda label: isinstance(label, str))
    for index, series in enumerate(names):
        turn, color_index = divmod(index, len(_COLORS))
        colour = "#FFFFFF" if _COLORS[color_index] == _BLACK and _is_dark(ax) else _COLORS[color_index]
        colour, label = defaults.get(series, (colour, name(series) if len(names) > 1 else ""))
        kind = (color_index + turn) % len(_MARKERS)
        label, colour = given_labels.get(series, label), given_colors.get(series, colour)
        styles[series] = Style(label, colour, _MARKERS[kind], _LINES[kind])
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
    for series, each in result.items():
        if not is_valid(each):
            raise error(f"has {short_repr(each)} for {series}; it must be {_MUST[argument]}")
    return result
