"""Estimates of samples whose prevalence is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import OptionError
from truecount._table import Table
from truecount.evaluation._reports import Comparison, Summary

__all__ = ["Evaluation"]


class Evaluation(Table):
    """Estimates beside the truth, a row for each sample and method; it shows itself as its `summary`.

    Attributes
    ----------
    protocol : str
        Which prevalences the samples have: "uniform", "grid" or "natural".
    level : float
        The intervals' nominal coverage.
    train_prevalence : float
        The share of positives among the labelled scores that the methods learnt from.
    """

    _nullable = ("se", "lower", "upper")

    def __init__(
        self, columns: dict[str, Any], *, methods: list[str], protocol: str, size: int, level: float, train_prevalence: float
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

    def summary(self) -> Summary:
        """The errors of each method, and coverage and width of its intervals, all with Monte Carlo standard errors.

        Returns
        -------
        Summary
        """
        return Summary(self)

    def compare(self, against: str | None = None) -> Comparison:
        """Which of two methods is closer to the truth, how often, by how much, and whether that may be chance.

        Parameters
        ----------
        against : str, optional
            The method that all others are compared with, by default the first.

        Returns
        -------
        Comparison

        Raises
        ------
        TruecountError
            For a method that was not evaluated, or if there is only one.
        """
        if len(self._methods) < 2:
            raise OptionError(
                f"there is only one method, {self._methods[0]}; a comparison needs two",
                "option-invalid", name="against",
            )
        reference = self._methods[0] if against is None else against
        self._known(reference)
        return Comparison(self, reference)

    def _known(self, method: str) -> None:
        if method not in self._methods:
            raise OptionError(
                f"'{method}' is none of the methods evaluated: {', '.join(self._methods)}",
                "method-unknown", name=method, known=self._methods,
            )

    def _of(self, name: str, method: str) -> NDArray[Any]:
        return np.ascontiguousarray(self._columns[name][self._methods.index(method) :: len(self._methods)])

    def __repr__(self) -> str:
        return repr(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()
