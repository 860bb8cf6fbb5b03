"""Projection of estimates to shares that are not negative and add up to one.

For an estimate x with covariance V (whose rows need not add up to 0) the shares maximise the normal
likelihood,

    min (p − x)' V⁻¹ (p − x)    with 1'p = 1, p ≥ 0.

The sum alone is a linear constraint: p = x − V1 (1'x − 1)/(1'V1), with the covariance V −
V11'V/(1'V1), the smallest of any unbiased linear function of x with that sum (Aitken 1935). The
bounds are met by p + Vλ with multipliers λ ≥ 0 that are 0 where p > 0 (Karush–Kuhn–Tucker). This is
a non-negative least squares problem, solved by the active sets of Lawson and Hanson, *Solving least
squares problems* (1974, chapter 23).
"""

from __future__ import annotations

import numpy as np

from truecount._columns import Floats

__all__ = ["adjust_sum", "project_to_simplex"]


def adjust_sum(shares: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Return the nearest shares with the sum 1, and the matrix A with AVA' their covariance."""
    toward = covariance.sum(axis=1)
    variance = toward.sum()
    if variance <= 1e-12 * np.trace(covariance):
        # They add up to 1 except for rounding, as the shares of two classes do.
        toward, variance = np.zeros(len(shares)), 1.0
    share = toward / variance
    return shares - share * (shares.sum() - 1.0), np.eye(len(shares)) - share[:, np.newaxis]


def project_to_simplex(shares: Floats, covariance: Floats) -> Floats:
    """Return the nearest shares of which none is below 0, for shares with the sum 1."""
    multipliers = np.zeros(len(shares))
    active = np.zeros(len(shares), dtype=np.bool_)
    projected = shares
    # Rounding may leave a share of -1e-17, which no multiplier corrects.
    while (projected[~active] < -1e-12).any():
        active[np.flatnonzero(~active)[projected[~active].argmin()]] = True
        while True:
            target = np.zeros(len(shares))
            target[active] = np.linalg.solve(covariance[np.ix_(active, active)], -shares[active])
            falling = active & (target <= 0.0)
            if not falling.any():
                multipliers = target
                break
            step = np.min(multipliers[falling] / (multipliers[falling] - target[falling]))
            multipliers = multipliers + step * (target - multipliers)
            active &= multipliers > 0.0
        projected = shares + covariance @ multipliers
    return np.clip(np.where(active, 0.0, projected), 0.0, None)
