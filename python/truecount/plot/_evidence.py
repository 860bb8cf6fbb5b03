"""A plot of the estimates of an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truecount._audit import Audit
from truecount._table import format_p_value, percent
from truecount._warnings import max_severity
from truecount.plot._axes import BLUE, VERMILION, check_result
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
    "external": "external labels",
    "combined": "combined",
}


def evidence(audit: Audit, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot the estimate from each source of an audit with its interval.

    The recommended estimate has a colour of its own. The external estimate is grey and hollow if a
    warning calls it unreliable.

    Parameters
    ----------
    audit : Audit
        The result of `truecount.audit`.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    colors, labels : optional
        Colours and labels of the series "recommended" and "others", as in `intervals`.

    Returns
    -------
    matplotlib.axes.Axes
    """
    check_result(audit, Audit, "audit", "truecount.audit")
    estimates = {"labels": audit.labels, "ppi++": audit.ppi, "external": audit.external, "combined": audit.combined}
    sources = {source: estimate for source, estimate in estimates.items() if estimate is not None}
    defaults = {"recommended": (VERMILION, "recommended"), "others": (BLUE, "")}
    recommended, others = series(ax, [*defaults], colors, labels, defaults)
    ax = rows_axes(ax, len(sources), 1)
    severity = max_severity(audit.warnings)
    lines = []
    for style, rows in (
        (recommended, [row for row, source in enumerate(sources) if source == audit.recommended.source]),
        (others, [row for row, source in enumerate(sources) if source != audit.recommended.source]),
    ):
        chosen = [[*sources.values()][row] for row in rows]
        ends = np.array([estimate.interval or (np.nan, np.nan) for estimate in chosen])
        grey = np.array([estimate is audit.external and severity == "unreliable" for estimate in chosen])
        lines.append(Line(style, np.array(rows), np.array([estimate.prevalence for estimate in chosen]), ends, grey))
    forest(ax, [_NAMES[source] for source in sources], lines, labelled=True)
    ax.set_xlabel(f"prevalence, {percent(audit.level)} % interval")
    ax.set_ylabel(f"{audit.audited} of {audit.n} audited")
    if audit.p_value is not None:
        p = format_p_value(audit.p_value)
        ax.set_title(
            f"external labels agree with the audit: p {p if p.startswith('<') else f'= {p}'}",
            loc="left",
            fontsize="medium",
        )
    note_severities(ax, [None] * (len(sources) - 1) + [severity])
    legend(ax)
    return ax
