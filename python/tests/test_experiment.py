"""Experiments have the results of the command, from files and from tables in memory."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import truecount as tc

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

BENCH = Path(__file__).resolve().parents[2] / "data" / "bench"
HEAD = {"methods": ["es", "ac", "cc"], "samples": 30, "sizes": [40], "protocol": [{"shift": "prior"}]}


def paths(name):
    return BENCH / f"{name}-labelled.csv", BENCH / f"{name}-pool.csv"


def data_set(name, table):
    train, pool = map(table, paths(name))
    return {"data": name, "train": train, "pool": pool, "score": "logistic", "positive": 1}


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """The folder that the command fills for two data sets."""
    folder = tmp_path_factory.mktemp("command")
    lines = ['methods = ["es", "ac", "cc"]', "samples = 30", "sizes = [40]", "[[protocol]]", 'shift = "prior"']
    for name in ("car", "yeast"):
        train, pool = paths(name)
        lines += ["[[scores]]", f'data = "{name}"', f"train = {str(train)!r}", f"pool = {str(pool)!r}"]
        lines += ['score = "logistic"']
    (folder / "bench.toml").write_text("\n".join(lines))
    words = ["experiment", str(folder / "bench.toml"), "--out", str(folder / "out")]
    subprocess.run([sys.executable, "-m", "truecount", *words], check=True, capture_output=True)
    return folder


class Own:
    """Adjusted Count as the quantifier of another package, which returns the shares of both classes."""

    def fit(self, X, y):
        self.model = tc.Model.fit(X[:, 0], y, method="ac")
        return self

    def predict(self, X):
        prevalence = self.model.estimate(X[:, 0]).prevalence
        return {1: prevalence, 0: 1.0 - prevalence}


class Half:
    """A quantifier without labels."""

    def predict(self, X):
        return 0.5 if X.shape == (40, 1) else 2.0


def test_quantifiers_of_other_packages_are_ranked_too():
    training = [{"size": 60, "repeats": 3}]
    design = {**HEAD, "training": training, "scores": [data_set(name, pd.read_csv) for name in ("car", "yeast")]}
    results = tc.experiment({**design, "methods": ["ac", Own(), Half()]})
    samples = results.samples.to_pandas()
    by_method = {name: rows.reset_index(drop=True) for name, rows in samples.groupby("method")}
    assert sorted(results.rankings["method"]) == sorted(by_method) == ["Half", "Own", "ac"]
    assert by_method["Own"].prevalence.tolist() == pytest.approx(
        by_method["ac"].prevalence.tolist(), abs=1e-15, nan_ok=True
    )
    assert by_method["Own"].lower.isna().all() and (by_method["Half"].prevalence == 0.5).all()
    own = by_method["ac"].drop(columns=["error"], errors="ignore")
    without = tc.experiment({**design, "methods": ["ac"]}).samples.to_pandas()
    assert own.equals(without.drop(columns=["error"], errors="ignore"))
    failed = tc.experiment({**design, "methods": ["ac", Half()], "sizes": [30]}).samples.to_pandas()
    reasons = failed[failed.method == "Half"].error
    assert reasons.str.contains("must return the shares of two classes, in [0, 1]", regex=False).all()
    with pytest.raises(tc.OptionError, match="two quantifiers in methods have one class"):
        tc.experiment({**design, "methods": ["ac", Half(), Half()]})


def test_several_classes_have_a_row_each():
    train, pool = (pd.read_csv(path) for path in paths("vehicle-classes"))
    scores = {"data": "vehicle", "train": train, "pool": pool, "class_scores": "p_*"}
    results = tc.experiment({"methods": ["ml", "pacc"], "samples": 20, "sizes": [30], "scores": [scores]})
    samples = results.samples.to_pandas().set_index(["sample", "method"])
    assert len(samples) == 20 * 2 * 4 and set(samples["class"]) == {"bus", "opel", "saab", "van"}
    assert np.allclose(samples.groupby(level=[0, 1])[["truth", "prevalence"]].sum(), 1.0, atol=1e-12)
    errors = (samples.prevalence - samples.truth).abs().groupby("method").mean()
    covers = (samples.lower <= samples.truth) & (samples.truth <= samples.upper)
    for method, mae, coverage in zip(*(results.rankings[name] for name in ("method", "mae", "coverage"))):
        assert (mae, coverage) == pytest.approx((errors[method], covers.groupby("method").mean()[method]), rel=1e-12)
    with pytest.raises(tc.OptionError, match="quantifiers of other packages cannot be used with class-scores"):
        tc.experiment({"methods": ["ml", Half()], "scores": [scores]})


def test_a_file_gives_the_results_of_the_command(command, tmp_path):
    results = tc.experiment(command / "bench.toml", tmp_path / "out", threads=1)
    assert results.folder == tmp_path / "out"
    for name in ("samples.parquet", "summary.json", "tables.tex"):
        assert (tmp_path / "out" / name).read_bytes() == (command / "out" / name).read_bytes()
    summary = json.loads((command / "out" / "summary.json").read_text())
    ranking = next(table for table in summary.values() if isinstance(table, list) and "rank" in table[0])
    assert results.rankings["method"].tolist() == [row["method"] for row in ranking]
    assert results.rankings["mae"].tolist() == [row["mae"] for row in ranking]
    frame = pd.read_parquet(command / "out" / "samples.parquet")
    returned = results.samples.to_pandas()
    assert list(returned) == list(frame)
    for name in frame:
        assert returned[name].astype(object).fillna(0).tolist() == frame[name].astype(object).fillna(0).tolist()


@pytest.mark.parametrize("table", [str, Path, pd.read_csv, pl.read_csv], ids=["text", "path", "pandas", "polars"])
def test_tables_in_memory_are_like_files(table, command):
    results = tc.experiment({**HEAD, "scores": [data_set(name, table) for name in ("car", "yeast")]})
    frame = pd.read_parquet(command / "out" / "samples.parquet")
    for name in ("truth", "prevalence", "lower", "upper"):
        assert np.array_equal(results.samples[name], frame[name], equal_nan=True)
    assert results.folder is None
    assert sorted(set(results.parts["data"])) == ["car", "yeast"]


def test_a_domain_is_a_column_of_the_tables():
    rng = np.random.default_rng(1)

    def draw(n):
        label = rng.integers(0, 2, n)
        return {
            "score": rng.normal(1.5 * label, 1),
            "label": label == 1,
            "site": rng.integers(0, 2, n),
            "other": [None] * n,
        }

    design = {
        "methods": ["es"],
        "samples": 10,
        "sizes": [50],
        "scores": [{"data": "two sites", "train": draw(300), "pool": draw(900), "positive": True}],
        "protocol": [{"shift": "covariate", "domain": "site", "is": "1", "shares": [0.25, 0.75]}],
    }
    samples = tc.experiment(design).samples
    assert sorted(set(samples["setting"])) == [0.25, 0.75]
    assert pl.DataFrame(samples).height == 20


def test_values_need_not_be_texts():
    """Names and labels in any writing, numbers of numpy, and what the command trims."""
    rng = np.random.default_rng(2)

    def draw(n):
        yes = rng.random(n) < 0.5
        return {"p": rng.normal(1.5 * yes, 1), "y": np.where(yes, " 😀 ", "no")}

    design = {
        "methods": ("es", "ac"),
        "samples": np.int64(5),
        "sizes": pd.Series([40, 60]),
        "level": np.float64(0.9),
        "reference": None,
        "scores": [
            {"data": "😀", "train": draw(200), "pool": draw(400), "score": "p", "label": "y", "positive": " 😀 "}
        ],
        "protocol": [{"shift": "prior", "prevalences": np.array([0.25, 0.75])}],
    }
    results = tc.experiment(design)
    assert set(results.samples["data"]) == {"😀"} and set(results.samples["n"]) == {40, 60}
    assert repr(results.parts).splitlines()[0].split()[:3] == ["setting", "n", "method"]


def test_samples_that_share_their_pool_are_a_warning():
    tables = data_set("car", pd.read_csv)
    with pytest.warns(tc.PrevalenceWarning, match=r"^scores\[0\]\['pool'\]: "):
        tc.experiment({**HEAD, "sizes": [150], "scores": [tables]})


def test_results_are_shown(command, tmp_path):
    results = tc.experiment(command / "bench.toml", tmp_path / "out")
    lines = repr(results).splitlines()
    assert lines[0].split()[:2] == ["method", "rank"]
    assert "rank: mean over the data sets" in repr(results)
    assert "<table" in results._repr_html_()
    assert repr(results.samples).splitlines()[0].split()[-2:] == ["lower", "upper"]
    assert "car" in repr(results.parts)


def test_errors_say_what_to_change(tmp_path):
    scores = {"scores": [data_set("car", Path)]}
    with pytest.raises(tc.OptionError, match="unknown field `sample`") as error:
        tc.experiment({**scores, "sample": 3})
    assert error.value.code == "experiment-not-possible"
    with pytest.raises(tc.OptionError, match="there is no column 'logit'"):
        tc.experiment({"scores": [{**data_set("car", Path), "score": "logit"}]})
    with pytest.raises(tc.OptionError, match=r"scores\[0\]\['pool'\] is a list; give a path, a data frame or a dict"):
        tc.experiment({"scores": [{**data_set("car", Path), "pool": [1, 2]}]})
    tables = data_set("car", pd.read_csv)
    for design, message in (
        ({"scores": tables}, "^design: scores must be a list of dicts such as"),
        ({**HEAD, "data": [tables]}, "^design: <DataFrame> is not a text, number or list; tables are train and pool"),
        ({**HEAD, "scores": [tables], "sizes": 9}, "^design: invalid type: integer `9`"),
        (
            {"scores": [{**tables, "score": "logit"}]},
            r"^scores\[0\]\['train'\]: there is no column 'logit'; name one of ",
        ),
        ({**HEAD, "scores": [tables], "protocol": "prior"}, "^design: protocol must be a list of dicts such as"),
        ({**HEAD, "scores": [tables], "level": float("nan")}, "^design: nan is not a text, number or list"),
        ({**HEAD, "scores": [tables], "sizes": [9**6]}, r"^scores\[0\]\['pool'\], prior, uniform: the pool has "),
    ):
        with pytest.raises(tc.OptionError, match=message):
            tc.experiment(design)
    shorter = {"logistic": [0.1, 0.2], "label": [1]}
    with pytest.raises(tc.ScoreError, match=r"there are 2 scores\[0\]\['pool'\]\['logistic'\] but 1 "):
        tc.experiment({"scores": [{**tables, "pool": shorter}]})
    with pytest.raises(tc.OptionError, match=r"^scores\[0\]\['pool'\], column 'logistic': .*line 2") as error:
        tc.experiment({"scores": [{**tables, "pool": {"logistic": [None, 0.1], "label": [1, 0]}}]})
    assert "--missing" not in str(error.value)
    with pytest.raises(tc.OptionError, match="threads is 'two'"):
        tc.experiment(scores, threads="two")
    (tmp_path / "summary.json").write_text("{}")
    with pytest.raises(tc.OptionError, match="which no experiment wrote"):
        tc.experiment(scores, tmp_path)
    assert (tmp_path / "summary.json").read_text() == "{}"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal elsewhere")
def test_an_interrupted_experiment_continues(tmp_path):
    design = {**HEAD, "samples": 20_000, "sizes": [20, 40, 60], "scores": [data_set("car", str)]}
    code = "import signal, sys, json, truecount as tc; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code += "; tc.experiment(json.loads(sys.argv[1]), sys.argv[2], threads=1)"
    process = subprocess.Popen([sys.executable, "-c", code, json.dumps(design), str(tmp_path)], stderr=subprocess.PIPE)
    while not list(tmp_path.glob("cells/*.parquet")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in message
    finished = {path: path.stat().st_mtime_ns for path in tmp_path.glob("cells/*.parquet")}
    assert 0 < len(finished) < 3 and not (tmp_path / "samples.parquet").exists()
    assert len(tc.experiment(design, tmp_path).samples) == 180_000
    assert all(path.stat().st_mtime_ns == time for path, time in finished.items())


def test_a_printed_experiment_with_several_protocols_names_them() -> None:
    rng = np.random.default_rng(1)

    def draw(n: int) -> dict[str, Any]:
        return {"score": np.r_[rng.normal(2, 1, n), rng.normal(0, 1, n)], "label": np.repeat([1, 0], n)}

    protocols = [{"shift": "prior"}, {"shift": "prior", "name": "as it comes", "prevalences": "natural"}]
    data = [{"data": "normal", "train": draw(100), "pool": draw(200)}]
    design = {"methods": ["es", "cc"], "samples": 30, "sizes": [40], "protocol": protocols, "scores": data}
    header, _, *rows = repr(tc.experiment(design)).splitlines()[:6]
    assert header.split()[:3] == ["protocol", "method", "rank"]
    assert [row.split("  ")[0] for row in rows] == ["prior, uniform"] * 2 + ["as it comes"] * 2
    assert repr(tc.experiment({**design, "protocol": protocols[:1]})).split()[0] == "method"


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_a_column_of_probabilities_is_used(make) -> None:
    rng = np.random.default_rng(3)

    def draw(number):
        labels = np.repeat([1, 0], number)
        scores = rng.normal(2.0 * labels, 1.0)
        return {"score": scores, "label": labels, "probability": 1.0 / (1.0 + np.exp(2.0 - 2.0 * scores))}

    train, pool = draw(50), draw(200)
    design = {**HEAD, "methods": ["sld"]}
    tables = {"data": "a", "train": make(train), "pool": make(pool)}
    found = tc.experiment({**design, "scores": [tables]}).samples["prevalence"].tolist()
    named = {**tables, "probability": "probability"}
    assert found == tc.experiment({**design, "scores": [named]}).samples["prevalence"].tolist()
    for table in (train, pool):
        del table["probability"]
    fitted = {"data": "a", "train": make(train), "pool": make(pool)}
    assert found != tc.experiment({**design, "scores": [fitted]}).samples["prevalence"].tolist()
