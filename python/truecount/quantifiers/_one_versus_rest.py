"""A quantifier of several classes."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d, get_tags
from sklearn.utils.validation import check_is_fitted

from truecount import _core
from truecount._columns import Floats, check_lengths, factorize, groups, numbers, sort_order
from truecount._errors import (
    EstimateWarning,
    PrevalenceWarning,
    TruecountError,
    invalid_option,
    option_conflict,
    option_error,
    short_repr,
)
from truecount._estimate import PooledScores
from truecount._inputs import positive_flags
from truecount._model import Model
from truecount._options import Target
from truecount._table import format_value
from truecount.quantifiers._base import Quantifier, labelled_design
from truecount.quantifiers._classifiers import Estimator, select_columns
from truecount.quantifiers._composition import Composition, Compositions, LabelledClasses
from truecount.quantifiers._methods import EfficientSweep

_FUNCTION_WARNINGS = frozenset(
    "copied-labels few-labelled few-labelled-units few-values missing-code no-spread none-in-region "
    "perfect-separation uneven-weights useless-cutoff weak-separation".split()
)
"""Codes of warnings about a function of the score.

Other warnings are about a binary estimate, which is meaningless because the rest is not a class.
"""

_O = TypeVar("_O", bound="OneVersusRest")


class _FitAttributes:
    """The attributes that `fit` sets."""

    classes_: NDArray[Any]
    models_: list[Model]
    labelled_scores_: Floats
    labels_: NDArray[Any]
    quantifier_: Quantifier
    _labelled: LabelledClasses


@dataclass(eq=False, repr=False)
class OneVersusRest(_FitAttributes, Estimator):
    """A quantifier of several classes: shares with covariance, from one quantifier per class.

    Parameters
    ----------
    quantifier : Quantifier, optional
        The method, classifier and folds, by default ``EfficientSweep()``. The method must be a corrected mean: ``es``,
        the continuous sweeps, Adjusted Counts, ``pacc`` or ``smm``. The classifier is fitted to all classes, once for
        each fold. The score of a class is its probability, or its decision value if the classifier has no
        probabilities. With ``estimator="scores"``, X has a column of scores for each class, in the order of the sorted
        labels.

    Attributes
    ----------
    classes_ : ndarray, shape (K,)
        The labels, sorted, in the order of the result of `predict`.
    models_ : list of truecount.Model
        The model of each class versus the rest.
    labelled_scores_ : ndarray, shape (n_labelled, K)
        The held-out scores of the labelled rows for each class.
    labels_ : ndarray, shape (n_labelled,)
        The labels of these rows.
    quantifier_ : Quantifier
        The copy of `quantifier` with the classifiers for new rows.

    Notes
    -----
    With three or more classes, the rest is not a class like the others: its scores change with the shares of the other
    classes, and the binary quantifiers are biased even if only the shares change. Only their functions of the score,
    g_k, are used: the K equations "mean of g_j among new rows = Σ_k (mean of g_j among labelled rows of class k) π_k"
    are solved for the shares π. This is Adjusted Count with a matrix instead of two rates (Vucetic and Obradovic,
    *Classification on data with biased class distribution*, 2001; Hopkins and King, *A method of automated
    nonparametric content analysis for social science*, 2010). The covariance is that of the linearised solution, with
    the sampling of the new and of the labelled rows. Generalised least squares then make the shares add up to 1, with
    the smallest covariance of any linear correction, and keep them from being negative.

    With two classes the result is that of the binary quantifier with its standard error, except that rates are always
    those of labelled rows. The separate estimates of the shares add up to 1 except for sampling error, which tests the
    assumption: there is a warning if their sum differs from 1 at p < 0.01.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> centres = np.array([[0, 0], [2, 0], [0, 2]])
    >>> y = np.repeat([0, 1, 2], 300)
    >>> X = rng.normal(centres[y])
    >>> new = rng.normal(centres[np.repeat([0, 1, 2], [700, 200, 100])])
    >>> quantifier = tc.OneVersusRest(tc.EfficientSweep()).fit(X, np.array(["bus", "car", "tram"])[y])
    >>> quantifier.predict(new).round(2)
    array([0.67, 0.22, 0.1 ])
    """

    quantifier: Any = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags = get_tags(self._template).input_tags
        return tags

    @property
    def _template(self) -> Any:
        return EfficientSweep() if self.quantifier is None else self.quantifier

    @property
    def n_features_in_(self) -> int:
        """Number of features of the classifier."""
        return self.quantifier_.n_features_in_

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the features of the classifier."""
        return self.quantifier_.feature_names_in_

    def fit(self: _O, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> _O:
        """Fit the quantifier to labelled rows.

        Parameters
        ----------
        X : features for the classifier, n_samples rows; for ``"scores"`` shape (n_samples, K)
        y : array-like, shape (n_samples,)
            Labels, two or more different values.
        sample_weight, groups : array-like, shape (n_samples,), optional
            As in `Quantifier.fit`.

        Returns
        -------
        self
        """
        self.__dict__.pop("models_", None)
        quantifier = self._copy_template()
        original, y = y, column_or_1d(y, warn=True)
        classes = _classes(y)
        weights, clusters = labelled_design(original, len(y), sample_weight, groups)
        rows, scores = quantifier._score_labelled(X, y, classes, None, weights, groups)
        check_lengths({"labels": rows}, "rows of X", len(scores))
        if weights is not None:
            # Rows of weight 0 do not count.
            weighted = weights[rows] != 0.0
            rows, scores = rows[weighted], scores[weighted]
        weights, clusters = (None if weights is None else weights[rows]), (None if clusters is None else clusters[rows])
        labels = y[rows]
        models = []
        for index, label in enumerate(classes.tolist()):
            try:
                column = np.ascontiguousarray(scores[:, index])
                models.append(quantifier._fit_model(column, labels == label, True, weights, clusters))
            except TruecountError as error:
                raise error.at(f"class {short_repr(label)}") from None
        self.classes_, self.labels_, self.labelled_scores_, self.quantifier_ = classes, labels, scores, quantifier
        self._labelled = LabelledClasses.from_weights(np.searchsorted(classes, labels), weights, clusters)
        method, able = models[0].methods[0], _core.methods_with("corrected_mean")
        if method not in able:
            raise option_error(
                "quantifier",
                f"OneVersusRest needs a corrected mean, such as EfficientSweep, and {method} is none; the methods that "
                f"are: {', '.join(able)}",
                value=method,
            )
        self.models_ = models
        return self

    def _copy_template(self) -> Quantifier:
        if not isinstance(self._template, Quantifier):
            raise invalid_option(
                "quantifier", self.quantifier, "it must be a quantifier of truecount, as EfficientSweep()"
            )
        if self._template.positive is not None:
            raise option_conflict(
                "positive", "the quantifier counts one class (positive), but each is counted here; leave out positive"
            )
        # A copy by parameters keeps a classifier that is fitted already, unlike clone().
        return type(self._template)(**self._template.get_params(deep=False))

    def scores(self, X: Any) -> Floats:
        """Return the scores of new rows for each class.

        Returns
        -------
        ndarray of float, shape (n_samples, K)
        """
        check_is_fitted(self, "models_")
        return self.quantifier_._score(X, self.classes_, None)

    @overload
    def estimate(
        self, X: Any, *, by: None = None, weights: Any = None, level: float = 0.95, target: Target = "sample"
    ) -> Composition: ...

    @overload
    def estimate(
        self, X: Any, *, by: Any, sort: bool = True, weights: Any = None, level: float = 0.95, target: Target = "sample"
    ) -> Compositions: ...

    def estimate(
        self,
        X: Any,
        *,
        by: Any = None,
        sort: bool = True,
        weights: Any = None,
        level: float = 0.95,
        target: Target = "sample",
    ) -> Composition | Compositions:
        """Estimate the share of each class.

        Parameters
        ----------
        X : as in `fit`
        by, sort, weights
            As in `Quantifier.estimate`.
        level : float, default 0.95
            Nominal coverage of each interval. ``1 - 0.05 / K`` gives a simultaneous coverage of 95 % (Bonferroni).
        target : {"sample", "population"}
            As in `truecount.estimate`.

        Returns
        -------
        Composition
            The shares of the classes; with `by`, a `Compositions` table.
        """
        check_is_fitted(self, "models_")
        estimators = self.quantifier_.estimators_
        X, by, weights = select_columns(
            X, by, weights, getattr(estimators[0], "feature_names_in_", ()) if estimators else ()
        )
        scores, pooled = self.quantifier_._score_by_all(X, self.classes_, None)
        parsed = None if weights is None else numbers(weights, "weights")
        if by is None:
            return self._estimate_scores(scores, pooled, parsed, level, target)
        grouped = groups(by, len(scores))
        rows = np.split(np.argsort(grouped.rows, kind="stable"), np.cumsum(np.bincount(grouped.rows))[:-1])
        order = sort_order(grouped.values) if sort else np.arange(grouped.number)
        keys = {name: [values[group] for group in order] for name, values in grouped.values.items()}
        parts = []
        for index, group in enumerate(order):
            group_weights = None if parsed is None else parsed[rows[group]]
            try:
                group_pooled = None if pooled is None else pooled.take(rows[group])
                parts.append(self._estimate_scores(scores[rows[group]], group_pooled, group_weights, level, target))
            except TruecountError as error:
                name = ", ".join(format_value(values[index]) for values in keys.values())
                raise error.at(f"group {short_repr(name)}") from None
        return Compositions(keys, parts)

    def _estimate_scores(
        self,
        scores: Floats,
        pooled: PooledScores | None = None,
        parsed_weights: Floats | None = None,
        level: float = 0.95,
        target: Target = "sample",
    ) -> Composition:
        """Estimate the share of each class among rows with these scores.

        `pooled` has the scores of all classifiers, if each score is by one of several.
        """
        by_text: dict[str, list[tuple[Any, EstimateWarning]]] = {}
        for index, (label, model) in enumerate(zip(self.classes_.tolist(), self.models_)):
            column = np.ascontiguousarray(scores[:, index])
            probabilities = column if self.quantifier_._wants_probabilities else None
            estimate = model.estimate(
                column,
                test_probabilities=probabilities,
                weights=parsed_weights,
                level=level,
                target=target,
                check=False,
            )
            for warning in estimate.warnings:
                if warning.code in _FUNCTION_WARNINGS:
                    by_text.setdefault(warning, []).append((label, warning))
        in_class = self.labels_[:, np.newaxis] == self.classes_
        shares = (
            np.full(len(scores), 1.0 / len(scores)) if parsed_weights is None else parsed_weights / parsed_weights.sum()
        )
        pooled = PooledScores([scores], np.ones(1)) if pooled is None else pooled
        new, labelled = _functions(self.models_, self.quantifier_, in_class, pooled, shares)
        raw, covariance = self._labelled.solve_shares(
            labelled, new, shares, pooled.shares / pooled.shares.sum(), target == "population"
        )
        warnings: list[EstimateWarning] = []
        for warned in by_text.values():
            if len(warned) == len(self.models_):
                warnings.append(warned[0][1])
            else:
                warnings += (
                    EstimateWarning(f"class {short_repr(label)}: {text}", text.code, text.severity, text.fields)
                    for label, text in warned
                )
        method = self.models_[0].methods[0]
        return Composition(
            self.classes_.tolist(), int(np.count_nonzero(shares)), raw, covariance, level, method, tuple(warnings)
        )

    def predict(self, X: Any) -> Floats:
        """Predict the share of each class among these rows.

        Warnings about the estimates are a `truecount.PrevalenceWarning`; `estimate` returns them instead.

        Returns
        -------
        ndarray of float, shape (K,)
            Shares in the order of `classes_`, which are not negative and have the sum 1.
        """
        return np.array(self._emit_warnings(self.estimate(X)).prevalence)

    def predict_interval(self, X: Any, *, level: float = 0.95, target: Target = "sample") -> Floats:
        """Return the confidence interval of each class's share.

        Parameters
        ----------
        X : as in `fit`
        level, target
            As in `estimate`.

        Returns
        -------
        ndarray of float, shape (K, 2)
            Lower and upper end for each class, in the order of `classes_`.
        """
        return np.asarray(self._emit_warnings(self.estimate(X, level=level, target=target)).interval)

    def _emit_warnings(self, composition: Composition) -> Composition:
        for warning in composition.warnings:
            python_warnings.warn(warning, PrevalenceWarning, stacklevel=3)
        return composition


def _classes(y: NDArray[Any]) -> NDArray[Any]:
    _, labels = factorize(y, "y")
    if None in labels or len(labels) < 2:
        positive_flags(y, None, "y")  # raises the error
    return np.unique(y)


def _functions(
    models: Sequence[Model], quantifier: Quantifier, in_class: NDArray[np.bool_], pooled: PooledScores, weights: Floats
) -> tuple[Floats, Floats]:
    """Return the functions' values for new rows by each classifier and for labelled rows, a column for each class.

    `in_class` says which labelled rows belong to each class, in the same shape.
    """
    new = np.empty((len(pooled.classifiers), *pooled.classifiers[0].shape))
    labelled = np.empty(in_class.shape)
    for index, model in enumerate(models):
        columns = [np.ascontiguousarray(scores[:, index]) for scores in pooled.classifiers]
        positive = in_class[:, index]
        new[:, :, index], labelled[positive, index], labelled[~positive, index] = model._core.pooled_influence(
            columns, quantifier._wants_probabilities, weights, pooled.shares.tolist()
        )
    return new, labelled
