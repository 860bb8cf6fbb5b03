"""A plot of differences between groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._conditions import OptionError
from truecount._differences import Differences
from truecount._table import format_value, percent
from truecount.plot._axes import GREY, check_result
from truecount.plot._forest import Line, forest, rows_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, name, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["differences"]

_MAX_PAIRS = 200


def differences(
    differences: Differences, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Plot differences between groups with their intervals, a line for each pair, the first on top.

    Parameters
    ----------
    differences : Differences
        The result of `Estimates.compare`, with at most 200 pairs.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure with the height for its lines.
    colors, labels : optional
        Colours and labels of the methods, as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        If there are more than 200 pairs.
    """
    check_result(differences, Differences, "differences", "Estimates.compare")
    columns = differences.to_dict()
    methods = list(dict.fromkeys(columns["method"].tolist()))
    groups = [*columns][: [*columns].index("reference")]
    pairs: dict[str, int] = {}
    rows = np.empty(len(differences), dtype=np.intp)
    for row in range(len(differences)):
        group = ", ".join(format_value(columns[column][row]) for column in groups)
        reference = format_value(columns["reference"][row])
        rows[row] = pairs.setdefault(f"{name(group)} − {name(reference)}", len(pairs))
    if len(pairs) > _MAX_PAIRS:
        raise OptionError(
            f"differences are of {len(pairs)} pairs, more than the {_MAX_PAIRS} that a picture has room for; "
            "compare with one group",
            "option-invalid",
            name="differences",
        )
    styles = series(ax, methods, colors, labels, unnamed=len(methods) == 1)
    ax = rows_axes(ax, len(pairs), len(methods))
    lines = []
    for method, style in zip(methods, styles):
        chosen = columns["method"] == method
        grey = np.zeros(int(chosen.sum()), dtype=np.bool_)
        lines.append(Line(style, rows[chosen], differences.difference[chosen], differences.interval[chosen], grey))
    ax.axvline(0.0, color=GREY, linewidth=1, linestyle="--", zorder=1)
    forest(ax, [*pairs], lines, labelled=True)
    ax.set_ylabel(name(", ".join(groups)))
    ax.set_xlabel(f"difference of prevalences, {percent(differences.level)} % interval")
    legend(ax)
    return ax
