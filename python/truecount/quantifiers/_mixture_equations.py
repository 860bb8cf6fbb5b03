"""Adjusted Count for several classes: shares from the means of a function of the score per class.

The function g_j has the mean M_jk among the rows of class k. If only the shares π of the classes
change, its mean among new rows is Σ_k M_jk π_k, so that

    π̂ = M̂⁻¹ ḡ

(Vucetic and Obradovic 2001; Hopkins and King 2010, who solve the same equations). To first order

    Cov π̂ = M⁻¹ (S/n + Σ_k π_k² C_k/n_k) M⁻ᵀ

where C_k is the covariance of the functions within class k, from labelled rows. For the shares of
the new rows themselves, S = Σ_k π_k C_k; for the shares of the population that they come from, the
covariance of the class means, M (diag π − ππ') M', is added. For weighted new rows 1/n becomes
Σw²/(Σw)², and the shares in S are weighted by w². For weighted labelled rows

    C_k/n_k = n_k/(n_k−1) Σ (w/Σw)² (g − M_k)(g − M_k)',

and for clusters the sums over each cluster take the place of the rows. Both are linearisations for
rows drawn with replacement, as for two classes.

If several classifiers have scored each new row, g of a row is the mean over them, weighted by their
shares, and the covariance of g within rows is subtracted from S.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import LabelError

__all__ = ["Covariance", "LabelledClasses"]

Covariance = Callable[[Floats], Floats]
"""The covariance of estimated shares as a function of the true shares."""


@dataclass(frozen=True)
class LabelledClasses:
    """The classes, weights and clusters of labelled rows."""

    codes: NDArray[np.intp]
    """The index of each row's class."""
    shares: Floats
    """The weight of each row as a share of its class."""
    clusters: NDArray[np.intp] | None

    @classmethod
    def from_weights(
        cls, codes: NDArray[np.intp], weights: Floats | None, clusters: NDArray[np.uint32] | None
    ) -> LabelledClasses:
        """Create the classes from weights, of which only ratios matter."""
        weights = np.ones(len(codes)) if weights is None else weights
        numbers = None if clusters is None else np.unique(clusters, return_inverse=True)[1].reshape(-1)
        return cls(codes, weights / np.bincount(codes, weights)[codes], numbers)

    def solve_shares(
        self, functions: Floats, new: Floats, weights: Floats, classifier_shares: Floats, population: bool
    ) -> tuple[Floats, Covariance]:
        """Return the unbounded shares of the classes, and their covariance as a function of shares.

        Parameters
        ----------
        functions : ndarray of float, shape (n_labelled, K)
            The functions' values for the labelled rows.
        new : ndarray of float, shape (n_classifiers, n, K)
            The functions' values for new rows, by each classifier.
        weights : ndarray of float, shape (n,)
            The weights of new rows, with the sum 1.
        classifier_shares : ndarray of float, shape (n_classifiers,)
            The shares of the classifiers, with the sum 1.
        population : bool
            Whether the covariance is for the shares of the population.
        """
        rates = functions.T @ (np.eye(new.shape[-1])[self.codes] * self.shares[:, np.newaxis])
        try:
            inverse = np.linalg.inv(rates)
        except np.linalg.LinAlgError:
            raise LabelError(
                "the classifier's scores do not tell all classes apart: some have the same means; give it more "
                "labelled rows or better features, or take such classes for one",
                "classifier-learns-nothing",
            ) from None
        # In units of shares.
        deviations = (functions - rates.T[self.codes]) @ inverse.T
        row_means = np.tensordot(classifier_shares, new, 1)
        estimate, squares = inverse @ (weights @ row_means), weights**2
        shift = inverse @ (squares @ row_means) / squares.sum() - estimate
        share_of_row = np.multiply.outer(classifier_shares, squares / squares.sum())[..., np.newaxis]
        deviations_in_row = ((new - row_means) @ inverse.T * np.sqrt(share_of_row)).reshape(-1, new.shape[-1])
        within = deviations_in_row.T @ deviations_in_row
        factors = _bessel_factor(1.0 / np.bincount(self.codes, self.shares**2))[self.codes]

        def covariance(shares: Floats) -> Floats:
            by_squares = np.clip(shares + shift, 0.0, None)
            sampling = deviations.T @ (deviations * (by_squares[self.codes] * self.shares * factors)[:, np.newaxis])
            sampling = _subtract_covariance(sampling, within, float(np.sum(classifier_shares**2)))
            if population:
                crossed = np.outer(by_squares, shares)
                sampling += np.diag(by_squares) - crossed - crossed.T + np.outer(shares, shares)
            errors = deviations * (shares[self.codes] * self.shares)[:, np.newaxis]
            return np.asarray(squares.sum() * sampling + self._labelled_covariance(errors))

        return estimate, covariance

    def _labelled_covariance(self, errors: Floats) -> Floats:
        """Return the covariance of the sum of the labelled rows' contributions to the error."""
        if self.clusters is None:
            return np.asarray(errors.T @ (errors * _bessel_factor(np.bincount(self.codes))[self.codes, np.newaxis]))
        sums = np.zeros((self.clusters.max() + 1, errors.shape[1]))
        np.add.at(sums, self.clusters, errors)
        return np.asarray(sums.T @ sums * _bessel_factor(np.array(len(sums))))


def _bessel_factor(numbers: NDArray[Any]) -> Floats:
    """Return Bessel's correction n/(n − 1); 1 for a single row."""
    return np.asarray(np.divide(numbers, numbers - 1.0, out=np.ones(np.shape(numbers)), where=numbers > 1.0))


def _subtract_covariance(covariance: Floats, part: Floats, smallest_ratio: float) -> Floats:
    """Subtract the covariance within rows, or a part of it, so that each variance keeps at least this ratio."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * values[-1]
    if not kept.any():
        return covariance
    root = vectors[:, kept] / np.sqrt(values[kept])
    largest = np.linalg.eigvalsh(root.T @ part @ root)[-1]
    factor = min(1.0, (1.0 - smallest_ratio) / max(largest, 1e-300))
    return np.asarray(covariance - factor * part)
