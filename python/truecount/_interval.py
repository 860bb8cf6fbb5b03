"""The ends of intervals, of one result and of tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truecount._table import Table

__all__ = ["IntervalResult", "IntervalTable"]


class IntervalResult:
    """A result with an interval."""

    interval: tuple[float, float]

    @property
    def lower(self) -> float:
        """Lower end of the interval."""
        return self.interval[0]

    @property
    def upper(self) -> float:
        """Upper end of the interval."""
        return self.interval[1]


class IntervalTable(Table):
    """A table of results with standard errors and intervals; NaN for methods without a formula."""

    @property
    def se(self) -> NDArray[np.float64]:
        """Standard errors."""
        return self._column("se")

    @property
    def lower(self) -> NDArray[np.float64]:
        """Lower ends of the intervals."""
        return self._column("lower")

    @property
    def upper(self) -> NDArray[np.float64]:
        """Upper ends of the intervals."""
        return self._column("upper")

    @property
    def interval(self) -> NDArray[np.float64]:
        """Lower and upper ends of the intervals, shape (number of rows, 2)."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))
