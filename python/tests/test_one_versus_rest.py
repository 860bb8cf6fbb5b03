"""Shares of several classes."""

import itertools
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

import pandas as pd
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

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


class TestTwoClasses:
    """With two classes both equations are equal, and give the binary estimate."""

    @pytest.mark.parametrize("target", ["sample", "population"])
    @pytest.mark.parametrize("weights", [None, np.linspace(1, 3, 500)], ids=["", "weighted"])
    @pytest.mark.parametrize(
        ("kind", "designed"),
        [
            (tc.EfficientSweep, {}),  # with weights its bins depend on the order of classes
            *itertools.product(
                [tc.AdjustedCount, tc.SampleMeanMatching, tc.ProbabilisticAdjustedCount],
                [{}, {"sample_weight": np.arange(210) % 4 + 1.0}, {"groups": np.arange(210) % 30}],
            ),
        ],
        ids=lambda arguments: getattr(arguments, "__name__", None) or "".join(arguments),
    )
    def test_two_classes_give_the_binary_estimate(self, kind, designed, weights, target, data):
        X, y, new = data
        X, y, quantifier = (
            X[:210],
            np.array(["bus", "car"])[y[:210]],
            kind(GaussianNB(), response_method="predict_proba"),
        )
        both = tc.OneVersusRest(quantifier).fit(X, y, **designed).estimate(new, target=target, weights=weights)
        one = clone(quantifier).set_params(positive="car").fit(X, y, **designed)
        one = one.estimate(new, target=target, weights=weights, check=False)
        assert both.raw == pytest.approx([1.0 - one.raw, one.raw], abs=1e-12)
        # The variance of several classes supposes weights that depend on the class alone.
        rel = 1e-9 if weights is None else 0.02
        assert both.se == pytest.approx([one.se, one.se], rel=rel)
        assert both.prevalence == pytest.approx([1.0 - one.prevalence, one.prevalence], abs=1e-12)
        assert both.covariance == pytest.approx(one.se**2 * np.array([[1, -1], [-1, 1]]), rel=rel)
        assert both.n == one.n


class TestSeveralClasses:
    def test_adjusted_count_solves_the_equations_of_counts(self, data):
        """The test counts the matrix of rates and the means."""
        X, y, new = data
        scores, others = posteriors(X), posteriors(new)
        estimate = tc.OneVersusRest(tc.AdjustedCount("scores")).fit(scores, y).estimate(others)
        called, new_called = scores >= 0.5, others >= 0.5
        true = np.array([called[y == k, k].mean() for k in range(4)])
        false = np.array([called[y != k, k].mean() for k in range(4)])
        rates = np.array(
            [[(called[y == k, j].mean() - false[j]) / (true[j] - false[j]) for k in range(4)] for j in range(4)]
        )
        expected = np.linalg.solve(rates, (new_called.mean(axis=0) - false) / (true - false))
        assert estimate.raw == pytest.approx(expected, abs=1e-13)

    def test_the_classifier_is_fitted_once_per_fold(self, data):
        X, y, new = data
        fits = []

        class Counted(LogisticRegression):
            def fit(self, X, y):
                fits.append(len(y))
                return super().fit(X, y)

        tc.OneVersusRest(tc.EfficientSweep(Counted())).fit(X, y)
        assert fits == [414] * 10
        fits.clear()
        quantifier = tc.OneVersusRest(tc.EfficientSweep(Counted(), cv=5, ensemble=False)).fit(X, y)
        assert fits == [368] * 5 + [460]
        assert np.array_equal(
            quantifier.labelled_scores_, cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")
        )
        scores = LogisticRegression().fit(X, y).predict_proba(new)
        expected = tc.OneVersusRest(tc.EfficientSweep("scores")).fit(quantifier.labelled_scores_, y).estimate(scores)
        assert np.array_equal(quantifier.estimate(new).raw, expected.raw)

    @pytest.mark.parametrize(
        "kind", [tc.EfficientSweep, tc.ContinuousSweep, tc.AdjustedCount, tc.ProbabilisticAdjustedCount]
    )
    @pytest.mark.filterwarnings(
        "ignore:class 3. the standard error is too small and the interval wide"
    )  # expected of counts
    def test_shares_add_up(self, kind, data):
        X, y, new = data
        quantifier = tc.OneVersusRest(kind(LinearDiscriminantAnalysis())).fit(X, y)
        for sample in (new, new[:60]):  # the second has rows of the first class only
            estimate = quantifier.estimate(sample)
            assert estimate.prevalence.sum() == pytest.approx(1, abs=1e-12) and (estimate.prevalence >= 0).all()
            assert np.abs(estimate.covariance.sum(axis=1)).max() < 1e-15
            assert estimate.se**2 == pytest.approx(np.diag(estimate.covariance), rel=1e-12)
            assert (np.linalg.eigvalsh(estimate.covariance) > -1e-15).all()
            assert np.array_equal(quantifier.predict(sample), estimate.prevalence)
            assert np.array_equal(quantifier.predict_interval(sample), estimate.interval)
        assert estimate.prevalence[1:].min() == 0

    def test_intervals_cover_the_truth_when_all_shares_change(self):
        """Draws 400 labelled samples, each with new rows of random shares, uniform on the simplex.

        An interval covers its share with 95 %, and with Bonferroni's levels at least 95 % of the samples have all four
        shares covered. Separate binary estimates, divided by their sum, have larger errors. Bounds are 3.5 Monte Carlo
        errors.
        """
        rng = np.random.default_rng(11)
        covered, all_covered, errors, alone, alarms = [], [], [], [], 0
        for _ in range(400):
            truth = rng.multinomial(1000, rng.dirichlet(np.ones(4))) / 1000
            X, y = rows(rng, [100] * 4)
            scores = posteriors(rows(rng, np.rint(1000 * truth).astype(int))[0])
            quantifier = tc.OneVersusRest(tc.EfficientSweep("scores")).fit(posteriors(X), y)
            estimate = quantifier.estimate(scores)
            covered.append(np.mean((estimate.interval[:, 0] <= truth) & (truth <= estimate.interval[:, 1])))
            wide = quantifier.estimate(scores, level=1 - 0.05 / 4).interval
            all_covered.append(bool(np.all((wide[:, 0] <= truth) & (truth <= wide[:, 1]))))
            errors.append(np.abs(estimate.prevalence - truth).mean())
            columns = np.ascontiguousarray(scores.T)
            each = np.array(
                [model.estimate(column, check=False).prevalence for model, column in zip(quantifier.models_, columns)]
            )
            alone.append(np.abs(each / each.sum() - truth).mean())
            alarms += any(warning.code == "prior-shift-rejected" for warning in estimate.warnings)
        assert abs(np.mean(covered) - 0.95) < 3.5 * np.std(covered) / 20
        assert np.mean(all_covered) > 0.95 - 3.5 * np.sqrt(0.05 * 0.95 / 400)
        differences = np.array(alone) - errors
        assert differences.mean() > 3.5 * differences.std() / 20
        assert alarms <= 14  # the 0.9999 quantile of a binomial with n = 400 and p = 0.01

    def test_rows_of_an_unlabelled_class_give_a_warning(self, data):
        X, y, _ = data
        quantifier = tc.OneVersusRest(tc.EfficientSweep("scores")).fit(posteriors(X), y)
        undecided = posteriors(np.random.default_rng(1).normal([0.9, 0.9], 0.3, (300, 2)))
        assert "prior-shift-rejected" in [warning.code for warning in quantifier.estimate(undecided).warnings]
        with pytest.warns(
            tc.PrevalenceWarning, match=r"do not fit any mix of the labelled classes .* add up to"
        ) as caught:
            quantifier.predict(undecided)
        assert {warning.filename for warning in caught} == {__file__}

    def test_warnings_name_the_class(self):
        rng = np.random.default_rng(3)
        X, y = rows(rng, [60, 60, 8])
        quantifier = tc.OneVersusRest(tc.EfficientSweep("scores")).fit(posteriors(X, 3), np.array(["a", "b", "c"])[y])
        warnings = quantifier.estimate(posteriors(rows(rng, [50, 50, 50])[0], 3)).warnings
        assert any(warning.startswith("class 'c': ") and warning.code == "few-labelled" for warning in warnings)

    def test_integer_weights_equal_repeated_rows(self, data):
        X, y, new = data
        times, classifier = np.arange(len(y)) % 3, GaussianNB().fit(*rows(np.random.default_rng(1), [50] * 4))
        quantifier = tc.OneVersusRest(tc.AdjustedCount(classifier, cv="prefit"))
        weighted = clone_of(quantifier).fit(X, y, sample_weight=times).estimate(new)
        repeated = clone_of(quantifier).fit(np.repeat(X, times, axis=0), np.repeat(y, times)).estimate(new)
        assert weighted.raw == pytest.approx(repeated.raw, rel=1e-11)
        assert np.abs(weighted.raw - clone_of(quantifier).fit(X, y).estimate(new).raw).max() > 1e-4

    def test_negative_weights_are_errors(self, data):
        X, y, _ = data
        with pytest.raises(tc.TruecountError, match=r"sample_weight: .*-1"):
            tc.OneVersusRest(tc.EfficientSweep("scores")).fit(posteriors(X), y, sample_weight=np.r_[-1.0, np.ones(459)])

    def test_decision_values_replace_missing_probabilities(self, data):
        X, y, new = data
        quantifier = tc.OneVersusRest(tc.EfficientSweep(RidgeClassifier())).fit(X, y)
        assert np.array_equal(
            quantifier.labelled_scores_, cross_val_predict(RidgeClassifier(), X, y, cv=10, method="decision_function")
        )
        estimate = quantifier.estimate(new)
        assert (np.abs(estimate.prevalence - [0.6, 0.2, 0.12, 0.08]) < 4 * estimate.se).all()

    def test_each_new_row_is_scored_by_one_of_the_folds(self, data):
        X, y, new = data
        quantifier = tc.OneVersusRest(tc.EfficientSweep(GaussianNB())).fit(X, y)
        scores = quantifier.quantifier_._score(new, quantifier.classes_, None)
        each = np.array([model.predict_proba(new) for model in quantifier.quantifier_.estimators_])
        assert (each == scores).all(axis=2).any(axis=0).all()


def clone_of(quantifier):
    """Returns a clone that keeps the fitted classifier."""
    return tc.OneVersusRest(quantifier.quantifier)


class TestTheNearestShares:
    @pytest.mark.parametrize("seed", range(200))
    def test_constrained_shares_are_the_best_choice_of_zeros(self, seed):
        """The test tries all sets of zeros; the other shares are a conditional mean of normal variables."""
        rng = np.random.default_rng(seed)
        root = rng.normal(size=(5, 5))
        raw = rng.dirichlet(np.ones(5)) + rng.normal(size=5) * 0.3
        composition = tc.Composition(list("abcde"), 100, raw, lambda _: root @ root.T / 100, 0.95, "es", ())
        covariance, toward = composition.covariance, (root @ root.T).sum(axis=1)
        shares = raw - toward * (raw.sum() - 1) / toward.sum()
        best = (np.inf, shares)
        for zeros in itertools.chain.from_iterable(itertools.combinations(range(5), size) for size in range(5)):
            pushed = np.linalg.solve(covariance[np.ix_(zeros, zeros)], shares[list(zeros)])
            constrained = shares - covariance[:, list(zeros)] @ pushed
            if (constrained > -1e-9).all():
                best = min(best, (float(shares[list(zeros)] @ pushed), constrained), key=lambda choice: choice[0])
        assert composition.prevalence == pytest.approx(best[1], abs=1e-9)


class TestComposition:
    @pytest.fixture
    def composition(self, data):
        X, y, new = data
        labels = np.array(["bus", "car", "tram", "walk"])[y]
        return tc.OneVersusRest(tc.EfficientSweep(GaussianNB())).fit(X, labels).estimate(new, level=0.9)

    def test_a_composition_is_a_table(self, composition):
        frame = composition.to_pandas()
        assert frame.columns.tolist() == ["class", "n", "prevalence", "raw", "se", "lower", "upper", "level"]
        assert frame["class"].tolist() == composition.classes.tolist() == ["bus", "car", "tram", "walk"]
        assert np.array_equal(composition.to_polars()["se"].to_numpy(), composition.se)
        assert (composition.n, composition.level, composition.method) == (500, 0.9, "es")

    def test_repr_of_a_composition(self, composition):
        assert "90 % interval" in repr(composition) and "method: es, n = 500" in repr(composition)
        lines = [line.split() for line in repr(composition).splitlines()]
        assert lines[4][:3] == ["tram", f"{composition.prevalence[2]:.4f}", f"{composition.se[2]:.4f}"]
        assert composition._repr_html_().count("<tr>") == 5

    def test_a_composition_can_be_pickled(self, composition):
        again = pickle.loads(pickle.dumps(composition))
        assert repr(again) == repr(composition) and np.array_equal(again.covariance, composition.covariance)


class TestAsAnEstimator:
    def test_parameters_and_clones(self, data):
        X, y, new = data
        quantifier = tc.OneVersusRest(tc.EfficientSweep(LogisticRegression(C=3)))
        copy = clone(quantifier).set_params(quantifier__estimator__C=5)
        assert (copy.quantifier.estimator.C, quantifier.quantifier.estimator.C) == (5, 3)
        fitted = quantifier.fit(X, y)
        assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(new), fitted.predict(new))
        assert repr(tc.OneVersusRest()) == "OneVersusRest()"
        assert np.array_equal(
            tc.OneVersusRest().fit(X, y).predict(new), tc.OneVersusRest(tc.EfficientSweep()).fit(X, y).predict(new)
        )

    def test_grid_search(self, data):
        X, y, _ = data

        def scorer(estimator, X, y):
            return -np.abs(estimator.predict(X) - np.bincount(y) / len(y)).mean()

        grid = {"quantifier__estimator__C": [0.1, 1.0]}
        search = GridSearchCV(
            tc.OneVersusRest(tc.EfficientSweep(LogisticRegression())), grid, scoring=scorer, cv=StratifiedKFold(3)
        )
        assert set(search.fit(X, y).best_params_) == set(grid)

    def test_names_are_columns_of_a_data_frame(self, data):
        X, y, new = data
        weights = np.linspace(1, 2, len(new))
        frame = pd.DataFrame(new, columns=["a", "b"]).assign(w=weights)
        quantifier = tc.OneVersusRest().fit(pd.DataFrame(X, columns=["a", "b"]), y)
        estimate, expected = (
            quantifier.estimate(frame, weights="w"),
            quantifier.estimate(frame[["a", "b"]], weights=weights),
        )
        assert np.array_equal(estimate.raw, expected.raw) and np.array_equal(estimate.se, expected.se)

    def test_the_name_of_a_class_is_not_a_column(self, data):
        X, y, new = data
        shares = tc.OneVersusRest().fit(X, np.array(list("abcd"))[y]).estimate(new)
        with pytest.raises(KeyError, match=r"'b' is a class, not a column; its share is prevalence\[1\]"):
            shares["b"]
        with pytest.raises(KeyError, match="there is no column 'e'; there are class, "):
            shares["e"]

    def test_an_unfitted_quantifier_is_an_error(self, data):
        with pytest.raises(NotFittedError):
            tc.OneVersusRest().predict(data[2])

    @pytest.mark.parametrize(
        ("quantifier", "code", "message"),
        [
            (
                tc.SLD("scores"),
                "option-invalid",
                "OneVersusRest needs a corrected mean, such as EfficientSweep, and sld is none; the methods that are: es",
            ),
            (
                tc.ClassifyAndCount("scores"),
                "option-invalid",
                "OneVersusRest needs a corrected mean, such as EfficientSweep, and cc is none; the methods that are: es",
            ),
            (tc.EfficientSweep("scores", positive=1), "option-conflict", "leave out positive"),
            ("es", "option-invalid", "quantifier is 'es'; it must be a quantifier of truecount"),
        ],
    )
    def test_wrong_quantifiers_are_errors(self, quantifier, code, message, data):
        X, y, _ = data
        with pytest.raises(tc.OptionError, match=message) as caught:
            tc.OneVersusRest(quantifier).fit(posteriors(X), y)
        assert caught.value.code == code

    @pytest.mark.parametrize(
        ("make", "code", "message"),
        [
            (lambda X, y: (X, np.zeros(460)), "labels-not-two", "y: two labels are needed, found 0.0"),
            (lambda X, y: (X, [None, *y[1:].tolist()]), "label-missing", "y: label 0 is missing"),
            (lambda X, y: (X[:, :3], y), "column-invalid", "a column of scores for each of the 4 classes"),
            (lambda X, y: (X[:-1], y), "length-mismatch", "there are 459 rows of X but 460 labels"),
            (lambda X, y: (np.where(X == X[7, 2], np.nan, X), y), "score-not-finite", "X: score 7 is nan"),
            (lambda X, y: (1 - X, y), "classes-inverted", "class 0: "),
        ],
    )
    def test_wrong_rows_and_labels_are_errors(self, make, code, message, data):
        X, y, _ = data
        with pytest.raises(tc.TruecountError, match=message) as caught:
            tc.OneVersusRest(tc.EfficientSweep("scores")).fit(*make(posteriors(X), y))
        assert caught.value.code == code

    def test_an_indistinguishable_class_is_an_error(self, data):
        X, y, _ = data
        with pytest.raises(tc.LabelError, match=r"class 0: held-out positives score .* no better than chance"):
            tc.OneVersusRest(tc.EfficientSweep(LogisticRegression())).fit(np.zeros_like(X), y)


class TestGroups:
    """Every group has the composition of its rows."""

    @pytest.mark.parametrize("weighted", [False, True])
    def test_groups_are_estimated_one_by_one(self, data, weighted):
        X, y, new = data
        quantifier = tc.OneVersusRest(tc.AdjustedCount(GaussianNB(), ensemble=False)).fit(X, y)
        week = np.arange(len(new)) * 7 % 3
        weights = np.linspace(1, 2, len(new)) if weighted else None
        table = quantifier.estimate(new, by={"week": 2 - week}, weights=weights, level=0.9)
        assert table.columns[:3] == ["week", "class", "n"]
        assert table["week"].tolist() == np.repeat([0, 1, 2], 4).tolist()
        for part, group in zip(table.parts, [2, 1, 0]):
            rows = week == group
            alone = quantifier.estimate(new[rows], weights=None if weights is None else weights[rows], level=0.9)
            assert part.raw.tolist() == alone.raw.tolist()
            assert np.array_equal(part.covariance, alone.covariance)
        assert table["prevalence"].tolist() == np.concatenate([part.prevalence for part in table.parts]).tolist()
        assert len(table.to_pandas()) == 12
        assert repr(table).count("\n") >= 12

    def test_groups_keep_their_order_of_appearance(self, data):
        X, y, new = data
        quantifier = tc.OneVersusRest(tc.AdjustedCount(GaussianNB())).fit(pd.DataFrame(X, columns=["a", "b"]), y)
        frame = pd.DataFrame(new, columns=["a", "b"]).assign(site=np.repeat(["west", "east"], len(new) // 2))
        table = quantifier.estimate(frame, by="site", sort=False)
        assert table["site"].tolist() == ["west"] * 4 + ["east"] * 4
        assert quantifier.estimate(frame, by="site")["site"].tolist() == ["east"] * 4 + ["west"] * 4


class TestProtocolScorer:
    @pytest.mark.parametrize("measure", ["mae", "mse", "mnae", "mrae", "mnrae", "mkld", "mnkld"])
    def test_errors_of_two_classes_are_the_binary_errors(self, measure):
        rng = np.random.default_rng(3)
        truth, estimate = rng.uniform(size=(2, 50))
        both = [np.column_stack((shares, 1.0 - shares)) for shares in (truth, estimate)]
        assert tc.measures.class_errors(measure, *both, 40) == pytest.approx(
            tc.measures.errors(measure, truth, estimate, 40), rel=1e-12
        )

    @pytest.mark.parametrize("protocol", ["uniform", "natural"])
    def test_the_score_is_minus_the_mean_error(self, data, protocol):
        """An estimator that returns the truth scores 0, and one that returns equal shares is known."""
        X, y, _ = data
        quantifier = tc.OneVersusRest(tc.AdjustedCount(GaussianNB(), ensemble=False)).fit(X, y)
        scorer = tc.ProtocolScorer(protocol, samples=200, size=60)
        score = scorer(quantifier, X, y)
        assert -0.15 < score < -0.01

        class Equal(tc.OneVersusRest):
            def _estimate_scores(self, scores):
                return type("Shares", (), {"prevalence": np.full(4, 0.25)})

        quantifier.__class__ = Equal
        # The mean of |p - 1/4| is 2 (1 - 1/4)^4 / 4 for a share p of a uniform distribution on the simplex.
        expected = 2 * 0.75**4 / 4 if protocol == "uniform" else np.abs(np.bincount(y) / len(y) - 0.25).mean()
        assert scorer(quantifier, X, y) == pytest.approx(-expected, abs=0.02)

    def test_a_search_chooses_settings_of_the_classifier(self, data):
        X, y, _ = data
        search = GridSearchCV(
            tc.OneVersusRest(tc.EfficientSweep(LogisticRegression(), cv=3)),
            {"quantifier__estimator__C": [1e-4, 1.0]},
            scoring=tc.ProtocolScorer(samples=20, size=25),
            cv=StratifiedKFold(3),
        ).fit(X, y)
        scores = search.cv_results_["mean_test_score"]
        assert search.best_score_ == max(scores) < 0.0
        assert scores[0] != scores[1]

    def test_invalid_requests_are_errors(self, data):
        X, y, _ = data
        quantifier = tc.OneVersusRest(tc.AdjustedCount(GaussianNB(), ensemble=False)).fit(X, y)
        with pytest.raises(tc.OptionError, match="'grid', which is for two classes"):
            tc.ProtocolScorer("grid")(quantifier, X, y)
        with pytest.raises(tc.ScoreError, match="a sample may need 91 rows of a class, but one has 90"):
            tc.ProtocolScorer(size=91)(quantifier, X, y)
        with pytest.raises(tc.OptionError, match="'bias', which is 0 over several classes"):
            tc.ProtocolScorer(size=40, measure="bias")(quantifier, X, y)
