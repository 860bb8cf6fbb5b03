"""Scores of labelled rows, each from a classifier that has not learnt from the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed

from truecount._columns import Floats
from truecount._conditions import OptionError
from truecount._rows import rows_of

__all__ = ["CrossFitted", "Response", "balanced_turns", "cross_fitted"]

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Response:
    """What a classifier is asked for: the first of these methods that it has, of the class in that place of the classes, or of all."""

    methods: tuple[str, ...]
    classes: NDArray[Any]
    place: int | None = None

    def method(self, classifier: Any) -> str:
        """The method that is asked."""
        for name in self.methods:
            if hasattr(classifier, name):
                return name
        none = " and no ".join(self.methods)
        raise OptionError(
            f"{type(classifier).__name__} has no {none}; give a classifier that scores, or another response_method",
            "option-invalid",
            name="estimator",
        )

    def of(self, classifier: Any, X: Any) -> Floats:
        """The scores of these rows, higher meaning more positive; of all classes a column for each."""
        known = getattr(classifier, "classes_", self.classes)
        if not np.array_equal(known, self.classes):
            raise OptionError(
                f"the classifier knows the classes {known.tolist()}, but y has {self.classes.tolist()}; "
                "each fold of cv must learn from both",
                "option-invalid",
                name="cv",
            )
        name = self.method(classifier)
        values = np.asarray(getattr(classifier, name)(X), dtype=np.float64)
        if len(self.classes) == 2 and name == "decision_function":
            values = np.column_stack((-values.ravel(), values.ravel()))
        return values if self.place is None else np.ascontiguousarray(values[:, self.place])


@dataclass(frozen=True)
class CrossFitted:
    """Held-out rows with their scores, and the classifiers that new rows are scored with."""

    rows: Rows
    scores: Floats
    models: list[Any]
    shares: Floats
    """How many of the held-out rows each of the classifiers has scored, or what they weigh."""


def _fitted(classifier: Any, X: Any, y: NDArray[Any], beside: Mapping[str, Floats], train: Rows | None) -> Any:
    if train is None:
        return clone(classifier).fit(X, y, **beside)
    return clone(classifier).fit(
        rows_of(X, train), y[train], **{name: values[train] for name, values in beside.items()}
    )


def _fold(
    classifier: Any,
    X: Any,
    y: NDArray[Any],
    beside: Mapping[str, Floats],
    train: Rows,
    held_out: Rows,
    response: Response,
) -> tuple[Any, Floats]:
    model = _fitted(classifier, X, y, beside, train)
    return model, response.of(model, rows_of(X, held_out))


def _held_out_once(splits: Sequence[tuple[Rows, Rows]]) -> Rows:
    """The held-out rows, fold after fold."""
    rows = np.concatenate([np.asarray(held_out) for _, held_out in splits])
    if len(rows) == 0:
        raise OptionError("cv holds out no rows; it must hold out rows of both classes", "option-invalid", name="cv")
    values, counts = np.unique(rows, return_counts=True)
    if counts.max() > 1:
        raise OptionError(
            f"cv holds out row {values[counts.argmax()]} {counts.max()} times; each row may be scored once, "
            "or the standard errors would be too small: take a splitter without repeats",
            "option-invalid",
            name="cv",
            row=int(values[counts.argmax()]),
        )
    return rows


def cross_fitted(
    classifier: Any,
    X: Any,
    y: NDArray[Any],
    beside: Mapping[str, Floats],
    splits: Sequence[tuple[Rows, Rows]],
    response: Response,
    *,
    weights: Floats | None,
    refit: bool,
    n_jobs: int | None,
) -> CrossFitted:
    """Each fold scored by a classifier that has learnt from the other rows.

    New rows are scored by one that has learnt from all (`refit`), or by those of the folds. What stands `beside` the labels, weights for
    one, goes to ``fit`` by its name; whether the classifier takes them or not, `weights` are what the labelled rows stand for.
    """
    rows = _held_out_once(splits)
    folds = Parallel(n_jobs=n_jobs)(delayed(_fold)(classifier, X, y, beside, *split, response) for split in splits)
    models = [_fitted(classifier, X, y, beside, None)] if refit else [model for model, _ in folds]
    counted = np.ones(len(y)) if weights is None else weights
    held_out = [rows] if refit else [np.asarray(held_out, dtype=np.intp) for _, held_out in splits]
    shares = np.array([counted[of].sum() for of in held_out])
    order = np.argsort(rows)
    return CrossFitted(rows[order], np.concatenate([scores for _, scores in folds])[order], models, shares)


def balanced_turns(shares: Floats, number: int, random_state: Any) -> Rows:
    """For each of so many rows one of the classifiers, at random, each in proportion to its share (systematic sampling)."""
    random = check_random_state(random_state)
    ends = np.cumsum(shares)
    places = np.searchsorted(ends[:-1], (np.arange(number) + random.uniform()) / number * ends[-1], side="right")
    return np.asarray(random.permutation(places), dtype=np.intp)
