"""Totals, finite populations, and differences between groups, samples, methods and models."""

from __future__ import annotations

import csv
import json
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import truecount as tc

NUMBERS = (
    "prevalence", "prevalence_reference", "difference", "se", "lower", "upper", "ratio", "ratio_lower", "ratio_upper",
    "p_value", "p_value_holm", "correlation", "se_widened", "level",
)  # fmt: skip


def assert_same(actual: tc.Differences, printed: str) -> None:
    """Asserts the rows of the command's JSON."""
    rows = [{**row.pop("group", {}), **row} for row in json.loads(printed)["differences"]]
    columns = actual.to_dict()
    assert len(rows) == len(actual)
    for name in rows[0]:
        expected = [row[name] for row in rows]
        if name not in NUMBERS:
            assert columns[name].tolist() == expected, name
            continue
        # JSON has null for NaN and a text for infinity.
        numbers = [np.nan if value is None else np.inf if isinstance(value, str) else value for value in expected]
        np.testing.assert_allclose(columns[name], numbers, rtol=1e-9, atol=1e-13, err_msg=name)


def size_of(week: str) -> int:
    return 5000 + 17 * int(week[-2:]) ** 2


@pytest.fixture(scope="module")
def sizes(spam: Any) -> dict[str, int]:
    return {week: size_of(week) for week in spam.week}


@pytest.fixture(scope="module")
def table_of_sizes(sizes: dict[str, int], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sizes") / "sizes.csv"
    path.write_text("week,size\n" + "".join(f"{week},{size}\n" for week, size in sizes.items()))
    return path


@pytest.fixture(scope="module")
def by_week(spam: Any, spam_model: tc.Model) -> tc.Estimates:
    return spam_model.estimate(spam.test, by={"week": spam.week})


@pytest.mark.parametrize("method", ["es", "es,ac,pacc"])
@pytest.mark.parametrize("against", ["previous", "total", "rest", "all", "2026-W05"])
def test_differences_agree_with_the_command(spam: Any, command: Callable[..., str], against: str, method: str) -> None:
    files = ("--train", spam.train_path, "--test", spam.test_path, "--by", "week")
    printed = command("compare", *files, "--reference", against, "--method", method, "--format", "json")
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by={"week": spam.week}, method=method)
    differences = estimates.compare(against)
    assert_same(differences, printed)
    np.testing.assert_array_equal(differences.interval, np.column_stack((differences.lower, differences.upper)))


def test_suppressed_shares_are_missing(spam: Any, spam_model: tc.Model, command: Callable[..., str]) -> None:
    estimates = spam_model.estimate(spam.test, by={"week": spam.week}, total=True, publish="cv=0.05,0.12")
    files = ("--train", spam.train_path, "--test", spam.test_path)
    printed = command("estimate", *files, "--by", "week", "--publish", "cv=0.05,0.12", "--format", "json")
    rows = json.loads(printed)["estimates"]
    assert estimates.publish is not None and estimates.publish.tolist() == [row["publish"] for row in rows]
    frame = estimates.to_pandas()
    for name in ("prevalence", "lower", "positives", "misfit"):
        np.testing.assert_allclose(frame[name], [np.nan if row[name] is None else row[name] for row in rows])
    assert "publish: by coefficient of variation." in repr(estimates) and frame.prevalence.isna().sum() == 4
    assert np.isnan(estimates["2026-W04"].prevalence) and "nan" in str(estimates["2026-W04"])
    with pytest.raises(tc.TruecountError, match="publish cannot be used with a comparison"):
        estimates.compare("previous")
    with pytest.raises(tc.TruecountError, match="by and estimate_each"):
        spam_model.estimate(spam.test, publish="nchs")
    with pytest.raises(tc.TruecountError, match="'ons' is not a rule"):
        spam_model.tally(spam.test).estimate_each(publish="ons")


@pytest.mark.parametrize("against", ["total", "rest", "previous"])
def test_differences_with_weights_and_populations_agree_with_the_command(
    spam: Any, command: Callable[..., str], sizes: dict[str, int], table_of_sizes: Path, against: str
) -> None:
    files = ("--train", spam.train_path, "--test", spam.test_path, "--by", "week")
    arguments = ("--standardise", table_of_sizes, "--population", table_of_sizes)
    printed = command("compare", *files, *arguments, "--reference", against, "--format", "json")
    estimates = tc.estimate(
        spam.train, spam.labels, spam.test, by={"week": spam.week}, standardise=sizes, population=sizes
    )
    assert_same(estimates.compare(against), printed)


@pytest.mark.parametrize("kind", ["total", "standardise", "population", "both", "bootstrap"])
def test_totals_agree_with_the_command(
    spam: Any, command: Callable[..., str], sizes: dict[str, int], table_of_sizes: Path, kind: str
) -> None:
    options: dict[str, Any] = {
        "total": {"total": True},
        "standardise": {"standardise": sizes},
        "population": {"total": True, "population": sizes},
        "both": {"standardise": sizes, "population": sizes},
        "bootstrap": {"total": True, "interval": "bootstrap", "resamples": 100},
    }[kind]
    arguments: list[Any] = []
    for name, value in options.items():
        arguments += [
            f"--{name.replace('_', '-')}",
            *([] if value is True else [table_of_sizes if value is sizes else value]),
        ]
    files = ("--train", spam.train_path, "--test", spam.test_path, "--by", "week", "--format", "json")
    printed = json.loads(command("estimate", *files, *arguments))
    rows, (last,) = printed["estimates"], printed.get("standardised", printed.get("total"))
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by={"week": spam.week}, **options)
    total = estimates.total
    assert isinstance(total, tc.Estimate)
    assert total.n == last["n"] == len(spam.test)
    ends = (total.prevalence, total.raw, total.se, *total.interval)
    np.testing.assert_allclose(ends, [last[name] for name in ("prevalence", "raw", "se", "lower", "upper")], rtol=1e-9)
    for name in ("prevalence", "se", "lower", "upper"):
        np.testing.assert_allclose(estimates[name], [row[name] for row in rows], rtol=1e-9)


def test_the_population_of_one_sample(spam: Any, command: Callable[..., str], spam_model: tc.Model) -> None:
    files = ("--train", spam.train_path, "--test", spam.test_path, "--format", "json")
    for options in (["--interval", "bootstrap", "--resamples", "100"], []):
        (row,) = json.loads(command("estimate", *files, "--population", "20000", *options))["estimates"]
        resampled: dict[str, Any] = {"interval": "bootstrap", "resamples": 100} if options else {}
        estimate = spam_model.estimate(spam.test, population=20_000, **resampled)
        assert isinstance(estimate, tc.Estimate)
        assert estimate.se == pytest.approx(row["se"], rel=1e-9)
    whole = spam_model.estimate(spam.test, population=len(spam.test))
    sample, population = spam_model.estimate(spam.test), spam_model.estimate(spam.test, target="population")
    assert isinstance(whole, tc.Estimate) and isinstance(sample, tc.Estimate) and isinstance(population, tc.Estimate)
    assert whole.se == pytest.approx(sample.se, rel=1e-12) and whole.se < estimate.se < population.se


def write_csv(path: Path, **columns: Any) -> Path:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *zip(*columns.values())])
    return path


def test_samples_agree_with_the_command(spam: Any, command: Callable[..., str], tmp_path: Path) -> None:
    week = np.array(spam.week)
    last, month = week > "2026-W12", np.array([str(int(name[-2:]) % 4) for name in spam.week])
    parts = [{"score": spam.test[rows], "month": month[rows]} for rows in (last, ~last & (month != "3"))]
    paths = [write_csv(tmp_path / f"{number}.csv", **part) for number, part in enumerate(parts)]
    files = (
        "--train",
        spam.train_path,
        "--test",
        paths[0],
        "--other-test",
        paths[1],
        "--method",
        "es,ac",
        "--format",
        "json",
    )
    model = tc.Model.fit(spam.train, spam.labels, method="es,ac")
    one = json.loads(command("compare", *files))
    grouped = json.loads(command("compare", *files, "--by", "month"))
    with warnings.catch_warnings(record=True) as message:
        warnings.simplefilter("always")
        result = model.compare(parts[0]["score"], parts[1]["score"])
        by_month = model.compare(
            *(part["score"] for part in parts), by={"month": parts[0]["month"]}, other_by={"month": parts[1]["month"]}
        )
    assert "left out, only in test_scores: '3'" in [str(warning.message) for warning in message]
    assert all(Path(str(warning.filename)) == Path(__file__) for warning in message)
    for printed, differences in ((one, result), (grouped, by_month)):
        for row in printed["differences"]:
            assert row["reference"] != "other"
            row["reference"] = "other"
            if "month" in row["group"]:
                row["group"]["month"] = str(row["group"]["month"])
        assert_same(differences, json.dumps(printed))


def test_methods_agree_with_the_command(spam: Any, command: Callable[..., str]) -> None:
    files = ("--train", spam.train_path, "--test", spam.test_path, "--method", "es,ac,pacc", "--format", "json")
    model = tc.Model.fit(spam.train, spam.labels, method="es,ac,pacc")
    with pytest.warns(tc.PrevalenceWarning, match="test_scores: .* do not fit any mix"):
        assert_same(model.compare(spam.test), command("compare", *files))


def test_misfit_of_a_group_widens_its_differences(spam: Any, spam_model: tc.Model, by_week: tc.Estimates) -> None:
    """Only the scores of the fourth week are not a mixture."""
    for against in ("previous", "total"):
        wide, narrow, unchecked = (
            spam_model.estimate(spam.test, by={"week": spam.week}, **options).compare(against)  # type: ignore[call-overload]
            for options in ({}, {"misfit": "warn"}, {"check": False})
        )
        assert narrow.interval.tolist() == unchecked.interval.tolist()
        wider = np.diff(wide.interval)[:, 0] - np.diff(narrow.interval)[:, 0]
        assert by_week.widening is not None
        suspect = by_week.widening > 0
        concerned = suspect[1:] | suspect[:-1] if against == "previous" else suspect
        assert concerned.sum() == (2 if against == "previous" else 1)
        if against == "previous":
            assert (wider[~concerned] == 0).all()
        assert (wider[concerned] > 0.01).all()
        assert wide.difference.tolist() == narrow.difference.tolist()


@pytest.mark.parametrize("misfit", ["widen", "warn"])
def test_differences_with_misfit_agree_with_the_command(
    spam: Any, command: Callable[..., str], tmp_path: Path, misfit: str
) -> None:
    files: list[Any] = ["--train", spam.train_path, "--test", spam.test_path, "--misfit", misfit, "--format", "json"]
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by={"week": spam.week}, misfit=misfit)
    assert_same(estimates.compare("total"), command("compare", *files, "--by", "week", "--reference", "total"))
    model = tc.Model.fit(spam.train, spam.labels)
    other = write_csv(tmp_path / "other.csv", score=spam.test[:5000])
    row = json.loads(command("compare", *files, "--other-test", other))
    row["differences"][0]["reference"] = "other"
    with pytest.warns(tc.PrevalenceWarning) as message:
        assert_same(model.compare(spam.test, spam.test[:5000], misfit=misfit), json.dumps(row))
    start, misfit_sentence = {
        "widen": ("the interval allows for errors ", "the new scores do not fit any mix of the labelled classes"),
        "warn": ("do not rely on this estimate: ", "the new scores do not fit any mix of the labelled classes"),
    }[misfit]
    for side, warning in zip(("test_scores", "other_scores"), message, strict=True):
        assert str(warning.message).startswith(f"{side}: {start}")
        assert misfit_sentence in str(warning.message)


@pytest.mark.parametrize("labelled", ["paired", "independent"])
def test_classifiers_agree_with_the_command(
    spam: Any, command: Callable[..., str], tmp_path: Path, labelled: str
) -> None:
    rng = np.random.default_rng(7)
    train, test = (scores + rng.normal(0, 1.5, len(scores)) for scores in (spam.train, spam.test))
    labelled_path = write_csv(tmp_path / "train.csv", score=spam.train, label=spam.labels, new=train)
    test_path = write_csv(tmp_path / "test.csv", score=spam.test, new=test)
    files: list[Any] = ["--train", labelled_path, "--test", test_path, "--other-score", "new", "--format", "json"]
    files += ["--other-train", labelled_path] if labelled == "independent" else []
    models = [tc.Model.fit(scores, spam.labels) for scores in (spam.train, train)]
    with pytest.warns(tc.PrevalenceWarning):
        differences = models[0].compare(spam.test, test, other=models[1], labelled=labelled, items="same")
    printed = json.loads(command("compare", *files))
    (row,) = printed["differences"]
    assert row["reference"] == "new"
    row["reference"] = "other"
    assert_same(differences, json.dumps(printed))


@pytest.mark.filterwarnings("ignore::truecount.PrevalenceWarning")
def test_shared_items_reduce_the_standard_error_of_differences(spam: Any, spam_model: tc.Model) -> None:
    half = spam.test[:2000]
    other = tc.Model.fit(spam.train + 0.0, spam.labels)
    same = spam_model.compare(half, other=other, labelled="paired")
    assert same.difference[0] == 0 and same.se[0] < 1e-9
    independent = spam_model.compare(half, half, other=other, labelled="independent", items="different")
    one = spam_model.estimate(half)
    assert isinstance(one, tc.Estimate)
    assert independent.se[0] == pytest.approx(np.sqrt(2) * one.se, rel=1e-9)
    assert independent["correlation"][0] == 0


def test_columns_of_differences(by_week: tc.Estimates) -> None:
    differences = by_week.compare("previous")
    *numbers, level = NUMBERS
    assert differences.columns == ["week", "reference", "method", *numbers, "unreliable", level, "target"]
    np.testing.assert_allclose(differences.difference, np.diff(by_week.prevalence), atol=1e-15)
    assert differences["reference"].tolist() == by_week["week"][:-1].tolist()
    np.testing.assert_array_equal(differences.interval, np.column_stack((differences["lower"], differences["upper"])))
    frame, polars = differences.to_pandas(), differences.to_polars()
    assert list(frame.columns) == polars.columns == differences.columns
    assert frame.difference.tolist() == polars["difference"].to_list() == differences.difference.tolist()
    assert next(iter(differences))["week"] == "2026-W02"
    assert (
        differences.level == 0.95
        and len(differences.ratio) == len(differences.p_value) == len(differences.p_value_holm) == 23
    )


def test_a_ratio_to_zero_is_none() -> None:
    train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    differences = tc.estimate(train, labels, [-2.0] * 4 + [2.0] * 4, by=["a"] * 4 + ["b"] * 4, check=False).compare(
        "previous"
    )
    assert np.isnan(differences.ratio[0]) and differences["ratio_upper"][0] == np.inf
    assert differences.to_polars()["ratio"].to_list() == [None]
    assert "–" in repr(differences) and "∞" in repr(differences)


def test_repr_and_html(by_week: tc.Estimates, spam: Any, spam_model: tc.Model) -> None:
    few = np.array([week <= "2026-W03" for week in spam.week])
    week = [name for name in spam.week if name <= "2026-W03"]
    estimates = spam_model.estimate(spam.test[few], by={"week": week}, total=True)
    assert (
        repr(estimates)
        == """\
week          n   prevalence       se     95 % interval
──────────────────────────────────────────────────────────
2026-W01    814       0.3543   0.0112   0.3324 – 0.3765
2026-W02    644       0.6793   0.0123   0.6549 – 0.7036
2026-W03    300       0.8530   0.0144   0.8241 – 0.8814
total      1758       0.5600   0.0093   0.5418 – 0.5786

method: es
share: for these 1758 rows
uncertainty: sampling of the new and the labelled rows"""
    )
    assert "total" in estimates._repr_html_() and len(estimates) == 3 and "total" not in estimates["week"]
    assert (
        repr(estimates.compare("previous"))
        == """\
week      reference  difference      95 % interval  ratio     interval  p (Holm)
────────────────────────────────────────────────────────────────────────────────
2026-W02  2026-W01      +0.3250  +0.2963 – +0.3529   1.92  1.80 – 2.04     <1e-6
2026-W03  2026-W02      +0.1737  +0.1391 – +0.2068   1.26  1.20 – 1.31     <1e-6

method: es
2026-W03: 17.4 points more than 2026-W02 (13.9 to 20.7)
these differences are between the rows themselves; to ask whether the share has
  changed in the population that they were sampled from, choose the target
  population, which has wider intervals"""
    )


def test_groups_are_compared_within_levels(spam: Any, spam_model: tc.Model) -> None:
    week = np.array([int(name[-2:]) for name in spam.week])
    by = {"quarter": (week - 1) // 12, "third": (week - 1) // 4 % 3}
    estimates = spam_model.estimate(spam.test, by=by, sort=False)
    previous = estimates.compare("previous").to_pandas()
    assert list(zip(previous.quarter, previous.third, previous.reference)) == [
        (0, 1, 0),
        (0, 2, 1),
        (1, 1, 0),
        (1, 2, 1),
    ]
    first = by["quarter"] == 0
    alone = spam_model.estimate(spam.test[first], by={"third": by["third"][first]}).compare("total")
    in_levels = estimates.compare("total").to_pandas()
    np.testing.assert_allclose(in_levels.difference[:3], alone.difference, rtol=1e-12)
    np.testing.assert_allclose(in_levels.se[:3], alone.se, rtol=1e-12)
    only = (by["quarter"] == 0) | (by["third"] < 2)
    places = spam_model.estimate(spam.test[only], by={name: column[only] for name, column in by.items()}).compare(2)
    assert places["quarter"].tolist() == [0, 0] and places["third"].tolist() == [0, 1]


def test_sizes_of_every_form(spam: Any, spam_model: tc.Model, sizes: dict[str, int]) -> None:
    column = [size_of(week) for week in spam.week]
    expected = spam_model.estimate(spam.test, by={"week": spam.week}, standardise=sizes).total
    assert isinstance(expected, tc.Estimate)
    rows = pd.Series(column, index=range(100, 100 + len(column)))
    kinds: dict[str, tuple[Any, Any]] = {
        "Series by group": (spam.test, pd.Series(sizes)),
        "list": (spam.test, column),
        "Series by row": (pd.Series(spam.test, index=rows.index), rows),
        "polars": (pl.Series(spam.test), pl.Series(column)),
        "floats": (spam.test, {week: 2.5 * size for week, size in sizes.items()}),
    }
    for kind, (scores, arguments) in kinds.items():
        estimates = spam_model.estimate(scores, by={"week": spam.week}, standardise=arguments).total
        assert isinstance(estimates, tc.Estimate) and estimates.raw == pytest.approx(expected.raw, rel=1e-13), kind
    days = pd.to_datetime(["2026-01-01", "2026-01-02"] * 50)
    scores, pairs = spam.test[:100], pd.MultiIndex.from_product([days[:2], ["a", None]])
    of_pairs = pd.Series([1.0, 2.0, 3.0, 4.0], index=pairs)
    by = pd.DataFrame({"day": days, "who": ["a", "a", None, None] * 25})
    mapped = {(day, who): size for (day, who), size in zip(pairs.to_list(), of_pairs)}
    one, two = (spam_model.estimate(scores, by=by, standardise=arguments).total for arguments in (of_pairs, mapped))
    assert isinstance(one, tc.Estimate) and one == two


def test_totals_of_several_methods(spam: Any) -> None:
    model = tc.Model.fit(spam.train, spam.labels, method="es,ac")
    estimates = model.estimate(spam.test, by={"week": spam.week}, total=True)
    whole = model.estimate_each(spam.test)
    totals = estimates.totals
    assert totals is not None and totals.method.tolist() == ["es", "ac"] and totals.groups == {}
    np.testing.assert_allclose(totals.raw, whole.raw, rtol=1e-12)
    with pytest.raises(tc.OptionError, match=r"take \.totals"):
        _ = estimates.total
    assert [line.split()[:2] for line in repr(estimates).splitlines() if line.startswith("total")] == [
        ["total", "es"],
        ["total", "ac"],
    ]
    assert model.estimate(spam.test, by={"week": spam.week}).total is None


def test_tallies_can_be_compared(by_week: tc.Estimates, spam: Any, spam_model: tc.Model) -> None:
    tallied = spam_model.tally(spam.test, by={"week": spam.week}).estimate_each()
    assert isinstance(tallied, tc.Estimates)
    np.testing.assert_allclose(tallied.compare("total").se, by_week.compare("total").se, rtol=1e-12)


def test_pickles_have_no_scores(by_week: tc.Estimates) -> None:
    again = pickle.loads(pickle.dumps(by_week))
    assert again.to_pandas().equals(by_week.to_pandas())
    assert len(pickle.dumps(again)) < 20_000
    with pytest.raises(tc.OptionError, match="before the table is pickled"):
        again.compare("total")


def test_ten_thousand_groups(spam: Any, spam_model: tc.Model) -> None:
    rng = np.random.default_rng(3)
    groups = np.arange(200_000) % 10_000
    estimates = spam_model.estimate(
        rng.choice(spam.test, 200_000), by={"group": groups}, standardise=dict.fromkeys(range(10_000), 3)
    )
    for against in ("previous", "total", "rest", 17):
        differences = estimates.compare(against)
        assert len(differences) == (10_000 if against in ("total", "rest") else 9_999)
    total = estimates.total
    assert isinstance(total, tc.Estimate)
    assert total.raw == pytest.approx(estimates.raw.mean(), rel=1e-12)


WEEKS = ["a", "a", "b", "b"]
REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a number": (
        {"standardise": 3},
        "option-invalid",
        "standardise is 3; groups have a size each: give a dict or Series by group, or a column",
    ),
    "no size": ({"standardise": {"a": 3}}, "size-missing", "standardise has no size of the group 'b'; add it"),
    "another group": (
        {"population": {"a": 3, "b": 4, "c": 5}},
        "size-unused",
        "population has a size of 'c', a group without scores; leave it out if the whole is to be without it",
    ),
    "nothing": (
        {"standardise": {"a": 3, "b": 0}},
        "option-invalid",
        "standardise is 0; the size of a group, as of 'b', is a number above 0",
    ),
    "NaN": (
        {"standardise": {"a": 3, "b": float("nan")}},
        "option-invalid",
        "standardise is nan; the size of a group, as of 'b', is a number above 0",
    ),
    "text": (
        {"population": {"a": 3, "b": "many"}},
        "option-invalid",
        "population is 'many'; the size of a group, as of 'b', is a number above 0",
    ),
    "two sizes": (
        {"population": [9, 9, 9, 8]},
        "sizes-differ",
        "population has both 9 and 8 in the group 'b'; a group has one size",
    ),
    "twice": (
        {"population": pd.Series([9, 9, 8], index=["a", "b", "b"])},
        "sizes-differ",
        "population has two sizes of the group 'b'; a group has one size",
    ),
    "another length": (
        {"population": [9, 9, 9]},
        "length-mismatch",
        "population has 3 values but there are 4 test scores; give one for each score, or a dict or Series by group",
    ),
    "a small population": (
        {"population": {"a": 3, "b": 1}},
        "small-population",
        "group 'b': the population of 1 is smaller than the sample of 2 scores; "
        "give the size of the whole population as a number, not a share",
    ),
    "the bootstrap": (
        {"standardise": {"a": 3, "b": 1}, "interval": "bootstrap"},
        "option-conflict",
        "standardise cannot be used with interval='bootstrap', as it has formulas of its own; leave out "
        "interval='bootstrap'",
    ),
    "no groups": ({"by": None, "total": True}, "option-conflict", "total combines groups; give their column as by"),
    "sizes of no groups": (
        {"by": None, "population": {"a": 3}},
        "option-invalid",
        "population is {'a': 3}; it must be a whole number",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_totals_with_wrong_arguments_are_errors(spam_model: tc.Model, case: str) -> None:
    options, code, message = REFUSED[case]
    with pytest.raises(tc.TruecountError) as caught:
        spam_model.estimate([1.0, 2.0, -1.0, 0.5], **{"by": WEEKS, **options})
    assert (caught.value.code, str(caught.value)) == (code, message)


def test_wrong_comparisons_are_errors(spam_model: tc.Model, spam: Any) -> None:
    scores = [1.0, 2.0, -1.0, 0.5]
    estimates = spam_model.estimate(scores, by={"week": WEEKS})
    with pytest.raises(tc.OptionError) as caught:
        estimates.compare("c")
    assert caught.value.code == "group-unknown" and caught.value.fields == {"column": "week", "value": "c"}
    assert (
        str(caught.value)
        == "reference is 'c': no group has week = 'c'; it must be such a value, or one of previous, total, rest, all"
    )
    with pytest.raises(tc.OptionError, match="there is only one group; a comparison needs at least two groups"):
        spam_model.estimate(scores, by=["a"] * 4).compare("previous")
    with pytest.raises(tc.OptionError, match="leave out interval"):
        spam_model.estimate(scores, by=WEEKS, interval="bootstrap", resamples=99).compare("previous")
    with pytest.raises(tc.OptionError, match="estimate with by"):
        tc.Model.fit(spam.train, spam.labels, method="es,ac").estimate_each(scores).compare("previous")
    with pytest.raises(tc.OptionError) as none:
        tc.estimate(spam.train, spam.labels, scores, by=WEEKS, method="sld").compare("previous")
    assert none.value.code == "no-covariance"


def test_wrong_references_are_errors(spam_model: tc.Model, spam: Any) -> None:
    scores, other = [1.0, 2.0, -1.0, 0.5], tc.Model.fit(spam.train[1:], spam.labels[1:])

    def compare_error(*arguments: Any, **options: Any) -> tuple[str, str]:
        with pytest.raises(tc.TruecountError) as error, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spam_model.compare(*arguments, **options)
        return error.value.code, str(error.value)

    assert compare_error(scores) == (
        "option-invalid",
        "there is nothing to compare with: give other_scores or another model, or fit several methods",
    )
    assert compare_error(scores, other=other)[1].startswith(
        "say whether both models have learnt from the same labelled items"
    )
    assert compare_error(scores, scores, other=other, labelled="independent")[1].startswith(
        "say whether other_scores are of the same items"
    )
    assert compare_error(scores, scores, labelled="independent") == (
        "option-conflict",
        "labelled is for another model: give other, or leave it out",
    )
    assert (
        compare_error(scores, other=other, labelled="both")[1]
        == "labelled is 'both'; it must be one of paired, independent"
    )
    assert compare_error(scores, other=other, labelled="paired")[0] == "not-paired"
    assert compare_error(scores, scores[1:], other=other, labelled="independent", items="same") == (
        "length-mismatch",
        "there are 4 test_scores but 3 other_scores, which are said to be of the same items",
    )
    assert compare_error(scores, scores, by=WEEKS) == (
        "option-conflict",
        "by and other_by: give the groups of both, or of none",
    )
    assert (
        compare_error(scores, scores, by=WEEKS, other_by=list("cdcd"))[1] == "by and other_by have no group in common"
    )
    assert compare_error(scores, [1.0, float("nan")])[1].startswith("other_scores: ")
    assert compare_error(scores, scores, interval="bootstrap")[0] == "option-conflict"
    assert (
        compare_error(scores, other=tc.Model.fit(spam.train, spam.labels, method="ac"), labelled="paired")[0]
        == "method-missing"
    )
