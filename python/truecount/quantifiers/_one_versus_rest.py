"""The shares of several classes."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d, get_tags
from sklearn.utils.validation import check_is_fitted

from truecount._columns import Floats, factorised, numbers, shown
from truecount._conditions import Caveat, OptionError, PrevalenceWarning, ScoreError, TruecountError
from truecount._labels import positives
from truecount._model import Model
from truecount._names import Target
from truecount._sets import test_sets
from truecount.quantifiers._base import Quantifier, design
from truecount.quantifiers._composition import Composition
from truecount.quantifiers._estimator import Estimator
from truecount.quantifiers._mixing import Labelled
from truecount.quantifiers._named import named
from truecount.quantifiers._sweeps import EfficientSweep

__all__ = ["OneVersusRest"]

_OF_THE_FUNCTION = frozenset(
    (
        "few-labelled",
        "few-labelled-units",
        "few-values",
        "no-spread",
        "none-in-region",
        "uneven-weights",
        "useless-cutoff",
        "weak-separation",
    )
)
"""What is to be said of a function of the score; the estimate of one class beside a rest that is none may be anywhere."""

_O = TypeVar("_O", bound="OneVersusRest")


class _Learnt:
    """What `fit` finds."""

    classes_: NDArray[Any]
    models_: list[Model]
    labelled_scores_: Floats
    labels_: NDArray[Any]
    quantifier_: Quantifier
    _labelled: Labelled


@dataclass(eq=False, repr=False)
class OneVersusRest(_Learnt, Estimator):
    """The shares of several classes, with their covariance: a quantifier for each class beside the rest, and what ties them together.

    Parameters
    ----------
    quantifier : Quantifier, optional
        Whose method, classifier and folds are taken, by default ``EfficientSweep()``; the method must be a corrected mean: ``es``, the
        continuous sweeps, Adjusted Counts, ``pacc`` or ``smm``. The classifier tells all classes apart; it is fitted once for each fold.
        Its probability of a class is the score of that class, or its decision value where it has no probabilities. With
        ``estimator="scores"`` X has a column of scores for each class, in the order of the sorted labels.

    Attributes
    ----------
    classes_ : ndarray, shape (K,)
        The labels, sorted; the order of what `predict` returns.
    models_ : list of truecount.Model
        Of each class beside the rest.
    labelled_scores_ : ndarray, shape (n_labelled, K)
        The held-out scores of the labelled rows for each class.
    labels_ : ndarray, shape (n_labelled,)
        The labels of these rows.
    quantifier_ : Quantifier
        The copy of `quantifier` whose classifiers score new rows.

    Notes
    -----
    With three classes or more the rest of a class is no class: as the shares of the others change, so do its scores, and the
    quantifiers taken one by one are biased even where nothing but the shares has changed. They are therefore taken for what they are,
    means of one function of the score each, g_k, and the K equations "mean of g_j among new rows = Σ_k (mean of g_j among labelled rows
    of class k) π_k" are solved for the shares π: Adjusted Count with a matrix in the place of two rates (Vucetic and Obradovic,
    *Classification on data with biased class distribution*, 2001; Hopkins and King, *A method of automated nonparametric content
    analysis for social science*, 2010). The covariance is that of the linearised solution, with the sampling of the new rows and of the
    labelled ones. The shares are then made to add up to 1 as the covariance has it (generalised least squares; the covariance after it
    is the smallest that a linear correction gives), and none may be below 0.

    With two classes this is what the binary quantifier finds, with its standard error, but that rates are always those of labelled
    rows. Estimated one by one the shares add up to 1 but for error, which tests the assumption: there is a warning where the sum is
    further from 1 than chance brings it in one of a hundred cases.

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
    array([0.66, 0.23, 0.11])
    """

    quantifier: Any = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags = get_tags(self._whose).input_tags
        return tags

    @property
    def _whose(self) -> Any:
        return EfficientSweep() if self.quantifier is None else self.quantifier

    @property
    def n_features_in_(self) -> int:
        """How many features the classifier takes."""
        return self.quantifier_.n_features_in_

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Their names."""
        return self.quantifier_.feature_names_in_

    def fit(self: _O, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> _O:
        """Learn from labelled rows.

        Parameters
        ----------
        X : whatever the classifier takes, n_samples rows; with ``estimator="scores"`` shape (n_samples, K)
        y : array-like, shape (n_samples,)
            Labels, two different values or more.
        sample_weight, groups : array-like, shape (n_samples,), optional
            As in `Quantifier.fit`.

        Returns
        -------
        self

        Raises
        ------
        TruecountError
            For rows, labels or weights that cannot be used, for a class that the classifier cannot tell from the rest, which is named, and
            for a method that is no corrected mean.
        """
        self.__dict__.pop("models_", None)
        quantifier = self._copied()
        given, y = y, column_or_1d(y, warn=True)
        classes = _classes(y)
        weights, clusters = design(given, len(y), sample_weight, groups)
        rows, scores = quantifier._score_labelled(X, y, classes, None, weights, groups)
        if len(scores) != len(rows):
            raise ScoreError(
                f"there are {len(scores)} rows of X but {len(rows)} labels; give one for each",
                "length-mismatch",
                column="y",
                values=len(rows),
                others=len(scores),
            )
        if weights is not None:
            # What weighs nothing counts for nothing.
            held = weights[rows] != 0.0
            rows, scores = rows[held], scores[held]
        weights, clusters = (None if weights is None else weights[rows]), (None if clusters is None else clusters[rows])
        labels = y[rows]
        models = []
        for place, label in enumerate(classes.tolist()):
            try:
                column = np.ascontiguousarray(scores[:, place])
                models.append(quantifier._fitted(column, labels == label, True, weights, clusters))
            except TruecountError as error:
                raise error.at(f"class {shown(label)}") from None
        self.classes_, self.labels_, self.labelled_scores_, self.quantifier_ = classes, labels, scores, quantifier
        self._labelled = Labelled.of(np.searchsorted(classes, labels), weights, clusters)
        # A method that is no corrected mean is refused now.
        _functions(models, quantifier, labels[:, np.newaxis] == classes, scores[:1], None)
        self.models_ = models
        return self

    def _copied(self) -> Quantifier:
        if not isinstance(self._whose, Quantifier):
            raise OptionError(
                f"quantifier is {shown(self.quantifier)}; it must be a quantifier of truecount, as EfficientSweep()",
                "option-invalid",
                name="quantifier",
                value=self.quantifier,
            )
        if self._whose.positive is not None:
            raise OptionError(
                "the quantifier counts one class (positive), but each is counted here; leave out positive",
                "option-conflict",
                name="positive",
            )
        # What is fitted already stays so in a copy of its parameters.
        return type(self._whose)(**self._whose.get_params(deep=False))

    def estimate(self, X: Any, *, weights: Any = None, level: float = 0.95, target: Target = "sample") -> Composition:
        """Estimate the share of each class, with standard errors, intervals, covariance and warnings.

        Parameters
        ----------
        X : as in `fit`
        weights : array-like of float, shape (n_samples,), or where X is a data frame the name of a column, optional
            Survey weights of these rows, of which only the ratios count.
        level : float, default 0.95
            Nominal coverage of each interval. For intervals that hold all shares at once with 95 % give ``1 - 0.05 / K`` (Bonferroni).
        target : {"sample", "population"}
            Whose shares are meant: those of these very rows, or of the population that they come from.

        Returns
        -------
        Composition

        Raises
        ------
        TruecountError
            For rows or weights that cannot be used.
        """
        check_is_fitted(self, "models_")
        estimators = self.quantifier_.estimators_
        X, _, weights = named(X, None, weights, getattr(estimators[0], "feature_names_in_", ()) if estimators else ())
        scores = self.quantifier_._score(X, self.classes_, None)
        counted = None if weights is None else numbers(weights, "weights")
        warned: dict[str, list[tuple[Any, Caveat]]] = {}
        for label, model, column, given in _columns(self.classes_, self.models_, self.quantifier_, scores):
            found = model.estimate(column, weights=counted, level=level, target=target, check=False, **given)
            for warning in found.warnings:
                if warning.code in _OF_THE_FUNCTION:
                    warned.setdefault(warning, []).append((label, warning))
        of = self.labels_[:, np.newaxis] == self.classes_
        new, labelled = _functions(self.models_, self.quantifier_, of, scores, counted)
        shares = np.full(len(scores), 1.0 / len(scores)) if counted is None else counted / counted.sum()
        raw, covariance = self._labelled.solved(labelled, new, shares, target == "population")
        caveats: list[Caveat] = []
        for each in warned.values():
            if len(each) == len(self.models_):
                caveats.append(each[0][1])
            else:
                caveats += (
                    Caveat(f"class {shown(label)}: {text}", text.code, text.severity, text.fields)
                    for label, text in each
                )
        method = self.models_[0].methods[0]
        return Composition(
            self.classes_.tolist(), int(np.count_nonzero(shares)), raw, covariance, level, method, tuple(caveats)
        )

    def predict(self, X: Any) -> Floats:
        """The share of each class among these rows.

        What there is to beware of is a `truecount.PrevalenceWarning`; `estimate` returns it instead.

        Parameters
        ----------
        X : as in `fit`

        Returns
        -------
        ndarray of float, shape (K,)
            In the order of `classes_`; none is below 0, and their sum is 1.
        """
        return np.array(self._warned(self.estimate(X)).prevalence)

    def predict_interval(self, X: Any, *, level: float = 0.95, target: Target = "sample") -> Floats:
        """The confidence interval of each class's share.

        Parameters
        ----------
        X : as in `fit`
        level, target
            As in `estimate`.

        Returns
        -------
        ndarray of float, shape (K, 2)
            A row for each class in the order of `classes_`: lower and upper end.
        """
        return np.asarray(self._warned(self.estimate(X, level=level, target=target)).interval)

    def _warned(self, found: Composition) -> Composition:
        for warning in found.warnings:
            python_warnings.warn(warning, PrevalenceWarning, stacklevel=3)
        return found


def _classes(y: NDArray[Any]) -> NDArray[Any]:
    _, found = factorised(y, "y")
    if None in found or len(found) < 2:
        positives(y, None, "y")  # says what is wrong
    return np.unique(y)


def _columns(
    classes: Iterable[Any], models: Iterable[Model], quantifier: Quantifier, scores: Floats
) -> Iterator[tuple[Any, Model, Floats, dict[str, Any]]]:
    """The column of scores of each class, with its probabilities, if the method uses them."""
    for place, (label, model) in enumerate(zip(classes, models)):
        column = np.ascontiguousarray(scores[:, place])
        yield label, model, column, {"test_probabilities": column if quantifier._wants_probabilities else None}


def _functions(
    models: Sequence[Model], quantifier: Quantifier, of: NDArray[np.bool_], scores: Floats, weights: Floats | None
) -> tuple[Floats, Floats]:
    """The functions' values for new rows and for labelled ones, of which is said which class they are `of`, a column for each class."""
    new, labelled = np.empty(scores.shape), np.empty(of.shape)
    for place, model, column, given in _columns(range(len(models)), models, quantifier, scores):
        columns = test_sets(column, given["test_probabilities"], weights, None).columns
        labelled[of[:, place], place], labelled[~of[:, place], place] = model._core.influence_of_labelled(0, columns)
        new[:, place] = model._core.influence(0, columns)
    return new, labelled
