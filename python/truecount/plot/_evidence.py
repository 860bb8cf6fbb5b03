"""What an audit and labels from elsewhere say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._audit import Audit
from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._table import p_value, percent
from truecount._warned import gravest
from truecount.plot._axes import BLUE, VERMILION
from truecount.plot._forest import Line, forest, rows_axes
from truecount.plot._legend import legend
from truecount.plot._points import note_severities
from truecount.plot._series import Colors, Labels, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["evidence"]

_NAMES = {
    "labels": "audited labels",
    "ppi++": "with scores (PPI++)",
    "external": "labels elsewhere",
    "combined": "combined",
}


def evidence(audit: Audit, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """What each source of an audit says of the prevalence, with its interval, and which of them is the answer.

    The estimate from labels elsewhere is grey and hollow where a warning calls it unreliable.

    Parameters
    ----------
    audit : Audit
        What `truecount.audit` returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.
    colors, labels : optional
        Of the series "recommended" and "others", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes
    """
    if not isinstance(audit, Audit):
        raise OptionError(
            f"audit is {shown(audit)}; it must be what truecount.audit returned", "option-invalid", name="audit"
        )
    found = {"labels": audit.labels, "ppi++": audit.ppi, "external": audit.external, "combined": audit.combined}
    sources = {source: what for source, what in found.items() if what is not None}
    defaults = {"recommended": (VERMILION, "recommended"), "others": (BLUE, "")}
    answer, others = series(ax, [*defaults], colors, labels, defaults)
    ax = rows_axes(ax, len(sources), 1)
    severity = gravest(audit.warnings)
    lines = []
    for of, rows in (
        (answer, [row for row, source in enumerate(sources) if source == audit.recommended.source]),
        (others, [row for row, source in enumerate(sources) if source != audit.recommended.source]),
    ):
        its = [[*sources.values()][row] for row in rows]
        ends = np.array([what.interval or (np.nan, np.nan) for what in its])
        grey = np.array([what is audit.external and severity == "unreliable" for what in its])
        lines.append(Line(of, np.array(rows), np.array([what.prevalence for what in its]), ends, grey))
    forest(ax, [_NAMES[source] for source in sources], lines, labelled=True)
    ax.set_xlabel(f"prevalence, {percent(audit.level)} % interval")
    ax.set_ylabel(f"{audit.audited} of {audit.n} audited")
    if audit.p_value is not None:
        p = p_value(audit.p_value)
        ax.set_title(
            f"labels elsewhere carry over: p {p if p.startswith('<') else f'= {p}'}", loc="left", fontsize="medium"
        )
    note_severities(ax, [None] * (len(sources) - 1) + [severity])
    legend(ax)
    return ax
