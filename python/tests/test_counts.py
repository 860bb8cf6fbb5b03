"""Prevalences from counts, compared with R packages, Adjusted Count and the command."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import truecount as tc


def count_one(*arguments: Any, **options: Any) -> tc.Estimate:
    estimate = tc.counts(*arguments, **options)
    assert isinstance(estimate, tc.Estimate)
    return estimate


def count_table(*arguments: Any, **options: Any) -> tc.Estimates:
    estimates = tc.counts(*arguments, **options)
    assert isinstance(estimates, tc.Estimates)
    return estimates


def test_an_example_of_lang_and_reiczigel() -> None:
    """Their first example; the digits are those of prevSeSp of asht 1.0.1 in R 4.2.2."""
    estimate = count_one(4060, 11284, (178, 179), (358, 359))
    assert estimate.interval == pytest.approx((0.348673545667138, 0.372082954561085), abs=1e-14)
    assert estimate.raw == pytest.approx(0.360030184924523, abs=1e-14)
    assert (estimate.n, estimate.method, estimate.group, estimate.warnings) == (11284, "rogan-gladen", {}, ())
    assert estimate.accounts_for == "sampling of the tested, and of those behind each rate with a denominator"


def test_estimate_and_standard_error_are_those_of_adjusted_count() -> None:
    train, labels = np.repeat([1.0, 0.0, 1.0, 0.0], [90, 10, 3, 97]), np.repeat([1, 1, 0, 0], [90, 10, 3, 97])
    test = np.repeat([1.0, 0.0], [35, 765])
    for target in "sample", "population":
        rows = tc.estimate(train, labels, test, method="ac", cutoff=0.5, target=target, check=False)
        estimate = count_one(35, 800, (90, 100), (97, 100), interval="wilson", target=target)
        assert isinstance(rows, tc.Estimate)
        assert (estimate.raw, estimate.se) == pytest.approx((rows.raw, rows.se), abs=1e-12)


def test_columns_give_a_table() -> None:
    """The three herds of epiR 2.0.57, with Wilson's method."""
    positives, tested, se, sp = [7, 12, 8], [124, 189, 210], [0.7, 0.65, 0.6], [0.99, 0.95, 0.9]
    estimates = count_table(positives, tested, se, sp, interval="exact-rates", by={"herd": ["c", "b", "a"]})
    assert list(estimates["herd"]) == ["a", "b", "c"]  # sorted
    assert estimates.raw == pytest.approx([-0.1238095238095238, 0.0224867724867724, 0.0673211781206170], abs=1e-14)
    assert estimates.upper[1:] == pytest.approx([0.0961418801527987, 0.1477507023131125], abs=1e-13)
    assert [warning.code for warning in estimates.warnings[0]] == ["rates-contradicted"]
    assert estimates.columns == [
        "herd",
        "method",
        "n",
        "prevalence",
        "raw",
        "se",
        "lower",
        "upper",
        "se_widened",
        "level",
        "target",
        "severity",
        "warnings",
    ]
    for columns in (
        [pd.Series(column) for column in (positives, tested, se, sp)],
        [pl.Series(column) for column in (positives, tested, se, sp)],
        [np.array(column) for column in (positives, tested, se, sp)],
    ):
        other = count_table(*columns, interval="exact-rates")
        assert list(other.raw) == list(estimates.raw[::-1])
    # One rate for all rows, and counts for each row.
    same = count_table(positives, tested, (90, 100), ([97, 97, 97], [100, 100, 100]))
    assert list(same.lower) == [count_one(x, n, (90, 100), (97, 100)).interval[0] for x, n in zip(positives, tested)]  # type: ignore[index]


def test_estimates_agree_with_the_command(command: Callable[..., str]) -> None:
    arguments = (
        "--positives",
        35,
        "--tested",
        800,
        "--sensitivity",
        "90/100",
        "--specificity",
        "97%",
        "--format",
        "json",
    )
    for interval in "lang-reiczigel", "wilson", "exact-rates":
        (row,) = json.loads(command("counts", *arguments, "--interval", interval))["counts"]
        estimate = count_one(35, 800, (90, 100), 0.97, interval=interval)
        assert (estimate.raw, estimate.se, estimate.interval) == (row["raw"], row["se"], (row["lower"], row["upper"]))


HERDS = {
    "herd": ["b", "a", "c"],
    "positives": [12, 8, 7],
    "tested": [189, 210, 124],
    "sensitivity": [40, 9, 35],
    "m": [50, 10, 50],
}


@pytest.mark.parametrize("interval", ["lang-reiczigel", "wilson", "exact-rates"])
@pytest.mark.parametrize("same_rates", [True, False])
def test_totals_and_differences_agree_with_the_command(
    command: Callable[..., str], tmp_path: Path, interval: Any, same_rates: bool
) -> None:
    table = tmp_path / "herds.csv"
    rates = ["90/100"] * 3 if same_rates else [f"{k}/{m}" for k, m in zip(HERDS["sensitivity"], HERDS["m"])]
    pd.DataFrame({**HERDS, "sensitivity": rates}).drop(columns="m").to_csv(table, index=False)
    sensitivity = (90, 100) if same_rates else (HERDS["sensitivity"], HERDS["m"])
    options = {"level": 0.9, "interval": interval}
    estimates = count_table(
        HERDS["positives"], HERDS["tested"], sensitivity, (291, 300), by={"herd": HERDS["herd"]}, total=True, **options
    )
    arguments = ["counts", "--table", str(table), "--by", "herd", "--specificity", "291/300", "--total"]
    arguments += ["--level", "0.9", "--interval", interval, "--format", "json"]
    for reference in "previous", "all", "b":
        expected = json.loads(command(*arguments, "--compare", reference))
        total, (row,) = estimates.total, expected["total"]
        assert total is not None
        assert (total.n, total.raw, total.se, total.interval) == (
            row["n"],
            row["raw"],
            row["se"],
            (row["lower"], row["upper"]),
        )
        differences = estimates.compare(reference)
        rows = expected["differences"]
        assert list(differences["herd"]) == [row["group"]["herd"] for row in rows]
        assert list(differences["reference"]) == [row["reference"] for row in rows]
        for name in "method", "difference", "se", "lower", "upper", "p_value", "p_value_holm", "correlation":
            assert list(differences[name]) == [row[name] for row in rows], name


def test_rates_may_be_texts() -> None:
    expected = count_one(35, 800, (90, 100), 0.97)
    assert count_one(35, 800, "90/100", "97%") == count_one(35, 800, "90/100", specificity="0.97") == expected
    published = count_one(35, 800, "66,8 % (60,8-72,4)", "97/100")
    assert published.interval == count_one(35, 800, "66.8% (60.8-72.4)", (97, 100)).interval
    assert count_one(35, 800, (167, 250), (97, 100)).se == published.se
    table = count_table([35, 36], 800, ([90, 45], [100, 50]), 0.97)
    texts = ["90/100", "45/50"]
    for column in (texts, np.array(texts), pd.Series(texts), pl.Series(texts), pa.array(texts)):
        assert count_table([35, 36], 800, column, 0.97).se.tolist() == table.se.tolist()
    for arguments, message in (
        ((35, 800, "high", 0.97), "^sensitivity: 'high' is not a share; write it as 0.97, "),
        (([35, 36], 800, 0.9, ["97%", "?"]), "^specificity: row 1: '\\?' is not a share; "),
    ):
        with pytest.raises(tc.ScoreError, match=message) as caught:
            tc.counts(*arguments)
        assert caught.value.code == "rate-not-readable" and caught.value.fields["column"] in message


def test_warnings_of_rows_without_groups_name_the_row() -> None:
    assert "note, outside-unit-interval – row 1: " in repr(count_table([35, 20], [800, 900], "90/100", "97%"))


def test_comparisons_of_counts_need_groups() -> None:
    estimates = count_table([8, 12], [210, 189], 0.9, 0.97)
    assert estimates.total is None
    with pytest.raises(tc.OptionError) as caught:
        estimates.compare("previous")
    assert caught.value.code == "option-conflict"
    with pytest.raises(tc.TruecountError) as other:
        count_table([8, 12], [210, 189], 0.9, 0.97, by=["a", "b"]).compare("rest")
    assert other.value.code == "option-conflict"
    table = count_table([8, 12], [210, 189], 0.9, 0.97, by=["a", "b"], total=True)
    assert "total" in str(table)
    assert pickle.loads(pickle.dumps(table)).total == table.total


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "code", "fields"),
    [
        ((35.5, 800, 0.9, 0.9), {}, tc.ScoreError, "value-not-whole", {"column": "positives", "row": 0, "value": 35.5}),
        (([1, None], [3, 3], 0.9, 0.9), {}, tc.ScoreError, "value-missing", {"column": "positives", "row": 1}),
        (([], [], 0.9, 0.9), {}, tc.ScoreError, "column-invalid", {"column": "positives"}),
        (([1, 2], [3], 0.9, 0.9), {}, tc.ScoreError, "length-mismatch", {"column": "tested", "values": 1, "others": 2}),
        (
            ([1, 2], 3, ([1, 2], [3]), 0.9),
            {},
            tc.ScoreError,
            "length-mismatch",
            {"column": "sensitivity", "values": 1, "others": 2},
        ),
        (
            ([1, 5], [3, 3], 0.9, 0.9),
            {},
            tc.ScoreError,
            "count-above-whole",
            {"name": "positives", "count": 5, "of": 3, "row": 1},
        ),
        ((35, 800, 90, 0.9), {}, tc.ScoreError, "rate-out-of-range", {"name": "sensitivity", "value": 90.0}),
        ((0, 0, 0.9, 0.9), {}, tc.ScoreError, "denominator-zero", {"name": "positives"}),
        ((35, 800, 0.5, 0.5), {}, tc.ScoreError, "rates-not-separating", {"sensitivity": 0.5, "specificity": 0.5}),
        ((35, 800, (1, 2, 3), 0.9), {}, tc.OptionError, "option-invalid", {"name": "sensitivity", "value": (1, 2, 3)}),
        (
            (35, 800, 0.9, 0.9),
            {"target": "sample"},
            tc.OptionError,
            "interval-of-population",
            {"interval": "lang-reiczigel"},
        ),
        ((35, 800, 0.9, 0.9), {"interval": "wald"}, tc.OptionError, "choice-unknown", None),
        (([1, 2], [3, 3], 0.9, 0.9), {"total": True}, tc.OptionError, "option-conflict", {}),
        (([1, 2], [3, 3], 0.9, 0.9), {"by": ["a", "a"]}, tc.ScoreError, "group-twice", {"group": {"group": "a"}}),
    ],
)
def test_wrong_arguments_are_errors(
    arguments: tuple[Any, ...],
    options: dict[str, Any],
    kind: type[tc.TruecountError],
    code: str,
    fields: dict[str, Any] | None,
) -> None:
    with pytest.raises(kind) as caught:
        tc.counts(*arguments, **options)
    assert caught.value.code == code
    assert fields is None or caught.value.fields == fields
