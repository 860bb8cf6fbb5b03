"""Plots, with matplotlib, of results, models and evaluations.

Every function draws into the given axes, or into a new figure, and returns the axes. Colours are those of Okabe and Ito
(2008), which people with colour blindness can distinguish; series differ in markers and line styles too, for print
without colours. Legends lie below the axes. Legends and long group names need a figure with ``layout="constrained"``.
"""

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError("truecount.plot needs matplotlib: pip install truecount[plot]") from error

from truecount.plot._figures import densities, diagonal, draw, error_by_shift, threshold

__all__ = ["densities", "diagonal", "draw", "error_by_shift", "threshold"]
