"""truecount's methods as quantifiers of QuaPy, for its protocols, evaluation and model selection.

QuaPy (https://github.com/HLT-ISTI/QuaPy) must be installed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from quapy.method.aggregative import BinaryAggregativeQuantifier
from quapy.method.confidence import ConfidenceIntervals, WithConfidenceABC

from truecount import _core
from truecount._columns import Floats
from truecount._errors import LabelError, TruecountError, option_error, with_score_transform
from truecount._estimate import estimate_sets
from truecount._model import Model
from truecount._options import READ_POSTERIORS, Family, Method, Rates, Transform
from truecount._results import Estimate
from truecount.quantifiers import Quantifier as FoldQuantifier

__all__ = ["Quantifier"]


class Quantifier(WithConfidenceABC, BinaryAggregativeQuantifier):  # type: ignore[misc]
    """A method of truecount as a binary aggregative quantifier of QuaPy.

    QuaPy trains the classifier, creates the labelled scores by cross-validation, and classifies the pool of a protocol
    once. The estimates are equal to those of `truecount.estimate` for the same scores.

    Parameters
    ----------
    method : str, default "es"
        One of ``truecount.methods()``, or ``"cs"``.
    classifier : estimator of scikit-learn, optional
        The classifier; by default QuaPy's, ``quapy.environ["DEFAULT_CLS"]``.
    family, score_transform, rates, threshold
        As in `truecount.Model.fit`, where `score_transform` is `transform`.
    cutoff : float, optional
        The lowest score that ``cc`` and ``ac`` count as positive; by default 0 for a decision
        function and ½ for probabilities.
    fit_classifier : bool, default True
        Whether QuaPy trains the classifier. If not, the classifier must be trained already, and
        `fit` takes labelled data that it was not trained on.
    val_split : int, float, tuple, default 5
        Source of the labelled scores, as in QuaPy: a number of folds for cross-validation, a
        held-out share, or data ``(X, y)``.
    ensemble : bool, default False
        With a number of folds: whether new rows are scored by the classifiers of all folds, as in
        `truecount.quantifiers.Quantifier`, so that new and labelled scores have the same distribution.

    Attributes
    ----------
    model_ : truecount.Model
        The fitted model, which has standard errors, intervals and warnings.
    classes_ : ndarray
        The classifier's two classes; the second is the positive class.

    Notes
    -----
    Methods that use posterior probabilities, the family ``"beta"`` and the transform ``"logit"`` need the classifier's
    ``predict_proba``; all others use its ``decision_function``. If the classifier has only one of these methods, that
    one is used. Missing posteriors follow from the fitted family by Bayes' rule. If ``GridSearchQ`` tries several
    methods with the same trained classifier, all of them use the scores that suit the quantifier's original method.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from truecount.quapy import Quantifier
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 2000)
    >>> quantifier = Quantifier("es", LogisticRegression()).fit(rng.normal(2 * y, 1)[:, None], y)
    >>> sample = np.r_[rng.normal(0, 1, 9000), rng.normal(2, 1, 1000)][:, None]
    >>> quantifier.predict(sample).round(2)
    array([0.91, 0.09])
    >>> quantifier.model_.estimate(quantifier.classify(sample)).se < 0.02
    True
    """

    def __init__(
        self,
        method: Method = "es",
        classifier: Any = None,
        *,
        family: Family | None = None,
        score_transform: Transform | None = None,
        rates: Rates | None = None,
        threshold: float | str = "optimal",
        cutoff: float | None = None,
        fit_classifier: bool = True,
        val_split: int | float | tuple[Any, Any] | None = 5,
        ensemble: bool = False,
    ) -> None:
        super().__init__(classifier, fit_classifier, val_split)
        self.method = method
        self.family = family
        self.score_transform = score_transform
        self.rates = rates
        self.threshold = threshold
        self.cutoff = cutoff
        self.ensemble = ensemble
        self._response_method: str | None = None

    def _check_binary(self, y: Any, quantifier_name: str) -> None:
        classes = sorted(set(y))
        if len(classes) != 2:
            shown = ", ".join(str(each) for each in classes[:5]) + (", …" if len(classes) > 5 else "")
            raise LabelError(
                f"{quantifier_name} estimates the share of one of two classes, but y has {len(classes)} ({shown}); "
                "for more, quapy.method.aggregative.OneVsAllAggregative makes a quantifier of several of these",
                "labels-not-two",
                labels=classes,
            )

    def _choose_response_method(self) -> str:
        """Return the classifier's method whose scores the quantifier uses."""
        posteriors = self.method in READ_POSTERIORS or self.family == "beta" or self.score_transform == "logit"
        first, second = ("predict_proba", "decision_function") if posteriors else ("decision_function", "predict_proba")
        return first if hasattr(self.classifier, first) or not hasattr(self.classifier, second) else second

    def _classifier_method(self) -> str:
        return self._response_method or self._choose_response_method()

    def classifier_fit_predict(self, X: Any, y: Any) -> tuple[Floats | None, Any]:
        """Train the classifier, and return the labelled scores for `aggregation_fit`, and their labels."""
        self._check_binary(y, type(self).__name__)
        # Stored, because GridSearchQ may change the method between the labelled and the test scores.
        self._response_method = self._choose_response_method()
        if self.ensemble:
            if not isinstance(self.val_split, int) or not self.fit_classifier:
                raise option_error("ensemble", "ensemble=True needs fit_classifier=True and folds as val_split")
            classes, y = np.unique(y), np.asarray(y)
            folds = FoldQuantifier(self.classifier, cv=self.val_split, response_method=self._response_method)
            rows, scores = folds._score_labelled(X, y, classes, 1, None, None)
            self._folds = folds
            self.classifier: Any = folds.estimators_[0]
            return scores, y[rows]
        predictions, labels = super().classifier_fit_predict(X, y)
        return None if predictions is None else _positive_column(predictions), labels

    def classify(self, X: Any) -> Floats:
        """Return decision values, or probabilities of the positive class; with `ensemble` by each classifier."""
        if self.ensemble:
            return self._folds._classify(X, self.classes_, 1)
        return _positive_column(super().classify(X))

    def aggregation_fit(self, classif_predictions: Floats | None, labels: Any) -> Quantifier:
        """Fit the method to labelled scores, the result of `classify`, and return the quantifier."""
        if classif_predictions is None:
            raise option_error(
                "val_split",
                "val_split=None leaves no labelled scores except those that the classifier was trained on; "
                "give a number of folds, a share to hold out, or data (X, y)",
                value=None,
            )
        cutoff = 0.5 if self._classifier_method() == "predict_proba" else 0.0
        try:
            self.model_ = Model.fit(
                classif_predictions,
                labels,
                method=self.method,
                family=self.family,
                transform=self.score_transform,
                rates=self.rates,
                threshold=self.threshold,
                cutoff=cutoff if self.cutoff is None else self.cutoff,
                train_probabilities=self._probabilities(classif_predictions),
                positive=self.classes_[1],
            )
        except TruecountError as error:
            raise with_score_transform(error) from None
        if len(self.model_.methods) != 1:
            raise option_error(
                "method",
                f"method is {self.method!r}; a quantifier has one, not {len(self.model_.methods)}",
                value=self.method,
            )
        return self

    def aggregate(self, classif_predictions: Floats) -> Floats:
        """Return the prevalences among test scores in the order of `classes_`, with the sum 1."""
        share = self._estimate(classif_predictions).prevalence
        return np.array([1.0 - share, share])

    def predict_conf(self, instances: Any, confidence_level: float = 0.95) -> tuple[Floats, ConfidenceIntervals]:
        """Return the prevalences and their confidence intervals, in QuaPy's form."""
        estimate = self._estimate(self.classify(instances), level=confidence_level)
        prevalences = np.array([1.0 - estimate.prevalence, estimate.prevalence])
        ends = np.array([[1.0 - estimate.upper, estimate.lower], [1.0 - estimate.lower, estimate.upper]])
        region = ConfidenceIntervals(ends, confidence_level)
        region.means_, (region.I_low, region.I_high) = prevalences, ends
        return prevalences, region

    def _estimate(self, scores: Floats, **kwargs: Any) -> Estimate:
        scores, pooled = self._folds._pool(scores) if self.ensemble else (scores, None)
        if self.method not in _core.methods_with("corrected_mean"):
            pooled = None
        options = {"test_probabilities": self._probabilities(scores), "check": False, **kwargs}
        estimate: Estimate = estimate_sets(self.model_, False, scores, None, pooled, **options)
        return estimate

    def _probabilities(self, predictions: Floats) -> Floats | None:
        """Return the predictions if they are probabilities and the method uses these."""
        are_used = self.method in READ_POSTERIORS and self._classifier_method() == "predict_proba"
        return predictions if are_used else None


def _positive_column(predictions: Any) -> Floats:
    """Return the column of the positive class."""
    return np.ascontiguousarray(predictions if predictions.ndim == 1 else predictions[:, 1], dtype=np.float64)
