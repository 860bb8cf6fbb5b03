"""The base of all quantifiers: from features and labels to a prevalence."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv
from sklearn.utils import ClassifierTags, column_or_1d, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from truecount import _core
from truecount._check import Check, check
from truecount._columns import Floats, check_lengths, is_table, number_of_rows, numbers, same_index, take_rows
from truecount._errors import (
    LabelError,
    PrevalenceWarning,
    ScoreError,
    TruecountError,
    invalid_column,
    option_conflict,
    option_error,
    with_score_transform,
)
from truecount._estimate import DesignKwargs, GroupKwargs, IntervalKwargs, PooledScores, estimate_sets
from truecount._inputs import positive_flags, sampling_design
from truecount._model import Model
from truecount._options import unknown_choice_error
from truecount._results import Estimate, Estimates
from truecount.quantifiers._classifiers import (
    Estimator,
    Response,
    assign_classifiers,
    cross_fit,
    fit_params,
    routes_metadata,
    select_columns,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


_MISFITS = ("prior-shift-rejected", "misfit-widened", "scores-outside-range")
"""Codes of warnings about new scores that do not fit any mix of the labelled classes."""

_Q = TypeVar("_Q", bound="Quantifier")


class _FitAttributes:
    """The attributes that `fit` sets, which a dataclass would take for parameters."""

    classes_: NDArray[Any]
    positive_: Any
    estimators_: list[Any]
    response_method_: str
    labelled_scores_: Floats
    labels_: NDArray[Any]
    model_: Model
    _shares: Floats
    _refitted: bool
    """Whether the classifier for new rows was fitted to all labelled rows."""
    _designed: bool
    """Whether the labelled rows have weights or groups."""


@dataclass(eq=False, repr=False)
class CrossFitted(_FitAttributes, Estimator):
    """An estimator with a classifier that scores each labelled row without having been fitted to it."""

    _responses: ClassVar[tuple[str, ...]] = ("decision_function", "predict_proba")
    """The classifier's methods for scores, in order of preference."""

    estimator: Any = None
    _: KW_ONLY
    cv: Any = None
    ensemble: bool = True
    response_method: str = "auto"
    random_state: Any = 0
    n_jobs: int | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if hasattr(self._classifier, "__sklearn_tags__"):
            tags.input_tags = get_tags(self._classifier).input_tags
        return tags

    @property
    def _classifier(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        default = LogisticRegression(max_iter=1000)
        return default.set_fit_request(sample_weight=True) if routes_metadata() else default

    @property
    def _takes_scores(self) -> bool:
        return isinstance(self.estimator, str)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata that scikit-learn routes to the classifier."""
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=self._classifier, method_mapping=MethodMapping().add(caller="fit", callee="fit"))

    def _score_labelled(
        self,
        X: Any,
        y: NDArray[Any],
        classes: NDArray[Any],
        class_index: int | None,
        weights: Floats | None,
        groups: Any,
    ) -> tuple[NDArray[np.intp], Floats]:
        """Fit the classifiers, and return the held-out rows with their scores."""
        self._refitted = False
        if self._takes_scores:
            self.estimators_, self.response_method_ = [], "scores"
            return np.arange(len(y)), self._parse_scores(X, None if class_index is not None else len(classes))
        X, y = indexable(X, y)
        response = self._response(classes, class_index)
        if isinstance(self.cv, str):
            rows, scores = np.arange(len(y)), self._score_prefit(X, response)
        else:
            rows, scores = self._cross_fit(X, y, response, weights, groups)
        self.response_method_ = response.method(self.estimators_[0])
        return rows, scores

    def _response(self, classes: NDArray[Any], class_index: int | None) -> Response:
        if self.response_method == "auto":
            return Response(self._responses, classes, class_index)
        if self.response_method not in self._responses:
            raise unknown_choice_error("response_method", self.response_method, ["auto", *sorted(self._responses)])
        return Response((self.response_method,), classes, class_index)

    def _score_prefit(self, X: Any, response: Response) -> Floats:
        if self.cv != "prefit":
            raise option_error(
                "cv", f"cv is '{self.cv}'; it must be a whole number, a splitter, splits or 'prefit'", value=self.cv
            )
        self.estimators_, self._shares = [self._classifier], np.ones(1)
        return response.scores(self._classifier, X)

    def _cross_fit(
        self, X: Any, y: NDArray[Any], response: Response, weights: Floats | None, groups: Any
    ) -> tuple[NDArray[np.intp], Floats]:
        groups = None if groups is None else column_or_1d(groups)
        splitter = check_cv(_default_folds(y, groups) if self.cv is None else self.cv, y, classifier=True)
        if groups is not None and isinstance(splitter, StratifiedKFold) and splitter is not self.cv:
            splitter = StratifiedGroupKFold(splitter.get_n_splits())
        splits = list(splitter.split(X, y, groups))
        params = fit_params(self, self._classifier, weights)
        # The classifiers of all folds are the same if the classifier is frozen.
        frozen = isinstance(self._classifier, FrozenEstimator)
        refit = frozen or not self.ensemble
        result = cross_fit(
            self._classifier, X, y, params, splits, response, weights=weights, refit=refit, n_jobs=self.n_jobs
        )
        self.estimators_, self._shares = result.models, result.shares
        self._refitted = refit and not frozen
        return result.rows, result.scores

    def _parse_scores(self, X: Any, classes: int | None) -> Floats:
        """Return X as one column of scores, or as a column for each of this number of classes."""
        if self.estimator != "scores":
            raise option_error(
                "estimator",
                f"estimator is '{self.estimator}'; it must be a classifier, 'scores' or None",
                value=self.estimator,
            )
        if classes is not None or is_table(X) or getattr(X, "ndim", 1) == 2:
            X = np.asarray(X)
            if X.ndim != 2 or X.shape[1] != (classes or 1):
                several = f"a column of scores for each of the {classes} classes"
                expected = "one column of scores" if classes is None else several
                raise invalid_column("X", f"X has the shape {X.shape}; with estimator='scores' it must be {expected}")
            X = X if classes is not None else X[:, 0]
        scores = numbers(X, "X", ndim=1 if classes is None else 2)
        wrong = np.argwhere(~np.isfinite(scores))
        if len(wrong):
            row, value = int(wrong[0][0]), float(scores[tuple(wrong[0])])
            raise ScoreError(
                f"X: score {row} is {value}; scores must be finite, correct it or leave out the row",
                "score-not-finite",
                column="X",
                row=row,
                value=value,
            )
        return scores

    def _score(self, X: Any, classes: NDArray[Any], class_index: int | None) -> Floats:
        """Return one classifier's score of each new row, of one class or of all classes."""
        if self._takes_scores:
            return self._parse_scores(X, None if class_index is not None else len(classes))
        response = Response((self.response_method_,), classes, class_index)
        if len(self.estimators_) == 1:
            return response.scores(self.estimators_[0], X)
        (X,) = indexable(X)
        assigned = assign_classifiers(self._shares, number_of_rows(X), self.random_state)
        scores = np.empty(len(assigned) if class_index is not None else (len(assigned), len(classes)))
        for index, model in enumerate(self.estimators_):
            rows = np.flatnonzero(assigned == index)
            if len(rows):
                scores[rows] = response.scores(model, take_rows(X, rows))
        return scores

    @property
    def n_features_in_(self) -> int:
        """Number of features of the classifier."""
        return int(self._classifier_attribute("n_features_in_"))

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the features of the classifier."""
        return np.asarray(self._classifier_attribute("feature_names_in_"))

    def _classifier_attribute(self, name: str) -> Any:
        check_is_fitted(self, "estimators_")
        if not self.estimators_:
            raise AttributeError(f"scores have no {name}")
        return getattr(self.estimators_[0], name)


@dataclass(eq=False, repr=False)
class Quantifier(CrossFitted):
    """A quantifier: an estimator that predicts the prevalence of each class.

    This is the base class; use one of its subclasses, which have these parameters and their own.

    Parameters
    ----------
    estimator : classifier, "scores" or None
        Any scikit-learn classifier, for example a pipeline; by default
        ``LogisticRegression(max_iter=1000)``. With ``"scores"``, X is one column of scores (a
        higher score means more likely positive), and only their distributions are fitted.
    cv : int, splitter, iterable of splits or "prefit", optional
        Cross-fitting: each labelled row is scored by a classifier that was not fitted to the row. A whole number is a
        number of stratified folds; by default ten, or as many as the rarest class has rows (or `groups`), but at least
        two. Rows that no split holds out have no labelled score, and a row that is held out twice is an error.
        ``"prefit"``, like a ``FrozenEstimator``, uses `estimator` as it is; it must have been fitted to other rows.
    ensemble : bool, default True
        The classifiers for new rows: those of the folds; or (False) one more classifier, fitted to
        all labelled rows. See the notes.
    response_method : {"auto", "decision_function", "predict_proba"}
        The classifier's method for scores; by default ``decision_function`` if it has one.
    positive : label, optional
        The positive label; by default True, or 1 if the other label is 0 or -1. Required for other labels.
    random_state : int, RandomState instance or None, default 0
        Random state for drawing the classifier of each new row, where only one is used.
    n_jobs : int, optional
        Number of folds that are fitted in parallel (joblib).

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The labels, sorted, in the order of the result of `predict`.
    positive_ : label
        The positive label.
    estimators_ : list of classifiers
        The classifiers for new rows: one for each fold, or one if `ensemble` is False or if the
        classifier was fitted elsewhere; none for ``"scores"``.
    response_method_ : str
        The classifiers' method for scores.
    labelled_scores_ : ndarray, shape (n_labelled,)
        The held-out scores of the labelled rows, in the order of the rows.
    labels_ : ndarray, shape (n_labelled,)
        The labels of these scores.
    model_ : truecount.Model
        The fitted model of these scores, which can be saved for the command, tallies scores and writes SQL.
    n_features_in_, feature_names_in_
        Those of the classifier, if it has them.

    Notes
    -----
    Quantifiers assume prior probability shift: the scores of positives have the same distribution among labelled and
    new rows, and so have those of negatives. Therefore labelled rows are scored by classifiers that were not fitted to
    them. New rows are scored by all of these classifiers. Each score counts in proportion to the labelled rows that its
    classifier has scored, or to their weights. Then the scores of new and of labelled rows have the same distribution,
    which the intervals assume. Means of a row's scores would not have it, because they vary less.

    All scores are used by methods that are a corrected mean: ``es``, the continuous sweeps, ``ac``
    and its variants, ``pacc``, ``edy`` and ``smm``. Other methods, the bootstrap, estimates with
    clusters, strata or replicate weights, and the check that new scores are a mixture of the
    labelled classes use the score of one classifier for each row, drawn with `random_state`.

    The price is ten fits by default, and ten classifiers to keep, each fitted to nine tenths of the rows; each new row
    is scored ten times. With ``ensemble=False``, as in QuaPy, new rows are scored by one more classifier, fitted to all
    labelled rows, and only this one is kept (``cv=5, ensemble=False`` is six fits). It separates the classes slightly
    better, but its scores are distributed differently from those of the folds, which biases estimates and intervals if
    labelled rows are few and features many. The refit may then also cause a warning that the new scores are not a
    mixture of the labelled classes.
    """

    _method: ClassVar[str]
    """The name of the method."""

    positive: Any = field(default=None, kw_only=True)

    def __init_subclass__(cls, method: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if method is not None:
            cls._method = method

    def _settings(self) -> Mapping[str, Any]:
        """Return the keyword arguments of `Model.fit`: the method, and the parameters that it has too."""
        names = {"family": "family", "score_transform": "transform", "rates": "rates", "threshold": "threshold"}
        return {"method": self._method, **{names[name]: value for name, value in vars(self).items() if name in names}}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def fit(self: _Q, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, *, positive: Any = None) -> _Q:
        """Fit the quantifier to labelled rows.

        Parameters
        ----------
        X : features for the classifier, n_samples rows; or scores, shape (n_samples,)
        y : array-like, shape (n_samples,)
            Labels, two different values of any type.
        sample_weight : array-like of float, shape (n_samples,), optional
            Survey weights, for example of rows that were labelled by a design. Only ratios of weights within a class
            matter. The classifiers are fitted with the weights if their ``fit`` takes a ``sample_weight``. A pipeline
            takes it if scikit-learn routes metadata; otherwise it is fitted without weights, which is a warning.
            Possible for the methods with `train_weights` in `truecount.Model.fit`.
        groups : array-like, shape (n_samples,), optional
            The sampling units, such as persons: rows with equal values are held out together, and
            standard errors are cluster-robust. The folds, by default or for a number `cv`, are
            stratified folds of groups, and splitters get the groups. Possible for the same methods.
        positive : label, optional
            The positive label; by default the parameter of the estimator.

        Returns
        -------
        self
        """
        # After an error there must be no model of an earlier fit with other classifiers.
        self.__dict__.pop("model_", None)
        labels, y = y, column_or_1d(y, warn=True)
        _, positive, _ = positive_flags(y, self.positive if positive is None else positive, "y")
        weights, clusters = labelled_design(labels, len(y), sample_weight, groups)
        classes = np.unique(y)
        rows, scores = self._score_labelled(X, y, classes, classes.tolist().index(positive), weights, groups)
        self.classes_, self.positive_, self._designed = classes, positive, weights is not None or clusters is not None
        self.labelled_scores_, self.labels_ = scores, y[rows]
        weights, clusters = (None if weights is None else weights[rows]), (None if clusters is None else clusters[rows])
        self.model_ = self._fit_model(scores, self.labels_, positive, weights, clusters)
        return self

    def _fit_model(
        self, scores: Floats, labels: NDArray[Any], positive: Any, weights: Floats | None, clusters: Any
    ) -> Model:
        """Fit the method to the held-out scores."""
        if self.estimators_:
            _check_separation(scores, labels == positive, weights)
        try:
            return Model.fit(
                scores,
                labels,
                positive=positive,
                train_probabilities=scores if self._wants_probabilities else None,
                train_weights=weights,
                train_clusters=clusters,
                **self._settings(),
            )
        except TruecountError as error:
            raise _with_sklearn_names(error) from None

    @property
    def _wants_probabilities(self) -> bool:
        """Whether the score is a posterior probability that the method uses."""
        return False

    def scores(self, X: Any) -> tuple[Floats, Floats | None]:
        """Return the scores of new rows, which `model_` takes: one classifier's score for each row.

        Returns
        -------
        scores : ndarray of float, shape (n_samples,)
        probabilities : ndarray of float, shape (n_samples,), or None
            The classifier's posterior probabilities, if the method uses them.
        """
        check_is_fitted(self, "model_")
        scores = self._score(X, self.classes_, self.classes_.tolist().index(self.positive_))
        return scores, scores if self._wants_probabilities else None

    def _score_by_all(
        self, X: Any, classes: NDArray[Any], class_index: int | None
    ) -> tuple[Floats, PooledScores | None]:
        """Return one score for each row, and the scores by all classifiers if there are several."""
        if len(self.estimators_) < 2 or number_of_rows(X) == 0:
            return self._score(X, classes, class_index), None
        return self._pool(self._classify(X, classes, class_index))

    def _classify(self, X: Any, classes: NDArray[Any], class_index: int | None) -> Floats:
        """Return the scores by each classifier, shape (n, number of classifiers), or with one more for all classes."""
        response = Response((self.response_method_,), classes, class_index)
        (X,) = indexable(X)
        return np.stack([response.scores(model, X) for model in self.estimators_], axis=1)

    def _pool(self, scores: Floats) -> tuple[Floats, PooledScores | None]:
        """Return one score for each row, and the scores by all classifiers if there are several."""
        columns = [np.ascontiguousarray(scores[:, index]) for index in range(scores.shape[1])]
        if len(columns) == 1:
            return columns[0], None
        assigned = assign_classifiers(self._shares, len(scores), self.random_state)
        one = np.ascontiguousarray(scores[np.arange(len(scores)), assigned])
        return one, PooledScores(columns, self._shares)

    def classify(self, X: Any) -> Floats:
        """Return the scores of rows for `aggregate`, shape (n_samples, number of classifiers for new rows)."""
        check_is_fitted(self, "model_")
        if len(self.estimators_) < 2:
            return self.scores(X)[0][:, np.newaxis]
        return self._classify(X, self.classes_, self.classes_.tolist().index(self.positive_))

    def aggregate(self, scores: Floats) -> Floats:
        """Return the prevalences that `predict` returns for rows with these scores by `classify`, without warnings."""
        share = self._estimate(*self._pool(scores), check=False).prevalence
        return self._by_class(share, 1.0 - share)

    def _estimate(self, scores: Floats, pooled: PooledScores | None, by: Any = None, **kwargs: Any) -> Any:
        pooled = pooled if self._takes_all_scores else None
        probabilities = scores if self._wants_probabilities else None
        return estimate_sets(self.model_, False, scores, by, pooled, test_probabilities=probabilities, **kwargs)

    @property
    def _takes_all_scores(self) -> bool:
        """Whether the method uses the scores of each row by all classifiers."""
        return self.model_.methods[0] in _core.methods_with("corrected_mean")

    @overload
    def estimate(
        self, X: Any, *, by: None = None, weights: Any = None, **kwargs: Unpack[IntervalKwargs]
    ) -> Estimate: ...

    @overload
    def estimate(self, X: Any, *, by: Any, weights: Any = None, **kwargs: Unpack[GroupKwargs]) -> Estimates: ...

    def estimate(self, X: Any, *, by: Any = None, weights: Any = None, **kwargs: Any) -> Estimate | Estimates:
        """Estimate the prevalence of the positive class.

        Parameters
        ----------
        X : as in `fit`
        by : array-like, shape (n_samples,), or several columns, or names of columns of X; optional
            Groups, each of which has its own estimate. Named columns of a data frame X are not
            features, unless the classifier was fitted with them.
        weights : array-like of float, shape (n_samples,), or the name of a column of X; optional
            Survey weights of these rows, of which only ratios matter.
        **kwargs
            As in `truecount.estimate`: those about the total, the interval and the check.

        Returns
        -------
        Estimate
            One estimate; with `by`, an `Estimates` table.
        """
        X, by, weights = self._select_columns(X, by, weights)
        index = self.classes_.tolist().index(self.positive_)
        takes_one = kwargs.get("interval") == "bootstrap" or not DesignKwargs.__annotations__.keys().isdisjoint(kwargs)
        if not takes_one and self._takes_all_scores:
            scores, pooled = self._score_by_all(X, self.classes_, index)
        else:
            scores, pooled = self._score(X, self.classes_, index), None
        result: Estimate | Estimates = self._estimate(scores, pooled, by, weights=weights, **kwargs)
        return result

    def _select_columns(self, X: Any, by: Any, weights: Any) -> tuple[Any, Any, Any]:
        check_is_fitted(self, "model_")
        features = getattr(self.estimators_[0], "feature_names_in_", ()) if self.estimators_ else ()
        return select_columns(X, by, weights, features)

    def check(self, X: Any, *, by: Any = None, sort: bool = True) -> Check:
        """Test whether these rows' scores are a mixture of the held-out scores of the two classes.

        Parameters
        ----------
        X : as in `fit`
        by, sort : as in `estimate`
        """
        X, by, _ = self._select_columns(X, by, None)
        if self._designed:
            raise option_conflict(
                "sample_weight",
                "check takes labelled rows for a simple random sample, but these have a sample_weight or groups; "
                "estimate says of such rows too where new ones are no mixture",
            )
        scores, _ = self.scores(X)
        return check(self.labelled_scores_, self.labels_, scores, by=by, sort=sort, positive=self.positive_)

    def predict(self, X: Any) -> Floats:
        """Predict the prevalence of each class among these rows.

        Warnings about the estimate are a `truecount.PrevalenceWarning`; `estimate` returns them
        instead. Only `estimate` has the warning that an uncorrected count is not corrected.

        Returns
        -------
        ndarray of float, shape (2,)
            Prevalences in the order of `classes_`, with the sum 1.
        """
        estimate = self._emit_warnings(self.estimate(X))
        return self._by_class(estimate.prevalence, 1.0 - estimate.prevalence)

    def predict_interval(self, X: Any, **kwargs: Unpack[IntervalKwargs]) -> Floats:
        """Return the confidence interval of each class's prevalence.

        Parameters
        ----------
        X : as in `fit`
        population, level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        ndarray of float, shape (2, 2)
            Lower and upper end for each class, in the order of `classes_`. NaN for a method without
            a formula, unless the interval is ``"bootstrap"``.
        """
        estimate = self._emit_warnings(self.estimate(X, **kwargs))
        lower, upper = estimate.interval
        return self._by_class([lower, upper], [1.0 - upper, 1.0 - lower])

    def _emit_warnings(self, estimate: Estimate) -> Estimate:
        for warning in estimate.warnings:
            # Users of an uncorrected count know that it is not corrected.
            if warning.code == "not-corrected":
                continue
            if self._refitted and warning.code in _MISFITS:
                warning = warning.advising("; with ensemble=False the refit itself may cause this")
            python_warnings.warn(warning, PrevalenceWarning, stacklevel=3)
        return estimate

    def _by_class(self, positive: Any, negative: Any) -> Floats:
        """Return the values of the positive and the negative class in the order of `classes_`."""
        return np.array([negative, positive] if self.positive_ == self.classes_[1] else [positive, negative])


def labelled_design(
    y: Any, number: int, sample_weight: Any, groups: Any
) -> tuple[Floats | None, NDArray[np.uint32] | None]:
    """Return the weights and the numbers of the groups of labelled rows."""
    try:
        for name, column in (("sample_weight", sample_weight), ("groups", groups)):
            same_index(name, column, "y", y)
        weights, clusters, _ = sampling_design(None, sample_weight, groups, None)
    except TruecountError as error:
        raise _with_sklearn_names(error) from None
    check_lengths({"sample_weight": weights, "groups": clusters}, "labels", number)
    return weights, clusters


def _default_folds(y: NDArray[Any], groups: NDArray[Any] | None) -> int:
    """Return the default number of folds: ten, or fewer if a class has fewer rows or groups."""
    units = np.arange(len(y)) if groups is None else groups
    rarest = min(len(np.unique(units[y == label])) for label in np.unique(y))
    return max(2, min(10, rarest))


def _check_separation(scores: Floats, positive: NDArray[np.bool_], weights: Floats | None) -> None:
    """Raise an error if held-out positives do not score higher than negatives.

    `Model.fit` detects most of these cases too, but its advice to name the other class does not apply.
    """
    weights = np.ones(len(scores)) if weights is None else weights
    class_weights = [np.where(rows, weights, 0.0) for rows in (positive, ~positive)]
    if not all(each.any() for each in class_weights):
        raise option_error("cv", "cv holds out rows of one class only; take a splitter that holds out some of both")
    # Relative to one of the scores, so that the means of equal scores are equal.
    first = scores[0]
    high, low = (np.average(scores - first, weights=each) for each in class_weights)
    if high <= low:
        less = "lower than" if high < low else "no higher than"
        raise LabelError(
            f"held-out positives score {less} negatives (mean {high + first:.6g} against {low + first:.6g}): "
            "the classifier tells the classes apart no better than chance; give it more labelled rows or better "
            "features",
            "classifier-learns-nothing",
            positive=float(high + first),
            negative=float(low + first),
        )


def _with_sklearn_names(error: TruecountError) -> TruecountError:
    """Replace the names of arguments of `Model.fit` in an error by scikit-learn's."""
    message, fields = str(error), dict(error.fields)
    names = {
        "train_weights, train_clusters and train_strata": "sample_weight and groups",
        "train_weights": "sample_weight",
        "train_clusters": "groups",
    }
    for name, sklearn_name in names.items():
        message = message.replace(name, sklearn_name)
        if fields.get("column") == name:
            fields["column"] = sklearn_name
    return with_score_transform(type(error)(message, error.code, **fields))


@dataclass(eq=False, repr=False, kw_only=True)
class FittedQuantifier(Quantifier):
    """A quantifier that fits a distribution to the scores of each class.

    Parameters
    ----------
    family : str, optional
        Family of both classes' score distributions, by default normal: ``truecount.families()``.
    score_transform : {"none", "logit", "rank"}, optional
        Transform of the scores before the family is fitted, by default none.
    """

    family: str | None = None
    score_transform: str | None = None


class PosteriorQuantifier(FittedQuantifier):
    """A quantifier that uses posterior probabilities.

    They are the classifier's, or follow by Bayes' rule from a family fitted to its scores.

    Parameters
    ----------
    response_method : {"auto", "predict_proba", "decision_function"}
        By default the classifier's ``predict_proba`` if it has one; with ``decision_function`` the
        posteriors are those of the fitted family.
    family, score_transform : str, optional
        As in `FittedQuantifier`; used if the classifier has no probabilities.
    """

    _responses = ("predict_proba", "decision_function")

    @property
    def _wants_probabilities(self) -> bool:
        return self.response_method_ == "predict_proba"
