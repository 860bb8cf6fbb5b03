"""truecount's methods in QuaPy's protocols and model selection."""

import numpy as np
import pytest

import truecount as tc

pytest.importorskip("quapy")

from quapy.data import LabelledCollection
from quapy.evaluation import evaluate, evaluation_report, prediction
from quapy.method.aggregative import CC, PACC, OneVsAllAggregative
from quapy.model_selection import GridSearchQ
from quapy.protocol import APP, NPP, UPP
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from truecount.quapy import Quantifier

POSTERIORS = tc._core.methods_with("reads_posteriors")
SCORES = [name for name in tc.methods() if name not in POSTERIORS]


def word_counts(n, share, seed, classes=("ham", "spam")):
    """Simulates counts of twenty words: ten are commoner in spam, ten in ham."""
    rng = np.random.default_rng(seed)
    spam = np.arange(n) < round(n * share)
    rates = np.where(spam[:, None] == (np.arange(20) < 10), 0.45, 0.25)
    order = rng.permutation(n)
    return rng.poisson(rates)[order].astype(float), np.array(classes)[spam.astype(int)][order]


@pytest.fixture(scope="module")
def train():
    return word_counts(600, 0.4, 1)


@pytest.fixture(scope="module")
def pool():
    return LabelledCollection(*word_counts(3000, 0.5, 2))


def scores_of(classifier, method, X):
    result = getattr(classifier, method)(X)
    return result if result.ndim == 1 else result[:, 1]


@pytest.mark.parametrize("method", tc.methods())
def test_estimates_agree_with_those_of_the_same_cross_validated_scores(method, train):
    X, y = train
    reads = "predict_proba" if method in POSTERIORS else "decision_function"
    labelled = cross_val_predict(LogisticRegression(), X, y, cv=5, method=reads)
    labelled = labelled if labelled.ndim == 1 else labelled[:, 1]
    sample, _ = word_counts(500, 0.2, 3)
    test = scores_of(LogisticRegression().fit(X, y), reads, sample)
    probabilities = {"train_probabilities": labelled, "test_probabilities": test} if method in POSTERIORS else {}
    expected = tc.estimate(labelled, y, test, method=method, positive="spam", **probabilities)
    result = Quantifier(method, LogisticRegression()).fit(X, y).predict(sample)
    assert result == pytest.approx([1 - expected.prevalence, expected.prevalence], abs=1e-12)


def test_classifiers_without_probabilities_or_decisions(train):
    X, y = train
    sample, _ = word_counts(500, 0.2, 3)
    # Without probabilities, posteriors come from the fitted family by Bayes' rule.
    labelled = cross_val_predict(LinearSVC(random_state=0), X, y, cv=5, method="decision_function")
    test = LinearSVC(random_state=0).fit(X, y).decision_function(sample)
    expected = tc.estimate(labelled, y, test, method="sld", positive="spam").prevalence
    assert Quantifier("sld", LinearSVC(random_state=0)).fit(X, y).predict(sample)[1] == pytest.approx(
        expected, abs=1e-12
    )
    # With probabilities alone, these are the scores, and the cutoff is one half.
    labelled = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba")[:, 1]
    test = GaussianNB().fit(X, y).predict_proba(sample)[:, 1]
    expected = tc.estimate(labelled, y, test, method="ac", cutoff=0.5, positive="spam").prevalence
    assert Quantifier("ac", GaussianNB()).fit(X, y).predict(sample)[1] == pytest.approx(expected, abs=1e-12)
    # Methods for scores in [0, 1] read probabilities.
    expected = tc.estimate(labelled, y, test, method="o-cs", transform="logit", positive="spam").prevalence
    assert Quantifier("o-cs", GaussianNB(), score_transform="logit").fit(X, y).predict(sample)[1] == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize("val_split", ["data", 0.4, "trained"])
def test_sources_of_the_labelled_scores(train, val_split):
    X, y = train
    other = word_counts(400, 0.5, 4)
    sample, _ = word_counts(500, 0.2, 3)
    if val_split == "trained":
        quantifier = Quantifier("es", LogisticRegression().fit(X, y), fit_classifier=False, val_split=None).fit(*other)
    else:
        quantifier = Quantifier("es", LogisticRegression(), val_split=other if val_split == "data" else val_split).fit(
            X, y
        )
    assert quantifier.predict(sample)[1] == pytest.approx(
        0.2, abs=4 * quantifier.model_.estimate(quantifier.classify(sample)).se
    )
    if val_split == 0.4:
        assert quantifier.model_.parameters["n_pos"] + quantifier.model_.parameters["n_neg"] == 240
    else:
        classifier = LogisticRegression().fit(X, y)
        expected = tc.estimate(
            classifier.decision_function(other[0]),
            other[1],
            classifier.decision_function(sample),
            method="es",
            positive="spam",
        )
        assert quantifier.predict(sample)[1] == pytest.approx(expected.prevalence, abs=1e-12)


def test_protocols(train, pool):
    quantifier = Quantifier("es", LogisticRegression()).fit(*train)
    assert list(quantifier.classes_) == ["ham", "spam"]
    for protocol in (
        UPP(pool, 250, repeats=40),
        APP(pool, 250, n_prevalences=11, repeats=2),
        NPP(pool, 250, repeats=20),
    ):
        # Scoring the pool once or sample by sample gives the same result.
        truths, estimates = prediction(quantifier, protocol)
        assert estimates == pytest.approx(prediction(quantifier, protocol, aggr_speedup=False)[1], abs=1e-12)
        assert estimates.shape == (protocol.total(), 2) and estimates.sum(axis=1) == pytest.approx(1.0, abs=1e-15)
        assert evaluate(quantifier, protocol, "mae") == pytest.approx(np.abs(truths - estimates).mean(), abs=1e-15)
    report = evaluation_report(quantifier, UPP(pool, 250, repeats=40), error_metrics="ae")
    counted = evaluate(CC(LogisticRegression()).fit(*train), UPP(pool, 250, repeats=40), "mae")
    assert len(report) == 40 and report["ae"].mean() < counted / 2


def test_the_pool_is_classified_once(train, pool, monkeypatch):
    quantifier = Quantifier("sld", LogisticRegression()).fit(*train)
    classified = []
    classify = Quantifier.classify
    monkeypatch.setattr(Quantifier, "classify", lambda self, X: classified.append(len(X)) or classify(self, X))
    evaluate(quantifier, UPP(pool, 250, repeats=30), "mae")
    assert classified == [3000]


def test_pacc_agrees_with_quapy(train, pool):
    """Both use the same folds; QuaPy solves the equations numerically."""
    ours = Quantifier("pacc", LogisticRegression()).fit(*train)
    theirs = PACC(LogisticRegression(), solver="exact-raise").fit(*train)
    protocol = UPP(pool, 250, repeats=40)
    assert prediction(ours, protocol)[1] == pytest.approx(prediction(theirs, protocol)[1], abs=1e-9)


def test_model_selection(train, pool):
    grid = {"classifier__C": [1e-4, 1.0], "family": ["normal", "kernel"]}
    protocol = UPP(pool, 250, repeats=20)
    search = GridSearchQ(Quantifier("o-cs", LogisticRegression()), grid, protocol, refit=False, raise_errors=True).fit(
        *train
    )
    assert len(search.param_scores_) == 4
    for C in grid["classifier__C"]:
        for family in grid["family"]:
            alone = Quantifier("o-cs", LogisticRegression(C=C), family=family).fit(*train)
            key = str({"classifier__C": C, "family": family})
            assert search.param_scores_[key] == pytest.approx(evaluate(alone, protocol, "mae"), abs=1e-12)
    best = search.best_model()
    assert best.get_params()["classifier__C"] == search.best_params_["classifier__C"]
    assert search.best_score_ == min(search.param_scores_.values())
    refitted = GridSearchQ(Quantifier("o-cs", LogisticRegression()), grid, protocol, raise_errors=True).fit(*train)
    assert sum(refitted.best_model().model_.parameters[n] for n in ("n_pos", "n_neg")) == 3600


def test_methods_can_share_a_fitted_classifier(train, pool):
    grid = {"classifier__C": [0.1, 1.0], "method": ["o-cs", "sld"]}
    protocol = UPP(pool, 250, repeats=10)
    search = GridSearchQ(Quantifier("o-cs", LogisticRegression()), grid, protocol, refit=False, raise_errors=True).fit(
        *train
    )
    X, y = train
    labelled = cross_val_predict(LogisticRegression(), X, y, cv=5, method="decision_function")
    model = tc.Model.fit(labelled, y, method="sld", positive="spam")
    scores = LogisticRegression().fit(X, y).decision_function(pool.X)
    errors = [
        abs(model.estimate(sample).prevalence - prevalence[1])
        for sample, prevalence in UPP(LabelledCollection(scores, pool.y), 250, repeats=10)()
    ]
    assert search.param_scores_[str({"classifier__C": 1.0, "method": "sld"})] == pytest.approx(
        np.mean(errors), abs=1e-12
    )


def test_parameters_and_copies(train):
    quantifier = Quantifier("cs", LogisticRegression(C=2.0), threshold=0.2, rates="labels", cutoff=0.1)
    parameters = quantifier.get_params()
    assert parameters["classifier__C"] == 2.0 and parameters["threshold"] == 0.2 and parameters["method"] == "cs"
    copy = clone(quantifier).set_params(classifier__C=3.0, threshold=0.3)
    assert (copy.classifier.C, copy.threshold, quantifier.classifier.C) == (3.0, 0.3, 2.0)
    assert copy.fit(*train).model_.parameters["methods"]["cs"]["threshold"] == 0.3


@pytest.mark.parametrize("method", ["es", "sld"])
def test_three_classes(method):
    rng = np.random.default_rng(5)
    y = np.repeat(["a", "b", "c"], 300)
    X = rng.normal(np.repeat(np.eye(3) * 2, 300, axis=0), 1.0)
    with pytest.raises(ValueError, match=r"y has 3 \(a, b, c\).*OneVsAllAggregative"):
        Quantifier(method, LogisticRegression()).fit(X, y)
    several = OneVsAllAggregative(Quantifier(method, LogisticRegression()), parallel_backend="threading").fit(X, y)
    assert several.predict(X[:600]) == pytest.approx([0.5, 0.5, 0.0], abs=0.05)


def test_wrong_arguments_are_errors(train):
    X, y = train
    with pytest.raises(ValueError, match=r"y has 1 \(ham\)"):
        Quantifier("es", LogisticRegression()).fit(X[y == "ham"], y[y == "ham"])
    with pytest.raises(ValueError, match="val_split=None leaves no labelled scores"):
        Quantifier("es", LogisticRegression(), val_split=None).fit(X, y)
    with pytest.raises(ValueError, match="has one, not 2"):
        Quantifier("es,ac", LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="method"):
        Quantifier("nonsense", LogisticRegression()).fit(X, y)


def test_multiclass_in_quapys_protocols():
    """QuaPy evaluates any object with `predict`, without an adapter."""
    rng = np.random.default_rng(4)
    centres = np.array([[0.0, 0.0], [1.8, 0.0], [0.0, 1.8]])
    y = np.repeat([0, 1, 2], 500)
    quantifier = tc.MulticlassQuantifier(LogisticRegression()).fit(rng.normal(centres[y[::5]]), y[::5])
    pool = LabelledCollection(rng.normal(centres[y]), y)
    protocol = UPP(pool, sample_size=100, repeats=10, random_state=1)
    truths, result = prediction(quantifier, protocol)
    assert result.shape == truths.shape == (10, 3)
    assert np.array_equal(result, [quantifier.predict(rows) for rows, _ in protocol()])
    assert np.abs(result - truths).mean() < 0.1


def test_quantifiers_of_quapy_are_evaluated(train, pool):
    X, y = pool.Xy
    quantifier = CC(LogisticRegression()).fit(*train)
    evaluation = tc.evaluate(quantifier, X, y, samples=20, size=100, positive="spam")
    samples = tc.UPP(X, y, samples=20, size=100, positive="spam")
    counts = [np.mean(quantifier.classifier.predict(sample) == "spam") for sample, _ in samples]
    assert evaluation["prevalence"] == pytest.approx(counts, abs=1e-15)


@pytest.mark.parametrize("method", ["es", "pacc", "sld", "dys"])
def test_all_folds_classifiers_score_new_rows(method, train, pool):
    X, y = train
    sample, _ = word_counts(500, 0.2, 3)
    quantifier = Quantifier(method, LogisticRegression(), ensemble=True).fit(X, y)
    kinds = {"es": tc.EfficientSweep, "pacc": tc.ProbabilisticAdjustedCount, "sld": tc.SLD, "dys": tc.DyS}
    expected = kinds[method](LogisticRegression(), cv=5, positive="spam").fit(X, y)
    estimate = expected.estimate(sample, check=False)
    assert quantifier.predict(sample) == pytest.approx([1 - estimate.prevalence, estimate.prevalence], abs=1e-12)
    assert expected.aggregate(expected.classify(sample)) == pytest.approx(quantifier.predict(sample), abs=1e-15)
    prevalences, region = quantifier.predict_conf(sample, 0.9)
    lower, upper = expected.estimate(sample, check=False, level=0.9).interval
    assert region.point_estimate() == pytest.approx(prevalences) and region.confidence_level == 0.9
    assert region.I_low == pytest.approx([1 - upper, lower], nan_ok=True, abs=1e-12)
    assert region.I_high == pytest.approx([1 - lower, upper], nan_ok=True, abs=1e-12)
    if method != "dys":
        assert region.coverage(prevalences) == 1.0 and region.coverage(np.array([0.0, 1.0])) == 0.0
    protocol = UPP(pool, 250, repeats=20)
    together = prediction(quantifier, protocol)[1]
    assert together == pytest.approx(prediction(quantifier, protocol, aggr_speedup=False)[1], abs=1e-12)


def test_confidence_regions_without_an_ensemble(train):
    sample, _ = word_counts(500, 0.2, 3)
    quantifier = Quantifier("es", LogisticRegression()).fit(*train)
    estimate = quantifier.model_.estimate(quantifier.classify(sample), check=False)
    for prevalences, region in (quantifier.predict_conf(sample), quantifier.quantify_conf(sample)):
        assert prevalences[1] == estimate.prevalence
        assert (region.I_low[1], region.I_high[1]) == pytest.approx(estimate.interval, abs=1e-15)
    with pytest.raises(ValueError, match="ensemble=True needs fit_classifier=True"):
        Quantifier("es", LogisticRegression(), val_split=0.4, ensemble=True).fit(*train)
