"""The script for the LeQua competitions, on small folders in the competition's format."""

import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("sklearn")

SCRIPT = Path(__file__).parents[2] / "crates" / "truecount-bench" / "lequa" / "solve.py"
SAMPLES, SIZE, FEATURES = 20, 60, 6


def prior_shift(rng, share):
    """Labels with this share of positives, and features whose first three have means by class."""
    labels = rng.permutation(np.arange(SIZE) < round(share * SIZE))
    return labels, rng.normal(size=(SIZE, FEATURES)) + np.outer(labels, np.arange(FEATURES) < 3)


def covariate_shift(rng, share):
    """Features around a centre, and labels given the features."""
    features = rng.normal(3 * (share - 0.5), size=(SIZE, FEATURES))
    return rng.random(SIZE) < 1 / (1 + np.exp(-features[:, :3].sum(axis=1))), features


def unpack(folder, kind, draw):
    """Writes the files of an archive, and returns the true shares."""
    rng = np.random.default_rng(2022)
    labels, features = map(np.concatenate, zip(*(draw(rng, 0.5) for _ in range(7))))
    train = pd.DataFrame(features)
    train.insert(0, "label", labels.astype(int))
    (folder / f"{kind}_samples").mkdir(parents=True)
    train.to_csv(folder / "training_data.txt", index=False)
    samples = [draw(rng, rng.random()) for _ in range(SAMPLES)]
    for number, (_, features) in enumerate(samples):
        pd.DataFrame(features).to_csv(folder / f"{kind}_samples" / f"{number}.txt", index=False)
    truths = np.array([labels.mean() for labels, _ in samples])
    table = {"id": range(SAMPLES), "0": 1 - truths, "1": truths}
    pd.DataFrame(table).to_csv(folder / f"{kind}_prevalences.txt", index=False)
    return truths


@pytest.fixture
def solve(monkeypatch, capfd):
    """Runs the script in this process, which has imported what it needs."""
    main = runpy.run_path(str(SCRIPT))["main"]

    def run(folder, *options):
        monkeypatch.setattr(sys, "argv", ["solve.py", str(folder), "--output", str(folder / "out"), *options])
        message = None
        try:
            main()
        except SystemExit as exit:
            message = exit.code
        return SimpleNamespace(message=message, **capfd.readouterr()._asdict())

    return run


def official_rae(truths, shares):
    """The mean relative absolute error of both editions' scripts."""
    smooth = [(p + 1 / (2 * SIZE)) / (1 + 1 / SIZE) for p in (truths, 1 - truths, shares, 1 - shares)]
    return np.mean([abs(smooth[i] - smooth[i + 2]) / smooth[i] for i in (0, 1)])


# The mean of probabilities is right where the covariates shift. The errors are in docs/evidence/paper.md.
@pytest.mark.parametrize(
    ("kind", "draw", "options", "pcc", "others"),
    [
        ("test", prior_shift, (), 0.38, 0.17),
        ("dev", prior_shift, ("--samples", "dev", "--classifier", "svm", "--tune"), 0.38, 0.17),
        ("test", covariate_shift, (), 0.35, 0.52),
    ],
)
def test_predictions_are_ranked_by_the_official_error(solve, tmp_path, kind, draw, options, pcc, others):
    truths = unpack(tmp_path, kind, draw)
    run = solve(tmp_path, "--method", "pcc,ac,sld,es", *options)
    assert run.message is None
    assert float(re.search(r"ROC curve (0\.\d+)", run.err)[1]) > 0.75
    errors = {}
    estimates = pd.read_csv(tmp_path / "out" / "estimates.csv")
    for method in ("pcc", "ac", "sld", "es"):
        predictions = pd.read_csv(tmp_path / "out" / f"predictions-{method}.csv")
        assert list(predictions) == ["id", "0", "1"] and list(predictions["id"]) == list(range(SAMPLES))
        assert (predictions["1"] == estimates[method]).all() and estimates["truth"].to_numpy() == pytest.approx(truths)
        errors[method] = official_rae(truths, predictions["1"].to_numpy())
    ranking = sorted(errors, key=errors.get)
    assert errors == pytest.approx({"pcc": pcc, "ac": others, "sld": others, "es": others}, abs=0.035)
    rows = [line.split() for line in run.out.splitlines()[2 : 2 + len(errors)]]
    assert [row[0] for row in rows] == ranking
    assert [float(row[3]) for row in rows] == pytest.approx([errors[method] for method in ranking], abs=5e-5)
    train = pd.read_csv(tmp_path / "out" / "train_scores.csv")
    assert list(train) == ["score", "probability", "label"] and len(train) == 7 * SIZE
    assert (tmp_path / "out" / "errors.svg").exists()


def test_without_prevalences_there_are_predictions_only(solve, tmp_path):
    unpack(tmp_path, "test", prior_shift)
    known = solve(tmp_path)
    assert known.message is None and "o-cs against" in known.out
    predictions = (tmp_path / "out" / "predictions-o-cs.csv").read_text()
    (tmp_path / "test_prevalences.txt").rename(tmp_path / "other.txt")
    run = solve(tmp_path)
    assert (run.message, run.out) == (None, "")
    assert (tmp_path / "out" / "predictions-o-cs.csv").read_text() == predictions
    # Wrong folders and files.
    (tmp_path / "test_prevalences.txt").write_text("id,0,1\n0,0.5,0.5\n")
    assert "each sample needs one row" in solve(tmp_path).message
    (tmp_path / "test_prevalences.txt").unlink()
    (tmp_path / "test_samples" / "3.txt").write_text("a,b\n1,2\n")
    assert "3.txt: the header differs" in solve(tmp_path).message
    assert "there are no samples" in solve(tmp_path, "--samples", "dev").message


def test_several_classes_are_ranked_by_the_official_error(solve, tmp_path):
    rng, classes, size = np.random.default_rng(2022), 5, 250
    centres = rng.normal(scale=1.5, size=(classes, FEATURES))

    def draw(labels):
        return pd.DataFrame(centres[labels] + rng.normal(size=(len(labels), FEATURES)))

    labels = np.repeat(np.arange(classes), 80)
    train = draw(labels)
    train.insert(0, "label", labels)
    train.to_csv(tmp_path / "training_data.txt", index=False)
    (tmp_path / "test_samples").mkdir()
    counts = [rng.multinomial(size, rng.dirichlet(np.ones(classes))) for _ in range(SAMPLES)]
    for number, count in enumerate(counts):
        draw(np.repeat(np.arange(classes), count)).to_csv(tmp_path / "test_samples" / f"{number}.txt", index=False)
    truths = np.array(counts) / size
    table = pd.DataFrame(truths, columns=[str(k) for k in range(classes)], index=pd.Index(range(SAMPLES), name="id"))
    table.to_csv(tmp_path / "test_prevalences.txt")
    run = solve(tmp_path)
    assert run.message is None
    errors = pd.read_csv(tmp_path / "out" / "errors.csv", index_col="method")
    assert list(errors["RAE"]) == sorted(errors["RAE"]) and errors.loc["ml", "RAE"] < errors.loc["cc", "RAE"]
    epsilon = 1 / (2 * size)
    for method in ("ml", "sld", "pacc", "ac", "cc"):
        predictions = pd.read_csv(tmp_path / "out" / f"predictions-{method}.csv")
        assert list(predictions) == ["id", "0", "1", "2", "3", "4"] and list(predictions["id"]) == list(range(SAMPLES))
        p, q = ((x + epsilon) / (1 + classes * epsilon) for x in (truths, predictions.to_numpy()[:, 1:]))
        assert errors.loc[method, "RAE"] == pytest.approx(np.mean(abs(p - q) / p))
        assert errors.loc[method, "AE"] == pytest.approx(np.mean(abs(truths - predictions.to_numpy()[:, 1:])))
