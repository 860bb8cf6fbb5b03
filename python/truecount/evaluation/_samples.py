"""Samples whose prevalence is known, and what was estimated of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import OptionError
from truecount._table import Table

__all__ = ["Samples"]


class Samples(Table):
    """Estimates beside the truth, a row for each sample and method."""

    _nullable = ("se", "lower", "upper")

    def __init__(
        self,
        columns: dict[str, Any],
        *,
        methods: list[str],
        protocol: str,
        size: int,
        level: float,
        train_prevalence: float,
    ) -> None:
        self._columns = columns
        self._methods = methods
        self._size = size
        self.protocol = protocol
        self.level = level
        self.train_prevalence = train_prevalence

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of the rows of each sample."""
        return list(self._methods)

    @property
    def truth(self) -> Floats:
        """The share of positives in each sample, shape (n_samples,)."""
        return np.asarray(self._of("truth", self._methods[0]))

    def of(self, method: str) -> dict[str, NDArray[Any]]:
        """The columns of one method, in the order of the samples.

        Raises
        ------
        TruecountError
            For a method that was not evaluated.
        """
        self._known(method)
        return {name: self._of(name, method) for name in self._columns if name != "method"}

    def _known(self, method: str) -> None:
        if method not in self._methods:
            raise OptionError(
                f"'{method}' is not among the evaluated methods: {', '.join(self._methods)}",
                "method-unknown",
                name=method,
                known=self._methods,
            )

    def _of(self, name: str, method: str) -> NDArray[Any]:
        return np.ascontiguousarray(self._columns[name][self._methods.index(method) :: len(self._methods)])
