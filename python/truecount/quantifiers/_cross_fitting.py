"""Cross-fitting: scores of labelled rows from classifiers that were not fitted to these rows."""

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
from truecount._rows import take_rows

__all__ = ["CrossFitResult", "Response", "assign_classifiers", "cross_fit"]

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Response:
    """How a classifier scores rows."""

    methods: tuple[str, ...]
    """Methods of classifiers, of which the first that a classifier has is called."""
    classes: NDArray[Any]
    class_index: int | None = None
    """The index of the class whose scores are returned; None for all classes."""

    def method(self, classifier: Any) -> str:
        """Return the name of the classifier's method that is called."""
        for name in self.methods:
            if hasattr(classifier, name):
                return name
        missing = " and no ".join(self.methods)
        raise OptionError(
            f"{type(classifier).__name__} has no {missing}; give a classifier that scores, or another response_method",
            "option-invalid",
            name="estimator",
        )

    def scores(self, classifier: Any, X: Any) -> Floats:
        """Return the scores of these rows, or a column of scores for each class."""
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
        return values if self.class_index is None else np.ascontiguousarray(values[:, self.class_index])


@dataclass(frozen=True)
class CrossFitResult:
    """Held-out rows with their scores, and the classifiers for new rows."""

    rows: Rows
    scores: Floats
    models: list[Any]
    shares: Floats
    """The number, or total weight, of the held-out rows that each classifier has scored."""


def _fit_clone(classifier: Any, X: Any, y: NDArray[Any], fit_params: Mapping[str, Floats], train: Rows | None) -> Any:
    if train is None:
        return clone(classifier).fit(X, y, **fit_params)
    return clone(classifier).fit(
        take_rows(X, train), y[train], **{name: values[train] for name, values in fit_params.items()}
    )


def _fit_fold(
    classifier: Any,
    X: Any,
    y: NDArray[Any],
    fit_params: Mapping[str, Floats],
    train: Rows,
    held_out: Rows,
    response: Response,
) -> tuple[Any, Floats]:
    model = _fit_clone(classifier, X, y, fit_params, train)
    return model, response.scores(model, take_rows(X, held_out))


def _held_out_rows(splits: Sequence[tuple[Rows, Rows]]) -> Rows:
    """Return the held-out rows, fold by fold; raise an error if a row is held out twice."""
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


def cross_fit(
    classifier: Any,
    X: Any,
    y: NDArray[Any],
    fit_params: Mapping[str, Floats],
    splits: Sequence[tuple[Rows, Rows]],
    response: Response,
    *,
    weights: Floats | None,
    refit: bool,
    n_jobs: int | None,
) -> CrossFitResult:
    """Score each fold by a classifier fitted to the other rows.

    New rows are scored by one classifier fitted to all rows (`refit`), or by the classifiers of the
    folds. `fit_params` are keyword arguments of ``fit``, such as weights. `weights` are the survey
    weights of the labelled rows, whether the classifier takes them or not.
    """
    rows = _held_out_rows(splits)
    folds = Parallel(n_jobs=n_jobs)(
        delayed(_fit_fold)(classifier, X, y, fit_params, *split, response) for split in splits
    )
    models = [_fit_clone(classifier, X, y, fit_params, None)] if refit else [model for model, _ in folds]
    weights = np.ones(len(y)) if weights is None else weights
    held_out = [rows] if refit else [np.asarray(held_out, dtype=np.intp) for _, held_out in splits]
    shares = np.array([weights[fold].sum() for fold in held_out])
    order = np.argsort(rows)
    return CrossFitResult(rows[order], np.concatenate([scores for _, scores in folds])[order], models, shares)


def assign_classifiers(shares: Floats, number: int, random_state: Any) -> Rows:
    """Return a random classifier for each row, by systematic sampling with these shares."""
    random = check_random_state(random_state)
    ends = np.cumsum(shares)
    classifiers = np.searchsorted(ends[:-1], (np.arange(number) + random.uniform()) / number * ends[-1], side="right")
    return np.asarray(random.permutation(classifiers), dtype=np.intp)
