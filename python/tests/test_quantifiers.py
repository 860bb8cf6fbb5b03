"""The quantifiers as scikit-learn estimators."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import pandas as pd
import polars as pl
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import truecount as tc
from truecount.quantifiers import Quantifier

# Continuous Sweep warns that the simulated scores are not normal.
pytestmark = pytest.mark.filterwarnings("ignore:.*the labelled scores contradict the fitted family")

KINDS = {
    "o-cs": tc.ContinuousSweep(),
    "t-cs": tc.ContinuousSweep(threshold=0.25),
    "es": tc.EfficientSweep(),
    "t-ms": tc.MedianSweep(),
    "o-ms": tc.MedianSweep(threshold="optimal"),
    "ms-quapy": tc.MedianSweep(threshold=0, definition="quapy"),
    "ms2": tc.MedianSweep(definition="quapy"),
    "cc": tc.ClassifyAndCount(),
    "ac": tc.AdjustedCount(),
    "max": tc.ThresholdMax(),
    "t50": tc.ThresholdT50(),
    "x": tc.ThresholdX(),
    "smm": tc.SampleMeanMatching(),
    "pcc": tc.ProbabilisticClassifyAndCount(),
    "pacc": tc.ProbabilisticAdjustedCount(),
    "friedman": tc.Friedman(),
    "edy": tc.EDy(),
    "sld": tc.SLD(),
    "sld-bcts": tc.SLDBCTS(),
    "ml": tc.MaximumLikelihood(),
    "kdey-ml": tc.KDEyML(),
    "dys": tc.DyS(),
    "dys-topsoe": tc.DyS(divergence="topsoe"),
    "mm": tc.MixtureModel(),
    "hdy": tc.HDy(),
    "bcc": tc.BayesianCC(),
    "pq": tc.PQ(),
}
POSTERIORS = tc._core.methods_with("reads_posteriors")
REFITTED = {"cv": 5, "ensemble": False}
"""Options for cross-validated labelled scores, and new scores by a refit to all labelled rows."""


@pytest.fixture(scope="module")
def data():
    """Returns 400 labelled rows, 40 % of them positive, and 300 new rows."""
    X, y = make_classification(700, n_features=6, weights=[0.6], flip_y=0.02, class_sep=0.8, random_state=3)
    return X[:400], y[:400], X[400:], y[400:]


@pytest.fixture(scope="module")
def classifier():
    """A classifier with probabilities and decision values that is quick to fit."""
    return LinearDiscriminantAnalysis()


class TestEstimates:
    def test_there_is_a_quantifier_for_each_method(self):
        assert set(KINDS) == set(tc.methods())

    @pytest.mark.parametrize("method", KINDS)
    def test_estimates_agree_with_cross_validated_scores(self, method, data, classifier):
        """Labelled rows are scored by cross_val_predict, new rows by a refit."""
        X, y, new, _ = data
        name = "predict_proba" if method in POSTERIORS else "decision_function"
        labelled = cross_val_predict(classifier, X, y, cv=5, method=name)
        scores = getattr(classifier.fit(X, y), name)(new)
        arguments = {}
        if method in POSTERIORS:
            labelled, scores = labelled[:, 1], scores[:, 1]
            arguments = {"train_probabilities": labelled, "test_probabilities": scores}
        expected = tc.estimate(labelled, y, scores, method=method, **arguments)
        quantifier = clone(KINDS[method]).set_params(estimator=classifier, **REFITTED).fit(X, y)
        estimate = quantifier.estimate(new)
        assert quantifier.model_.methods == [method] or (method, quantifier.model_.methods) == ("t-cs", ["cs 0.25"])
        assert (estimate.raw, estimate.se, estimate.interval, estimate.warnings) == (
            expected.raw,
            expected.se,
            expected.interval,
            expected.warnings,
        )
        assert np.array_equal(quantifier.labelled_scores_, labelled)
        assert quantifier.predict(new).tolist() == [1.0 - expected.prevalence, expected.prevalence]

    def test_parameters_reach_the_method(self, data, classifier):
        X, y, new, _ = data
        labelled = cross_val_predict(classifier, X, y, cv=3, method="decision_function")
        scores = classifier.fit(X, y).decision_function(new)
        settings = {"family": "logistic", "rates": "labels", "threshold": 0.4}
        quantifier = tc.ContinuousSweep(classifier, cv=3, ensemble=False, score_transform="rank", **settings).fit(X, y)
        assert quantifier.estimate(new).raw == tc.estimate(labelled, y, scores, transform="rank", **settings).raw
        counted = tc.AdjustedCount(classifier, cv=3, ensemble=False, cutoff=0.7).fit(X, y)
        assert counted.estimate(new).raw == tc.estimate(labelled, y, scores, method="ac", cutoff=0.7).raw
        mean = tc.SampleMeanMatching(classifier, cv=3, ensemble=False, score_transform="rank").fit(X, y)
        assert mean.estimate(new).raw == tc.estimate(labelled, y, scores, method="smm", transform="rank").raw

    def test_groups_weights_and_targets(self, data):
        X, y, new, _ = data
        quantifier = tc.ContinuousSweep().fit(X, y)
        scores, probabilities = quantifier.scores(new)
        assert probabilities is None
        week, weights = np.arange(300) % 3, np.linspace(0.5, 2, 300)
        table = quantifier.estimate(new, by={"week": week}, weights=weights, level=0.9, target="population")
        assert table.groups["week"].tolist() == [0, 1, 2]
        for row, estimate in enumerate(table):
            in_week = week == row
            alone = quantifier.estimate(
                new[in_week], weights=weights[in_week], level=0.9, target="population", check=False
            )
            assert (estimate.raw, *estimate.interval) == pytest.approx((alone.raw, *alone.interval), abs=1e-13)

    def test_intervals_by_class(self, data):
        X, y, new, _ = data
        quantifier = tc.ContinuousSweep().fit(X, y)
        lower, upper = quantifier.estimate(new, level=0.8, interval="wald").interval
        interval = quantifier.predict_interval(new, level=0.8, interval="wald")
        assert interval.tolist() == [[1 - upper, 1 - lower], [lower, upper]]

    def test_intervals_with_and_without_misfit(self, data):
        X, y, _, _ = data
        quantifier = tc.EfficientSweep().fit(X, y)
        spread = X * 2
        for misfit in ("widen", "warn"):
            estimate = quantifier.estimate(spread, misfit=misfit)
            assert any(warning.code in ("misfit-widened", "prior-shift-rejected") for warning in estimate.warnings)
            assert (estimate.widening > 0) == (misfit == "widen")
            with pytest.warns(tc.PrevalenceWarning, match="fit any mix of the labelled classes"):
                assert quantifier.predict_interval(spread, misfit=misfit)[1].tolist() == list(estimate.interval)

    @pytest.mark.parametrize("kind", [tc.ClassifyAndCount, tc.ProbabilisticClassifyAndCount])
    def test_only_estimate_warns_about_uncorrected_counts(self, kind, data):
        X, y, new, _ = data
        quantifier = kind().fit(X, y)
        assert [warning.code for warning in quantifier.estimate(new).warnings] == ["not-corrected"]
        quantifier.predict(new)  # A warning would be an error here.

    def test_without_a_formula_only_the_bootstrap_has_an_interval(self, data):
        X, y, new, _ = data
        quantifier = tc.DyS().fit(X, y)
        assert np.isnan(quantifier.predict_interval(new)).all()
        (low, high), (lower, upper) = quantifier.predict_interval(new, interval="bootstrap", resamples=100)
        assert lower < quantifier.predict(new)[1] < upper and (low, high) == (1 - upper, 1 - lower)

    def test_predict_raises_the_warnings_of_the_estimate(self, data, classifier):
        X, y, new, _ = data
        quantifier = tc.AdjustedCount(classifier).fit(X, y)
        rows = new[np.argsort(quantifier.scores(new)[0])[:40]]
        assert any(
            "raw estimate -" in warning and "the share is reported as 0" in warning
            for warning in quantifier.estimate(rows).warnings
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert quantifier.predict(rows).tolist() == [1.0, 0.0]
        assert {(warning.category, warning.filename) for warning in caught} == {(tc.PrevalenceWarning, __file__)}
        assert tuple(str(warning.message) for warning in caught) == quantifier.estimate(rows).warnings

    @pytest.mark.parametrize(
        ("cv", "ensemble", "refitted"), [(None, True, False), (None, False, True), ("prefit", False, False)]
    )
    @pytest.mark.parametrize(
        ("stretched", "said"), [(1.2, "do not fit any mix of"), (3, "lie outside the range of 97 % of")]
    )
    def test_a_warning_mentions_the_refit_as_a_possible_cause(
        self, stretched, said, cv, ensemble, refitted, data, classifier
    ):
        X, y, new, _ = data
        quantifier = tc.EfficientSweep(clone(classifier).fit(new, data[3]), cv=cv, ensemble=ensemble).fit(X, y)
        with pytest.warns(tc.PrevalenceWarning, match=f"{said} the labelled") as caught:
            quantifier.predict(stretched * X)
        (message,) = (str(warning.message) for warning in caught if said in str(warning.message))
        assert message.endswith("; with ensemble=False the refit itself may cause this") == refitted


class TestResponses:
    def test_counts_cut_probabilities_at_one_half(self, data):
        X, y, new, _ = data
        forest = RandomForestClassifier(20, random_state=1)
        quantifier = tc.ClassifyAndCount(forest, **REFITTED).fit(X, y)
        assert quantifier.response_method_ == "predict_proba"
        share = np.mean(forest.fit(X, y).predict_proba(new)[:, 1] >= 0.5)
        assert quantifier.estimate(new).raw == share

    def test_counts_cut_decisions_at_zero(self, data):
        X, y, new, _ = data
        quantifier = tc.ClassifyAndCount(**REFITTED).fit(X, y)
        assert quantifier.response_method_ == "decision_function"
        assert quantifier.estimate(new).raw == LogisticRegression(max_iter=1000).fit(X, y).predict(new).mean()

    def test_the_response_can_be_chosen(self, data, classifier):
        X, y, new, _ = data
        quantifier = tc.ContinuousSweep(classifier, response_method="predict_proba", family="beta", **REFITTED).fit(
            X, y
        )
        scores, _ = quantifier.scores(new)
        assert np.array_equal(scores, classifier.fit(X, y).predict_proba(new)[:, 1])

    def test_the_family_gives_posteriors_if_the_classifier_has_none(self, data):
        X, y, new, _ = data
        ridge = RidgeClassifier()
        quantifier = tc.SLD(ridge, family="logistic", score_transform="rank", **REFITTED).fit(X, y)
        labelled = cross_val_predict(ridge, X, y, cv=5, method="decision_function")
        scores = ridge.fit(X, y).decision_function(new)
        assert quantifier.scores(new)[1] is None
        expected = tc.estimate(labelled, y, scores, method="sld", family="logistic", transform="rank")
        assert quantifier.estimate(new).raw == expected.raw
        options = tc.SLD(response_method="decision_function").fit(X, y)
        assert options.scores(new)[1] is None and options.response_method_ == "decision_function"

    def test_any_class_with_fit_and_scores_is_a_classifier(self, data):
        X, y, new, _ = data

        class Foreign:
            """A classifier with the required methods only."""

            def get_params(self, deep=True):
                return {}

            def fit(self, X, y):
                self.inner = LogisticRegression().fit(X, y)
                return self

            def predict_proba(self, X):
                return self.inner.predict_proba(X)

        quantifier = tc.SLD(Foreign()).fit(X, y)
        assert np.array_equal(quantifier.predict(new), tc.SLD(LogisticRegression()).fit(X, y).predict(new))

    def test_a_classifier_is_fitted_once_per_fold_and_once_for_a_refit(self, data):
        X, y, new, _ = data
        fits = []

        class Counted(LogisticRegression):
            def fit(self, X, y):
                fits.append(len(y))
                return super().fit(X, y)

        tc.SLD(Counted()).fit(X, y).predict(new)
        assert fits == [360] * 10
        fits.clear()
        tc.SLD(Counted(), **REFITTED).fit(X, y).predict(new)
        assert fits == [320] * 5 + [400]


class TestCalibration:
    @pytest.mark.parametrize("kind", [tc.SLD, tc.MaximumLikelihood])
    def test_methods_that_need_calibration_warn(self, kind, data):
        X, y, new, _ = data
        message = r"not calibrated \(slope 0\.\d\d, intercept -0\.\d\d"
        with pytest.warns(tc.PrevalenceWarning, match=message) as caught:
            kind(GaussianNB()).fit(X, y).predict(new)
        assert [warning.filename for warning in caught] == [__file__]
        kind(LogisticRegression()).fit(X, y).predict(new)
        kind(LinearDiscriminantAnalysis(), response_method="decision_function").fit(X, y).predict(new)

    @pytest.mark.parametrize("kind", [tc.ProbabilisticAdjustedCount, tc.KDEyML, tc.DyS, tc.HDy])
    def test_methods_that_do_not_need_calibration_do_not_warn(self, kind, data):
        X, y, new, _ = data
        kind(GaussianNB()).fit(X, y).predict(new)


class TestLabels:
    @pytest.mark.parametrize(
        "labels",
        [
            [False, True],
            [0.0, 1.0],
            [1, 2],
            [-1, 1],
            ["ham", "spam"],
            np.array(["no", "yes"], dtype=object),
        ],
        ids=["bool", "float", "1, 2", "-1, 1", "text", "object"],
    )
    @pytest.mark.parametrize("kind", [tc.ContinuousSweep, tc.SLD])
    def test_labels_of_any_type(self, labels, kind, data, classifier):
        X, y, new, _ = data
        plain = kind(classifier).fit(X, y).predict(new)
        y = np.asarray(labels)[y]
        positive = None if set(labels) in ({0, 1}, {-1, 1}) else labels[1]
        for column in (y, y.tolist(), pd.Series(y), pl.Series(y.tolist()), pd.Series(y).astype("category")):
            quantifier = kind(classifier, positive=positive).fit(X, column)
            assert quantifier.classes_.tolist() == list(labels)
            assert quantifier.positive_ == labels[1]
            assert np.array_equal(quantifier.predict(new), plain)

    @pytest.mark.parametrize("labels", [["ham", "spam"], [1, 2], [0, 2]], ids=str)
    def test_the_positive_class_is_never_guessed(self, labels, data, classifier):
        """The rule and the messages are those of `Model.fit`."""
        X, y, _, _ = data
        y = np.array(labels)[y]
        with pytest.raises(tc.LabelError, match="y: which label is the positive one") as caught:
            tc.ContinuousSweep(classifier).fit(X, y)
        with pytest.raises(tc.LabelError) as expected:
            tc.Model.fit(X[:, 0], y)
        assert caught.value.code == expected.value.code == "positive-unnamed"
        assert str(caught.value).partition(": ")[2] == str(expected.value).partition(": ")[2]
        for positive in labels:
            assert tc.ContinuousSweep(classifier, positive=positive).fit(X, y).positive_ == positive

    @pytest.mark.parametrize(
        ("kind", "tolerance"), [(tc.ContinuousSweep, 1e-11), (tc.MedianSweep, 1e-11), (tc.SLD, 1e-11), (tc.DyS, 1e-5)]
    )
    def test_the_other_class_can_be_positive(self, kind, tolerance, data, classifier):
        """The result equals that of swapped labels; the ternary search of DyS ends at steps of 1e-5."""
        X, y, new, _ = data
        counted = kind(classifier, positive="a", cv=StratifiedKFold(5)).fit(X, np.array(["a", "b"])[y])
        swapped = kind(classifier, cv=StratifiedKFold(5)).fit(X, 1 - y)
        assert counted.positive_ == "a"
        assert counted.estimate(new).raw == pytest.approx(swapped.estimate(new).raw, abs=tolerance)
        estimate = counted.estimate(new)
        assert counted.predict(new).tolist() == [estimate.prevalence, 1 - estimate.prevalence]
        assert np.array_equal(counted.predict_interval(new)[0], estimate.interval or [np.nan] * 2, equal_nan=True)
        name = counted.response_method_
        labelled = cross_val_predict(classifier, X, y, cv=5, method=name)
        assert np.array_equal(counted.labelled_scores_, labelled[:, 0] if name == "predict_proba" else -labelled)

    def test_labels_of_pandas_types(self, data, classifier):
        X, y, new, _ = data
        plain = tc.ContinuousSweep(classifier).fit(X, y).predict(new)
        texts = pd.Series(np.array(["a", "b"])[y], dtype="string")
        for column, positive in (
            (pd.Series(y).astype("boolean"), None),
            (pd.Series(y).astype("Int64"), None),
            (texts, "b"),
        ):
            assert np.array_equal(tc.ContinuousSweep(classifier, positive=positive).fit(X, column).predict(new), plain)

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            ([0, 1, 2, 1], "y: two labels are needed, found 0 .1 row, first in row 0., 1 .2 rows, first in row 1., 2"),
            ([0.5, 1.5, 0.5, 1.5], "y: which label is the positive one"),
            ([1, 1, 1, 1], "y: two labels are needed, found 1 .4 rows, first in row 0.; label some of the other"),
            ([0, 1, np.nan, 1], "y: label 2 is missing"),
            (["a", None, "b", "b"], "y: label 1 is missing"),
            (pd.array([True, False, True, None], dtype="boolean"), "y: label 3 is missing"),
            ([0, 1, 1], "inconsistent numbers of samples"),
        ],
    )
    def test_unusable_labels_are_errors(self, y, message):
        with pytest.raises(ValueError, match=message):
            tc.ContinuousSweep().fit(np.arange(4.0).reshape(-1, 1), y)

    def test_an_absent_positive_class_is_an_error(self, data):
        X, y, _, _ = data
        with pytest.raises(ValueError, match=r"y: no label is 'yes'; found 0 \(\d+ rows"):
            tc.ContinuousSweep(positive="yes").fit(X, y)


class TestScoresAsX:
    def test_scores_are_used_as_they_are(self, data):
        rng = np.random.default_rng(1)
        y = np.repeat([1, 0], 50)
        scores, new = rng.normal(size=100) + y, rng.normal(size=60) + 0.5
        expected = tc.estimate(scores, y, new, method="es").raw
        columns = (np.asarray, list, pd.Series, pl.Series)
        tables = (lambda column: column.reshape(-1, 1), pd.DataFrame, lambda column: pl.DataFrame({"score": column}))
        for make in columns + tables:
            quantifier = tc.EfficientSweep("scores").fit(make(scores), y)
            assert quantifier.estimate(make(new)).raw == expected
            assert quantifier.estimators_ == [] and not hasattr(quantifier, "n_features_in_")

    def test_scores_are_of_the_positive_class(self):
        rng = np.random.default_rng(1)
        y = np.repeat(["a", "b"], 50)
        scores = rng.normal(size=100) + (y == "a")
        quantifier = tc.ContinuousSweep("scores", positive="a").fit(scores, y)
        assert quantifier.estimate(scores).raw == tc.estimate(scores, y, scores, method="o-cs", positive="a").raw
        with pytest.raises(ValueError, match="score lower than negatives.*positive='a'"):
            tc.ContinuousSweep("scores", positive="b").fit(scores, y)

    def test_bad_scores(self):
        with pytest.raises(ValueError, match="X: score 2 is nan"):
            tc.ContinuousSweep("scores").fit([0.1, 0.2, np.nan, 1.0], [0, 0, 1, 1])
        with pytest.raises(ValueError, match="one column of scores"):
            tc.ContinuousSweep("scores").fit(np.ones((4, 2)), [0, 0, 1, 1])
        with pytest.raises(ValueError, match="estimator is 'score'"):
            tc.ContinuousSweep("score").fit([0.1, 0.2, 0.4, 1.0], [0, 0, 1, 1])


class TestCrossFitting:
    def test_the_ensemble_scores_new_rows_like_labelled_ones(self):
        """Mean squares of scores are equal for new and held-out rows, but smaller for the new scores of a refit.

        A refit uses more rows than a fold, so its scores have a smaller spread. z is the mean difference over 100
        labelled samples, in Monte Carlo standard errors.
        """
        rng = np.random.default_rng(5)

        def draw_rows(n):
            y = np.arange(n) % 2
            return rng.normal(size=(n, 15)) + 0.5 * y[:, None], y

        new, _ = draw_rows(1000)
        excess = {True: [], False: []}
        for _ in range(100):
            X, y = draw_rows(60)
            for ensemble, differences in excess.items():
                quantifier = tc.SampleMeanMatching(RidgeClassifier(), cv=3, ensemble=ensemble).fit(X, y)
                differences.append(np.mean(quantifier.scores(new)[0] ** 2) - np.mean(quantifier.labelled_scores_**2))
        z = {
            ensemble: np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(100))
            for ensemble, differences in excess.items()
        }
        assert abs(z[True]) < 3
        assert z[False] < -5

    def test_each_classifier_scores_its_share(self, data, classifier):
        X, y, new, _ = data
        halves = [
            (np.arange(100, 400), np.arange(100)),
            (np.arange(100), np.arange(100, 400)),
        ]  # one quarter and three quarters of the rows
        quantifier = tc.ContinuousSweep(classifier, cv=halves).fit(X, y)
        scores, _ = quantifier.scores(new)
        one, other = (clone(classifier).fit(X[train], y[train]).decision_function(new) for train, _ in halves)
        assert np.array_equal(scores, np.where(scores == one, one, other))
        assert np.count_nonzero(scores == one) == 75
        assert np.array_equal(quantifier.scores(new)[0], scores)
        assert not np.array_equal(quantifier.set_params(random_state=1).scores(new)[0], scores)

    def test_a_single_new_row_is_scored_by_one_classifier(self, data):
        X, y, new, _ = data
        quantifier = tc.ContinuousSweep().fit(X, y)
        each = {model.decision_function(new[:1])[0] for model in quantifier.estimators_}
        assert {quantifier.set_params(random_state=seed).scores(new[:1])[0][0] for seed in range(100)} == each

    @pytest.mark.parametrize("kind", [tc.EfficientSweep, tc.AdjustedCount, tc.ProbabilisticAdjustedCount])
    @pytest.mark.parametrize("target", ["sample", "population"])
    def test_a_mean_counts_the_scores_of_all_classifiers(self, kind, target, data):
        X, y, new, _ = data
        quantifier = kind(GaussianNB()).fit(X, y)
        estimate = quantifier.estimate(new, target=target)
        scores, probabilities = quantifier.scores(new)
        single = quantifier.model_.estimate(scores, test_probabilities=probabilities, target=target)
        assert estimate.n == single.n == 300
        assert estimate.se < single.se
        assert estimate.n_eff > 300
        # The order of the rows decides only which of an estimate's scores are checked.
        turned = quantifier.estimate(new[::-1], target=target)
        assert turned.raw == pytest.approx(estimate.raw, abs=1e-13)
        assert turned.se == pytest.approx(estimate.se, rel=1e-12)

    def test_the_estimate_is_the_mean_over_classifiers(self, data):
        X, y, new, _ = data
        quantifier = tc.AdjustedCount(GaussianNB(), cv=5).fit(X, y)
        raws = [
            quantifier.model_.estimate(model.predict_proba(new)[:, 1], check=False).raw
            for model in quantifier.estimators_
        ]
        assert quantifier.estimate(new).raw == pytest.approx(np.mean(raws), abs=1e-13)

    def test_groups_and_weights_count_the_scores_of_all_classifiers(self, data):
        X, y, new, _ = data
        quantifier, group = tc.AdjustedCount(GaussianNB()).fit(X, y), np.arange(300) % 2
        weights = 1.0 + np.arange(300) % 3
        estimates = quantifier.estimate(new, by=group, weights=weights, total=True, check=False)
        for number in (0, 1):
            rows = group == number
            alone = quantifier.estimate(new[rows], weights=weights[rows], check=False)
            assert estimates.raw[number] == pytest.approx(alone.raw, abs=1e-13)
            assert estimates.se[number] == pytest.approx(alone.se, rel=1e-12)
        whole = quantifier.estimate(new, weights=weights, check=False)
        assert estimates.total.raw == pytest.approx(whole.raw, abs=1e-13)
        assert estimates.total.se == pytest.approx(whole.se, rel=1e-12)

    def test_the_population_is_one_of_rows(self, data):
        X, y, new, _ = data
        quantifier = tc.AdjustedCount(GaussianNB()).fit(X, y)
        census = quantifier.estimate(new, population=300)
        assert census.se == pytest.approx(quantifier.estimate(new).se, rel=1e-12)

    @pytest.mark.parametrize("kind", [tc.MedianSweep, tc.ClassifyAndCount, tc.SLD, tc.DyS])
    def test_other_methods_count_one_score_of_each_row(self, kind, data):
        X, y, new, _ = data
        quantifier = kind(GaussianNB()).fit(X, y)
        scores, probabilities = quantifier.scores(new)
        assert quantifier.estimate(new) == quantifier.model_.estimate(scores, test_probabilities=probabilities)

    def test_the_bootstrap_takes_one_score_of_each_row(self, data):
        X, y, new, _ = data
        quantifier = tc.EfficientSweep(GaussianNB()).fit(X, y)
        scores, _ = quantifier.scores(new)
        bootstrap = {"interval": "bootstrap", "resamples": 50}
        assert quantifier.estimate(new, **bootstrap) == quantifier.model_.estimate(scores, **bootstrap)

    def test_a_design_takes_one_score_of_each_row(self, data):
        X, y, new, _ = data
        quantifier, clusters = tc.AdjustedCount(GaussianNB()).fit(X, y), np.arange(300) // 5
        scores, _ = quantifier.scores(new)
        estimate = quantifier.estimate(new, clusters=clusters, target="population")
        assert estimate == quantifier.model_.estimate(scores, clusters=clusters, target="population")
        assert estimate != quantifier.estimate(new, target="population")

    def test_misfit_widens_by_the_variance_of_one_score(self, data):
        """Scores of several classifiers reduce the sampling error, but not the systematic error."""
        X, y, new, _ = data
        quantifier = tc.AdjustedCount(DecisionTreeClassifier(min_samples_leaf=15, random_state=1)).fit(X, y)
        scores, _ = quantifier.scores(new * 3)
        pooled, single = quantifier.estimate(new * 3), quantifier.model_.estimate(scores)
        assert pooled.se < 0.95 * single.se
        widening = [each.se_widened**2 - each.se**2 for each in (pooled, single)]
        assert widening[0] > 0 and widening[0] == pytest.approx(widening[1], rel=0.1)

    def test_the_sampled_share_is_that_of_rows(self, data):
        X, y, new, _ = data
        quantifier = tc.ProbabilisticAdjustedCount(GaussianNB()).fit(X, y)
        scores, probabilities = quantifier.scores(new)
        weights = np.exp(-2 * probabilities)  # depend on the score within the classes
        for population in (600, 1500):
            pooled = quantifier.estimate(new, weights=weights, population=population)
            single = quantifier.model_.estimate(
                scores, test_probabilities=probabilities, weights=weights, population=population
            )
            assert pooled.se == pytest.approx(single.se, rel=0.03)

    def test_without_rows(self, data):
        X, y, new, _ = data
        with pytest.raises(tc.ScoreError, match="there are no test scores"):
            tc.AdjustedCount(GaussianNB()).fit(X, y).estimate(new[:0])

    def test_intervals_from_the_scores_of_all_classifiers_cover(self):
        """Coverage of the truth in 400 simulated samples: at least 95 % less three Monte Carlo standard errors."""
        rng = np.random.default_rng(8)

        def draw_rows(positive, n):
            y = np.repeat([1, 0], [positive, n - positive])
            return rng.normal(size=(n, 6)) + 0.5 * y[:, None], y

        covered = []
        for _ in range(400):
            quantifier = tc.EfficientSweep(GaussianNB(), cv=5).fit(*draw_rows(60, 150))
            lower, upper = quantifier.estimate(draw_rows(60, 300)[0], check=False).interval
            covered.append(lower <= 0.2 <= upper)
        assert np.mean(covered) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 400)

    def test_a_prefitted_classifier_is_used(self, data, classifier):
        X, y, new, _ = data
        fitted = clone(classifier).fit(X[:200], y[:200])
        labelled, scores = fitted.decision_function(X[200:]), fitted.decision_function(new)
        expected = tc.estimate(labelled, y[200:], scores, method="o-cs").raw
        for quantifier in (tc.ContinuousSweep(fitted, cv="prefit"), tc.ContinuousSweep(FrozenEstimator(fitted))):
            assert quantifier.fit(X[200:], y[200:]).estimate(new).raw == expected
            assert np.array_equal(quantifier.labelled_scores_, labelled)
            assert len(quantifier.estimators_) == 1

    def test_an_unfitted_prefit_classifier_is_an_error(self, data, classifier):
        X, y, _, _ = data
        with pytest.raises(NotFittedError):
            tc.ContinuousSweep(clone(classifier), cv="prefit").fit(X, y)
        fitted = clone(classifier).fit(X, np.array(["a", "b"])[y])
        with pytest.raises(ValueError, match=r"knows the classes \['a', 'b'\], but y has \[0, 1\]"):
            tc.ContinuousSweep(fitted, cv="prefit").fit(X, y)

    def test_a_single_holdout_split(self, data, classifier):
        """With one split, the labelled scores are those of the rows that it holds out, in order."""
        X, y, _, _ = data
        cv = StratifiedShuffleSplit(1, test_size=0.4, random_state=2)
        quantifier = tc.ContinuousSweep(classifier, cv=cv).fit(X, y)
        train, held_out = next(cv.split(X, y))
        held_out = np.sort(held_out)
        assert np.array_equal(quantifier.labels_, y[held_out])
        scores = clone(classifier).fit(X[train], y[train]).decision_function(X[held_out])
        assert np.array_equal(quantifier.labelled_scores_, scores)

    def test_ten_stratified_folds_by_default(self, data, classifier):
        X, y, new, _ = data
        by_default, explicit = (tc.EfficientSweep(classifier, cv=cv).fit(X, y) for cv in (None, StratifiedKFold(10)))
        assert len(by_default.estimators_) == 10
        assert np.array_equal(by_default.labelled_scores_, explicit.labelled_scores_)
        assert np.array_equal(by_default.scores(new)[0], explicit.scores(new)[0])

    @pytest.mark.parametrize(("positives", "folds"), [(2, 2), (7, 7), (9, 9), (10, 10), (30, 10)])
    @pytest.mark.parametrize("a_group", [1, 3])
    def test_default_folds_are_limited_by_the_rarest_class(self, positives, folds, a_group):
        """Each fold has rows of both classes, and scikit-learn does not warn."""
        y = np.repeat([0, 1], [60 * a_group, positives * a_group])
        X = np.random.default_rng(1).normal(3 * y, 1)[:, None]
        groups = None if a_group == 1 else np.arange(len(y)) // a_group
        quantifier = tc.SampleMeanMatching().fit(X, y, groups=groups)
        assert len(quantifier.estimators_) == folds
        splitter = StratifiedKFold(folds) if groups is None else StratifiedGroupKFold(folds)
        splits = list(splitter.split(X, y, groups))
        assert all(set(y[held_out]) == {0, 1} for _, held_out in splits)
        named = tc.SampleMeanMatching(cv=splits).fit(X, y)
        assert np.array_equal(quantifier.labelled_scores_, named.labelled_scores_)

    def test_a_class_of_one_row_is_an_error(self):
        y = np.repeat([0, 1], [60, 1])
        X = np.random.default_rng(1).normal(3 * y, 1)[:, None]
        with (
            pytest.warns(UserWarning, match="least populated class"),
            pytest.raises(ValueError, match="each fold of cv must learn from both"),
        ):
            tc.SampleMeanMatching(GaussianNB()).fit(X, y)

    def test_groups_stay_in_one_fold(self, data, classifier):
        X, y, _, _ = data
        groups = np.arange(400) // 4
        splits = list(GroupKFold(5).split(X, y, groups))
        quantifier = tc.ContinuousSweep(classifier, cv=splits).fit(X, y)
        scores = cross_val_predict(classifier, X, y, cv=GroupKFold(5), groups=groups, method="decision_function")
        assert np.array_equal(quantifier.labelled_scores_, scores)

    @pytest.mark.parametrize(
        ("cv", "message"),
        [
            (RepeatedStratifiedKFold(n_splits=5, n_repeats=2), "holds out row 0 2 times"),
            ([(np.arange(400), np.arange(400)[:0])], "cv holds out no rows"),
            ("fitted", "cv is 'fitted'"),
        ],
    )
    def test_wrong_folds_are_errors(self, cv, message, data):
        X, y, _, _ = data
        with pytest.raises(ValueError, match=message):
            tc.ContinuousSweep(cv=cv).fit(X, y)

    def test_a_training_fold_of_one_class_is_an_error(self, data):
        X, y, _, _ = data
        order = np.argsort(y)
        split = [(order[:200], order[200:]), (order[200:], order[:200])]
        with pytest.raises(ValueError, match="knows the classes .0., but y has .0, 1.; each fold"):
            tc.ContinuousSweep(GaussianNB(), cv=split).fit(X, y)

    def test_a_classifier_worse_than_chance_is_an_error(self):
        """Features are useless, and with leave-one-out folds a row's class is rarer in training."""
        with pytest.raises(ValueError, match="held-out positives score lower than negatives .* no better than chance"):
            tc.ContinuousSweep(cv=LeaveOneOut()).fit(np.zeros((20, 1)), np.arange(20) % 2)

    @pytest.mark.parametrize("strategy", ["most_frequent", "prior", "uniform"])
    @pytest.mark.parametrize("kind", [tc.ContinuousSweep, tc.ClassifyAndCount, tc.SLD])
    def test_a_constant_score_is_an_error(self, strategy, kind, data):
        X, y, _, _ = data
        dummy = DummyClassifier(strategy=strategy).fit(X, y)
        with pytest.raises(
            ValueError, match="held-out positives score no higher than negatives .* no better than chance"
        ):
            kind(dummy, cv="prefit").fit(X, y)

    def test_several_processes_give_the_same_estimate(self, data, classifier):
        X, y, new, _ = data
        one = tc.ContinuousSweep(classifier).fit(X, y)
        two = tc.ContinuousSweep(classifier, n_jobs=2).fit(X, y)
        assert np.array_equal(one.predict(new), two.predict(new))

    def test_a_classifier_without_scores_is_an_error(self, data):
        X, y, _, _ = data
        with pytest.raises(ValueError, match="LinearRegression has no decision_function and no predict_proba"):
            tc.ContinuousSweep(LinearRegression()).fit(X, y)
        with pytest.raises(ValueError, match="RandomForestClassifier has no decision_function"):
            tc.ContinuousSweep(RandomForestClassifier(), response_method="decision_function").fit(X, y)
        with pytest.raises(ValueError, match="must be one of auto, decision_function, predict_proba"):
            tc.ContinuousSweep(response_method="predict").fit(X, y)


class TestRows:
    def test_a_quantifier_in_and_around_pipelines(self, data, classifier):
        X, y, new, _ = data
        within = tc.ContinuousSweep(make_pipeline(StandardScaler(), classifier)).fit(X, y)
        around = make_pipeline(StandardScaler(), tc.ContinuousSweep(classifier)).fit(X, y)
        scaled = StandardScaler().fit(X)
        last = tc.ContinuousSweep(classifier).fit(scaled.transform(X), y)
        assert np.array_equal(around.predict(new), last.predict(scaled.transform(new)))
        labelled = cross_val_predict(
            make_pipeline(StandardScaler(), classifier), X, y, cv=10, method="decision_function"
        )
        assert np.array_equal(within.labelled_scores_, labelled)
        assert within.n_features_in_ == 6

    @pytest.mark.parametrize("ensemble", [False, True])
    def test_rows_of_any_type(self, ensemble, data):
        X, y, new, _ = data
        names = [f"x{number}" for number in range(6)]
        quantifier = tc.ContinuousSweep(RidgeClassifier(solver="sparse_cg", tol=1e-12), ensemble=ensemble)
        plain = clone(quantifier).fit(X, y).predict(new)
        for make in (
            np.ndarray.tolist,
            sparse.csr_array,
            sparse.coo_array,
            lambda rows: pd.DataFrame(rows, columns=names, index=rows[:, 0]),
            lambda rows: pl.DataFrame(rows, schema=names),
        ):
            fitted = clone(quantifier).fit(make(X), y)
            assert fitted.predict(make(new)) == pytest.approx(plain, abs=1e-9)
            if hasattr(make(X), "columns"):
                assert fitted.feature_names_in_.tolist() == names
            else:
                assert not hasattr(fitted, "feature_names_in_")

    def test_rows_of_text(self):
        rng = np.random.default_rng(2)
        y = np.repeat(["ham", "spam"], 100)
        words = {"ham": ["hello", "minutes", "meeting", "thanks"], "spam": ["win", "prize", "thanks", "hello"]}
        texts = [" ".join(rng.choice(words[label], 3)) for label in y]
        quantifier = tc.AdjustedCount(make_pipeline(CountVectorizer(), LogisticRegression()), positive="spam").fit(
            texts, y
        )
        assert quantifier.estimate(texts).prevalence == pytest.approx(0.5, abs=0.05)

    def test_other_columns_than_in_fit_are_an_error(self, data):
        X, y, new, _ = data
        quantifier = tc.ContinuousSweep().fit(X, y)
        with pytest.raises(ValueError, match="X has 5 features, but LogisticRegression is expecting 6"):
            quantifier.predict(new[:, :5])


class TestLabelledByDesign:
    """Survey weights and clusters of labelled rows."""

    @pytest.mark.parametrize("kind", [tc.AdjustedCount, tc.SampleMeanMatching, tc.ProbabilisticAdjustedCount])
    def test_integer_weights_equal_repeated_rows(self, kind, data, classifier):
        X, y, new, labels = data
        times, fitted = np.arange(400) % 3, clone(classifier).fit(new, labels)
        weighted = kind(fitted, cv="prefit").fit(X, y, sample_weight=times).estimate(new)
        repeated = kind(fitted, cv="prefit").fit(np.repeat(X, times, axis=0), np.repeat(y, times)).estimate(new)
        assert weighted.raw == pytest.approx(repeated.raw, rel=1e-12)
        assert abs(weighted.raw - kind(fitted, cv="prefit").fit(X, y).estimate(new).raw) > 1e-4

    def test_weights_apply_to_folds_and_rates(self, data):
        """The result equals `Model.fit` with weights on scores of scikit-learn's weighted fits."""
        X, y, new, _ = data
        weights = np.where(X[:, 0] > 0, 3.0, 0.5)
        quantifier = tc.EfficientSweep(LogisticRegression(), **REFITTED).fit(X, y, sample_weight=pd.Series(weights))
        labelled = np.empty(400)
        for train, held_out in StratifiedKFold(5).split(X, y):
            fitted = LogisticRegression().fit(X[train], y[train], sample_weight=weights[train])
            labelled[held_out] = fitted.decision_function(X[held_out])
        assert np.array_equal(quantifier.labelled_scores_, labelled)
        scores = LogisticRegression().fit(X, y, sample_weight=weights).decision_function(new)
        expected = tc.Model.fit(labelled, y, train_weights=weights).estimate(scores)
        assert (quantifier.estimate(new).raw, quantifier.estimate(new).se) == (expected.raw, expected.se)

    def test_each_classifier_scores_its_share_of_the_weight(self, data):
        """A classifier whose held-out rows have weight zero scores no new rows."""
        X, y, new, _ = data
        quarters = np.arange(400) % 4
        splits = [(np.flatnonzero(quarters != quarter), np.flatnonzero(quarters == quarter)) for quarter in range(4)]
        quantifier = tc.EfficientSweep(GaussianNB(), cv=splits).fit(
            X, y, sample_weight=np.array([0.0, 1.0, 2.0, 3.0])[quarters]
        )
        scores, _ = quantifier.scores(new)
        each = np.array([model.predict_proba(new)[:, 1] for model in quantifier.estimators_])
        assert np.count_nonzero(each == scores, axis=1).tolist() == [0, 50, 100, 150]

    def test_rows_that_are_never_held_out_are_left_out_with_their_weights(self, data, classifier):
        X, y, new, _ = data
        weights, groups = np.linspace(1, 2, 400), np.arange(400) // 4
        split = [(np.arange(200), np.arange(200, 400))]
        fitted = GaussianNB().fit(X[:200], y[:200], sample_weight=weights[:200])
        quantifier = tc.EfficientSweep(GaussianNB(), cv=split).fit(X, y, weights, groups)
        labelled, scores = fitted.predict_proba(X[200:])[:, 1], fitted.predict_proba(new)[:, 1]
        expected = tc.Model.fit(labelled, y[200:], train_weights=weights[200:], train_clusters=groups[200:]).estimate(
            scores
        )
        assert (quantifier.estimate(new).raw, quantifier.estimate(new).se) == (expected.raw, expected.se)

    def test_a_classifier_without_weights_gives_a_warning(self, data):
        X, y, new, _ = data
        weights = np.linspace(1, 3, 400)
        pipeline = make_pipeline(StandardScaler(), LogisticRegression())
        with pytest.warns(
            tc.PrevalenceWarning, match="Pipeline takes no sample_weight: .*enable_metadata_routing"
        ) as caught:
            quantifier = tc.EfficientSweep(pipeline, **REFITTED).fit(X, y, sample_weight=weights)
        assert caught[0].filename == __file__
        labelled = cross_val_predict(pipeline, X, y, cv=5, method="decision_function")
        expected = tc.Model.fit(labelled, y, train_weights=weights).estimate(pipeline.fit(X, y).decision_function(new))
        assert quantifier.estimate(new).raw == expected.raw

    def test_weights_are_routed_through_a_pipeline(self, data):
        X, y, _, _ = data
        weights = np.where(X[:, 0] > 0, 3.0, 0.5)
        with config_context(enable_metadata_routing=True):
            last = LogisticRegression().set_fit_request(sample_weight=True)
            pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), last)
            quantifier = tc.EfficientSweep(pipeline).fit(X, y, sample_weight=weights)
            assert np.array_equal(tc.EfficientSweep().fit(X, y, sample_weight=weights).labels_, y)
            with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
                tc.EfficientSweep(LogisticRegression()).fit(X, y, sample_weight=weights)
        for train, held_out in StratifiedKFold(10).split(X, y):
            scaled = StandardScaler().fit(X[train])
            fitted = LogisticRegression().fit(scaled.transform(X[train]), y[train], sample_weight=weights[train])
            expected = fitted.decision_function(scaled.transform(X[held_out]))
            assert np.array_equal(quantifier.labelled_scores_[held_out], expected)

    def test_rows_of_a_group_are_held_out_together(self, data, classifier):
        X, y, new, _ = data
        groups = np.array([f"person {number}" for number in np.arange(400) // 4])
        quantifier = tc.EfficientSweep(classifier, **REFITTED).fit(X, y, groups=groups)
        folds = StratifiedGroupKFold(5)
        labelled = cross_val_predict(classifier, X, y, cv=folds, groups=groups, method="decision_function")
        assert np.array_equal(quantifier.labelled_scores_, labelled)
        expected = tc.Model.fit(labelled, y, train_clusters=groups).estimate(
            classifier.fit(X, y).decision_function(new)
        )
        assert (quantifier.estimate(new).raw, quantifier.estimate(new).se) == (expected.raw, expected.se)
        named = tc.EfficientSweep(classifier, cv=GroupKFold(4)).fit(X, y, groups=groups)
        splits = list(GroupKFold(4).split(X, y, groups))
        assert np.array_equal(
            named.labelled_scores_, tc.EfficientSweep(classifier, cv=splits).fit(X, y).labelled_scores_
        )

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            ({"sample_weight": np.ones(399)}, "length-mismatch", "there are 400 labels but 399 sample_weight"),
            ({"groups": np.arange(399)}, "length-mismatch", "there are 400 labels but 399 groups"),
            ({"groups": [None, *range(399)]}, "unit-missing", "groups: value 0 is missing"),
            ({"sample_weight": ["a"] * 400}, "value-not-number", "sample_weight: value 0 is 'a', not a number"),
            ({"sample_weight": -np.ones(400)}, None, "sample_weight: "),
        ],
    )
    def test_wrong_weights_are_errors(self, arguments, code, message, data):
        X, y, _, _ = data
        with pytest.raises(tc.TruecountError, match=message) as caught:
            tc.EfficientSweep("scores").fit(X[:, 0], y, **arguments)
        assert code in (None, caught.value.code)

    @pytest.mark.parametrize("arguments", ["sample_weight", "groups"])
    def test_methods_without_weights_reject_them(self, arguments, data):
        X, y, _, _ = data
        with pytest.raises(
            tc.TruecountError, match="sample_weight and groups cannot be used with sld; .* es, cc, ac"
        ) as caught:
            tc.SLD().fit(X, y, **{arguments: np.arange(400) // 4 + 1})
        assert caught.value.code == "label-design-not-possible"

    def test_columns_of_pandas_with_another_index(self, data):
        X, y, _, _ = data
        weights = pd.Series(np.ones(400), index=np.arange(400)[::-1])
        with pytest.raises(tc.ScoreError, match="sample_weight has another index than y"):
            tc.EfficientSweep().fit(X, pd.Series(y), sample_weight=weights)


class TestColumnsByName:
    @pytest.fixture(params=["pandas", "polars"])
    def frames(self, request, data):
        """Returns features, and new rows with additional columns."""
        X, _, new, _ = data
        names = [f"x{number}" for number in range(6)]
        extra_columns = {
            "contract": np.array(["a", "b", "c"])[np.arange(300) % 3],
            "year": np.arange(300) % 2,
            "w": np.linspace(1, 2, 300),
        }
        make = pd.DataFrame if request.param == "pandas" else pl.DataFrame
        columns = {name: new[:, index] for index, name in enumerate(names)}
        return make({name: X[:, index] for index, name in enumerate(names)}), make({**columns, **extra_columns}), names

    @pytest.mark.parametrize("ensemble", [False, True])
    def test_names_give_the_same_result_as_columns(self, frames, ensemble, data):
        X, new, names = frames
        quantifier = tc.EfficientSweep(ensemble=ensemble).fit(X, data[1])
        features = new[names]
        for by, column in (
            ("contract", new["contract"]),
            (["contract"], new["contract"]),
            (["contract", "year"], {"contract": new["contract"], "year": new["year"]}),
        ):
            used_columns = new[[*names, *([by] if isinstance(by, str) else by)]]
            actual, expected = quantifier.estimate(used_columns, by=by), quantifier.estimate(features, by=column)
            assert list(actual.groups) == list(expected.groups) and len(actual) == len(expected)
            assert np.array_equal(actual.raw, expected.raw) and np.array_equal(actual.interval, expected.interval)
        used_columns = new[[*names, "contract", "w"]]
        actual = quantifier.estimate(used_columns, by="contract", weights="w")
        expected = quantifier.estimate(features, by=new["contract"], weights=new["w"])
        assert np.array_equal(actual.raw, expected.raw) and np.array_equal(actual.n_eff, expected.n_eff)
        actual = quantifier.check(used_columns[[*names, "contract"]], by="contract")
        assert np.array_equal(actual.p_value, quantifier.check(features, by=new["contract"]).p_value)

    def test_a_column_that_the_classifier_was_fitted_with_stays_a_feature(self, frames, data):
        _, new, names = frames
        with_year = new[[*names, "year"]]
        quantifier = tc.EfficientSweep().fit(with_year, data[3])
        estimates = quantifier.estimate(with_year, by="year")
        assert np.array_equal(estimates.raw, quantifier.estimate(with_year, by=new["year"].to_numpy()).raw)

    def test_a_value_for_each_row_is_not_a_name(self, frames, data):
        X, new, names = frames
        quantifier = tc.EfficientSweep().fit(X, data[1])
        values = [str(value) for value in new["contract"].to_list()]
        assert quantifier.estimate(new[names], by=values).groups["group"].tolist() == ["a", "b", "c"]

    @pytest.mark.parametrize(
        ("arguments", "about"),
        [({"by": "week"}, "by"), ({"by": ["year", "week"]}, "by"), ({"weights": "week"}, "weights")],
    )
    def test_unknown_names_list_the_columns(self, frames, arguments, about, data):
        X, new, names = frames
        quantifier = tc.EfficientSweep().fit(X, data[1])
        with pytest.raises(
            tc.OptionError, match=f"{about}: X has no column 'week'; its columns are x0, .*contract, year, w"
        ) as caught:
            quantifier.estimate(new, **arguments)
        assert caught.value.fields == {"name": about, "value": "week"}

    def test_a_name_without_a_data_frame_is_an_error(self, data):
        X, y, new, _ = data
        with pytest.raises(tc.OptionError, match="by is the text 'week'; give the column itself"):
            tc.EfficientSweep().fit(X, y).estimate(new, by="week")


class TestCheck:
    def test_the_check_agrees_with_that_of_the_same_scores(self, data, classifier):
        X, y, new, _ = data
        labels = np.array(["ok", "fraud"])[y]
        quantifier = tc.EfficientSweep(classifier, positive="fraud", **REFITTED).fit(X, labels)
        week = np.array(["b", "a", "c"])[np.arange(300) % 3]
        labelled = cross_val_predict(classifier, X, y, cv=5, method="decision_function")
        scores = classifier.fit(X, y).decision_function(new)
        for arguments in ({}, {"by": week}, {"by": {"week": week}, "sort": False}):
            check, expected = quantifier.check(new, **arguments), tc.check(labelled, y, scores, **arguments)
            assert repr(check) == repr(expected) and np.array_equal(check.p_value, expected.p_value)

    def test_weighted_or_clustered_labelled_rows_are_errors(self, data):
        X, y, new, _ = data
        quantifier = tc.EfficientSweep().fit(X, y, groups=np.arange(400) // 2)
        with pytest.raises(tc.OptionError, match="simple random sample, but these have a sample_weight or groups"):
            quantifier.check(new)


class TestAsAnEstimator:
    @pytest.mark.parametrize("kind", [type(quantifier) for quantifier in KINDS.values()])
    def test_parameters_and_clones(self, kind):
        quantifier = kind(LogisticRegression(C=3), cv=7, positive="b")
        copy = clone(quantifier)
        assert copy.get_params()["estimator__C"] == 3 and copy.cv == 7 and copy.positive == "b"
        assert copy.set_params(estimator__C=5).estimator.C == 5 and quantifier.estimator.C == 3
        assert isinstance(quantifier, Quantifier) and not hasattr(quantifier, "transform")

    @pytest.mark.parametrize("kind", [tc.ContinuousSweep, tc.SLD, tc.MedianSweep])
    def test_pickling(self, kind, data):
        X, y, new, _ = data
        quantifier = kind().fit(X, y)
        again = pickle.loads(pickle.dumps(quantifier))
        assert np.array_equal(again.predict(new), quantifier.predict(new))

    def test_a_failed_fit_leaves_the_quantifier_unfitted(self, data):
        X, y, new, _ = data
        quantifier = tc.ContinuousSweep().fit(X, y)
        with pytest.raises(ValueError, match="family is 'gauss'"):
            quantifier.set_params(family="gauss").fit(X, 1 - y)
        with pytest.raises(NotFittedError):
            quantifier.predict(new)

    @pytest.mark.parametrize("method", ["predict", "predict_interval", "estimate", "scores"])
    def test_an_unfitted_quantifier_is_an_error(self, method, data):
        with pytest.raises(NotFittedError):
            getattr(tc.ContinuousSweep(), method)(data[2])

    def test_unknown_choices_are_errors(self, data):
        X, y, _, _ = data
        for quantifier, message in (
            (tc.ContinuousSweep(family="gauss"), "family is 'gauss'"),
            (tc.EfficientSweep(score_transform="log"), "^score_transform is 'log'"),
            (
                tc.EfficientSweep(score_transform="rank"),
                "^score_transform has no effect on es; leave out score_transform, add rates=",
            ),
            (tc.DyS(divergence="euclid"), "divergence is 'euclid'; it must be one of hellinger, topsoe"),
            (
                tc.MedianSweep(threshold=0.5),
                "no definition 'forman' with threshold 0.5; it has 'forman' with threshold 0.25",
            ),
        ):
            with pytest.raises(ValueError, match=message):
                quantifier.fit(X, y)

    def test_import_without_scikit_learn(self):
        """The import does not load scikit-learn, and an error says what to install."""
        code = """
import sys
import truecount
assert "sklearn" not in sys.modules
assert "ContinuousSweep" in dir(truecount)
sys.modules["sklearn"] = None
try:
    truecount.ContinuousSweep
except ImportError as error:
    print(error)
"""
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert "pip install truecount[sklearn]" in run.stdout

    def test_an_unknown_name_is_an_error(self):
        with pytest.raises(AttributeError, match="no attribute 'ContinousSweep'"):
            tc.ContinousSweep  # noqa: B018


class TestProtocolScorer:
    def test_the_score_is_the_mean_error_over_the_samples(self, data):
        """The test predicts each sample of `truecount.UPP` separately."""
        X, y, new, labels = data
        quantifier = tc.SLD(ensemble=False).fit(X, y)
        samples = tc.UPP(new, labels, size=40, samples=30, seed=7)
        errors = [abs(quantifier.estimate(rows).prevalence - truth) for rows, truth in samples]
        scorer = tc.ProtocolScorer(samples=30, size=40, seed=7)
        assert scorer(quantifier, new, labels) == pytest.approx(-np.mean(errors), rel=1e-12)

    def test_measures_that_need_the_size_and_the_bias(self, data):
        X, y, new, labels = data
        quantifier = tc.ClassifyAndCount(ensemble=False).fit(X, y)
        samples = list(tc.UPP(new, labels, size=40, samples=30))
        estimates, truths = (
            [quantifier.estimate(rows).prevalence for rows, _ in samples],
            [truth for _, truth in samples],
        )
        for measure in ("mrae", "mkld", "mse"):
            expected = -getattr(tc.measures, measure)(truths, estimates, 40)
            scorer = tc.ProtocolScorer(samples=30, size=40, measure=measure)
            assert scorer(quantifier, new, labels) == pytest.approx(expected, rel=1e-12)
        bias = tc.ProtocolScorer(samples=30, size=40, measure="bias")(quantifier, new, labels)
        assert bias == pytest.approx(-abs(np.mean(estimates) - np.mean(truths)), rel=1e-12)

    def test_grid_search(self, data):
        X, y, new, _ = data
        grid = {"family": ["normal", "kernel"], "score_transform": ["none", "rank"], "estimator__C": [1e-4, 1.0]}
        scorer = tc.ProtocolScorer(samples=50, size=40)
        folds = StratifiedKFold(3)
        search = GridSearchCV(tc.ContinuousSweep(LogisticRegression()), grid, scoring=scorer, cv=folds).fit(X, y)
        assert set(search.best_params_) == set(grid)
        best = tc.ContinuousSweep(LogisticRegression()).set_params(**search.best_params_)
        assert search.best_score_ == pytest.approx(
            cross_val_score(best, X, y, scoring=scorer, cv=folds).mean(), rel=1e-12
        )
        assert search.best_score_ == max(search.cv_results_["mean_test_score"])
        assert np.array_equal(search.predict(new), best.fit(X, y).predict(new))

    def test_grid_search_of_a_pipeline(self, data, classifier):
        X, y, new, labels = data
        scorer = tc.ProtocolScorer(samples=20, size=40)
        around = make_pipeline(StandardScaler(), tc.ContinuousSweep(classifier)).fit(X, y)
        assert scorer(around, new, labels) == scorer(around[-1], around[0].transform(new), labels)
        alone = make_pipeline(tc.ContinuousSweep(classifier)).fit(X, y)
        assert scorer(alone, new, labels) == scorer(alone[-1], new, labels)

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"samples": -1}, "samples is -1; it must be 1 or more"),
            ({"seed": -1}, "seed is -1; it must be 0 or more"),
            ({"size": 50.0}, "size is 50.0; it must be a whole number"),
            ({"size": 0}, "size is 0; it must be 1 or more"),
            ({"protocol": "grid", "samples": 100}, "samples is 100; it must be a multiple of the grid's 21"),
            ({"protocol": "artificial"}, "protocol is 'artificial'; it must be one of uniform, grid, natural"),
            ({"measure": "mea"}, "measure is 'mea'"),
        ],
    )
    def test_wrong_settings_are_errors(self, settings, message):
        with pytest.raises(ValueError, match=message):
            tc.ProtocolScorer(**settings)

    def test_the_grid_has_five_rounds_by_default(self, data):
        X, y, new, labels = data
        quantifier = tc.ClassifyAndCount(ensemble=False).fit(X, y)
        samples = tc.APP(new, labels, size=40, samples=105)
        errors = [abs(quantifier.estimate(rows).prevalence - truth) for rows, truth in samples]
        assert tc.ProtocolScorer("grid", size=40)(quantifier, new, labels) == pytest.approx(-np.mean(errors), rel=1e-12)

    def test_folds_must_be_stratified(self, data):
        X, y, new, labels = data
        quantifier = tc.ClassifyAndCount().fit(X, y)
        negatives, few_positives = labels == 0, np.argsort(labels)[:200]
        for rows, message in (
            (negatives, "two labels are needed, found 0"),
            (few_positives, r"the pool has \d+ positive scores, but a sample may need"),
        ):
            with pytest.raises(ValueError, match=message + r".*folds must be stratified, cv=StratifiedKFold\(3\)"):
                tc.ProtocolScorer(size=40)(quantifier, new[rows], labels[rows])

    def test_other_estimators_are_errors(self, data, classifier):
        X, y, _, _ = data
        with pytest.raises(TypeError, match="LinearDiscriminantAnalysis is no quantifier"):
            tc.ProtocolScorer()(classifier.fit(X, y), X, y)


@pytest.mark.parametrize("options", [{}, {"ensemble": False}, {"estimator": "scores"}])
@pytest.mark.parametrize("kind", [tc.EfficientSweep, tc.SLD, tc.ProbabilisticAdjustedCount])
def test_rows_are_classified_once_and_aggregated_often(kind, options) -> None:
    rng = np.random.default_rng(2)
    y = np.repeat(["no", "yes"], [200, 100])
    X = rng.normal(1.5 * (y == "no"), 1.0)[:, None]
    new = rng.normal(1.5 * (rng.random(150) < 0.2), 1.0)[:, None]
    features = X if options.get("estimator") else np.c_[X, X**2]
    quantifier = kind(positive="no", **options).fit(features, y)
    assert kind(**options).fit(features, y, positive="no").labelled_scores_.tolist() == (
        quantifier.labelled_scores_.tolist()
    )
    new = new if options.get("estimator") else np.c_[new, new**2]
    scores = quantifier.classify(new)
    assert scores.shape == (150, max(1, len(quantifier.estimators_)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tc.PrevalenceWarning)
        assert quantifier.aggregate(scores) == pytest.approx(quantifier.predict(new), abs=1e-15)
        assert quantifier.aggregate(scores[:90]) == pytest.approx(quantifier.predict(new[:90]), abs=1e-15)
