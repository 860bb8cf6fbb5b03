"""A scorer of fitted quantifiers for scikit-learn's searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d

from truecount._columns import Floats
from truecount._errors import ScoreError, TruecountError, option_error
from truecount._options import to_int
from truecount.evaluation import GRID, Protocol, predicted_prevalences, protocol_class
from truecount.measures import class_errors, errors
from truecount.quantifiers._base import Quantifier
from truecount.quantifiers._multiclass import MulticlassQuantifier


@dataclass(frozen=True)
class ProtocolScorer:
    """A scorer for ``GridSearchCV(scoring=…)`` and ``cross_val_score``: minus the mean error.

    The error is the mean over samples of known prevalence. They are drawn from the scores of the held-out rows, each of
    which one classifier has scored: scores by all folds would take as many times as long.

    Parameters
    ----------
    protocol : {"uniform", "grid", "natural"}
        The prevalences: uniform on [0, 1], and of several classes on the simplex; 0, 0.05, …, 1 in
        turn, for two classes; or those of simple random samples.
    samples : int, optional
        Number of samples; by default 100, and for the grid 105. For the grid it must be a multiple of 21.
    size : int, default 100
        Rows in each sample, drawn without replacement: every fold needs this many rows of each class.
    measure : str, default "mae"
        "mae", "mse", "mnae", "mrae", "mnrae", "mkld", "mnkld", or, for two classes, "bias", whose
        absolute value is used. The errors of several classes are means over the classes.
    seed : int, default 1
        Seed of the samples.

    Notes
    -----
    Give ``GridSearchCV`` a ``StratifiedKFold``, because a quantifier needs all classes in each fold.

    Examples
    --------
    >>> import truecount as tc
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import GridSearchCV, StratifiedKFold
    >>> X, y = make_classification(600, class_sep=0.7, random_state=1)
    >>> search = GridSearchCV(
    ...     tc.ContinuousSweep(LogisticRegression()),
    ...     {"family": ["normal", "kernel"], "score_transform": ["none", "rank"], "estimator__C": [0.01, 1]},
    ...     scoring=tc.ProtocolScorer(size=50),
    ...     cv=StratifiedKFold(3),
    ... ).fit(X, y)
    >>> sorted(search.best_params_)
    ['estimator__C', 'family', 'score_transform']
    >>> search.predict(X).shape
    (2,)
    """

    protocol: str = "uniform"
    samples: int | None = None
    size: int = 100
    measure: str = "mae"
    seed: int = 1

    def __post_init__(self) -> None:
        # A search turns a scorer's exceptions into NaN. Therefore invalid settings raise an error
        # now, for the smallest possible pool.
        to_int(self.size, "size", 1)
        self._draws([0.0, 1.0], [0, 1], size=1, positive=1)
        errors(self.measure, [0.5], [0.5], 1)

    def _draws(self, scores: Any, y: Any, *, size: int, positive: Any) -> Protocol:
        samples = self.samples
        if samples is None:
            samples = 5 * GRID if self.protocol == "grid" else 100
        draws = protocol_class(self.protocol)
        return draws(scores, y, size=size, samples=samples, seed=self.seed, positive=positive)

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the score of a fitted quantifier, or of a pipeline with one; higher is better."""
        if isinstance(estimator, Pipeline):
            return self(estimator[-1], estimator[:-1].transform(X) if len(estimator) > 1 else X, y)
        if isinstance(estimator, MulticlassQuantifier):
            return self._score_classes(estimator, X, column_or_1d(y))
        if not isinstance(estimator, Quantifier):
            if isinstance(estimator, ClassifierMixin) or not hasattr(estimator, "predict"):
                raise TypeError(f"{type(estimator).__name__} is no quantifier")
            draws = self._draws(X, y, size=self.size, positive=np.unique(y)[-1])
            truth, prevalence = predicted_prevalences(estimator, draws, y, np.unique(y)[-1])
            return -abs(float(np.mean(errors(self.measure, truth, prevalence, self.size))))
        scores, probabilities = estimator.scores(X)
        y = column_or_1d(y)
        try:
            draws = self._draws(scores, y, size=self.size, positive=estimator.positive_)
        except TruecountError as error:
            raise error.advising(
                "; if these rows are a fold, folds must be stratified, cv=StratifiedKFold(3), and have enough of both "
                f"classes for samples of {self.size}"
            ) from None
        blocks = []
        for rows, truths in draws.blocks():
            block_probabilities = None if probabilities is None else probabilities[rows]
            estimates = estimator.model_.estimate_each(
                scores[rows], test_probabilities=block_probabilities, check=False
            )
            blocks.append(errors(self.measure, truths, estimates.prevalence, self.size))
        return -abs(float(np.mean(np.concatenate(blocks))))

    def _score_classes(self, estimator: MulticlassQuantifier, X: Any, y: NDArray[Any]) -> float:
        """Return the score of a quantifier of several classes."""
        if self.protocol == "grid":
            raise option_error(
                "protocol", "protocol is 'grid', which is for two classes; use 'uniform'", value=self.protocol
            )
        probabilities = estimator.probabilities(X)
        rows = [np.flatnonzero(y == label) for label in estimator.classes_.tolist()]
        fewest = min(len(part) for part in rows) if self.protocol == "uniform" else len(y)
        if fewest < self.size:
            raise ScoreError(
                f"a sample may need {self.size} rows of a class, but one has {fewest}; use a smaller size, or fewer "
                "and stratified folds",
                "pool-too-small",
                n=fewest,
                size=self.size,
            )
        truths, estimates = [], []
        for number in range(100 if self.samples is None else self.samples):
            rng = np.random.default_rng((self.seed, number))
            if self.protocol == "uniform":
                counts = _round_to_sum(rng.dirichlet(np.ones(len(rows))), self.size)
                sample = np.concatenate([rng.choice(part, count, replace=False) for part, count in zip(rows, counts)])
            else:
                sample = rng.choice(len(y), self.size, replace=False)
                counts = np.array([np.isin(part, sample).sum() for part in rows])
            truths.append(counts / self.size)
            estimates.append(estimator._estimate(probabilities[sample])[0][0].prevalence)
        return -float(np.mean(class_errors(self.measure, np.array(truths), np.array(estimates), self.size)))


def _round_to_sum(shares: Floats, size: int) -> NDArray[np.intp]:
    """Return whole numbers with this sum in proportion to shares, by the largest remainders."""
    counts = np.floor(shares * size).astype(np.intp)
    remainders = shares * size - counts
    counts[np.argsort(-remainders)[: size - counts.sum()]] += 1
    return counts
