"""Shares of several classes."""

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

import pandas as pd
from command_json import assert_same
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict

import truecount as tc

CENTRES = np.array([[0.0, 0.0], [1.8, 0.0], [0.0, 1.8], [1.5, 1.5]])


def rows(rng, counts):
    """Returns features of `counts` rows of each class, and the classes."""
    y = np.repeat(np.arange(len(counts)), counts)
    return rng.normal(CENTRES[y]), y


def posteriors(X, classes=4):
    """Returns posteriors for equal shares, by a classifier that was fitted to other rows."""
    log = X @ CENTRES[:classes].T - 0.5 * (CENTRES[:classes] ** 2).sum(axis=1)
    density = np.exp(log - log.max(axis=1, keepdims=True))
    return density / density.sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def data():
    """Returns labelled rows of four classes, and new rows of other shares."""
    rng = np.random.default_rng(8)
    return *rows(rng, [120, 90, 150, 100]), rows(rng, [300, 100, 60, 40])[0]


class TestShares:
    def test_adjusted_count_solves_the_equations_of_counts(self, data):
        """The test counts the confusion matrix and the predicted classes."""
        X, y, new = data
        scores, others = posteriors(X), posteriors(new)
        estimate = tc.MulticlassQuantifier("scores", method="ac").fit(scores, y).estimate(others)
        called, new_called = scores.argmax(axis=1), others.argmax(axis=1)
        rates = np.array([[np.mean(called[y == k] == j) for k in range(4)] for j in range(4)])
        counts = np.bincount(new_called, minlength=4) / len(new)
        assert estimate.prevalence == pytest.approx(np.linalg.solve(rates, counts), abs=1e-13)
        of_predictions = tc.MulticlassQuantifier("scores", method="ac").fit(called, y)
        of_predicted = of_predictions.estimate(new_called)
        assert of_predicted.prevalence.tolist() == estimate.prevalence.tolist()
        assert of_predicted.covariance == pytest.approx(estimate.covariance, abs=1e-15)
        with pytest.raises(ValueError, match="X: the predicted class 9 is unknown; the labelled rows have"):
            of_predictions.estimate(np.full(5, 9))

    def test_other_verdicts_are_cells_of_the_confusion_matrix(self, data):
        """The shares are those of generalised least squares (NumPy)."""
        X, y, new = data
        unsure = [np.where(posteriors(rows).max(axis=1) < 0.6, 9, posteriors(rows).argmax(axis=1)) for rows in (X, new)]
        quantifier = tc.MulticlassQuantifier("scores", method="ac").fit(unsure[0], y)
        estimate = pickle.loads(pickle.dumps(quantifier)).estimate(unsure[1])
        cells = [0, 1, 2, 3, 9]
        rates = np.array([[np.mean(unsure[0][y == k] == cell) for k in range(4)] for cell in cells])
        weighted = rates.T / [np.mean(unsure[0] == cell) for cell in cells]
        shares = np.linalg.solve(weighted @ rates, weighted @ [np.mean(unsure[1] == cell) for cell in cells])
        assert estimate.prevalence == pytest.approx(shares, abs=1e-12)
        with pytest.raises(tc.TruecountError, match="the method ml needs the probability of each class"):
            tc.MulticlassQuantifier("scores").fit(unsure[0], y)
        missing = unsure[0].astype(object)
        missing[3] = None
        with pytest.raises(tc.TruecountError, match="the predicted class None is unknown"):
            quantifier.fit(missing, y)
        assert quantifier.estimate(unsure[1]).prevalence.tolist() == estimate.prevalence.tolist()

    def test_decision_values_have_the_shares_of_their_softmax(self, data):
        X, y, new = data
        probabilities = tc.MulticlassQuantifier("scores").fit(posteriors(X), y).estimate(posteriors(new))
        values = [np.log(posteriors(rows)) + rows[:, :1] for rows in (X, new)]
        estimate = tc.MulticlassQuantifier("scores").fit(values[0], y).estimate(values[1])
        assert estimate.prevalence == pytest.approx(probabilities.prevalence, abs=1e-9)

    @pytest.mark.parametrize("method", ["ml", "cc", "ac", "pacc", "sld"])
    def test_shares_add_up(self, method, data):
        X, y, new = data
        quantifier = tc.MulticlassQuantifier(LinearDiscriminantAnalysis(), method=method).fit(X, y)
        for sample in (new, new[:60]):  # the second has rows of the first class only
            estimate = quantifier.estimate(sample)
            assert estimate.prevalence.sum() == pytest.approx(1, abs=1e-12) and (estimate.prevalence >= 0).all()
            assert np.abs(estimate.covariance.sum(axis=1)).max() < 1e-12
            assert estimate.se**2 == pytest.approx(np.diag(estimate.covariance), rel=1e-12)
            assert (np.linalg.eigvalsh(estimate.covariance) > -1e-12).all()
            assert (estimate.lower <= estimate.prevalence).all() and (estimate.prevalence <= estimate.upper).all()

    def test_each_labelled_row_is_scored_by_a_classifier_that_was_not_fitted_to_it(self, data):
        X, y, new = data
        quantifier = tc.MulticlassQuantifier(LogisticRegression(), cv=5, ensemble=False).fit(X, y)
        held_out = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")
        assert np.array_equal(quantifier.labelled_probabilities_, held_out)
        scores = LogisticRegression().fit(X, y).predict_proba(new)
        assert np.array_equal(quantifier.probabilities(new), scores)
        expected = tc.MulticlassQuantifier("scores").fit(held_out, y).estimate(scores)
        assert np.array_equal(quantifier.estimate(new).prevalence, expected.prevalence)

    def test_decision_values_count_as_log_probabilities(self, data):
        X, y, new = data
        quantifier = tc.MulticlassQuantifier(RidgeClassifier()).fit(X, y)
        assert quantifier.labelled_probabilities_.sum(axis=1) == pytest.approx(1)
        assert np.abs(quantifier.predict(new) - [0.6, 0.2, 0.12, 0.08]).max() < 0.12

    def test_groups_have_shares_of_their_own(self, data):
        X, y, new = data
        frame = pd.DataFrame(new, columns=["east", "north"]).assign(office=np.repeat(["Bonn", "Aachen"], 250))
        quantifier = tc.MulticlassQuantifier().fit(pd.DataFrame(X, columns=["east", "north"]), y)
        groups = quantifier.estimate(frame, by="office")
        assert groups["office"].tolist() == ["Aachen"] * 4 + ["Bonn"] * 4
        first = quantifier._estimate(quantifier.probabilities(frame[["east", "north"]])[250:])[0][0]
        assert np.array_equal(groups.parts[0].prevalence, first.prevalence)
        assert "Aachen" in repr(groups)

    def test_totals_and_differences_of_groups(self, data):
        """The test weights the shares; with two classes, differences are those of the binary method."""
        X, y, new = data
        quantifier = tc.MulticlassQuantifier("scores").fit(posteriors(X), y)
        half, sizes = np.arange(500) % 2, {0: 3000, 1: 1000}
        plain = quantifier.estimate(posteriors(new), by=half, total=True)
        whole = quantifier.estimate(posteriors(new))
        assert plain.total.prevalence == pytest.approx(whole.prevalence, abs=1e-9)
        assert plain.total.se == pytest.approx(whole.se, rel=1e-9)
        for name in ("standardise", "population"):
            table = quantifier.estimate(posteriors(new), by=half, total=True, **{name: sizes})
            first, second = table.parts
            expected = 0.75 * first.prevalence + 0.25 * second.prevalence
            assert table.total.prevalence == pytest.approx(expected, abs=1e-14)
            # Both groups share the labelled rows.
            assert (table.total.se > np.hypot(0.75 * first.se, 0.25 * second.se)).all()
            assert np.abs(table.total.covariance.sum(axis=1)).max() < 1e-12
        two = np.isin(y, [0, 1])
        columns = posteriors(X[two], 2), posteriors(new, 2)
        compared = tc.MulticlassQuantifier("scores", method="ac").fit(columns[0][:, ::-1], y[two] == 0)
        compared = compared.estimate(columns[1][:, ::-1], by=half, sort=False).compare("previous")
        model = tc.Model.fit(columns[0][:, 0], y[two] == 0, method="ac")
        binary = model.estimate(columns[1][:, 0], by=half).compare("previous")
        assert compared["class"].tolist() == ["False", "True"] and "class" in repr(compared)
        assert compared.difference[1] == pytest.approx(binary.difference[0], abs=1e-12)
        assert compared.se[1] == pytest.approx(binary.se[0], rel=1e-9)
        with pytest.raises(tc.OptionError, match="total combines groups"):
            quantifier.estimate(posteriors(new), total=True)
        with pytest.raises(tc.OptionError, match="not available after pickling"):
            pickle.loads(pickle.dumps(plain)).compare("previous")

    def test_rows_may_have_weights_clusters_and_strata(self, data):
        X, y, new = data
        quantifier = tc.MulticlassQuantifier("scores", method="pacc").fit(posteriors(X), y)
        frame = pd.DataFrame(posteriors(new)).assign(w=1 + np.arange(500) % 3)
        unit, half = np.arange(500) // 10, np.arange(500) // 250
        plain = quantifier.estimate(posteriors(new), target="population")
        clustered = quantifier.estimate(posteriors(new), clusters=unit, target="population")
        assert np.array_equal(clustered.prevalence, plain.prevalence) and (clustered.se > 1.25 * plain.se).all()
        assert (quantifier.estimate(posteriors(new), clusters=unit, strata=half).se < clustered.se).all()
        by_half = quantifier.estimate(frame, by=half, weights="w", clusters=unit)
        repeated = np.repeat(np.arange(250), 1 + np.arange(250) % 3)
        expected = quantifier.estimate(posteriors(new)[repeated], clusters=unit[repeated], target="population")
        assert by_half.parts[0].prevalence == pytest.approx(expected.prevalence, abs=1e-12)
        assert by_half.parts[0].se == pytest.approx(expected.se, rel=1e-9)
        with pytest.raises(tc.TruecountError, match="stratum True"):
            quantifier.estimate(posteriors(new), strata=np.arange(500) == 499)
        with pytest.raises(tc.TruecountError, match="group '0'"):
            quantifier.estimate(posteriors(new), by=half, weights=half)
        with pytest.raises(tc.TruecountError, match="lonely"):
            quantifier.estimate(posteriors(new), strata=half, lonely_psu="none")

    def test_replicate_weights_give_the_covariance_of_replicate_estimates(self, data):
        """The test solves the equations of every replicate, and adds the covariance of the labelled classes' means."""
        X, y, new = data
        scores, others, rng = posteriors(X), posteriors(new), np.random.default_rng(4)
        quantifier = tc.MulticlassQuantifier("scores", method="pacc").fit(scores, y)
        weights, replicates = 1.0 + np.arange(500) % 3, rng.poisson(1, (500, 30)) * (1.0 + np.arange(500) % 3)[:, None]
        replicates[::2, 0] = 0.0
        design = {"weights": weights, "replicate_weights": replicates, "replicate_kind": "bootstrap"}
        inverse = np.linalg.inv(np.transpose([scores[y == k].mean(axis=0) for k in range(4)]))

        def check(estimate, of, used):
            shares, *repeated = (
                inverse @ np.average(others[of], weights=column[of], axis=0)
                for column in (weights, *replicates.T[used])
            )
            labels = sum(shares[k] ** 2 * np.cov(scores[y == k].T) / (y == k).sum() for k in range(4))
            deviations = np.array(repeated) - shares
            expected = inverse @ labels @ inverse.T + deviations.T @ deviations / len(deviations)
            assert estimate.prevalence == pytest.approx(shares, abs=1e-13)
            assert estimate.covariance == pytest.approx(expected, abs=1e-13)

        check(quantifier.estimate(others, **design), slice(None), slice(None))
        halves = quantifier.estimate(others, by=np.arange(500) % 2, total=True, **design)
        check(halves.parts[1], slice(1, None, 2), slice(None))
        # The first replicate has no weight in the first half.
        check(halves.parts[0], slice(0, None, 2), slice(1, None))
        assert "1 of 30 replicates" in str(halves.parts[0].warnings[-1])
        with pytest.raises(tc.OptionError, match="need each other"):
            quantifier.estimate(others, weights=weights, replicate_weights=replicates)
        with pytest.raises(tc.OptionError, match="replicate_weights cannot be used with"):
            quantifier.estimate(others, clusters=np.arange(500), **design)
        with pytest.raises(tc.TruecountError, match="row 7|weight 7"):
            replicates[7, 3] = -1.0
            quantifier.estimate(others, **design)

    def test_labelled_rows_have_weights_and_clusters(self, data):
        """The shares solve the equations of weighted means, and clusters of copies have the errors of single rows."""
        X, y, new = data
        weights, scores = np.arange(len(y)) % 4, posteriors(X)
        quantifier = tc.MulticlassQuantifier("scores", method="pacc")
        estimate = quantifier.fit(scores, y, weights).estimate(posteriors(new))
        rates = [np.average(scores[y == k], weights=weights[y == k], axis=0) for k in range(4)]
        shares = np.linalg.solve(np.transpose(rates), posteriors(new).mean(axis=0))
        assert estimate.prevalence == pytest.approx(shares, abs=1e-12)
        assert pickle.loads(pickle.dumps(quantifier)).estimate(posteriors(new)).se.tolist() == estimate.se.tolist()
        single = quantifier.fit(scores, y).estimate(posteriors(new))
        twice, copies = np.repeat(np.arange(len(y)), 2), (np.repeat(scores, 2, axis=0), np.repeat(y, 2))
        of_clusters = quantifier.fit(*copies, groups=twice).estimate(posteriors(new))
        assert of_clusters.prevalence == pytest.approx(single.prevalence, abs=1e-12)
        assert of_clusters.se == pytest.approx(single.se, rel=0.01)
        assert max(quantifier.fit(*copies).estimate(posteriors(new)).se / single.se) < 0.95
        with pytest.raises(tc.TruecountError, match="all labelled 0 scores are in 1 cluster"):
            quantifier.fit(scores, y, groups=np.maximum(y, np.arange(len(y)) * (y > 0)))

    def test_rows_of_no_labelled_class_are_noticed(self, data):
        X, y, _ = data
        rng = np.random.default_rng(3)
        strange = np.full((300, 4), 0.25) + rng.normal(0, 0.003, (300, 4))
        strange /= strange.sum(axis=1, keepdims=True)
        quantifier = tc.MulticlassQuantifier("scores").fit(posteriors(X), y)
        with pytest.warns(tc.PrevalenceWarning, match="do not fit any mix of the labelled classes"):
            quantifier.predict(strange)


class TestEstimator:
    def test_errors_name_the_row_and_the_labels(self, data):
        X, y, new = data
        quantifier = tc.MulticlassQuantifier("scores")
        with pytest.raises(NotFittedError):
            quantifier.estimate(new)
        wrong = posteriors(X)
        wrong[7] *= 1.2
        with pytest.raises(tc.TruecountError, match="row 7"):
            quantifier.fit(wrong, y)
        with pytest.raises(tc.LabelError, match="two labels are needed"):
            quantifier.fit(wrong, np.ones(len(y)))
        with pytest.raises(tc.OptionError, match="method"):
            tc.MulticlassQuantifier("scores", method="es").fit(posteriors(X), y)

    def test_it_is_cloned_pickled_and_searched(self, data):
        X, y, new = data
        quantifier = clone(tc.MulticlassQuantifier(LogisticRegression(), cv=3, method="pacc"))
        copied = pickle.loads(pickle.dumps(quantifier))
        assert copied.get_params()["method"] == "pacc" and copied.get_params()["cv"] == 3
        scorer = tc.ProtocolScorer(size=30, samples=20)
        search = GridSearchCV(
            tc.MulticlassQuantifier(LogisticRegression(), cv=3),
            {"method": ["ml", "pacc"]},
            scoring=scorer,
            cv=StratifiedKFold(3),
        ).fit(X, y)
        assert search.best_score_ == max(search.cv_results_["mean_test_score"]) < 0
        assert search.predict(new).shape == (4,)


def test_plans_agree_with_the_command(command):
    path = Path(__file__).parents[2] / "data" / "landsat" / "cover.csv"
    # The command reads labelled rows class by class, in the order of the first rows.
    rows = pd.read_csv(path).sort_values("label", key=lambda labels: pd.factorize(labels)[0], kind="stable")
    quantifier = tc.MulticlassQuantifier("scores").fit(rows.filter(like="p_").to_numpy(), rows.label)
    for options in (
        {"half_width": 0.05},
        {"se": 0.03, "labelled": 800, "design_effect": 2},
        {"labelled": 588, "unlabelled": 2109, "level": 0.9, "target": "population"},
    ):
        arguments = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        printed = command("plan", "--train", path, "--class-scores", "p_*", *arguments, "--format", "json")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tc.PrevalenceWarning)  # for a class without a plan
            plans = quantifier.plan(**options)
        assert_same(plans, printed, "plans")
    printed = repr(quantifier.plan(half_width=0.05))
    assert "if new rows have the shares of the pilot" in printed and "only 8 cotton scores" in printed
    for unsupported in ({"prevalence": 0.2}, {"labelled": (20, 30)}, {"assurance": 0.8}, {"interval": "wald"}):
        with pytest.raises(tc.OptionError, match="(cannot be used with|is wilson for) several classes"):
            quantifier.plan(half_width=0.05, **unsupported)
