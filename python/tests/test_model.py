"""Models and tallies: files, copies, sums."""

from __future__ import annotations

import copy
import datetime as dt
import json
import os
import pickle
import re
import stat
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest

import truecount as tc

METHODS = "o-cs,es,ac,t-ms,sld,dys"


@pytest.fixture(scope="module")
def model(spam: Any) -> tc.Model:
    return tc.Model.fit(spam.train, spam.labels, method=METHODS, family="kernel", transform="rank")


def same(left: tc.Estimate | tc.Estimates, right: tc.Estimate | tc.Estimates) -> bool:
    """Returns whether estimates are bitwise equal."""
    if isinstance(left, tc.Estimate) or isinstance(right, tc.Estimate):
        return left == right
    return list(left) == list(right)


# Models


def test_attributes_of_a_model(model: tc.Model, spam: Any) -> None:
    assert model.methods == METHODS.split(",")
    assert model.parameters["n_pos"] == int(spam.labels.sum()) == 634
    assert repr(model) == "Model(o-cs, es, ac, t-ms, sld, dys; 634 positive and 966 negative scores)"
    assert len(model.fingerprint) == 16
    assert tc.Model.fit(spam.train, spam.labels).fingerprint != model.fingerprint
    with pytest.raises(TypeError, match="Model.fit"):
        tc.Model()


@pytest.mark.parametrize(
    "method", [METHODS, METHODS.split(","), tuple(METHODS.split(",")), " o-cs, es ,ac,t-ms,sld,dys"]
)
def test_names_of_methods(model: tc.Model, spam: Any, method: Any) -> None:
    named_model = tc.Model.fit(spam.train, spam.labels, method=method, family="kernel", transform="rank")
    assert named_model.fingerprint == model.fingerprint


def test_copies_of_a_model(model: tc.Model, spam: Any) -> None:
    expected = model.estimate_each(spam.test)
    for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert again.fingerprint == model.fingerprint
        assert same(again.estimate_each(spam.test), expected)


def test_a_saved_model(model: tc.Model, spam: Any, tmp_path: Path) -> None:
    for path in (tmp_path / "model.json", str(tmp_path / "other.json")):
        model.save(path)
        assert same(tc.Model.load(path).estimate_each(spam.test), model.estimate_each(spam.test))
    assert sorted(os.listdir(tmp_path)) == ["model.json", "other.json"]


def test_the_command_and_the_package_read_each_others_models(
    model: tc.Model, spam: Any, command: Callable[..., str], tmp_path: Path
) -> None:
    model.save(tmp_path / "ours.json")
    ours = json.loads(
        command("estimate", "--model", tmp_path / "ours.json", "--test", spam.test_path, "--format", "json")
    )
    estimates = model.estimate_each(spam.test)
    np.testing.assert_allclose([row["raw"] for row in ours["estimates"]], estimates.raw, rtol=0, atol=1e-12)
    options = ("--method", METHODS, "--family", "kernel", "--transform", "rank")
    command("fit", "--train", spam.train_path, *options, "-o", tmp_path / "theirs.json")
    theirs = tc.Model.load(tmp_path / "theirs.json")
    assert theirs.fingerprint == model.fingerprint
    assert same(theirs.estimate_each(spam.test), estimates)
    assert json.loads((tmp_path / "ours.json").read_text()) == json.loads((tmp_path / "theirs.json").read_text())


@pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")
def test_a_saved_model_keeps_permissions_and_links(model: tc.Model, tmp_path: Path) -> None:
    path, link = tmp_path / "model.json", tmp_path / "link.json"
    mask = os.umask(0o027)
    try:
        model.save(path)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    link.symlink_to(path)
    model.save(link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(OSError, match="is not a file that can be replaced"):
        model.save(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"^nowhere/model.json: the folder nowhere does not exist$"):
        model.save("nowhere/model.json")
    model.save(os.devnull)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_saving_to_a_forbidden_place_is_an_error(model: tc.Model, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match="cannot be written: permission denied"):
        model.save(tmp_path / "model.json")


@pytest.mark.skipif(os.name != "posix", reason="limits as POSIX has them")
def test_an_interrupted_save_leaves_the_old_file(model: tc.Model, tmp_path: Path) -> None:
    import resource

    path = tmp_path / "model.json"
    path.write_text("what was there")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError, match=f"^{path}: cannot be written: file too large"):
            model.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "what was there"
    assert os.listdir(tmp_path) == ["model.json"]


def test_damaged_files(model: tc.Model, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    text = path.read_text()
    digit = text.index("0.") + 2
    damaged = {
        "": "not a truecount model",
        "{}": "not a truecount model",
        text[:-20]: "the model is damaged",
        text[:digit] + ("1" if text[digit] != "1" else "2") + text[digit + 1 :]: "the model is damaged",
    }
    for content, message in damaged.items():
        path.write_text(content)
        with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {message}"):
            tc.Model.load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a truecount model"):
        tc.Model.load(path)
    with pytest.raises(FileNotFoundError):
        tc.Model.load(tmp_path / "nothing.json")


def test_influence(model: tc.Model, spam: Any) -> None:
    with pytest.raises(ValueError, match="^the model has no method 'x'; it has o-cs, es, ac, t-ms, sld, dys$"):
        model.influence(spam.test, method="x")
    with pytest.raises(
        ValueError,
        match="^t-ms is not the mean of a function of the score, so single scores have no influence value; "
        "the methods with influence values are ",
    ):
        model.influence(spam.test, method="t-ms")
    with pytest.raises(ValueError, match="^test_scores are several test sets; give one column$"):
        model.influence([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError, match="^test_scores: value 1 is missing; correct it or leave out its row$"):
        model.influence([1.0, None])
    estimates = model.estimate_each(spam.test)
    assert isinstance(estimates, tc.Estimates)
    np.testing.assert_allclose(model.influence(spam.test, method="ac").mean(), estimates.raw[2], rtol=1e-12)


def test_options_of_a_query(model: tc.Model) -> None:
    column = pd.Series(["a", "b"])
    for wrong in (
        {"table": 1},
        {"table": pd.DataFrame({"week": column})},
        {"score": None},
        {"probability": 1},
        {"by": ["week", 1]},
        {"by": column},
    ):
        with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: .+ is no name; it must be a text, a name in "):
            tc.Model.fit([1.0, 0.9, 0.0, 0.2], [1, 1, 0, 0]).sql(**{"table": "messages", **wrong})  # type: ignore[arg-type]
    with pytest.raises(
        ValueError,
        match=r"^dialect is None; it must be one of ansi, spark, bigquery, snowflake, trino, redshift, tsql \('ansi'",
    ):
        model.sql("messages", dialect=None)  # type: ignore[arg-type]
    with pytest.raises(tc.OptionError, match="^dialect is 'duckdb'; .*'ansi' for DuckDB"):
        model.sql("messages", dialect="duckdb")  # type: ignore[arg-type]


def test_an_influence_expression_takes_a_name(spam_model: tc.Model) -> None:
    frame = pl.DataFrame({"score": [0.5, 1.0, -0.5]})
    by_name = frame.select(spam_model.influence_expr("score"))
    assert by_name.equals(frame.select(spam_model.influence_expr(pl.col("score"))))
    np.testing.assert_array_equal(by_name["score"], spam_model.influence(frame["score"]))
    with pytest.raises(ValueError, match="^scores is a list; give a polars expression, or the name of a column$"):
        spam_model.influence_expr([0.5])


# Tallies


def test_a_tally_gives_the_same_estimate(model: tc.Model, spam: Any) -> None:
    tally = model.tally(spam.test)
    assert tally.n == len(spam.test)
    assert same(tally.estimate_each(), model.estimate_each(spam.test))
    assert same(
        tally.estimate_each(level=0.9, target="population", interval="wald", check=False),
        model.estimate_each(spam.test, level=0.9, target="population", interval="wald", check=False),
    )
    with pytest.raises(ValueError, match="^a tally has no bootstrap"):
        tally.estimate_each(interval="bootstrap")
    with pytest.raises(ValueError, match="^target is None; it must be one of sample, population$"):
        tally.estimate_each(target=None)  # type: ignore[arg-type]


def test_tallies_add_up_in_any_order(model: tc.Model, spam: Any) -> None:
    expected = model.estimate_each(spam.test)
    assert isinstance(expected, tc.Estimates)
    random = np.random.default_rng(5)
    cuts = np.sort(random.choice(len(spam.test), 9, replace=False))
    parts = [model.tally(part) for part in np.split(spam.test, cuts)]
    forwards, backwards = sum(parts), sum(parts[::-1])
    shuffled = sum(parts[index] for index in random.permutation(10))
    pairs = sum(left + right for left, right in zip(parts[::2], parts[1::2]))
    for tally in (forwards, backwards, shuffled, pairs):
        estimates = tally.estimate_each()  # type: ignore[union-attr]
        np.testing.assert_allclose(estimates.raw, expected.raw, rtol=0, atol=1e-12)
        np.testing.assert_allclose(estimates.se, expected.se, rtol=0, atol=1e-12)
        assert estimates.n.tolist() == expected.n.tolist()


def test_tallies_of_groups(model: tc.Model, spam: Any) -> None:
    expected = model.estimate(spam.test, by={"week": spam.week})
    halves = slice(len(spam.test) // 2), slice(len(spam.test) // 2, None)
    first, second = (model.tally(spam.test[half], by={"week": spam.week[half]}) for half in halves)
    tally = first + second
    assert repr(tally) == "Tally(13646 scores, 24 groups by week)"
    assert len(tally) == 24
    estimates = tally.estimate_each()
    assert isinstance(estimates, tc.Estimates)
    assert estimates.groups["week"].tolist() == expected.groups["week"].tolist()
    np.testing.assert_allclose(estimates.raw, expected.raw, rtol=0, atol=1e-12)


GROUPS: dict[str, tuple[list[Any], str]] = {
    "texts": (["b", "a", None, "b"], "O"),
    "numbers": ([3, 1, 2, 3], "int64"),
    "floats": ([0.5, float("nan"), float("inf"), 0.5], "float64"),
    "flags": ([True, False, True, True], "bool"),
    "dates": ([dt.date(2026, 1, 2), None, dt.date(2026, 1, 1), dt.date(2026, 1, 2)], "M8[D]"),
    "times": ([dt.datetime(2026, 1, day, 3, 4, 5, 6) if day else None for day in (2, 0, 1, 2)], "M8[us]"),
    "nanoseconds": (list(np.datetime64(0, "ns") + np.array([1, 2, 3, 1])), "M8[ns]"),
    "times in a zone": ([dt.datetime(2026, month, 2, tzinfo=ZoneInfo("Asia/Tokyo")) for month in (1, 2, 7, 1)], "O"),
}


@pytest.mark.parametrize(("by", "kind"), GROUPS.values(), ids=GROUPS)
def test_tallies_survive_pickling_and_files(spam_model: tc.Model, by: list[Any], kind: str) -> None:
    scores = [0.5, 1.0, 2.0, 1.5]
    tally = spam_model.tally(scores, by=by)
    expected = spam_model.estimate(scores, by=by)
    for again in (
        tc.Tally.from_bytes(spam_model, tally.to_bytes()),
        pickle.loads(pickle.dumps(tally)),
        copy.deepcopy(tally),
    ):
        estimates = again.estimate_each()
        assert isinstance(estimates, tc.Estimates)
        assert estimates.groups["group"].dtype == np.dtype(kind)
        np.testing.assert_array_equal(estimates.groups["group"], expected.groups["group"])
        assert estimates.raw.tolist() == expected.raw.tolist()
        # Both ways give the same groups.
        twice = (again + tally).estimate_each()
        assert isinstance(twice, tc.Estimates)
        assert twice.n.tolist() == (2 * expected.n).tolist()


def test_weighted_tallies(spam_model: tc.Model) -> None:
    tally = spam_model.tally([0.5, 1.0], weights=[1, 2]) + spam_model.tally([2.0], weights=[3])
    estimate, expected = tally.estimate(), spam_model.estimate([0.5, 1.0, 2.0], weights=[1, 2, 3], target="sample")
    assert isinstance(estimate, tc.Estimate)
    assert isinstance(expected, tc.Estimate)
    np.testing.assert_allclose([estimate.raw, estimate.n_eff], [expected.raw, expected.n_eff], rtol=1e-14)
    with pytest.raises(ValueError, match="^only one of the two tallies is weighted"):
        tally + spam_model.tally([0.5])


def test_incompatible_tallies_are_errors(model: tc.Model, spam_model: tc.Model) -> None:
    ours, other = spam_model.tally([0.5, 1.0]), model.tally([0.5, 1.0])
    with pytest.raises(ValueError, match="another model"):
        ours + other
    with pytest.raises(tc.TallyError, match="^the tally is added to itself, so its scores would count twice$") as twice:
        ours + ours
    assert twice.value.code == "tally-twice"
    with pytest.raises(tc.TallyError, match="^content: the tally has the methods es, but the model has "):
        tc.Tally.from_bytes(model, ours.to_bytes())
    with pytest.raises(ValueError, match="^one tally is by week, the other without groups; tally both with the "):
        spam_model.tally([0.5], by={"week": ["a"]}) + ours
    with pytest.raises(TypeError):
        ours + 1  # type: ignore[operator]
    with pytest.raises(ValueError, match="^test_scores are several test sets; give one column, and by"):
        spam_model.tally([[0.5], [1.0]])
    awkward = spam_model.tally([0.5], by=[(1, 2)])
    with pytest.raises(
        ValueError, match=r"^by: 'group' has the value \(1, 2\), of a type that a tally file does not know; make text"
    ):
        awkward.to_bytes()
    assert repr(pickle.loads(pickle.dumps(awkward))) == repr(awkward)
    with pytest.raises(
        ValueError, match=r"^by: 'group' has values of several types, such as 'a' and 1; a tally file takes one"
    ):
        spam_model.tally([0.5, 1.0], by=["a", 1]).to_bytes()
    with pytest.raises(ValueError, match=r"^by: a tally file has a column 'tally' of its own; rename that column$"):
        spam_model.tally([0.5], by={"tally": ["a"]}).to_bytes()
    with pytest.raises(TypeError, match="model.tally"):
        tc.Tally()


@pytest.mark.parametrize("content", [b"", b"x", b"{}", b"PAR1"])
def test_a_file_that_is_not_a_tally(spam_model: tc.Model, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.tally"
    path.write_bytes(content)
    reason = "the tally is damaged" if content == b"PAR1" else "is not a tally file"
    with pytest.raises(tc.TallyError, match=f"^content: {reason}"):
        tc.Tally.from_bytes(spam_model, content)
    with pytest.raises(tc.TallyError, match=f"a.tally: {reason}") as caught:
        tc.Tally.read(spam_model, path)
    assert caught.value.fields["path"] == str(path)
    with pytest.raises(FileNotFoundError):
        tc.Tally.read(spam_model, tmp_path / "none.tally")


def test_damaged_tallies(spam_model: tc.Model) -> None:
    content = spam_model.tally([0.5]).to_bytes()
    with pytest.raises(tc.TallyError, match="^content: the file is cut off"):
        tc.Tally.from_bytes(spam_model, content[:-20])
    for index in range(20, len(content) - 20, 97):
        damaged = content[:index] + bytes([content[index] ^ 1]) + content[index + 1 :]
        with pytest.raises(tc.TallyError, match="^content: the tally"):
            tc.Tally.from_bytes(spam_model, damaged)


# Files that Python and the command share


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_the_command_reads_tallies_of_python(
    spam_model: tc.Model, command: Callable[..., str], tmp_path: Path, weighted: bool
) -> None:
    spam_model.save(tmp_path / "model.json")
    scores, weeks = [0.5, 1.5, 0.25, -1.0], ["a", "b", "a", "c"]
    weights = [1.0, 2.0, 0.5, 3.0] if weighted else None
    for index, part in enumerate((slice(0, 2), slice(2, 4))):
        tally = spam_model.tally(scores[part], by={"week": weeks[part]}, weights=weights and weights[part])
        tally.write(tmp_path / f"{index}.tally")
    files = [tmp_path / f"{index}.tally" for index in (0, 1)]
    finish = ("finish", "--model", tmp_path / "model.json", *files, "--target", "sample", "--format", "csv")
    lines = command(*finish).splitlines()
    expected = spam_model.estimate(scores, by={"week": weeks}, weights=weights, target="sample")
    assert isinstance(expected, tc.Estimates)
    rows = [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:]]
    assert [row["week"] for row in rows] == expected.groups["week"].tolist()
    assert [int(row["n"]) for row in rows] == expected.n.tolist()
    np.testing.assert_allclose([float(row["raw"]) for row in rows], expected.raw, rtol=0, atol=1e-14)
    np.testing.assert_allclose([float(row["se"]) for row in rows], expected.se, rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", ["o-cs", "es,sld,dys,cc"])
def test_python_reads_tallies_of_the_command(
    spam: Any, command: Callable[..., str], tmp_path: Path, method: str
) -> None:
    model = tc.Model.fit(spam.train, spam.labels, method=method)
    model.save(tmp_path / "model.json")
    path = tmp_path / "weeks.tally"
    command("tally", "--model", tmp_path / "model.json", "--test", spam.test_path, "--by", "week", "-o", path)
    tally = tc.Tally.read(model, path)
    estimates, expected = tally.estimate_each(), model.estimate(spam.test, by={"week": spam.week})
    assert estimates.groups["week"].tolist() == expected.groups["week"].tolist()
    np.testing.assert_allclose(estimates.raw, expected.raw, rtol=0, atol=1e-14)
    assert estimates.warnings == expected.warnings
    # Python adds a tally, and the command reads the sum.
    both = tally + model.tally(spam.test, by={"week": spam.week})
    both.write(tmp_path / "twice.tally")
    twice = command(
        "finish", "--model", tmp_path / "model.json", tmp_path / "twice.tally", "--format", "csv"
    ).splitlines()
    assert sum(int(line.split(",")[2]) for line in twice[1:]) == 2 * len(spam.test) * len(model.methods)


def test_every_type_of_groups_survives_both_directions(
    spam_model: tc.Model, command: Callable[..., str], tmp_path: Path
) -> None:
    spam_model.save(tmp_path / "model.json")
    by = {name: values[:3] for name, (values, _) in GROUPS.items()}
    by |= {"decimals": [Decimal("1.50"), None, Decimal("-2")], "clocks": [dt.time(3, 4, 5, 6), dt.time(23), None]}
    by |= {"naturals": [2**64 - 1, 0, 7]}
    spam_model.tally([0.5, 1.0, 2.0], by=by).write(tmp_path / "one.tally")
    printed = command(
        "finish", "--model", tmp_path / "model.json", tmp_path / "one.tally", "--sort", "none", "--format", "jsonl"
    )
    first, _, third = [
        json.loads(line)["group"] if "group" in line else json.loads(line) for line in printed.splitlines()
    ]
    assert (first["texts"], first["numbers"], first["flags"], third["floats"]) == ("b", 3, True, "inf")
    assert (first["dates"], first["times"], first["naturals"]) == (
        "2026-01-02",
        "2026-01-02T03:04:05.000006",
        2**64 - 1,
    )
    assert (first["decimals"], first["clocks"]) == ("1.50", "03:04:05.000006")
    again = tc.Tally.read(spam_model, tmp_path / "one.tally")
    twice = again + spam_model.tally([0.5, 1.0, 2.0], by=by)
    assert len(twice) == 3


def test_integers_of_any_width_are_the_same_groups(
    spam_model: tc.Model, command: Callable[..., str], tmp_path: Path
) -> None:
    spam_model.save(tmp_path / "model.json")
    pl.DataFrame({"score": [0.5, 1.0], "site": [7, 8]}, schema_overrides={"site": pl.Int16}).write_parquet(
        tmp_path / "a.parquet"
    )
    command(
        "tally",
        "--model",
        tmp_path / "model.json",
        "--test",
        tmp_path / "a.parquet",
        "--by",
        "site",
        "-o",
        tmp_path / "a.tally",
    )
    spam_model.tally([2.0], by={"site": [8]}).write(tmp_path / "b.tally")
    files = [tmp_path / name for name in ("a.tally", "b.tally")]
    lines = command("finish", "--model", tmp_path / "model.json", *files, "--format", "csv").splitlines()
    assert [line.split(",")[:3] for line in lines[1:]] == [["7", "es", "1"], ["8", "es", "2"]]


def test_tallies_of_different_scores_are_different_files(
    model: tc.Model, command: Callable[..., str], tmp_path: Path
) -> None:
    model.save(tmp_path / "model.json")
    first, second = model.tally([1.0]), model.tally([1.0])
    assert first.to_bytes() == first.to_bytes() == tc.Tally.from_bytes(model, first.to_bytes()).to_bytes()
    first.write(tmp_path / "first.tally")
    second.write(tmp_path / "second.tally")
    files = [tmp_path / name for name in ("first.tally", "second.tally")]
    lines = command("finish", "--model", tmp_path / "model.json", *files, "--format", "csv").splitlines()
    assert {line.split(",")[1] for line in lines[1:]} == {"2"}


def test_labelled_rows_have_weights_and_clusters():
    """Equal weights change nothing; unequal weights change the estimate, clusters the standard error."""
    rng = np.random.default_rng(5)
    labels = np.tile([1, 0], 100)
    scores = np.clip(rng.normal(0.35 + 0.25 * labels, 0.15), 0.0, 1.0)
    weights, clusters = rng.uniform(1.0, 4.0, 200), [f"day {i // 5}" for i in range(200)]
    test = np.clip(rng.normal(0.4, 0.2, 500), 0.0, 1.0)
    plain = tc.Model.fit(scores, labels, method="es,ac")
    same = tc.Model.fit(scores, labels, method="es,ac", train_weights=np.full(200, 3.0))
    assert same.fingerprint == plain.fingerprint
    weighted = tc.Model.fit(scores, labels, method="ac", train_weights=weights, train_clusters=clusters)
    above = scores >= 0.5
    rate = lambda of: np.average(above[labels == of], weights=weights[labels == of])
    expected = ((test >= 0.5).mean() - rate(0)) / (rate(1) - rate(0))
    assert abs(weighted.estimate(test).raw - expected) < 1e-12
    assert weighted.parameters["clusters"] == 40
    with pytest.raises(tc.TruecountError, match="train_weights: weight 3 is -1"):
        tc.Model.fit(scores, labels, train_weights=np.where(np.arange(200) == 3, -1.0, 1.0))
    with pytest.raises(
        tc.TruecountError, match="train_weights, train_clusters and train_strata cannot be used with o-cs"
    ):
        tc.Model.fit(scores, labels, method="o-cs", train_weights=weights)
    with pytest.raises(tc.TruecountError, match="interval='bootstrap' cannot be used with train_clusters"):
        weighted.estimate(test, interval="bootstrap")
    with pytest.raises(tc.TruecountError, match="train_clusters: value 1 is missing"):
        tc.Model.fit(scores, labels, train_clusters=["a", None, *clusters[2:]])


def test_labels_drawn_in_strata_agree_with_the_command(spam: Any, command: Any, tmp_path: Any) -> None:
    rows = np.argsort(spam.train)[::4]
    scores, labels = spam.train[rows], spam.labels[rows]
    strata, weights = [f"h{row // 40}" for row in range(len(rows))], np.repeat([1.0, 2.0], len(rows) // 2)
    table = pd.DataFrame({"score": scores, "label": labels, "h": strata, "w": weights})
    table.to_csv(tmp_path / "train.csv", index=False, float_format="%.17g")
    files = "--train", tmp_path / "train.csv", "--test", spam.test_path
    (row,) = json.loads(command("estimate", *files, "--label-stratum", "h", "--label-weight", "w", "--format", "json"))[
        "estimates"
    ]
    estimate = tc.estimate(scores, labels, spam.test, train_weights=weights, train_strata=strata)
    assert [estimate.raw, estimate.se, *estimate.interval] == [row[name] for name in ("raw", "se", "lower", "upper")]
    assert estimate.se < tc.estimate(scores, labels, spam.test, train_weights=weights).se
    with pytest.raises(tc.TruecountError, match="a single row or cluster"):
        tc.Model.fit(scores, labels, train_strata=[*strata[:-1], "alone"])


def test_a_fitted_model_is_not_fitted_again(spam: Any, spam_model: tc.Model) -> None:
    for name in ("fit", "load"):
        with pytest.raises(AttributeError, match=rf"Model\.{name}\(…\) returns another one"):
            getattr(spam_model, name)
    assert not hasattr(spam_model, "fit")


def test_the_positive_label_is_kept(spam: Any, spam_model: tc.Model, tmp_path: Any) -> None:
    labels = np.where(spam.labels == 1, "spam", "ham")
    model = tc.Model.fit(spam.train, labels, positive="spam")
    estimate = model.estimate(spam.test)
    assert (model.positive, estimate.positive, spam_model.positive) == ("spam", "spam", 1)
    assert "share of spam" in repr(estimate) and "share of" not in repr(spam_model.estimate(spam.test))
    table = pickle.loads(pickle.dumps(model)).estimate(spam.test, by={"week": spam.week})
    assert table.positive == "spam" and table[3].positive == "spam"
    model.save(tmp_path / "model")
    assert tc.Model.load(tmp_path / "model").estimate(spam.test) == estimate
    assert len({estimate, model.estimate(spam.test), spam_model.estimate(spam.test)}) == 2
    assert (estimate.lower, estimate.upper) == estimate.interval
