"""Estimates of samples whose prevalence is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import OptionError
from truecount.evaluation._reports import Comparison, Summary
from truecount.evaluation._samples import Samples

__all__ = ["Evaluation"]


class Evaluation(Samples):
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

    def summary(self) -> Summary:
        """The errors of each method, and coverage and width of its intervals, all with Monte Carlo standard errors.

        Returns
        -------
        Summary
        """
        return Summary(self)

    def compare(self, reference: str | None = None) -> Comparison:
        """Which of two methods is closer to the truth, how often, by how much, and whether that may be chance.

        Parameters
        ----------
        reference : str, optional
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
                "option-invalid",
                name="reference",
            )
        reference = self._methods[0] if reference is None else reference
        self._known(reference)
        return Comparison(self, reference)

    def __repr__(self) -> str:
        return repr(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()
