"""What all quantifiers share: from features and labels to a prevalence."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv
from sklearn.utils import ClassifierTags, column_or_1d, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from truecount._check import Check, check
from truecount._columns import Floats, is_table, numbers, same_index
from truecount._conditions import LabelError, OptionError, PrevalenceWarning, ScoreError, TruecountError
from truecount._estimating import Asked, AskedOfGroups
from truecount._labels import drawn, positives
from truecount._model import Model
from truecount._options import unknown_choice
from truecount._results import Estimate, Estimates
from truecount._rows import number_of_rows, rows_of
from truecount.quantifiers._cross_fitting import Response, balanced_turns, cross_fitted
from truecount.quantifiers._estimator import Estimator
from truecount.quantifiers._named import named
from truecount.quantifiers._weighing import learnt_from, routes

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["FittedQuantifier", "PosteriorQuantifier", "Quantifier", "design"]


_Q = TypeVar("_Q", bound="Quantifier")


class _Learnt:
    """What `fit` finds; were it named in a class with parameters, it would be taken for some."""

    classes_: NDArray[Any]
    positive_: Any
    estimators_: list[Any]
    response_method_: str
    labelled_scores_: Floats
    labels_: NDArray[Any]
    model_: Model
    _shares: Floats
    _refitted: bool
    """Whether new rows are scored by a classifier that has scored none of the labelled rows."""
    _designed: bool
    """Whether labelled rows have weights or groups."""


@dataclass(eq=False, repr=False)
class Quantifier(_Learnt, Estimator):
    """A quantifier: it learns from labelled rows as a classifier does, and predicts the prevalence of each class among new rows.

    This is what all quantifiers have in common; take one of its subclasses, which have these parameters and those that they name.

    Parameters
    ----------
    estimator : classifier, "scores" or None
        Any scikit-learn classifier, a pipeline for one. None stands for ``LogisticRegression(max_iter=1000)``. With ``"scores"``
        X is already one column of scores, higher meaning more positive, and nothing is learnt but their distributions.
    cv : int, splitter, iterable of splits or "prefit", optional
        How the labelled rows are scored: each by a classifier that has not learnt from it. A whole number stands for so many
        stratified folds; by default there are ten, or as many as the rarest class has rows (`groups` where these are given), but at
        least two. Rows that no split holds out are left out of the labelled scores; a row that is held out twice is an
        error. ``"prefit"`` takes `estimator` as it is, fitted elsewhere on other rows, and so does a ``FrozenEstimator``.
    ensemble : bool, default True
        Who scores new rows: the classifiers of the folds, each row by one of them, drawn at random, or (False) one more classifier
        that is fitted to all labelled rows. See the notes.
    response_method : {"auto", "decision_function", "predict_proba"}
        Which of the classifier's answers is the score: by default ``decision_function`` where there is one.
    positive : label, optional
        The class that is counted; by default True, or 1 beside 0 or -1. Any other labels need it.
    random_state : int, RandomState instance or None, default 0
        Draws the classifier of each new row.
    n_jobs : int, optional
        Folds that are fitted at the same time (joblib).

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The labels, sorted; the order of what `predict` returns.
    positive_ : label
        The one that is counted.
    estimators_ : list of classifiers
        Those that score new rows: one for each fold, or a single one where `ensemble` is False or where it was fitted elsewhere; none for
        ``"scores"``.
    response_method_ : str
        Which of their answers is the score.
    labelled_scores_ : ndarray, shape (n_labelled,)
        The held-out scores of the labelled rows, in the order of the rows.
    labels_ : ndarray, shape (n_labelled,)
        The labels of these scores.
    model_ : truecount.Model
        The fitted model, which takes scores: it can be saved for the command line, tallies, and writes SQL.
    n_features_in_, feature_names_in_
        Of the classifier, where it has them.

    Notes
    -----
    Quantifiers rest on prior probability shift: a positive's score must have one distribution, among labelled and new rows alike,
    and so must a negative's. Therefore labelled rows are scored by classifiers that have not learnt from them, and each new row by
    one of the same classifiers, drawn at random in proportion to the labelled rows that each has scored, or to their weights. Then
    the scores of new and of labelled rows have the same distribution, which the intervals take for granted. The average of the folds'
    classifiers would not do: it is less spread than any of them.

    The price: ten fits by default, and ten classifiers that are kept, each of which has learnt from nine tenths of the rows; and the
    score of a row depends on its place among the rows that are scored with it, and on `random_state`. With ``ensemble=False`` new rows
    are scored by one more classifier, fitted to all labelled rows, as in QuaPy, and only that one is kept (``cv=5, ensemble=False`` is
    six fits). It tells the classes apart a little better, but its scores are spread otherwise than those of the folds, which biases
    estimates and intervals where labelled rows are few and features many. A warning that new scores are no mixture of the labelled
    classes may then have its cause in the refit.
    """

    _responses: ClassVar[tuple[str, ...]] = ("decision_function", "predict_proba")
    """What a classifier is asked for, in order of preference."""

    _method: ClassVar[str]
    """The name of the method."""

    estimator: Any = None
    _: KW_ONLY
    cv: Any = None
    ensemble: bool = True
    response_method: str = "auto"
    positive: Any = None
    random_state: Any = 0
    n_jobs: int | None = None

    def _settings(self) -> Mapping[str, Any]:
        """What to fit, in the words of `Model.fit`."""
        return {"method": self._method}

    @property
    def _classifier(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        default = LogisticRegression(max_iter=1000)
        return default.set_fit_request(sample_weight=True) if routes() else default

    @property
    def _takes_scores(self) -> bool:
        return isinstance(self.estimator, str)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        if hasattr(self._classifier, "__sklearn_tags__"):
            tags.input_tags = get_tags(self._classifier).input_tags
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """What the classifier is given beside the labels, where scikit-learn routes metadata."""
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=self._classifier, method_mapping=MethodMapping().add(caller="fit", callee="fit"))

    def fit(self: _Q, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> _Q:
        """Learn from labelled rows.

        Parameters
        ----------
        X : whatever the classifier takes, n_samples rows; with ``estimator="scores"`` shape (n_samples,) or (n_samples, 1)
        y : array-like, shape (n_samples,)
            Labels, two different values of any type.
        sample_weight : array-like of float, shape (n_samples,), optional
            Survey weights, as where rows were labelled by design: each stands for so many of its class. Only their ratios count. The
            classifiers of the folds learn from them if their ``fit`` takes a ``sample_weight``; a pipeline does where scikit-learn
            routes metadata, and else learns without, which is a warning. For the methods that `truecount.Model.fit` weighs.
        groups : array-like, shape (n_samples,), optional
            What was drawn as one, such as persons: rows of the same value are held out together (the folds, by default or of a whole
            number `cv`, are stratified folds of groups, and splitters are given the groups), and standard errors are those of clusters.
            For the same methods.

        Returns
        -------
        self

        Raises
        ------
        TruecountError
            For rows, labels or weights that cannot be used, or classes that the classifier cannot tell apart.
        """
        # An error must not leave the model of an earlier fit beside other classifiers.
        self.__dict__.pop("model_", None)
        given, y = y, column_or_1d(y, warn=True)
        _, positive, _ = positives(y, self.positive, "y")
        weights, clusters = design(given, len(y), sample_weight, groups)
        classes = np.unique(y)
        rows, scores = self._score_labelled(X, y, classes, classes.tolist().index(positive), weights, groups)
        self.classes_, self.positive_, self._designed = classes, positive, weights is not None or clusters is not None
        self.labelled_scores_, self.labels_ = scores, y[rows]
        self.model_ = self._fitted(scores, self.labels_, positive, _at(rows, weights), _at(rows, clusters))
        return self

    def _score_labelled(
        self, X: Any, y: NDArray[Any], classes: NDArray[Any], place: int | None, weights: Floats | None, groups: Any
    ) -> tuple[NDArray[np.intp], Floats]:
        """The rows that are held out, and their scores, of the class in that place or of all; learns who scores new rows."""
        self._refitted = False
        if self._takes_scores:
            self.estimators_, self.response_method_ = [], "scores"
            return np.arange(len(y)), self._scores_themselves(X, None if place is not None else len(classes))
        X, y = indexable(X, y)
        response = self._response(classes, place)
        if isinstance(self.cv, str):
            rows, scores = np.arange(len(y)), self._of_prefit(X, response)
        else:
            rows, scores = self._cross_fit(X, y, response, weights, groups)
        self.response_method_ = response.method(self.estimators_[0])
        return rows, scores

    def _fitted(
        self, scores: Floats, labels: NDArray[Any], positive: Any, weights: Floats | None, clusters: Any
    ) -> Model:
        """The method, fitted to the held-out scores."""
        if self.estimators_:
            _refuse_chance(scores, labels == positive, weights)
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
            raise _in_words_of_fit(error) from None

    def _response(self, classes: NDArray[Any], place: int | None) -> Response:
        if self.response_method == "auto":
            # How far a row is from one class says nothing of how near it is to others; probabilities say both.
            return Response(
                self._responses if place is not None else ("predict_proba", "decision_function"), classes, place
            )
        if self.response_method not in self._responses:
            raise unknown_choice("response_method", self.response_method, ["auto", *sorted(self._responses)])
        return Response((self.response_method,), classes, place)

    def _of_prefit(self, X: Any, response: Response) -> Floats:
        if self.cv != "prefit":
            raise OptionError(
                f"cv is '{self.cv}'; it must be a whole number, a splitter, splits or 'prefit'",
                "option-invalid",
                name="cv",
                value=self.cv,
            )
        self.estimators_, self._shares = [self._classifier], np.ones(1)
        return response.of(self._classifier, X)

    def _cross_fit(
        self, X: Any, y: NDArray[Any], response: Response, weights: Floats | None, groups: Any
    ) -> tuple[NDArray[np.intp], Floats]:
        groups = None if groups is None else column_or_1d(groups)
        splitter = check_cv(_folds(y, groups) if self.cv is None else self.cv, y, classifier=True)
        if groups is not None and isinstance(splitter, StratifiedKFold) and splitter is not self.cv:
            splitter = StratifiedGroupKFold(splitter.get_n_splits())
        splits = list(splitter.split(X, y, groups))
        beside = learnt_from(self, self._classifier, weights)
        # Folds of a classifier that learns nothing are all alike.
        frozen = isinstance(self._classifier, FrozenEstimator)
        refit = frozen or not self.ensemble
        found = cross_fitted(
            self._classifier, X, y, beside, splits, response, weights=weights, refit=refit, n_jobs=self.n_jobs
        )
        self.estimators_, self._shares = found.models, found.shares
        self._refitted = refit and not frozen
        return found.rows, found.scores

    @property
    def _wants_probabilities(self) -> bool:
        """Whether the score is a posterior probability that the method uses."""
        return False

    def _scores_themselves(self, X: Any, classes: int | None) -> Floats:
        """X as one column of scores, or as a column for each of so many classes."""
        if self.estimator != "scores":
            raise OptionError(
                f"estimator is '{self.estimator}'; it must be a classifier, 'scores' or None",
                "option-invalid",
                name="estimator",
                value=self.estimator,
            )
        if classes is not None or is_table(X) or getattr(X, "ndim", 1) == 2:
            X = np.asarray(X)
            if X.ndim != 2 or X.shape[1] != (classes or 1):
                wanted = (
                    "one column of scores"
                    if classes is None
                    else f"a column of scores for each of the {classes} classes"
                )
                raise ScoreError(
                    f"X has the shape {X.shape}; with estimator='scores' it must be {wanted}",
                    "column-invalid",
                    column="X",
                )
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

    def scores(self, X: Any) -> tuple[Floats, Floats | None]:
        """The scores of new rows, as `model_` takes them.

        Parameters
        ----------
        X : as in `fit`

        Returns
        -------
        scores : ndarray of float, shape (n_samples,)
        probabilities : ndarray of float, shape (n_samples,), or None
            The classifier's posterior probabilities, if the method uses them.
        """
        check_is_fitted(self, "model_")
        scores = self._score(X, self.classes_, self.classes_.tolist().index(self.positive_))
        return scores, scores if self._wants_probabilities else None

    def _score(self, X: Any, classes: NDArray[Any], place: int | None) -> Floats:
        """The scores of new rows, of the class in that place or of all."""
        if self._takes_scores:
            return self._scores_themselves(X, None if place is not None else len(classes))
        response = Response((self.response_method_,), classes, place)
        if len(self.estimators_) == 1:
            return response.of(self.estimators_[0], X)
        (X,) = indexable(X)
        turns = balanced_turns(self._shares, number_of_rows(X), self.random_state)
        scores = np.empty(len(turns) if place is not None else (len(turns), len(classes)))
        for turn, model in enumerate(self.estimators_):
            rows = np.flatnonzero(turns == turn)
            if len(rows):
                scores[rows] = response.of(model, rows_of(X, rows))
        return scores

    @overload
    def estimate(self, X: Any, *, by: None = None, weights: Any = None, **asked: Unpack[Asked]) -> Estimate: ...

    @overload
    def estimate(self, X: Any, *, by: Any, weights: Any = None, **asked: Unpack[AskedOfGroups]) -> Estimates: ...

    def estimate(self, X: Any, *, by: Any = None, weights: Any = None, **asked: Any) -> Estimate | Estimates:
        """Estimate the prevalence of the positive class, with standard error, interval and warnings.

        Parameters
        ----------
        X : as in `fit`
        by : array-like, shape (n_samples,), or several columns; or where X is a data frame a name of its columns, or several; optional
            One estimate for every combination of their values. Columns of X that are named are no features, unless the classifier was
            fitted with them.
        weights : array-like of float, shape (n_samples,), or where X is a data frame the name of a column, optional
            Survey weights of these rows, of which only the ratios count.
        total, total_weights, population, sort, level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        Estimate; Estimates with `by`
        """
        X, by, weights = self._named(X, by, weights)
        scores, probabilities = self.scores(X)
        found: Estimate | Estimates = self.model_.estimate(
            scores, by=by, test_probabilities=probabilities, weights=weights, **asked
        )
        return found

    def _named(self, X: Any, by: Any, weights: Any) -> tuple[Any, Any, Any]:
        check_is_fitted(self, "model_")
        features = getattr(self.estimators_[0], "feature_names_in_", ()) if self.estimators_ else ()
        return named(X, by, weights, features)

    def check(self, X: Any, *, by: Any = None, sort: bool = True) -> Check:
        """Test whether the scores of these rows are a mixture of the held-out scores of the two classes.

        Parameters
        ----------
        X : as in `fit`
        by : as in `estimate`
        sort : bool, default True
            As in `truecount.estimate`.

        Returns
        -------
        Check
            That of `truecount.check`.

        Raises
        ------
        TruecountError
            For rows that cannot be used; where labelled rows have weights or groups, which the check takes for a simple random sample.
        """
        X, by, _ = self._named(X, by, None)
        if self._designed:
            raise OptionError(
                "check takes labelled rows for a simple random sample, but these have a sample_weight or groups; "
                "estimate says of such rows too where new ones are no mixture",
                "option-conflict",
                name="sample_weight",
            )
        scores, _ = self.scores(X)
        return check(self.labelled_scores_, self.labels_, scores, by=by, sort=sort, positive=self.positive_)

    def predict(self, X: Any) -> Floats:
        """The prevalence of each class among these rows.

        What there is to beware of is a `truecount.PrevalenceWarning`; `estimate` returns it instead. That an uncorrected count is
        not corrected is no news to who took one: only `estimate` says so.

        Parameters
        ----------
        X : as in `fit`

        Returns
        -------
        ndarray of float, shape (2,)
            In the order of `classes_`; their sum is 1.
        """
        found = self._warned(self.estimate(X))
        return self._by_class(found.prevalence, 1.0 - found.prevalence)

    def predict_interval(self, X: Any, **asked: Unpack[Asked]) -> Floats:
        """The confidence interval of each class's prevalence.

        Parameters
        ----------
        X : as in `fit`
        population, level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        ndarray of float, shape (2, 2)
            A row for each class in the order of `classes_`: lower and upper end. NaN for a method without a formula, unless the
            interval is ``"bootstrap"``.
        """
        found = self._warned(self.estimate(X, **asked))
        lower, upper = (np.nan, np.nan) if found.interval is None else found.interval
        return self._by_class([lower, upper], [1.0 - upper, 1.0 - lower])

    def _warned(self, found: Estimate) -> Estimate:
        for warning in found.warnings:
            # Who took an uncorrected count knows.
            if warning.code == "not-corrected":
                continue
            if self._refitted and warning.code in ("prior-shift-rejected", "prior-shift-doubtful"):
                warning = warning.advising("; with ensemble=False the refit itself may cause this")
            python_warnings.warn(warning, PrevalenceWarning, stacklevel=3)
        return found

    def _by_class(self, positive: Any, negative: Any) -> Floats:
        """What belongs to the positive and to the negative class, in the order of the classes."""
        return np.array([negative, positive] if self.positive_ == self.classes_[1] else [positive, negative])

    @property
    def n_features_in_(self) -> int:
        """How many features the classifier takes."""
        return int(self._of_the_classifier("n_features_in_"))

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Their names."""
        return np.asarray(self._of_the_classifier("feature_names_in_"))

    def _of_the_classifier(self, name: str) -> Any:
        check_is_fitted(self, "estimators_")
        if not self.estimators_:
            raise AttributeError(f"scores have no {name}")
        return getattr(self.estimators_[0], name)


def design(y: Any, number: int, sample_weight: Any, groups: Any) -> tuple[Floats | None, NDArray[np.uint32] | None]:
    """How so many labelled rows were drawn: a weight and a group for each."""
    try:
        for name, column in (("sample_weight", sample_weight), ("groups", groups)):
            same_index(name, column, "y", y)
        weights, clusters = drawn(None, sample_weight, groups)
    except TruecountError as error:
        raise _in_words_of_fit(error) from None
    for name, values in (("sample_weight", weights), ("groups", clusters)):
        if values is not None and len(values) != number:
            raise ScoreError(
                f"there are {number} labels but {len(values)} {name}; give one for each row",
                "length-mismatch",
                column=name,
                values=len(values),
                others=number,
            )
    return weights, clusters


def _folds(y: NDArray[Any], groups: NDArray[Any] | None) -> int:
    """Ten, but no more than there are rows or groups of the rarest class to hold out."""
    units = np.arange(len(y)) if groups is None else groups
    rarest = min(len(np.unique(units[y == label])) for label in np.unique(y))
    return max(2, min(10, rarest))


def _at(rows: NDArray[np.intp], column: NDArray[Any] | None) -> Any:
    return None if column is None else column[rows]


def _refuse_chance(scores: Floats, positive: NDArray[np.bool_], weights: Floats | None) -> None:
    """`Model.fit` would refuse most of these too, but to name the other class is no remedy where labels are learnt."""
    counted = np.ones(len(scores)) if weights is None else weights
    classes = [np.where(rows, counted, 0.0) for rows in (positive, ~positive)]
    if not all(of.any() for of in classes):
        raise OptionError(
            "cv holds out rows of one class only; take a splitter that holds out some of both",
            "option-invalid",
            name="cv",
        )
    # Differences from one of the scores, so that the means of equal scores are equal, too.
    first = scores[0]
    of_positive, of_negative = (np.average(scores - first, weights=of) for of in classes)
    if of_positive <= of_negative:
        less = "lower than" if of_positive < of_negative else "no higher than"
        raise LabelError(
            f"held-out positives score {less} negatives (mean {of_positive + first:.6g} against {of_negative + first:.6g}): "
            "the classifier tells the classes apart no better than chance; give it more labelled rows or better features",
            "classifier-learns-nothing",
            positive=float(of_positive + first),
            negative=float(of_negative + first),
        )


def _in_words_of_fit(error: TruecountError) -> TruecountError:
    """An error of `Model.fit`, whose arguments for the same have other names than scikit-learn's."""
    message, fields = str(error), dict(error.fields)
    for name, here in (("train_weights", "sample_weight"), ("train_clusters", "groups")):
        message = message.replace(name, here)
        if fields.get("column") == name:
            fields["column"] = here
    return type(error)(message, error.code, **fields)


@dataclass(eq=False, repr=False, kw_only=True)
class FittedQuantifier(Quantifier):
    """A quantifier that fits a distribution to the scores of each class.

    Parameters
    ----------
    family : str, optional
        Family of both classes' score distributions, by default normal: ``truecount.families()``.
    transformation : {"none", "logit", "rank"}, optional
        What to do to the scores before the family is fitted, by default nothing.
    """

    family: str | None = None
    transformation: str | None = None

    def _settings(self) -> Mapping[str, Any]:
        return {"method": self._method, "family": self.family, "transformation": self.transformation}


class PosteriorQuantifier(FittedQuantifier):
    """A quantifier that uses posterior probabilities: the classifier's, or by Bayes' rule those of a family fitted to its scores.

    Parameters
    ----------
    response_method : {"auto", "predict_proba", "decision_function"}
        By default the classifier's ``predict_proba`` where it has one; ``decision_function`` takes the fitted family's
        posteriors.
    family, transformation : str, optional
        As in `FittedQuantifier`; used where the classifier gives no probabilities.
    """

    _responses = ("predict_proba", "decision_function")

    @property
    def _wants_probabilities(self) -> bool:
        return self.response_method_ == "predict_proba"
