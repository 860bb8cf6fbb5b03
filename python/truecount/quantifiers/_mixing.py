"""The shares of several classes from one function of the score for each: Adjusted Count, with a matrix for two rates.

A function g_j has the mean M_jk among the rows of class k. Where only the shares π of the classes have changed, its mean among new rows is
Σ_k M_jk π_k, so that

    π̂ = M̂⁻¹ ḡ

(Vucetic and Obradovic 2001; Hopkins and King 2010, who solve the same equations). To first order

    Cov π̂ = M⁻¹ (S/n + Σ_k π_k² C_k/n_k) M⁻ᵀ

with C_k the covariance of the functions within class k, from labelled rows. S = Σ_k π_k C_k for the shares of these very rows; for those of the
population that they come from the covariance of the class means, M (diag π − ππ') M', is added. Of labelled rows with weights n_k is 1/Σ(w/Σw)²; of
rows in clusters the sum over rows is one over the sums of clusters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import LabelError

__all__ = ["Labelled"]


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

    def solved(self, functions: Floats, means: Floats, drawing: float, population: bool) -> tuple[Floats, Floats]:
        """The shares of the classes, not bounded, and their covariance.

        Parameters
        ----------
        functions : ndarray of float, shape (n_labelled, K)
            The functions' values for the labelled rows.
        means : ndarray of float, shape (K,)
            Their means among new rows.
        drawing : float
            1/n, or of new rows with weights Σw²/(Σw)².
        population : bool
            Whether the shares of the population are meant.
        """
        of = np.eye(len(means))[self.places] * self.shares[:, np.newaxis]
        rates = functions.T @ of
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
        shares = inverse @ means
        near = np.clip(shares, 0.0, None)
        near /= near.sum()
        each = np.bincount(self.places)
        large = (each / (each - 1))[self.places]
        within = apart.T @ (apart * (near[self.places] * self.shares * large)[:, np.newaxis])
        drawn = within + (np.diag(near) - np.outer(near, near) if population else 0.0)
        return shares, drawing * drawn + self._learning(apart * (near[self.places] * self.shares)[:, np.newaxis], large)

    def _learning(self, errors: Floats, large: Floats) -> Floats:
        """The covariance of the sum of what each labelled row adds to the error."""
        if self.clusters is None:
            return np.asarray(errors.T @ (errors * large[:, np.newaxis]))
        sums = np.zeros((self.clusters.max() + 1, errors.shape[1]))
        np.add.at(sums, self.clusters, errors)
        return np.asarray(sums.T @ sums * (len(sums) / (len(sums) - 1)))
