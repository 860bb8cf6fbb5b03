"""Shares that add up to one, none below zero, as near to estimates as their covariance has it.

For an estimate x with covariance V (of which rows need not add up to 0) the shares are the maximum of the normal likelihood,

    min (p − x)' V⁻¹ (p − x)    with 1'p = 1, p ≥ 0.

The sum alone is a linear constraint: p = x − V1 (1'x − 1)/(1'V1), with the covariance V − V11'V/(1'V1), the smallest that an unbiased
linear function of x with that sum can have (Aitken 1935). Bounds are met by p + Vλ with multipliers λ ≥ 0 that are 0 where p > 0
(Karush–Kuhn–Tucker): a non-negative least squares problem, by the active sets of Lawson and Hanson, *Solving least squares problems* (1974,
chapter 23).
"""

from __future__ import annotations

import numpy as np

from truecount._columns import Floats

__all__ = ["bounded", "summing_to_one"]


def summing_to_one(shares: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """The shares nearest to these whose sum is 1, and the matrix A of their errors: AVA' is their covariance."""
    toward = covariance.sum(axis=1)
    variance = toward.sum()
    if variance <= 1e-12 * np.trace(covariance):
        # They add up to 1 but for rounding, as two classes' do, of which each is what the other leaves.
        toward, variance = np.zeros(len(shares)), 1.0
    share = toward / variance
    return shares - share * (shares.sum() - 1.0), np.eye(len(shares)) - share[:, np.newaxis]


def bounded(shares: Floats, covariance: Floats) -> Floats:
    """The nearest to shares with a sum of 1 of which none is below 0."""
    push = np.zeros(len(shares))
    held = np.zeros(len(shares), dtype=np.bool_)
    found = shares
    # Rounding may leave a share of -1e-17, which no multiplier mends.
    while (found[~held] < -1e-12).any():
        held[np.flatnonzero(~held)[found[~held].argmin()]] = True
        while True:
            wanted = np.zeros(len(shares))
            wanted[held] = np.linalg.solve(covariance[np.ix_(held, held)], -shares[held])
            falling = held & (wanted <= 0.0)
            if not falling.any():
                push = wanted
                break
            step = np.min(push[falling] / (push[falling] - wanted[falling]))
            push = push + step * (wanted - push)
            held &= push > 0.0
        found = shares + covariance @ push
    return np.clip(np.where(held, 0.0, found), 0.0, None)
