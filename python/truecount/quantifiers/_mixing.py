"""The shares of several classes from one function of the score for each: Adjusted Count, with a matrix for two rates.

A function g_j has the mean M_jk among the rows of class k. Where only the shares π of the classes have changed, its mean among new rows is
Σ_k M_jk π_k, so that

    π̂ = M̂⁻¹ ḡ

(Vucetic and Obradovic 2001; Hopkins and King 2010, who solve the same equations). To first order

    Cov π̂ = M⁻¹ (S/n + Σ_k π_k² C_k/n_k) M⁻ᵀ

with C_k the covariance of the functions within class k, from labelled rows. S = Σ_k π_k C_k for the shares of these very rows; for those
of the population that they come from the covariance of the class means, M (diag π − ππ') M', is added. Of new rows with weights 1/n is
Σw²/(Σw)², and the shares in S are those by w². What the labelled rows leave uncertain is, with weights, C_k/n_k = n_k/(n_k−1)
Σ (w/Σw)² (g − M_k)(g − M_k)', and of rows in clusters the same of the sums over clusters: both are linearised for rows drawn with
replacement, as the variances of two classes are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import LabelError

__all__ = ["Covariance", "Labelled"]

Covariance = Callable[[Floats], Floats]
"""The covariance of estimated shares, by what the shares are."""


@dataclass(frozen=True)
class Labelled:
    """Labelled rows: the place of each one's class, its weight as a share of its class, and the number of its cluster."""

    places: NDArray[np.intp]
    shares: Floats
    clusters: NDArray[np.intp] | None

    @classmethod
    def of(cls, places: NDArray[np.intp], weights: Floats | None, clusters: NDArray[np.uint32] | None) -> Labelled:
        """The same from weights of which only ratios count."""
        counted = np.ones(len(places)) if weights is None else weights
        numbered = None if clusters is None else np.unique(clusters, return_inverse=True)[1].reshape(-1)
        return cls(places, counted / np.bincount(places, counted)[places], numbered)

    def solved(self, functions: Floats, new: Floats, weights: Floats, population: bool) -> tuple[Floats, Covariance]:
        """The shares of the classes, not bounded, and their covariance if the shares are what it is asked for.

        Parameters
        ----------
        functions : ndarray of float, shape (n_labelled, K)
            The functions' values for the labelled rows.
        new : ndarray of float, shape (n, K)
            Those for new rows.
        weights : ndarray of float, shape (n,)
            The weights of new rows, with the sum 1.
        population : bool
            Whether the shares of the population are meant.
        """
        rates = functions.T @ (np.eye(new.shape[1])[self.places] * self.shares[:, np.newaxis])
        try:
            inverse = np.linalg.inv(rates)
        except np.linalg.LinAlgError:
            raise LabelError(
                "the classifier's scores do not tell all classes apart: some have the same means; give it more labelled rows or "
                "better features, or take such classes for one",
                "classifier-learns-nothing",
            ) from None
        # In units of shares.
        apart = (functions - rates.T[self.places]) @ inverse.T
        found, squares = inverse @ (weights @ new), weights**2
        shift = inverse @ (squares @ new) / squares.sum() - found
        spread = _unbiased(1.0 / np.bincount(self.places, self.shares**2))[self.places]

        def covariance(shares: Floats) -> Floats:
            by_squares = np.clip(shares + shift, 0.0, None)
            drawn = apart.T @ (apart * (by_squares[self.places] * self.shares * spread)[:, np.newaxis])
            if population:
                crossed = np.outer(by_squares, shares)
                drawn += np.diag(by_squares) - crossed - crossed.T + np.outer(shares, shares)
            return np.asarray(
                squares.sum() * drawn + self._learning(apart * (shares[self.places] * self.shares)[:, np.newaxis])
            )

        return found, covariance

    def _learning(self, errors: Floats) -> Floats:
        """The covariance of the sum of what each labelled row adds to the error."""
        if self.clusters is None:
            return np.asarray(errors.T @ (errors * _unbiased(np.bincount(self.places))[self.places, np.newaxis]))
        sums = np.zeros((self.clusters.max() + 1, errors.shape[1]))
        np.add.at(sums, self.clusters, errors)
        return np.asarray(sums.T @ sums * _unbiased(np.array(len(sums))))


def _unbiased(numbers: NDArray[Any]) -> Floats:
    """n/(n − 1), by which sums of squares about a mean are too small; of a single row there is none."""
    return np.asarray(np.divide(numbers, numbers - 1.0, out=np.ones(np.shape(numbers)), where=numbers > 1.0))
