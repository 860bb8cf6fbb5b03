"""Estimates, compared with the command, and their tables."""

from __future__ import annotations

import copy
import csv
import datetime as dt
import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import truecount as tc

NUMBERS = ("prevalence", "raw", "se", "lower", "upper")
POSITIVES = ("positives", "positives_lower", "positives_upper")
MISFIT = ("misfit", "unexplained", "widening")


def warning_parts(warning: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Returns code, severity and fields of a warning in JSON, which has null for infinity."""
    fields = {name: value for name, value in warning.items() if name not in ("code", "severity", "message")}
    ends = {"from": -np.inf, "to": np.inf}
    return (
        warning["code"],
        warning["severity"],
        {name: ends[name] if value is None else value for name, value in fields.items()},
    )


def test_an_estimate_as_a_dict_has_the_columns_of_the_table(spam: Any, spam_model: tc.Model) -> None:
    estimates = spam_model.estimate(spam.test, by={"week": spam.week})
    columns = estimates.to_dict()
    for row, estimate in enumerate(estimates):
        values = estimate.to_dict()
        assert list(values)[:3] == ["week", "method", "n"]
        assert {"n_eff", "population_size"} == set(values) - set(columns)
        assert {name: values[name] for name in columns} == {name: column[row] for name, column in columns.items()}
    assert tc.counts(35, 800, 0.9, 0.97).to_dict()["severity"] is None


def test_a_slice_is_a_table_of_rows(spam: Any, spam_model: tc.Model) -> None:
    estimates = spam_model.estimate(spam.test, by={"week": spam.week}, total=True)
    part = estimates[1:4]
    assert list(part) == list(estimates)[1:4] and part.total is None
    assert f"share: for these {part.n.sum()} rows" in str(part)
    assert [row.group for row in estimates[::-2]] == [{"week": week} for week in estimates["week"][::-2]]
    with pytest.raises(tc.OptionError):
        part.compare("previous")
    several = tc.Model.fit(spam.train, spam.labels, method="es,ac").estimate_each([spam.test])
    assert several[1:].method.tolist() == ["ac"]
    assert len(several[5:]) == 0


ADVICE = {
    "few-values": (
        " (rates='labels', or a method such as es, ac or pacc)",
        " (--rates labels, or a method such as es, ac or pacc)",
    ),
    "prior-shift-rejected": ("; see truecount.check", "; see `truecount check`"),
    "misfit-widened": ("; see truecount.check", "; see `truecount check`"),
}
"""The remedies that the package and the command add to a message."""


def without_advice(text: str, code: str) -> str:
    for advice in ADVICE.get(code, ()):
        text = text.removesuffix(advice)
    return text


def assert_same(actual: tc.Estimates, printed: str) -> None:
    """Asserts the numbers and warnings of the command's JSON."""
    rows = json.loads(printed)["estimates"]
    assert [row["method"] for row in rows] == actual.method.tolist()
    assert [row["n"] for row in rows] == actual.n.tolist()
    assert [list(row["group"].values()) for row in rows] == [list(row.group.values()) for row in actual]
    columns = actual.to_dict()
    for name in (*NUMBERS, *(POSITIVES if "positives" in columns else ())):
        expected = [np.nan if row[name] is None else row[name] for row in rows]
        np.testing.assert_allclose(columns[name], expected, rtol=0, atol=1e-12)
    for name in MISFIT:
        assert columns[name].tolist() == [row[name] for row in rows], name
    assert [[*map(warning_parts, row["warnings"])] for row in rows] == [
        [(warning.code, warning.severity, warning.fields) for warning in warnings] for warnings in actual.warnings
    ]
    messages = [[without_advice(warning["message"], warning["code"]) for warning in row["warnings"]] for row in rows]
    assert messages == [[without_advice(warning, warning.code) for warning in warnings] for warnings in actual.warnings]


OPTIONS: dict[str, dict[str, Any]] = {
    "all methods": {"method": "all"},
    "all methods, kernel, rank": {"method": "all", "family": "kernel", "transform": "rank"},
    "skew-normal, sample": {"method": "o-cs,es,t-cs", "family": "skew-normal", "rates": "labels"},
    "rates of the labelled scores": {"method": "o-cs", "rates": "labels"},
    "automatic family, model": {"method": "es", "family": "auto", "rates": "family"},
    "threshold": {"threshold": 0.3, "family": "logistic"},
    "cutoff": {"method": "cc,ac", "cutoff": 0.5},
    "population, wald, 90 %": {"method": "o-cs,sld", "target": "population", "interval": "wald", "level": 0.9},
    "bootstrap": {"method": "o-cs,t-ms,dys", "interval": "bootstrap", "resamples": 100, "seed": 7},
    "no allowance for misfit": {"method": "es,o-cs,t-ms", "misfit": "warn"},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_estimates_agree_with_the_command(spam: Any, command: Callable[..., str], options: dict[str, Any]) -> None:
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    files = ("--train", spam.train_path, "--test", spam.test_path, "--by", "week")
    printed = command("estimate", *files, "--format", "json", *arguments)
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by={"week": spam.week}, **options)
    assert isinstance(estimates, tc.Estimates)
    assert_same(estimates, printed)


def test_probabilities_and_weights_agree_with_the_command(
    spam: Any, command: Callable[..., str], tmp_path: Path
) -> None:
    probability = 1 / (1 + np.exp(-spam.train)), 1 / (1 + np.exp(-spam.test))
    weight = np.random.default_rng(1).uniform(0.5, 2, len(spam.test))
    train, test = tmp_path / "train.parquet", tmp_path / "test.parquet"
    pl.DataFrame({"score": spam.train, "label": spam.labels, "p": probability[0]}).write_parquet(train)
    pl.DataFrame({"score": spam.test, "week": spam.week, "p": probability[1], "w": weight}).write_parquet(test)
    files = ("--train", train, "--test", test, "--by", "week", "--prob", "p", "--format", "json")
    methods = "pcc,pacc,sld,dys,hdy,kdey-ml"
    estimates = tc.estimate(
        spam.train,
        spam.labels,
        spam.test,
        by={"week": spam.week},
        method=methods,
        train_probabilities=probability[0],
        test_probabilities=probability[1],
    )
    assert_same(estimates, command("estimate", *files, "--method", methods))
    weighted = tc.estimate(
        spam.train,
        spam.labels,
        spam.test,
        by={"week": spam.week},
        method="o-cs,pacc,ac",
        train_probabilities=probability[0],
        test_probabilities=probability[1],
        weights=weight,
    )
    assert_same(weighted, command("estimate", *files, "--method", "o-cs,pacc,ac", "--weight", "w"))


def test_misfit_agrees_with_the_command(spam: Any, spam_model: tc.Model, command: Callable[..., str]) -> None:
    for misfit in ("widen", "warn"):
        files = ("--train", spam.train_path, "--test", spam.test_path, "--format", "json")
        (row,) = json.loads(command("estimate", *files, "--misfit", misfit))["estimates"]
        for result in (
            spam_model.estimate(spam.test, misfit=misfit),
            spam_model.tally(spam.test).estimate(misfit=misfit),
        ):
            assert isinstance(result, tc.Estimate)
            assert (result.misfit, result.unexplained, result.widening, result.se_widened) == (
                row["misfit"],
                row["unexplained"],
                row["widening"],
                row["se_widened"],
            )
            np.testing.assert_allclose(result.interval, (row["lower"], row["upper"]), rtol=0, atol=1e-12)
            assert [*map(warning_parts, row["warnings"])] == [
                (one.code, one.severity, one.fields) for one in result.warnings
            ]


def test_warnings_of_the_check_agree_with_the_command(spam: Any, command: Callable[..., str]) -> None:
    files = ("--train", spam.train_path, "--test", spam.test_path, "--by", "week")
    printed = command("check", *files, "--format", "csv", "--family", "normal")
    expected = [row for row in csv.DictReader(io.StringIO(printed)) if row["table"] == "shift"]
    check = tc.check(spam.train, spam.labels, spam.test, by={"week": spam.week})
    columns = check.to_dict()
    assert [row["week"] for row in expected] == columns["week"].tolist()
    assert [row["verdict"] for row in expected] == check.verdict
    # An infinite end is an empty cell.
    ends = {"from": -np.inf, "to": np.inf}
    for name in ("n", "statistic", "p_value", "p_value_holm", "unexplained", "prevalence", "share", "se", *ends):
        np.testing.assert_allclose(columns[name], [float(row[name] or ends[name]) for row in expected], rtol=1e-12)


def test_the_mean_influence_is_the_estimate(spam: Any, spam_model: tc.Model) -> None:
    estimate = spam_model.estimate(spam.test)
    assert isinstance(estimate, tc.Estimate)
    np.testing.assert_allclose(spam_model.influence(spam.test).mean(), estimate.raw, rtol=1e-12)


# A single estimate


@pytest.fixture
def one(spam: Any, spam_model: tc.Model) -> tc.Estimate:
    estimate = spam_model.estimate(spam.test[:500])
    assert isinstance(estimate, tc.Estimate)
    return estimate


def test_one_estimate(one: tc.Estimate) -> None:
    assert float(one) == one.prevalence
    assert f"{one:.3f}" == f"{one.prevalence:.3f}"
    assert f"{one}" == str(one)
    assert one.n_eff is None
    assert one.group == {}
    low, high = one.interval
    assert repr(one).splitlines()[0] == (
        f"Estimate: {one.prevalence:.4f} ± {one.se_widened:.4f}, 95 % interval {low:.4f} – {high:.4f}, es, n = 500"
    )
    with pytest.raises(AttributeError):
        one.raw = 0.5  # type: ignore[misc]
    for same in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert same == one


@pytest.mark.parametrize(("level", "shown"), [(0.9999999, "99.99999"), (0.95, "95"), (0.07, "7"), (0.975, "97.5")])
def test_levels_are_shown_with_all_digits(spam_model: tc.Model, level: float, shown: str) -> None:
    assert f" {shown} % interval" in repr(spam_model.estimate([0.5, 1.0], level=level))
    assert f" {shown} % interval" in repr(spam_model.estimate_each([[0.5], [1.0]], level=level))


def test_one_estimate_without_a_formula(spam: Any) -> None:
    estimate = tc.estimate(spam.train, spam.labels, spam.test[:100], method="t-ms")
    assert isinstance(estimate, tc.Estimate)
    assert np.isnan([estimate.se, *estimate.interval]).all()
    assert estimate == copy.copy(estimate)
    assert "interval" not in repr(estimate).splitlines()[0]


def test_misfit_widens_the_interval_or_gives_a_warning(spam: Any, spam_model: tc.Model) -> None:
    def estimate_spam(**options: Any) -> tc.Estimate:
        estimate = spam_model.estimate(spam.test, **options)
        assert isinstance(estimate, tc.Estimate)
        return estimate

    def code_and_severity(estimate: tc.Estimate) -> list[tuple[str, str]]:
        return [(warning.code, warning.severity) for warning in estimate.warnings]

    wide, narrow, unchecked = estimate_spam(), estimate_spam(misfit="warn"), estimate_spam(check=False)
    assert code_and_severity(wide) == [("misfit-widened", "caution")]
    assert code_and_severity(narrow) == [("prior-shift-rejected", "unreliable")]
    assert wide.interval[0] < narrow.interval[0] and narrow.interval[1] < wide.interval[1]
    width, narrow_width = (upper - lower for lower, upper in (wide.interval, narrow.interval))
    assert wide.widening == pytest.approx(0.5 * (width - narrow_width), rel=1e-12)
    assert narrow.widening == 0
    assert wide.misfit is not None and wide.unexplained is not None
    assert (wide.misfit, wide.unexplained) == (narrow.misfit, narrow.unexplained)
    assert wide.misfit == wide.warnings[0].fields["scale"] > 1 and 0 < wide.unexplained < 0.1
    assert (narrow.interval, narrow.se) == (unchecked.interval, unchecked.se) == (unchecked.interval, wide.se)
    assert (unchecked.misfit, unchecked.unexplained, unchecked.widening, unchecked.warnings) == (None, None, None, ())
    # The bootstrap's interval is wider too.
    resampled = [
        estimate_spam(interval="bootstrap", resamples=100, misfit=misfit).interval for misfit in ("widen", "warn")
    ]
    assert resampled[0] is not None and resampled[1] is not None
    assert resampled[0][0] < resampled[1][0] and resampled[1][1] < resampled[0][1]


def test_a_gross_misfit_stays_unreliable_with_a_wider_interval(spam: Any) -> None:
    estimates = [tc.estimate(spam.train, spam.labels, np.full(500, 1.0), misfit=misfit) for misfit in ("widen", "warn")]
    wide, narrow = estimates
    assert isinstance(wide, tc.Estimate) and isinstance(narrow, tc.Estimate)
    assert wide.misfit is not None and wide.misfit > 3
    assert wide.widening is not None and wide.widening > 0 == narrow.widening
    for estimate in (wide, narrow):
        assert ("prior-shift-rejected", "unreliable") in [
            (warning.code, warning.severity) for warning in estimate.warnings
        ]


def test_an_uncorrected_count_has_a_warning(spam: Any) -> None:
    estimates = tc.estimate_each(spam.train, spam.labels, spam.test[:500], method="cc,pcc,ac")
    codes = [[warning.code for warning in warnings if warning.severity == "caution"] for warnings in estimates.warnings]
    assert codes[:2] == [["not-corrected"], ["not-corrected"]] and "not-corrected" not in codes[2]


# A table of estimates


@pytest.fixture
def table(spam: Any) -> tc.Estimates:
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by={"week": spam.week}, method="o-cs,t-ms")
    assert isinstance(estimates, tc.Estimates)
    return estimates


def test_rows_of_a_table(table: tc.Estimates) -> None:
    assert len(table) == 48 == len(list(table))
    assert table[0].group == {"week": "2026-W01"}
    assert table[-1] == table[47]
    assert table[-48] == table[0]
    assert [row.method for row in table][:3] == ["o-cs", "t-ms", "o-cs"]
    assert np.isnan(table[1].se)
    assert table.interval.shape == (48, 2)
    for index in (48, -49):
        with pytest.raises(IndexError, match=f"^there is no row {index}; there are 48$"):
            table[index]
    for index in (None, 1.0):
        with pytest.raises(KeyError, match=f"there is no group or column {index}; columns are week, "):
            table[index]


def test_rows_of_a_group(spam: Spam, table: tc.Estimates) -> None:
    assert [row.group["week"] for row in table["2026-W10"]] == ["2026-W10"] * 2
    assert table[::-2]["2026-W10"] == table[19]
    # A column's name is the column, unless the group is a tuple.
    by = {"office": np.repeat(["n", "m"], 50), "year": np.tile([2025, 2026], 50)}
    estimates = tc.estimate(spam.train, spam.labels, spam.test[:100], by=by, check=False)
    assert estimates["n", 2026] == estimates[3] and estimates[3].group == {"office": "n", "year": 2026}
    dates = np.repeat(np.array(["2026-01-05", "2026-01-06"], "M8[D]"), 50)
    by_date = tc.estimate(spam.train, spam.labels, spam.test[:100], by={"date": dates}, check=False)
    assert by_date[dt.date(2026, 1, 6)] == by_date[dates[-1]] == by_date[1]
    assert not isinstance(by_date["n"], tc.Estimate)
    with pytest.raises(
        KeyError, match="there is no group or column 'm'; groups are tuples of office, year; columns are "
    ):
        estimates["m"]
    for unknown in (("n", 2027), ("n",), ("n", [2026]), 1.5):
        with pytest.raises(KeyError, match="there is no group or column "):
            estimates[unknown]


def test_integers_are_groups_before_they_are_rows(spam: Spam) -> None:
    def by(groups: Any) -> Any:
        return tc.estimate(spam.train, spam.labels, spam.test[:90], by=np.repeat(groups, 30), check=False)

    numbers = by([1, 2, 3])
    assert numbers[1].group == {"group": 1} and numbers[np.int64(3)].group == {"group": 3}
    assert [row.group["group"] for row in numbers] == [numbers.iloc[i].group["group"] for i in range(3)] == [1, 2, 3]
    assert numbers.iloc[-1] == numbers[3] and numbers.iloc[[0, 2]].groups["group"].tolist() == [1, 3]
    with pytest.raises(
        KeyError, match=r"no group or column 0; columns are .*; groups are 1, 2, 3; \.iloc\[0\] is a row"
    ):
        numbers[0]
    assert by([2025, 2026, 2027])[2026].group == {"group": 2026}
    for groups, index in ((["0", "1", "2"], 1), ([True, False, True], 0)):
        with pytest.raises(KeyError, match=rf"{index} may be a group or a row: .*\.iloc\[{index}\]"):
            by(groups)[index]
    assert by([True, False, True])[True].group == {"group": True}
    assert by(["a", "b", "c"])[1].group == {"group": "b"}


def test_an_unknown_group_is_answered_with_similar_groups(table: tc.Estimates) -> None:
    with pytest.raises(KeyError, match="; groups are '2026-W21', '2026-W19', .*'2026-W11' and 14 more"):
        table["2026-W1"]
    assert {"week", "se", "2026-W10"} < set(table._ipython_key_completions_())


def test_a_frame_of_a_table_is_its_conversion(spam: Spam, table: tc.Estimates) -> None:
    estimates = tc.estimate(spam.train, spam.labels, spam.test, by={"week": spam.week})
    for result in (estimates, table.iloc[:3], estimates.compare("previous")):
        pd.testing.assert_frame_equal(pd.DataFrame(result), result.to_pandas())


def test_a_column_is_not_an_attribute(table: tc.Estimates) -> None:
    with pytest.raises(
        AttributeError, match=r"^'Estimates' object has no attribute 'week'; it is a column: take \['week'\]$"
    ):
        table.week  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="^'Estimates' object has no attribute 'loc'$"):
        table.loc  # type: ignore[attr-defined]


def test_columns_of_a_table(spam: Any, table: tc.Estimates) -> None:
    check = tc.check(spam.train, spam.labels, spam.test, by={"week": spam.week})
    for result in (table, check):
        for name, column in result.to_dict().items():
            np.testing.assert_array_equal(result[name], column)
            with pytest.raises(ValueError, match="read-only"):
                result[name][0] = column[0]
            column[0] = column[1]
        with pytest.raises(KeyError, match="there is no (group or )?column 'day'; (columns|there) are week, "):
            result["day"]
    assert [row["p_value"] for row in check] == check.p_value.tolist()
    assert np.column_stack((table.lower, table.upper)).tobytes() == table.interval.tobytes()
    assert table.n_eff is None
    for name, values in (("misfit", table.misfit), ("unexplained", table.unexplained), ("widening", table.widening)):
        assert values is not None
        np.testing.assert_array_equal(table[name], values)
    unchecked = tc.estimate(spam.train, spam.labels, spam.test, by=spam.week, check=False)
    assert (unchecked.misfit, unchecked.unexplained, unchecked.widening) == (None, None, None)
    assert not set(unchecked.columns) & set(MISFIT)
    assert check["unexplained"].tolist() == check.unexplained.tolist() == table.unexplained[::2].tolist()  # type: ignore[index]
    weighted = tc.estimate(spam.train, spam.labels, [0.5, 1.0, 2.0], by=list("aab"), weights=[1, 2, 3], check=False)
    assert weighted.n_eff is not None and weighted.n_eff[1] == 1.0 and 1.0 < weighted.n_eff[0] <= 2.0
    with pytest.raises(IndexError, match="^there is no row 99; there are 24$"):
        check.adjusted_count(99)


def test_groups_are_plain_values(spam_model: tc.Model) -> None:
    by = {
        "flag": np.array([True, False]),
        "number": pl.Series([3, None]),
        "share": np.array([0.5, np.nan]),
        "day": np.array(["2026-01-02", "NaT"], "M8[D]"),
        "time": np.array(["2026-01-02T03:04:05", "NaT"], "M8[ns]"),
        "text": np.array(["a", "b"]),
    }
    rows = [row.group for row in spam_model.estimate([0.5, 1.0], by=by, sort=False, check=False)]
    time = dt.datetime(2026, 1, 2, 3, 4, 5)
    assert [*rows[0].values()] == [True, 3, 0.5, dt.date(2026, 1, 2), time, "a"]
    assert [*rows[1].values()] == [False, None, None, None, None, "b"]
    (day,) = spam_model.estimate([0.5], by=np.array(["2026-01-02"], "M8[us]"), check=False)
    assert "(group = 2026-01-02)" in repr(day)
    assert json.loads(json.dumps(rows, default=str))[0]["number"] == 3
    assert [type(value) for value in rows[0].values()] == [bool, int, float, dt.date, dt.datetime, str]


def test_a_table_converts_to_every_data_frame_library(table: tc.Estimates) -> None:
    columns = table.to_dict()
    names = ["week", "method", "n", *NUMBERS, *POSITIVES, *MISFIT, "se_widened"]
    assert list(columns) == table.columns == [*names, "level", "target", "severity", "warnings"]
    pandas = table.to_pandas()
    assert list(pandas) == table.columns
    for frame in (table.to_polars(), pl.DataFrame(table)):
        assert frame.columns == table.columns
        assert frame["raw"].to_list() == columns["raw"].tolist()
        assert frame["se"].null_count() == 24
        assert frame["warnings"].to_list() == [list(warnings) for warnings in table.warnings]
    for arrow in (table.to_arrow(), pa.table(table)):
        assert arrow.schema.names == table.columns
        assert arrow["week"].to_pylist() == columns["week"].tolist()
    assert pandas["se"].isna().sum() == 24
    np.testing.assert_array_equal(pandas["upper"], columns["upper"])
    ((mean,),) = duckdb.from_arrow(pa.table(table)).aggregate("avg(raw)").fetchall()
    np.testing.assert_allclose(mean, columns["raw"].mean(), rtol=1e-14)


def test_groups_keep_their_type_in_data_frames(spam_model: tc.Model) -> None:
    times = np.array(["2026-01-01", "NaT"], "M8[D]")
    plain = {"number": [1, 2], "float": [0.5, np.nan], "flag": [True, False], "text": ["a", None]}
    by = {"day": times, "time": times.astype("M8[us]"), **plain}
    estimates = spam_model.estimate([0.5, 1.0], by=by, check=False)
    frame = estimates.to_polars()
    assert frame.schema["day"] == pl.Date
    assert frame.schema["time"] == pl.Datetime("us")
    assert [frame.schema[name] for name in ("number", "float", "flag", "text")] == [
        pl.Int64,
        pl.Float64,
        pl.Boolean,
        pl.String,
    ]
    assert frame["day"].null_count() == frame["time"].null_count() == frame["text"].null_count() == 1
    pandas = estimates.to_pandas()
    assert pandas["day"].isna().tolist() == pandas["text"].isna().tolist() == [False, True]
    assert pd.api.types.is_datetime64_any_dtype(pandas["time"])


def test_a_table_can_be_pickled(table: tc.Estimates) -> None:
    again = pickle.loads(pickle.dumps(table))
    assert repr(again) == repr(table)
    assert list(again) == list(table)


def test_repr_of_a_table(spam: Any, spam_model: tc.Model) -> None:
    estimates = spam_model.estimate(spam.test, by={"week": spam.week})
    assert repr(estimates).splitlines()[:3] == [
        "week         n   prevalence       se     95 % interval",
        "──────────────────────────────────────────────────────────",
        "2026-W01   814       0.3543   0.0112   0.3324 – 0.3765",
    ]
    # The README shows this table.
    accounts = "uncertainty: sampling of the new and the labelled rows"
    assert repr(estimates).splitlines()[-7:] == [
        "",
        "method: es",
        "share: for these 13646 rows",
        accounts,
        "* caution, misfit-widened – 2026-W04: the interval allows for errors 2.7 times",
        "  as large as chance explains: the new scores do not fit any mix of the labelled",
        "  classes (p = 1e-4; too many: 8.4 % below -7.24); see truecount.check",
    ]


def test_the_sources_of_standard_errors_are_stated(spam: Any) -> None:
    several = tc.estimate_each(spam.train, spam.labels, spam.test, method="o-cs,cc,t-ms", check=False)
    lines = [line for line in repr(several).splitlines() if line.startswith(("uncertainty", "no standard error"))]
    assert lines == [
        "uncertainty: sampling of the new and the labelled rows (o-cs)",
        "uncertainty: sampling of the new rows; without the bias of the count (cc)",
        'no standard error or interval: there is no formula (interval="bootstrap") (t-ms)',
    ]
    assert [estimate.accounts_for for estimate in several][2] is None
    assert repr(several[1]).splitlines()[0].endswith("; sampling of the new rows; without the bias of the count")
    again = tc.estimate(spam.train, spam.labels, spam.test[:50], method="cc", interval="bootstrap", resamples=99)
    assert again.accounts_for == "bootstrap of both samples, 99 resamples; without the bias of the count"


@pytest.mark.parametrize(
    "names",
    [
        {"group": ["long name " * 20, "x"]},
        {"a long name of a column indeed, it does not end": ["long " * 20, "x"], "b" * 50: ["longer " * 20, "y"]},
        {"語": ["日本語" * 20, "é" * 50]},
        {"\x1b[31m": ["\x1b[2J\r\n", "\u202egnp.exe"]},
        {"empty": ["", None]},
    ],
    ids=["long", "two", "wide", "control", "empty"],
)
def test_a_table_fits_a_terminal(spam_model: tc.Model, names: dict[str, list[Any]]) -> None:
    lines = repr(spam_model.estimate([-0.6, 0.0], by=names, check=False)).splitlines()
    wide = [sum(2 if c in "日本語" else 1 for c in line) for line in lines]
    assert max(wide) <= 80
    assert len(lines) == 10
    assert all(line.isprintable() and "\u202e" not in line for line in lines)


def test_a_long_table_leaves_out_its_middle(spam_model: tc.Model) -> None:
    lines = repr(spam_model.estimate(np.zeros(1000), by=range(1000), check=False)).splitlines()
    assert len(lines) == 2 + 41 + 6
    assert lines[2].startswith("0 ")
    assert lines[22].startswith("⋮")
    assert lines[42].startswith("999 ")


def test_only_printed_rows_are_formatted(spam_model: tc.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    estimates = spam_model.estimate(np.zeros(1000), by=range(1000), check=False)
    cells, rows = tc.Estimates._cells, []
    monkeypatch.setattr(tc.Estimates, "_cells", lambda table, row: rows.append(row) or cells(table, row))
    repr(estimates)
    assert rows == [*range(20), *range(980, 1000)]


@pytest.mark.parametrize("columns", [1, 3, 5, 7])
def test_tables_fit_a_terminal(spam_model: tc.Model, columns: int) -> None:
    by = {f"a long name {index}": ["something of the sort", "else"] for index in range(columns)}
    lines = repr(spam_model.estimate([0.5, 1.0], by=by, sort=False, check=False)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].startswith({1: "something of the sort ", 3: "something …", 5: "some…", 7: "so…"}[columns])


def test_html_is_escaped(spam_model: tc.Model) -> None:
    estimates = spam_model.estimate([0.5, 1.0], by={"<b>": ["<script>", "a&b"]}, check=False)
    for text in (estimates._repr_html_(), estimates[0]._repr_html_()):
        assert "<script>" not in text
        assert "&lt;script&gt;" in text
    assert "&lt;b&gt;" in estimates._repr_html_()
    assert "a&amp;b" in estimates._repr_html_()


def test_wrong_options_are_errors_or_warnings(spam: Any) -> None:
    with pytest.warns(tc.PrevalenceWarning, match="^left out, "):
        # A class with one score has a mean but no variance.
        tc.Model.fit([2.0, 1.0, 0.0, 0.5], [1, 0, 0, 0], method="all")
    with pytest.raises(ValueError, match=r"^resamples is 38, too few for an interval of level 0.95; take at least 39"):
        tc.estimate(spam.train, spam.labels, [0.5], interval="bootstrap", resamples=38)
    with pytest.raises(ValueError, match="^interval='bootstrap' cannot be used with weights"):
        tc.estimate(spam.train, spam.labels, [0.5, 1.0], interval="bootstrap", weights=[1, 2])


def test_names_keep_joiners_and_escape_hidden_and_bidirectional_characters(spam_model: tc.Model) -> None:
    family, word = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0915\u094d\u200d\u0937"
    lines = repr(spam_model.estimate([0.5, 1.0, 1.5], by={"g": [family, word, "a\u202eb\u200bc\x1bd"]}, check=False))
    assert family in lines and word in lines
    assert "a\\u{202e}b\\u{200b}c\\u{1b}d" in lines


def test_scores_that_are_probabilities():
    rng = np.random.default_rng(1)
    labels, groups = np.repeat([1, 0], 200), np.arange(300) % 2
    train, test = rng.beta(1.0 + 2.0 * labels, 3.0 - 2.0 * labels), rng.beta(2.0, 2.0, 300)
    named = {"train_probabilities": train, "test_probabilities": test}
    for method in ("sld", "dys", "pacc", "kdey-ml"):
        expected = tc.estimate(train, labels, test, method=method, **named)
        assert tc.estimate(train, labels, test, method=method, probabilities=True) == expected
        with pytest.warns(tc.PrevalenceWarning, match=f"probabilities of {method} .* say probabilities=True") as warned:
            assert expected != tc.estimate(train, labels, test, method=method)
        assert warned[0].filename == __file__
        assert tc.estimate(train, labels, test, method=method, family="normal").prevalence == (
            tc.estimate(train, labels, test, method=method, probabilities=False).prevalence
        )
    by = tc.estimate_each(train, labels, test, method="sld,pacc", by=groups, probabilities=True)
    assert by.prevalence.tolist() == (
        tc.estimate_each(train, labels, test, method="sld,pacc", by=groups, **named).prevalence.tolist()
    )
    with pytest.raises(tc.OptionError, match="with probabilities=True the scores are the test_probabilities"):
        tc.estimate(train, labels, test, method="sld", probabilities=True, test_probabilities=test / 2)
