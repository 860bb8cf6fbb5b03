"""Series of a plot: colours, markers, line styles and labels, by default or from arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from matplotlib.colors import is_color_like
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import short_repr
from truecount._conditions import OptionError
from truecount._table import escape_untrusted, format_value
from truecount.plot._axes import BLUE, VERMILION, is_dark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Colors", "Labels", "Series", "name", "series"]

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


_MUST = {
    "colors": "a colour of matplotlib, such as 'tab:blue', '#0072B2' or (0.0, 0.45, 0.7)",
    "labels": "a text",
}


def _by_name(argument: str, value: Any, names: Sequence[str], is_valid: Callable[[Any], bool]) -> dict[str, Any]:
    """Return the colours or labels of an argument by the names of series."""

    def error(problem: str) -> OptionError:
        return OptionError(f"{argument} {problem}", "option-invalid", name=argument, value=value)

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
