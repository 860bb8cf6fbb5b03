"""Measures, protocols and evaluations, compared with QuaPy, SciPy and the command."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import truecount as tc
from truecount import measures
from truecount import evaluation as evaluation_module

SPAM = Path(__file__).parents[2] / "data" / "spam"
METHODS = "es,o-cs,cc,t-ms,pcc"


def spam(name: str) -> tuple[np.ndarray, np.ndarray]:
    table = np.genfromtxt(SPAM / name, delimiter=",", names=True)
    return table["score"], table["label"].astype(int)


@pytest.fixture(scope="module")
def model() -> tc.Model:
    return tc.Model.fit(*spam("train.csv"), method=METHODS, family="kernel", transform="rank")


@pytest.fixture(scope="module")
def pool() -> tuple[np.ndarray, np.ndarray]:
    return spam("pool.csv")


# Measures


def test_measures_agree_with_hand_calculations():
    # Size 1, so ε = ½: the shares ½, ½ stay, ¾ and ¼ become ⅝ and ⅜.
    kld = 0.5 * math.log(16 / 15)
    by_hand = {
        "mae": 0.25,
        "mse": 0.0625,
        "mnae": 0.5,
        "mrae": 0.25,
        "mnrae": 0.25,
        "mkld": kld,
        "mnkld": (math.exp(kld) - 1) / (math.exp(kld) + 1),
        "bias": 0.25,
    }
    for name, value in by_hand.items():
        assert getattr(measures, name)([0.5], [0.75], 1) == pytest.approx(value, rel=1e-14), name
        assert measures.errors(name, [0.5], [0.75], [1]).tolist() == [getattr(measures, name)([0.5], [0.75], 1)]
    assert measures.bias([0.5, 0.5], [0.25, 0.5]) == -0.125


@pytest.mark.filterwarnings("ignore")
def test_measures_agree_with_quapy():
    error = pytest.importorskip("quapy.error")
    rng = np.random.default_rng(1)
    truth, estimate = np.r_[0.0, 1.0, 0.0, rng.random(500)], np.r_[0.02, 0.5, 0.0, rng.random(500)]
    pairs = np.column_stack((1 - truth, truth)), np.column_stack((1 - estimate, estimate))
    for size in (10, 250):
        for name in ("ae", "se", "nae", "rae", "nrae", "kld", "nkld"):
            smoothing = {"eps": 1 / (2 * size)} if name in ("rae", "nrae", "kld", "nkld") else {}
            theirs = getattr(error, name)(*pairs, **smoothing)
            np.testing.assert_allclose(
                measures.errors(f"m{name}", truth, estimate, size), theirs, rtol=1e-13, atol=1e-13
            )
            mean = getattr(error, f"m{name}")(*pairs, **smoothing)
            assert getattr(measures, f"m{name}")(truth, estimate, size) == pytest.approx(mean, rel=1e-13)
    assert measures.bias(truth, estimate) == pytest.approx(error.mean_bias_binary(*pairs), abs=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mae", [0.1], [0.1, 0.2]), "truth has 1 values but estimate has 2"),
        (("mae", [], []), "at least one sample"),
        (("mae", [0.1, 0.2], [0.1, 1.5]), "row 1: the estimated prevalence is 1.5"),
        (("mae", [np.nan], [0.1]), "row 0: the true prevalence is NaN"),
        (("mrae", [0.1], [0.1]), "mrae needs the sizes"),
        (("mrae", [0.1], [0.1], 0), "value 0 is 0.0; sizes are whole numbers"),
        (("mrae", [0.1], [0.1], [2.5]), "value 0 is 2.5"),
        (("mrae", [0.1], [0.1], [10, 20]), "size has 2 values, but there are 1 samples"),
        (("rmse", [0.1], [0.1]), "measure is 'rmse'; it must be one of mae"),
        (("mae", np.array([[0.9, 0.1]]), [0.1]), r"truth\[:, 1\]"),
        (("mae", [[0.9, 0.1]], [0.1]), r"\[row\[1\] for row in truth\]"),
        ((None, [0.1], [0.1]), "measure is None; it must be one of mae, "),
    ],
)
def test_measures_reject_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        measures.errors(*arguments)


# Protocols


def containers() -> dict[str, object]:
    """A hundred rows with the numbers 0 to 99, in every container of rows."""
    pandas, polars, pyarrow, sparse = map(pytest.importorskip, ("pandas", "polars", "pyarrow", "scipy.sparse"))
    numbers = np.arange(100)
    return {
        "array": numbers,
        "table": np.column_stack((numbers, -numbers)),
        "list": numbers.tolist(),
        "tuples": tuple((str(n), n) for n in numbers.tolist()),
        "series": pandas.Series(numbers, index=numbers[::-1]),
        "frame": pandas.DataFrame({"x": numbers}, index=numbers[::-1]),
        "polars series": polars.Series(numbers),
        "polars frame": polars.DataFrame({"x": numbers}),
        "arrow": pyarrow.array(numbers),
        "chunks": pyarrow.chunked_array([numbers[:30], numbers[30:]]),
        "arrow table": pyarrow.table({"x": numbers}),
        "sparse": sparse.csr_matrix(numbers[:, None]),
    }


def test_samples_keep_the_type_of_the_pool():
    labels = np.repeat(["no", "yes"], [60, 40])
    expected = [rows for rows, _ in tc.UPP(np.arange(100), labels, size=30, samples=5, positive="yes")]
    result = {
        "array": lambda x: x,
        "table": lambda x: x[:, 0],
        "list": np.array,
        "tuples": lambda x: np.array([n for _, n in x]),
        "series": lambda x: x.to_numpy(),
        "frame": lambda x: x["x"].to_numpy(),
        "polars series": lambda x: x.to_numpy(),
        "polars frame": lambda x: x["x"].to_numpy(),
        "arrow": lambda x: x.to_numpy(),
        "chunks": lambda x: x.to_numpy(),
        "arrow table": lambda x: x["x"].to_numpy(),
        "sparse": lambda x: x.toarray()[:, 0],
    }
    for name, X in containers().items():
        samples = [sample for sample, _ in tc.UPP(X, labels, size=30, samples=5, positive="yes")]
        assert all(type(sample) is (list if isinstance(X, tuple) else type(X)) for sample in samples), name
        np.testing.assert_array_equal([result[name](sample) for sample in samples], expected, err_msg=name)


@pytest.mark.parametrize("protocol", [tc.APP, tc.UPP, tc.NPP])
def test_samples_have_their_size_and_prevalence_without_replacement(protocol):
    labels = np.arange(90) % 3 == 0
    samples = protocol(np.arange(90), labels, size=30, samples=210, seed=5)
    assert len(samples) == len(list(samples)) == 210
    for rows, prevalence in samples:
        assert len(np.unique(rows)) == 30
        assert labels[rows].mean() == prevalence
        assert np.all(np.diff(labels[rows].astype(int)) <= 0)  # positives first


def test_a_sample_depends_only_on_its_seed_and_number(monkeypatch):
    labels = np.arange(200) % 2

    def draw_rows(samples: int, seed: int = 1) -> list[list[int]]:
        return [rows.tolist() for rows, _ in tc.NPP(np.arange(200), labels, size=20, samples=samples, seed=seed)]

    some = draw_rows(20)
    assert draw_rows(50)[:20] == some
    assert all(one != other for one, other in zip(draw_rows(20, seed=2), some))
    assert len({tuple(rows) for rows in some}) == 20
    monkeypatch.setattr(evaluation_module, "_BLOCK", 70)
    assert draw_rows(20) == some


def test_the_grid_takes_prevalences_in_turn():
    labels = np.arange(80) % 2
    prevalences = [prevalence for _, prevalence in tc.APP(np.arange(80), labels, size=20, samples=42)]
    assert prevalences == 2 * [k / 20 for k in range(21)]
    assert len(tc.APP(np.arange(80), labels, size=20)) == 105


def test_prevalences_follow_the_protocols():
    labels = np.repeat([0, 1], [1200, 800])

    def prevalences(protocol: type, size: int) -> np.ndarray:
        return np.array([prevalence for _, prevalence in protocol(np.arange(2000), labels, size=size, samples=4000)])

    # Uniform: mean ½ with variance 1/12, mean square ⅓ with variance 1/5 − 1/9; five standard errors.
    uniform = prevalences(tc.UPP, 800)
    assert abs(uniform.mean() - 1 / 2) < 5 * math.sqrt(1 / 12 / 4000)
    assert abs(np.mean(uniform**2) - 1 / 3) < 5 * math.sqrt((1 / 5 - 1 / 9) / 4000)
    # Hypergeometric: mean 0.4, variance 0.24/100 · 1900/1999 with relative standard error √(2/4000).
    natural = prevalences(tc.NPP, 100)
    variance = 0.24 / 100 * 1900 / 1999
    assert abs(natural.mean() - 0.4) < 5 * math.sqrt(variance / 4000)
    assert abs(natural.var() / variance - 1) < 5 * math.sqrt(2 / 4000)


def test_protocols_reject_wrong_arguments():
    X, y = np.arange(30), np.repeat([0, 1], [20, 10])
    with pytest.raises(ValueError, match="the pool has 10 positive scores, but a sample may need 11"):
        tc.UPP(X, y, size=11)
    with pytest.raises(ValueError, match="the pool has 30 scores, but a sample may need 31"):
        tc.NPP(X, y, size=31)
    with pytest.raises(
        ValueError, match="samples is 100; it must be a multiple of the grid's 21 prevalences, such as 105"
    ):
        tc.APP(X, y, size=5, samples=100)
    with pytest.raises(ValueError, match="there are 29 rows of X but 30 labels"):
        tc.UPP(X[:29], y, size=5)
    with pytest.raises(ValueError, match="size is 2.5; it must be a whole number"):
        tc.UPP(X, y, size=2.5)
    with pytest.raises(ValueError, match="seed is -1; it must be 0 or more"):
        tc.UPP(X, y, size=5, seed=-1)
    with pytest.raises(ValueError, match="samples is 0; it must be 1 or more"):
        tc.UPP(X, y, size=5, samples=0)
    with pytest.raises(ValueError, match="LazyFrame, of which no rows can be taken; collect"):
        tc.UPP(pytest.importorskip("polars").LazyFrame({"x": X}), y, size=5)


# Evaluations


def command(tmp_path: Path, *options: str) -> tuple[dict, np.ndarray]:
    """Runs the command; returns its output and the table of all estimates."""
    files = ["--train", str(SPAM / "train.csv"), "--pool", str(SPAM / "pool.csv"), "-o", str(tmp_path / "all.csv")]
    command = [sys.executable, "-m", "truecount", "evaluate", *files, "--format", "json", *options]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    table = np.genfromtxt(tmp_path / "all.csv", delimiter=",", names=True, deletechars="")
    return json.loads(done.stdout), table


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ((), {}),
        (("--protocol", "grid", "--samples", "42", "--size", "90"), {"protocol": "grid", "samples": 42, "size": 90}),
        (("--protocol", "natural", "--seed", "7", "--level", "0.8"), {"protocol": "natural", "seed": 7, "level": 0.8}),
        (("--samples", "1"), {"samples": 1}),
    ],
)
def test_evaluations_agree_with_the_command(tmp_path, model, pool, options, arguments):
    message, table = command(tmp_path, "--method", METHODS, "--family", "kernel", "--transform", "rank", *options)
    evaluation = tc.evaluate(model, *pool, **arguments)
    assert evaluation.methods == [method["method"] for method in message["methods"]]
    summary, compared = evaluation.summary().to_dict(), evaluation.compare().to_dict()
    for row, method in enumerate(message["methods"]):
        for name in [*dict(tc._core.names("measures")), "rmse", "coverage", "width"]:
            for column in (name, f"{name}_se"):
                value = method[column]
                np.testing.assert_equal(summary[column][row], np.nan if value is None else value, err_msg=column)
        if row > 0:
            theirs = {"wins": "reference_wins", "losses": "reference_losses"}
            for name in ("wins", "losses", "ties", "difference", "difference_se", "p_value", "p_value_holm"):
                value = method[theirs.get(name, name)]
                np.testing.assert_equal(compared[name][row - 1], np.nan if value is None else value, err_msg=name)
        columns = evaluation.for_method(method["method"])
        np.testing.assert_array_equal(columns["truth"], table["truth"])
        np.testing.assert_array_equal(columns["n"], table["n"])
        np.testing.assert_array_equal(columns["prevalence"], table[method["method"]])
        for end in ("lower", "upper"):
            if method["coverage"] is not None:
                np.testing.assert_array_equal(columns[end], table[f"{method['method']}_{end}"])
            else:
                assert np.isnan(columns[end]).all()


@pytest.mark.parametrize("interval", ["wilson", "wald"])
def test_rows_agree_with_estimates_of_the_samples(model, pool, interval, monkeypatch):
    monkeypatch.setattr(evaluation_module, "_BLOCK", 700)  # three samples at once
    evaluation = tc.evaluate(model, *pool, samples=10, size=200, seed=3, interval=interval)
    rows = evaluation.to_dict()
    assert len(evaluation) == 50
    for number, (sample, prevalence) in enumerate(tc.UPP(*pool, size=200, samples=10, seed=3)):
        expected = model.estimate_each(sample, interval=interval, check=False).to_dict()
        sample_rows = slice(5 * number, 5 * number + 5)
        assert rows["sample"][sample_rows].tolist() == [number] * 5
        assert rows["truth"][sample_rows].tolist() == [prevalence] * 5
        for name in ("method", "n", "prevalence", "raw", "se", "lower", "upper"):
            np.testing.assert_array_equal(rows[name][sample_rows], expected[name])


def test_probabilities_and_labels_of_any_type(pool):
    def with_probabilities(scores, labels):
        return scores, np.where(labels == 1, "spam", "ham"), 1 / (1 + np.exp(-scores))

    scores, labels, probabilities = with_probabilities(*spam("train.csv"))
    model = tc.Model.fit(scores, labels, method="pacc,sld", train_probabilities=probabilities, positive="spam")
    pool_scores, pool_labels, pool_probabilities = with_probabilities(*pool)
    evaluation = tc.evaluate(
        model, pool_scores, pool_labels, positive="spam", probabilities=pool_probabilities, samples=3
    )
    places = np.arange(len(pool_scores))
    for number, (rows, _) in enumerate(tc.UPP(places, pool_labels, size=250, samples=3, positive="spam")):
        expected = model.estimate_each(pool_scores[rows], test_probabilities=pool_probabilities[rows], check=False)
        np.testing.assert_array_equal(evaluation.to_dict()["raw"][2 * number : 2 * number + 2], expected.raw)
    pool_probabilities[1] = 1.5
    with pytest.raises(ValueError, match="^probabilities: probability 1 is 1.5"):
        tc.evaluate(model, pool_scores, pool_labels, positive="spam", probabilities=pool_probabilities)
    with pytest.raises(ValueError, match="there are 3001 scores but 2 probabilities"):
        tc.evaluate(model, pool_scores, pool_labels, positive="spam", probabilities=pool_probabilities[:2])
    with pytest.raises(ValueError, match="name it: positive='spam' or "):
        tc.evaluate(model, pool_scores, pool_labels, probabilities=pool_probabilities)


@pytest.mark.parametrize("name", ["ContinuousSweep", "SLD"])
def test_estimators_are_scored_once(name):
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(2)
    labels = np.repeat(["ham", "spam"], 600)
    features = rng.normal(size=(1200, 3)) + (labels == "spam")[:, None]
    half = np.arange(1200) % 2 == 0
    # A single classifier gives a row the same score in every sample.
    quantifier = getattr(tc, name)(positive="ham", ensemble=False).fit(features[half], labels[half])
    evaluation = tc.evaluate(quantifier, features[~half], labels[~half], samples=20, size=100)
    samples = tc.UPP(features[~half], labels[~half], size=100, samples=20, positive="ham")
    expected = [float(quantifier.estimate(sample, check=False)) for sample, _ in samples]
    np.testing.assert_allclose(evaluation.to_dict()["prevalence"], expected, rtol=0, atol=1e-13)
    assert evaluation.summary().to_dict()["mae"][0] < 0.15
    assert evaluation.train_prevalence == 0.5
    with pytest.raises(ValueError, match="an estimator has those of its classifier"):
        tc.evaluate(quantifier, features, labels, probabilities=labels)


def test_the_summary_has_means_over_the_samples(model, pool):
    evaluation = tc.evaluate(model, *pool, samples=200)
    summary = evaluation.summary().to_dict()
    for row, method in enumerate(evaluation.methods):
        columns = evaluation.for_method(method)
        error = columns["prevalence"] - columns["truth"]

        def mean(values):
            return values.mean(), values.std(ddof=1) / math.sqrt(200)

        expected = {"mae": mean(abs(error)), "mse": mean(error**2), "bias": mean(error)}
        expected["mrae"] = mean(measures.errors("mrae", columns["truth"], columns["prevalence"], 250))
        root = math.sqrt(np.mean(error**2))
        expected["rmse"] = root, expected["mse"][1] / (2 * root)
        inside = (columns["lower"] <= columns["truth"]) & (columns["truth"] <= columns["upper"])
        has = method != "t-ms"
        expected["coverage"] = mean(inside.astype(float)) if has else (np.nan, np.nan)
        expected["width"] = mean(columns["upper"] - columns["lower"]) if has else (np.nan, np.nan)
        for name, both in expected.items():
            ours = summary[name][row], summary[f"{name}_se"][row]
            np.testing.assert_allclose(ours, both, rtol=1e-12, atol=1e-15, err_msg=name)
    assert summary["samples"].tolist() == [200] * 5


@pytest.mark.parametrize(("samples", "method"), [(40, "exact"), (400, "approx")])
def test_comparisons_agree_with_scipy(model, pool, samples, method):
    wilcoxon = pytest.importorskip("scipy.stats").wilcoxon
    evaluation = tc.evaluate(model, *pool, samples=samples)
    compared = evaluation.compare("o-cs").to_dict()
    assert compared["other"].tolist() == ["es", "cc", "t-ms", "pcc"]
    own = abs(evaluation.for_method("o-cs")["prevalence"] - evaluation.truth)
    p_values = []
    for row, other in enumerate(compared["other"]):
        difference = abs(evaluation.for_method(other)["prevalence"] - evaluation.truth) - own
        difference[abs(difference) < 2.0**-41] = 0.0
        counts = [np.count_nonzero(difference > 0), np.count_nonzero(difference < 0), np.count_nonzero(difference == 0)]
        assert [compared[name][row] for name in ("wins", "losses", "ties")] == counts
        assert compared["difference"][row] == pytest.approx(difference.mean(), rel=1e-9)
        assert compared["difference_se"][row] == pytest.approx(difference.std(ddof=1) / math.sqrt(samples), rel=1e-9)
        theirs = wilcoxon(difference[difference != 0], method=method, correction=False).pvalue
        assert compared["p_value"][row] == pytest.approx(theirs, rel=1e-9)
        p_values.append(theirs)
    # Holm's definition: the k-th smallest of m p-values is tested at level/(m − k).
    order = np.argsort(p_values)
    for level in np.r_[np.linspace(0.0005, 0.9, 50), compared["p_value_holm"] * 1.0001]:
        rejected: set[int] = set()
        for rank, row in enumerate(order):
            if p_values[row] > level / (4 - rank):
                break
            rejected.add(int(row))
        assert set(np.flatnonzero(compared["p_value_holm"] <= level).tolist()) == rejected


def test_equal_methods_have_p_value_one(pool):
    threshold = tc.Model.fit(*spam("train.csv"), method="o-cs").parameters["methods"]["o-cs"]["threshold"]
    model = tc.Model.fit(*spam("train.csv"), method="o-cs,cs", threshold=threshold)
    compared = tc.evaluate(model, *pool, samples=5).compare().to_dict()
    assert compared["ties"].tolist() == [5]
    assert np.isnan(compared["p_value"]).all()


def test_evaluate_rejects_wrong_arguments(model, pool):
    scores, labels = pool
    fitted_to = spam("train.csv")
    order = np.random.default_rng(1).permutation(len(fitted_to[0]))
    for rows in (slice(None), order):
        with pytest.raises(ValueError, match="what the model was fitted to"):
            tc.evaluate(model, *(column[rows] for column in fitted_to))
    with pytest.raises(ValueError, match="protocol is 'upp'; it must be one of uniform, grid, natural"):
        tc.evaluate(model, scores, labels, protocol="upp")
    with pytest.raises(ValueError, match=r"protocol is \[\]; it must be one of uniform, grid, natural"):
        tc.evaluate(model, scores, labels, protocol=[])
    with pytest.raises(ValueError, match="level is '95'; it must be a number"):
        tc.evaluate(model, scores, labels, level="95")
    with pytest.raises(ValueError, match="interval is None; it must be one of wilson, wald, bootstrap"):
        tc.evaluate(model, scores, labels, interval=None)
    with pytest.raises(ValueError, match="quantifier is a str; it must be a truecount.Model"):
        tc.evaluate("o-cs", scores, labels)
    with pytest.raises(ValueError, match="1179 positive scores, but a sample may need"):
        tc.evaluate(model, scores, labels, size=1200)
    with pytest.raises(ValueError, match="^X: score 3 is NaN"):
        tc.evaluate(model, np.where(np.arange(len(scores)) == 3, np.nan, scores), labels, samples=1)
    with pytest.raises(ValueError, match="level"):
        tc.evaluate(model, scores, labels, level=1.5)


def test_overlapping_samples_give_a_warning(model, pool):
    with pytest.warns(tc.PrevalenceWarning, match="more than half of the 1179 positive scores") as warned:
        tc.evaluate(model, *pool, size=600, samples=2)
    assert warned[0].filename == __file__
    tc.evaluate(model, *pool, size=589, samples=2)
    with pytest.warns(tc.PrevalenceWarning, match="more than half of the 3001 scores"):
        tc.evaluate(model, *pool, size=1501, samples=2, protocol="natural")


def test_tables_convert_to_every_data_frame_library(model, pool):
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    evaluation = tc.evaluate(model, *pool, samples=4)
    columns = ["sample", "method", "truth", "n", "prevalence", "raw", "se", "lower", "upper"]
    for table in (evaluation, evaluation.summary(), evaluation.compare()):
        frame = table.to_pandas()
        assert isinstance(frame, pandas.DataFrame) and list(frame) == table.columns and len(frame) == len(table)
        assert polars.DataFrame(table).columns == pyarrow.table(table).column_names == table.columns
    assert evaluation.columns == columns
    assert polars.DataFrame(evaluation)["se"].null_count() == 4  # Median Sweep has none
    again = pickle.loads(pickle.dumps(evaluation))
    assert repr(again) == repr(evaluation)


def test_repr_and_html(model, pool):
    evaluation = tc.evaluate(model, *pool, protocol="grid", samples=21)
    shown = repr(evaluation)
    assert shown == repr(evaluation.summary())
    lines = shown.splitlines()
    assert lines[0].split() == ["method", "MAE", "RMSE", "RAE", "bias", "coverage", "width"]
    summary = evaluation.summary().to_dict()
    assert lines[2].startswith(f"es       {summary['mae'][0]:.4f} ± {summary['mae_se'][0]:.4f}")
    assert f"   {100 * summary['coverage'][0]:.1f} %" in lines[2]
    assert max(map(len, lines)) <= 80
    assert "21 samples of 250: prevalences 0, 0.05, …, 1 in turn (APP)" in shown
    assert "so too large" in " ".join(lines)
    compared = evaluation.compare("cc")
    assert repr(compared).startswith("cc against")
    assert "<table>" in evaluation._repr_html_() and "<table>" in compared._repr_html_()
    with pytest.raises(ValueError, match="'sld' is not among the evaluated methods: es, o-cs, cc"):
        evaluation.compare("sld")
    with pytest.raises(ValueError, match="only one method, cc"):
        tc.evaluate(tc.Model.fit(*spam("train.csv"), method="cc"), *pool, samples=1).compare()


class CountAbove0:
    """A quantifier as of another package, whose classes are 0 and 1."""

    def __init__(self, convert=lambda share: [1.0 - share, share]):
        self.convert = convert

    def predict(self, X):
        return self.convert(np.mean(X >= 0.0))


def test_quantifiers_of_other_packages_are_evaluated(pool):
    pytest.importorskip("sklearn")
    train, settings = spam("train.csv"), {"samples": 50, "size": 100}
    expected = tc.evaluate(tc.Model.fit(*train, method="cc", cutoff=0.0), *pool, **settings)
    by_label = CountAbove0(lambda share: {1: share, 0: 1.0 - share})
    for quantifier in CountAbove0(), by_label:
        evaluation = tc.evaluate(quantifier, *pool, **settings)
        assert evaluation["prevalence"] == pytest.approx(expected["prevalence"], abs=1e-15)
        assert np.array_equal(evaluation.truth, expected.truth)
        assert evaluation.methods == ["CountAbove0"] and np.isnan(evaluation.summary()["coverage"]).all()
    scorer = tc.ProtocolScorer(**settings)
    ours = tc.ClassifyAndCount("scores", cutoff=0.0).fit(*train)
    assert scorer(CountAbove0(), *pool) == pytest.approx(scorer(ours, *pool), abs=1e-15)
    for convert in (lambda share: [share], lambda share: [share, 2.0]):
        with pytest.raises(tc.OptionError, match="must return the shares of two classes"):
            tc.evaluate(CountAbove0(convert), *pool, **settings)
    with pytest.raises(tc.OptionError, match="or have a method predict"):
        tc.evaluate(object(), *pool)
    with pytest.raises(tc.OptionError, match="are for quantifiers of truecount"):
        tc.evaluate(CountAbove0(), *pool, interval="wald")
