"""How far groups are apart, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._differences import Differences
from truecount._table import percent, worded
from truecount.plot._axes import GREY
from truecount.plot._forest import Line, forest, rows_axes
from truecount.plot._legend import legend
from truecount.plot._series import Colors, Labels, name, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["differences"]

_MOST_PAIRS = 200


def differences(
    differences: Differences, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Differences between groups with their intervals, a line for each pair in the order of the table, the first on top.

    Parameters
    ----------
    differences : Differences
        What `Estimates.compare` returned, of at most 200 pairs.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure, as high as its lines need.
    colors, labels : optional
        Of the methods, as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TruecountError
        For more pairs than can be told apart.
    """
    if not isinstance(differences, Differences):
        raise OptionError(
            f"differences is {shown(differences)}; it must be what Estimates.compare returned",
            "option-invalid",
            name="differences",
        )
    columns = differences.to_dict()
    methods = list(dict.fromkeys(columns["method"].tolist()))
    groups = [*columns][: [*columns].index("reference")]
    pairs: dict[str, int] = {}
    rows = np.empty(len(differences), dtype=np.intp)
    for row in range(len(differences)):
        of, reference = ", ".join(worded(columns[group][row]) for group in groups), worded(columns["reference"][row])
        rows[row] = pairs.setdefault(f"{name(of)} − {name(reference)}", len(pairs))
    if len(pairs) > _MOST_PAIRS:
        raise OptionError(
            f"differences are of {len(pairs)} pairs, more than the {_MOST_PAIRS} that a picture has room for; compare with one group",
            "option-invalid",
            name="differences",
        )
    drawn = series(ax, methods, colors, labels, unnamed=len(methods) == 1)
    ax = rows_axes(ax, len(pairs), len(methods))
    lines = []
    for method, of_method in zip(methods, drawn):
        its = columns["method"] == method
        none = np.zeros(int(its.sum()), dtype=np.bool_)
        lines.append(Line(of_method, rows[its], differences.difference[its], differences.interval[its], none))
    ax.axvline(0.0, color=GREY, linewidth=1, linestyle="--", zorder=1)
    forest(ax, [*pairs], lines, labelled=True)
    ax.set_ylabel(name(", ".join(groups)))
    ax.set_xlabel(f"difference of prevalences, {percent(differences.level)} % interval")
    legend(ax)
    return ax
