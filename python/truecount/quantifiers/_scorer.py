"""How far off a fitted quantifier is, for scikit-learn's searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d

from truecount import _core
from truecount.measures import errors
from truecount.quantifiers._base import Quantifier

__all__ = ["ProtocolScorer"]


@dataclass(frozen=True)
class ProtocolScorer:
    """A score for ``GridSearchCV(scoring=…)`` and ``cross_val_score``: minus the mean error over samples of known prevalence.

    The held-out rows are scored once by the classifier; the samples are drawn from their scores and estimated together.

    Parameters
    ----------
    protocol : {"uniform", "grid", "natural"}
        Prevalences drawn uniformly from [0, 1], 0, 0.05, …, 1 by turns, or those of simple random samples.
    samples : int, default 100
        Number of samples.
    size : int, default 100
        Rows in each, drawn without repeats: every fold needs so many of both classes.
    measure : str, default "mae"
        "mae", "mse", "mnae", "mrae", "mnrae", "mkld", "mnkld", or "bias", whose absolute value counts.
    seed : int, default 1
        Of the samples.

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
    samples: int = 100
    size: int = 100
    measure: str = "mae"
    seed: int = 1

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """The score of a fitted quantifier, or of a pipeline that ends in one; higher is better."""
        if isinstance(estimator, Pipeline):
            return self(estimator[-1], estimator[:-1].transform(X) if len(estimator) > 1 else X, y)
        if not isinstance(estimator, Quantifier):
            raise TypeError(f"{type(estimator).__name__} is no quantifier of truecount")
        scores, probabilities = estimator.scores(X)
        positive = np.ascontiguousarray(column_or_1d(y) == estimator.positive_)
        rows, truths = _core.rows_of_samples(positive, (self.protocol, self.size, self.seed), (0, self.samples))
        drawn = None if probabilities is None else probabilities[rows]
        found = estimator.model_.estimate(scores[rows], test_probabilities=drawn)
        return -abs(float(np.mean(errors(self.measure, truths, found.prevalence, self.size))))
