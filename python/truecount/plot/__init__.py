"""Plots, with matplotlib, of estimates, differences, audits, plans, monitored series, models, checks and evaluations.

Every function draws into the given axes, or into a new figure, and returns the axes. Colours are
those of Okabe and Ito (2008), which people with colour blindness can distinguish; series differ in
markers and line styles too, for print without colours. Legends lie inside the axes. Names of groups
and axes need a layout: ``plt.subplots(2, 2, layout="constrained")``.
"""

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError("truecount.plot needs matplotlib: pip install truecount[plot]") from error

from truecount.plot._figures import (
    adjusted_count, densities, diagonal, differences, error_by_shift, evidence, intervals, monitor, plan, threshold,
)  # fmt: skip

__all__ = [
    "adjusted_count", "densities", "diagonal", "differences", "error_by_shift", "evidence", "intervals", "monitor", "plan",
    "threshold",
]  # fmt: skip
