"""Series of a picture: colours, markers, line styles and labels, by default or as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from matplotlib.colors import is_color_like
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._table import visible, worded
from truecount.plot._axes import BLUE, VERMILION, is_dark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Colors", "Labels", "Series", "name", "series"]

Color = Union[str, tuple[float, float, float], tuple[float, float, float, float], tuple[str, float]]
"""What matplotlib takes for one."""

Colors = Optional[Union[Color, Sequence[Color], Mapping[Any, Color], NDArray[Any]]]
"""A colour for all series, one for each in their order, or a mapping of their names to colours."""

Labels = Optional[Union[str, Sequence[str], Mapping[Any, str]]]
"""A label for each series in their order, or a mapping of their names to labels; of a single series a text."""

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
"""For whom colours are shades of grey, where a line has no markers."""

_BEGINNING, _END = 21, 9
"""Letters of a long name that are shown: names of one table often begin alike."""


@dataclass(frozen=True)
class Series:
    """How a series is drawn, and what it is called."""

    label: str
    color: Any
    marker: str
    line: Any

    @property
    def style(self) -> dict[str, Any]:
        """Of a line with markers."""
        return {"color": self.color, "marker": self.marker, "linestyle": self.line}


def name(text: str) -> str:
    """A name from the data as it is, in which a dollar does not begin a formula."""
    text = visible(text)
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
    """A style for each name; no two of the first 49 are the same by default. To be called before a figure is made, which would stay.

    `defaults` are other colours and labels; what is `unnamed` has a label only where one is asked for.
    """
    found = []
    own_colors = _by_name("colors", colors, names, is_color_like)
    own_labels = _by_name("labels", labels, names, lambda label: isinstance(label, str))
    for place, of in enumerate(names):
        turn, at = divmod(place, len(_COLORS))
        colour = "#FFFFFF" if _COLORS[at] == _BLACK and is_dark(ax) else _COLORS[at]
        colour, label = (defaults or {}).get(of, (colour, "" if unnamed else name(of)))
        kind = (at + turn) % len(_MARKERS)
        found.append(Series(own_labels.get(of, label), own_colors.get(of, colour), _MARKERS[kind], _LINES[kind]))
    return found


_MUST = {
    "colors": "a colour of matplotlib, such as 'tab:blue', '#0072B2' or (0.0, 0.45, 0.7)",
    "labels": "a text",
}


def _by_name(argument: str, given: Any, names: Sequence[str], is_one: Callable[[Any], bool]) -> dict[str, Any]:
    """What is given for each name."""

    def refused(what: str) -> OptionError:
        return OptionError(f"{argument} {what}", "option-invalid", name=argument, value=given)

    if given is None:
        return {}
    known = ", ".join(names)
    if isinstance(given, Mapping):
        found = {worded(key): value for key, value in given.items()}
        unknown = [key for key in found if key not in names]
        if unknown:
            raise refused(f"has {unknown[0]!r}, which is no series; there are {known}")
    elif isinstance(given, str) or is_one(given) or not isinstance(given, Iterable):
        if argument == "labels" and len(names) > 1:
            raise refused(
                f"is {shown(given)} for {len(names)} series; give one for each of {known}, in a list or by name"
            )
        found = dict.fromkeys(names, given)
    else:
        values = [*given]
        if len(values) != len(names):
            raise refused(f"has {len(values)} for {len(names)} series; give one for each of {known}, or a dict by name")
        found = dict(zip(names, values))
    for of, value in found.items():
        if not is_one(value):
            raise refused(f"has {shown(value)} for {of}; it must be {_MUST[argument]}")
    return found
