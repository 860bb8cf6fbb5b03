"""Estimates of samples with known prevalence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import OptionError
from truecount._table import Table

__all__ = ["Samples"]


class Samples(Table):
    """A table of estimates with the true prevalence, a row for each sample and method."""

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
        """The true prevalence of each sample, shape (n_samples,)."""
        return np.asarray(self._column_of("truth", self._methods[0]))

    def for_method(self, method: str) -> dict[str, NDArray[Any]]:
        """Return the columns of one method, in the order of the samples.

        Parameters
        ----------
        method : str
            One of the evaluated methods.

        Returns
        -------
        dict of str to ndarray, shape (n_samples,)

        Raises
        ------
        TruecountError
            If the method was not evaluated.
        """
        self._check_method(method)
        return {name: self._column_of(name, method) for name in self._columns if name != "method"}

    def _check_method(self, method: str) -> None:
        if method not in self._methods:
            raise OptionError(
                f"'{method}' is not among the evaluated methods: {', '.join(self._methods)}",
                "method-unknown",
                name=method,
                known=self._methods,
            )

    def _column_of(self, name: str, method: str) -> NDArray[Any]:
        return np.ascontiguousarray(self._columns[name][self._methods.index(method) :: len(self._methods)])
