"""Whether a classifier's probabilities can be taken at their word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats

__all__ = ["Calibration", "calibration"]

_STEPS = 100


@dataclass(frozen=True)
class Calibration:
    """What the labels say of their probabilities p: the log odds of a positive are intercept + slope logit(p)."""

    slope: float
    """1 for calibrated probabilities, below 1 for those too near to 0 and 1."""

    intercept: float
    """0 for calibrated probabilities."""

    p_value: float
    """Of the likelihood-ratio test of slope 1 and intercept 0: chi-square with two degrees of freedom."""


def calibration(probabilities: Floats, positive: NDArray[np.bool_]) -> Calibration:
    """Logistic regression of the labels on the logits of their probabilities.

    Cox, *Two further applications of a model for binary regression*, 1958. Probabilities are kept 1e-6 away from 0 and 1.
    """
    p = np.clip(probabilities, 1e-6, 1.0 - 1e-6)
    rows = np.column_stack([np.ones(len(p)), np.log(p) - np.log1p(-p)])
    signs = np.where(positive, 1.0, -1.0)

    def deviance(coefficients: Floats) -> float:
        return float(2.0 * np.logaddexp(0.0, -signs * (rows @ coefficients)).sum())

    coefficients = np.array([0.0, 1.0])
    null = least = deviance(coefficients)
    for _ in range(_STEPS):
        fitted = np.exp(-np.logaddexp(0.0, -(rows @ coefficients)))
        information = (rows * (fitted * (1.0 - fitted))[:, None]).T @ rows
        # Least squares, as the information is singular where all probabilities are one number.
        step = np.linalg.lstsq(information, rows.T @ (positive - fitted), rcond=None)[0]
        # What a full step would gain. Where the probabilities separate the classes there is no maximum: the deviance falls to 0.
        if step @ information @ step < 1e-9:
            break
        # A full step may go too far from where most probabilities are near to 0 or 1.
        while (found := deviance(coefficients + step)) > least:
            step = step / 2.0
        coefficients, least = coefficients + step, found
    intercept, slope = coefficients.tolist()
    return Calibration(slope, intercept, float(np.exp((least - null) / 2.0)))
