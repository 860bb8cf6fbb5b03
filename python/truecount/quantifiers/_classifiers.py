"""Classifiers: their columns, their fit, and scores of labelled rows from classifiers that were not fitted to them."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from truecount._columns import Floats, is_pandas, is_table, number_of_rows, take_rows
from truecount._errors import PrevalenceWarning, option_error

if TYPE_CHECKING:
    _E = TypeVar("_E", bound="Estimator")

    class Estimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self: _E, **params: Any) -> _E: ...
        def set_fit_request(self: _E, *, sample_weight: Any = ..., groups: Any = ...) -> _E: ...
        def get_metadata_routing(self) -> Any: ...
        def __sklearn_tags__(self) -> Any: ...
        def __getstate__(self) -> dict[str, Any]: ...
        def __setstate__(self, state: Any) -> None: ...

else:
    from sklearn.base import BaseEstimator as Estimator


def select_columns(X: Any, by: Any, weights: Any, features: Collection[Any]) -> tuple[Any, Any, Any]:
    """Replace names of columns in `by` and `weights` by the columns of X.

    The columns are removed from X, except those that are among the classifier's `features`.
    """
    if not is_table(X):
        return X, by, weights
    columns = list(X.columns if is_pandas(X, "DataFrame") or not hasattr(X, "column_names") else X.column_names)
    groups = _names(X, by, columns)
    used = [*groups, *([weights] if isinstance(weights, str) else [])]
    unknown = [name for name in used if name not in columns]
    if unknown:
        argument = "by" if unknown[0] in groups else "weights"
        listed = ", ".join(map(str, columns))
        raise option_error(
            argument, f"{argument}: X has no column '{unknown[0]}'; its columns are {listed}", value=unknown[0]
        )
    by = {name: X[name] for name in groups} or by
    weights = X[weights] if isinstance(weights, str) else weights
    return _without(X, [name for name in dict.fromkeys(used) if name not in features]), by, weights


def _names(X: Any, by: Any, columns: Collection[Any]) -> list[str]:
    """Return the names of columns in `by`, or an empty list if `by` has values."""
    if isinstance(by, str):
        return [by]
    if not isinstance(by, (list, tuple)) or not by or not all(isinstance(name, str) for name in by):
        return []
    return list(by) if len(by) != number_of_rows(X) or set(by) <= set(columns) else []


def _without(X: Any, names: list[str]) -> Any:
    if not names:
        return X
    if is_pandas(X, "DataFrame"):
        return X.drop(columns=names)
    return X.drop_columns(names) if hasattr(X, "drop_columns") else X.drop(names)


def routes_metadata() -> bool:
    """Return whether scikit-learn routes metadata, so that estimators declare what they take."""
    return bool(get_config()["enable_metadata_routing"])


def fit_params(quantifier: Estimator, classifier: Any, weights: Floats | None) -> dict[str, Floats]:
    """Return the parameters of the classifier's ``fit`` in addition to the labels.

    A classifier that takes no weights causes a warning, not an error: it ranks rows slightly worse
    than it could, but the rates are weighted.
    """
    if weights is None or isinstance(classifier, FrozenEstimator):
        return {}
    if routes_metadata():
        return dict(process_routing(quantifier, "fit", sample_weight=weights).estimator.fit)
    if has_fit_parameter(classifier, "sample_weight"):
        return {"sample_weight": weights}
    remedy = "to weigh what it learns too, take a classifier that does"
    if hasattr(classifier, "set_params") and hasattr(classifier, "steps"):
        remedy += (
            ", or sklearn.set_config(enable_metadata_routing=True) and set_fit_request(sample_weight=True) of its steps"
        )
    python_warnings.warn(
        f"{type(classifier).__name__} takes no sample_weight: it learns from rows that count alike, while the "
        f"rates are weighted; {remedy}",
        PrevalenceWarning,
        stacklevel=5,
    )
    return {}


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
        raise option_error(
            "estimator",
            f"{type(classifier).__name__} has no {missing}; give a classifier that scores, or another response_method",
        )

    def scores(self, classifier: Any, X: Any) -> Floats:
        """Return the scores of these rows, or a column of scores for each class."""
        known = getattr(classifier, "classes_", self.classes)
        if not np.array_equal(known, self.classes):
            raise option_error(
                "cv",
                f"the classifier knows the classes {known.tolist()}, but y has {self.classes.tolist()}; "
                "each fold of cv must learn from both",
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
        raise option_error("cv", "cv holds out no rows; it must hold out rows of both classes")
    values, counts = np.unique(rows, return_counts=True)
    if counts.max() > 1:
        raise option_error(
            "cv",
            f"cv holds out row {values[counts.argmax()]} {counts.max()} times; each row may be scored once, "
            "or the standard errors would be too small: take a splitter without repeats",
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
