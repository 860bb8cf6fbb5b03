"""How far off a fitted quantifier is, for scikit-learn's searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d

from truecount._conditions import TruecountError
from truecount._options import unknown_choice, whole
from truecount.evaluation._protocols import GRID, PROTOCOLS, Protocol
from truecount.measures import errors
from truecount.quantifiers._base import Quantifier

__all__ = ["ProtocolScorer"]


@dataclass(frozen=True)
class ProtocolScorer:
    """A score for ``GridSearchCV(scoring=…)`` and ``cross_val_score``: minus the mean error over samples of known prevalence.

    The held-out rows are scored once; the samples are drawn from their scores.

    Parameters
    ----------
    protocol : {"uniform", "grid", "natural"}
        Prevalences drawn uniformly from [0, 1], 0, 0.05, …, 1 by turns, or those of simple random samples.
    samples : int, optional
        Number of samples; by default 100, of the grid 105. Those of the grid are a multiple of 21.
    size : int, default 100
        Rows in each, drawn without repeats: every fold needs so many of both classes.
    measure : str, default "mae"
        "mae", "mse", "mnae", "mrae", "mnrae", "mkld", "mnkld", or "bias", whose absolute value counts.
    seed : int, default 1
        Of the samples.

    Raises
    ------
    TruecountError
        For settings that cannot be; when it scores, for held-out rows with too few of a class.

    Notes
    -----
    ``GridSearchCV`` does not know that a quantifier needs both classes in each fold: give it a ``StratifiedKFold``.

    Examples
    --------
    >>> import truecount as tc
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import GridSearchCV, StratifiedKFold
    >>> X, y = make_classification(600, class_sep=0.7, random_state=1)
    >>> search = GridSearchCV(
    ...     tc.ContinuousSweep(LogisticRegression()),
    ...     {"family": ["normal", "kernel"], "transformation": ["none", "rank"], "estimator__C": [0.01, 1]},
    ...     scoring=tc.ProtocolScorer(size=50),
    ...     cv=StratifiedKFold(3),
    ... ).fit(X, y)
    >>> sorted(search.best_params_)
    ['estimator__C', 'family', 'transformation']
    >>> search.predict(X).shape
    (2,)
    """

    protocol: str = "uniform"
    samples: int | None = None
    size: int = 100
    measure: str = "mae"
    seed: int = 1

    def __post_init__(self) -> None:
        # A search turns what its scorer raises into NaN, so settings are tried out now, on the smallest pool there is.
        if self.protocol not in PROTOCOLS:
            raise unknown_choice("protocol", self.protocol, PROTOCOLS)
        whole(self.size, "size", 1)
        self._draws([0.0, 1.0], [0, 1], size=1, positive=1)
        errors(self.measure, [0.5], [0.5], 1)

    def _draws(self, scores: Any, y: Any, *, size: int, positive: Any) -> Protocol:
        samples = self.samples
        if samples is None:
            samples = 5 * GRID if self.protocol == "grid" else 100
        return PROTOCOLS[self.protocol](scores, y, size=size, samples=samples, seed=self.seed, positive=positive)

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """The score of a fitted quantifier, or of a pipeline that ends in one; higher is better."""
        if isinstance(estimator, Pipeline):
            return self(estimator[-1], estimator[:-1].transform(X) if len(estimator) > 1 else X, y)
        if not isinstance(estimator, Quantifier):
            raise TypeError(f"{type(estimator).__name__} is no quantifier of truecount")
        scores, probabilities = estimator.scores(X)
        y = column_or_1d(y)
        try:
            draws = self._draws(scores, y, size=self.size, positive=estimator.positive_)
        except TruecountError as error:
            raise error.advising(
                "; if these rows are a fold, folds must be stratified, cv=StratifiedKFold(3), and have enough of both "
                f"classes for samples of {self.size}"
            ) from None
        found = []
        for rows, truths in draws.blocks():
            drawn = None if probabilities is None else probabilities[rows]
            estimates = estimator.model_.estimate_each(scores[rows], test_probabilities=drawn, check=False)
            found.append(errors(self.measure, truths, estimates.prevalence, self.size))
        return -abs(float(np.mean(np.concatenate(found))))
