"""Pictures, with matplotlib: of evaluations, of the check, of models, of estimates, their differences and audits.

Every function draws into the axes it is given, or into a new figure, and returns the axes. Colours are Okabe and Ito's (2008),
told apart by every eye; series differ in markers and lines too, for print without colours. Legends lie inside the axes. Names of groups
and axes need room that only a layout makes: ``plt.subplots(2, 2, layout="constrained")``.
"""

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError("truecount.plot needs matplotlib: pip install truecount[plot]") from error

from truecount.plot._adjusted_count import adjusted_count
from truecount.plot._densities import densities
from truecount.plot._diagonal import diagonal
from truecount.plot._differences import differences
from truecount.plot._error_by_shift import error_by_shift
from truecount.plot._evidence import evidence
from truecount.plot._intervals import intervals
from truecount.plot._threshold import threshold

__all__ = [
    "adjusted_count",
    "densities",
    "diagonal",
    "differences",
    "error_by_shift",
    "evidence",
    "intervals",
    "threshold",
]
