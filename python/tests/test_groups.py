"""Groups of every type and container, in order of first appearance, with values as numpy has them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import truecount as tc

SCORES = np.array([1.5, 2.0, 0.5, 0.1, 1.0, 2.5])
AMSTERDAM = ZoneInfo("Europe/Amsterdam")
ANY: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": iter,
    "object": lambda values: np.array([*values, None], object)[:-1],
    "pandas": pd.Series,
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "polars": pl.Series,
    "polars, chunks": lambda values: pl.concat([pl.Series(values[:2]), pl.Series(values[2:])], rechunk=False),
    "pyarrow": pa.array,
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "pyarrow, chunks": lambda values: pa.chunked_array([values[:4], values[4:]]),
    "duckdb": lambda values: duckdb.from_arrow(pa.table({"g": values})).to_arrow_table()["g"],
}


def dtype(name: str) -> Callable[[list[Any]], Any]:
    return lambda values: np.array(values, name)


BOOLEAN = lambda values: pd.Series(values, dtype="boolean")  # noqa: E731
Kind = tuple[list[Any], list[Any], str, dict[str, Callable[[list[Any]], Any]]]
KINDS: dict[str, Kind] = {
    "texts": (
        list("babacb"),
        ["b", "a", "c"],
        "O",
        {
            "numpy": np.array,
            "numpy StringDType": lambda values: np.array(values, getattr(np.dtypes, "StringDType", lambda: "O")()),
            "pandas string": lambda values: pd.Series(values, dtype="string"),
            "pandas ArrowDtype": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.large_string())),
            "polars Categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
            "polars Enum": lambda values: pl.Series(values, dtype=pl.Enum(["c", "b", "a"])),
            "pyarrow view": lambda values: pa.array(values, pa.string_view()),
            "list of numpy texts": lambda values: list(np.array(values)),
        },
    ),
    "texts, some missing": (
        ["b", None, "b", None, "c", "b"],
        ["b", None, "c"],
        "O",
        {"texts and NaN": lambda values: [float("nan") if value is None else value for value in values]},
    ),
    "whole numbers": (
        [3, 1, 3, 2, 2, 3],
        [3, 1, 2],
        "int64",
        {
            **{name: dtype(name) for name in ("i1", "u1", "i4", ">i2", "u8")},
            "pandas Int64": lambda values: pd.Series(values, dtype="Int64"),
            "polars UInt8": lambda values: pl.Series(values, dtype=pl.UInt8),
            "polars Int128": lambda values: pl.Series(values, dtype=pl.Int128),
            "strided": lambda values: np.repeat(values, 2)[::2],
        },
    ),
    "large whole numbers": ([2**62, 2**62 + 1] * 3, [2**62, 2**62 + 1], "int64", {}),
    "whole numbers, some missing": (
        [3, None, 3, None, 2, 3],
        [3, None, 2],
        "O",
        {
            "pandas Int64": lambda values: pd.Series(values, dtype="Int64"),
            "pandas ArrowDtype": lambda values: pd.Series(values, dtype="int64[pyarrow]"),
            "masked": lambda values: np.ma.array(
                [7 if v is None else v for v in values], mask=[v is None for v in values]
            ),
        },
    ),
    "floats": (
        [0.5, -0.0, 0.5, 0.0, float("inf"), 0.5],
        [0.5, 0.0, float("inf")],
        "float64",
        {
            **{name: dtype(name) for name in ("f8", "f4", "f2", "g")},
            "pandas Float64": lambda values: pd.Series(values, dtype="Float64"),
        },
    ),
    "floats, some missing": (
        [0.5, None, 0.5, float("nan"), 2.0, 0.5],
        [0.5, None, 2.0],
        "float64",
        {"numpy": dtype("f8"), "pandas Float64": lambda v: pd.Series(v, dtype="Float64")},
    ),
    "flags": (
        [True, False, True, True, False, True],
        [True, False],
        "bool",
        {"numpy": np.array, "pandas boolean": BOOLEAN},
    ),
    "flags, some missing": (
        [True, None, True, True, False, True],
        [True, None, False],
        "O",
        {"pandas boolean": BOOLEAN},
    ),
    "dates": (
        [dt.date(2026, 1, 2), dt.date(2026, 1, 1), None] * 2,
        [dt.date(2026, 1, 2), dt.date(2026, 1, 1), None],
        "M8[D]",
        {"numpy": dtype("M8[D]"), "pandas ArrowDtype": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.date32()))},
    ),
    "times": (
        [dt.datetime(2026, 1, 2, 3, 4, 5, 6), dt.datetime(1969, 1, 1), None] * 2,
        [dt.datetime(2026, 1, 2, 3, 4, 5, 6), dt.datetime(1969, 1, 1), None],
        "M8[us]",
        {
            "numpy": dtype("M8[us]"),
            "nanoseconds": dtype("M8[ns]"),
            "pandas nanoseconds": lambda values: pd.Series(values).dt.as_unit("ns"),
            "pandas index": pd.DatetimeIndex,
            "polars nanoseconds": lambda values: pl.Series(values, dtype=pl.Datetime("ns")),
            "pyarrow nanoseconds": lambda values: pa.array(values, pa.timestamp("ns")),
            "list of Timestamps": lambda values: list(pd.Series(values)),
            "list of datetime64": lambda values: list(np.array(values, "M8[us]")),
        },
    ),
    "times in a zone": (
        [dt.datetime(2026, 1, 2, tzinfo=AMSTERDAM), dt.datetime(2026, 7, 1, tzinfo=AMSTERDAM), None] * 2,
        [dt.datetime(2026, 1, 2, tzinfo=AMSTERDAM), dt.datetime(2026, 7, 1, tzinfo=AMSTERDAM), None],
        "O",
        {},
    ),
    "durations": (
        [dt.timedelta(1), dt.timedelta(0, 1), None] * 2,
        [dt.timedelta(1), dt.timedelta(0, 1), None],
        "m8[us]",
        {"numpy": dtype("m8[us]"), "nanoseconds": dtype("m8[ns]")},
    ),
    "times of day": ([dt.time(1), dt.time(2)] * 3, [dt.time(1), dt.time(2)], "O", {}),
    "decimals": ([Decimal("1.10"), Decimal("2.00")] * 3, [Decimal("1.10"), Decimal("2.00")], "O", {}),
    "nothing": ([None] * 6, [None], "O", {}),
}
LACKING = {
    # Pandas converts them to floats, DuckDB has durations of several units only, and pyarrow has
    # no dictionary of decimals.
    ("whole numbers, some missing", "pandas"),
    ("durations", "duckdb"),
    ("decimals", "pyarrow dictionary"),
}
CASES = [
    pytest.param(values, expected, kind, hold, id=f"{name}: {holder}")
    for name, (values, expected, kind, more) in KINDS.items()
    for holder, hold in {**ANY, **more}.items()
    if (name, holder) not in LACKING
]


@pytest.fixture(scope="module")
def model() -> tc.Model:
    return tc.Model.fit([3.0, 2.0, 1.5, 2.2, 0.0, 1.0, 0.5, -0.2], [1, 1, 1, 1, 0, 0, 0, 0], method="o-cs")


@pytest.mark.parametrize(("values", "expected", "kind", "hold"), CASES)
def test_groups_of_every_type(
    model: tc.Model, values: list[Any], expected: list[Any], kind: str, hold: Callable[[list[Any]], Any]
) -> None:
    estimates = model.estimate(SCORES, by={"g": hold(values)}, sort=False, check=False)
    groups = estimates.groups["g"]
    assert groups.dtype == np.dtype(kind)
    assert [None if value is None or value != value else value for value in groups.tolist()] == expected
    missing = [value is None or value != value for value in values]
    for value, estimate in zip(expected, estimates):
        rows = missing if value is None else [own == value for own in values]
        alone = model.estimate(SCORES[rows], check=False)
        assert isinstance(alone, tc.Estimate)
        assert (estimate.n, estimate.raw, estimate.se) == (alone.n, alone.raw, alone.se)


def test_repeated_dictionary_values_are_one_group(model: tc.Model) -> None:
    keys = pa.array([2, 0, None, 1, 3, 0], pa.int16())
    dictionary = pa.DictionaryArray.from_arrays(keys, pa.array(["a", "b", "a", None]))
    plain = model.estimate(SCORES, by={"g": dictionary.to_pylist()}, check=False)
    estimates = model.estimate(SCORES, by={"g": dictionary}, check=False)
    assert estimates.groups["g"].tolist() == ["a", "b", None]
    assert (estimates.n.tolist(), estimates.raw.tobytes()) == ([3, 1, 2], plain.raw.tobytes())


def test_a_list_in_a_dictionary_is_an_error_with_its_row(model: tc.Model) -> None:
    dictionary = pa.DictionaryArray.from_arrays(pa.array([None, 0, 1, 0, 1, 0], pa.int8()), pa.array([[1], [2]]))
    with pytest.raises(
        ValueError, match=r"^by: 'g': value 1 is \[1\], which cannot be compared; make text or numbers of it$"
    ):
        model.estimate(SCORES, by={"g": dictionary}, check=False)


def test_objects_that_equal_only_themselves_are_no_groups(model: tc.Model) -> None:
    with pytest.raises(tc.ScoreError, match=r"^by: 'group': value 1 is <object .*>, which cannot be compared"):
        model.estimate([1.0, 2.0], by=["a", object()], check=False)
    color = Enum("color", "RED BLUE")
    assert len(model.estimate([1.0, 2.0], by=[color["RED"], color["BLUE"]], check=False)) == 2


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["10", "9", None, "B", "a", "é"], ["10", "9", "B", "a", "é", None]),
        ([10, 9, None, -1, 2**70, 0], [-1, 0, 9, 10, 2**70, None]),
        ([0.5, float("nan"), -1.0, 2.0, float("inf"), -0.25], [-1.0, -0.25, 0.5, 2.0, float("inf"), None]),
        (
            np.array(["2026-02-01", "NaT", "2025-12-31"] * 2, "M8[D]"),
            [dt.date(2025, 12, 31), dt.date(2026, 2, 1), None],
        ),
        ([True, False, None] * 2, [False, True, None]),
        # Values that cannot be compared keep their order.
        ([(1, 2), "b", 3, None, "a", 1], [(1, 2), "b", 3, "a", 1, None]),
    ],
)
def test_groups_are_ordered_by_their_values(model: tc.Model, values: Any, expected: list[Any]) -> None:
    estimates = model.estimate(SCORES, by={"g": values}, check=False)
    assert [estimate.group["g"] for estimate in estimates] == expected
    tallied = model.tally(SCORES, by={"g": values}).estimate_each(check=False)
    assert [estimate.group["g"] for estimate in tallied] == expected
    assert tallied.raw.tolist() == estimates.raw.tolist()


def test_methods_and_checks_belong_to_their_groups() -> None:
    random = np.random.default_rng(5)
    train, labels = np.r_[random.normal(2, 1, 50), random.normal(0, 1, 50)], np.repeat([1, 0], 50)
    scores, by = random.normal(1, 1, 300), random.permutation(np.repeat([3, 1, 2], 100))
    model = tc.Model.fit(train, labels, method="es,ac")
    tables = [model.estimate(scores, by=by), tc.check(train, labels, scores, by=by)]
    unsorted = [model.estimate(scores, by=by, sort=False), tc.check(train, labels, scores, by=by, sort=False)]
    for table, other in zip(tables, unsorted):
        expected = other.to_pandas().sort_values("group", kind="stable").reset_index(drop=True)
        pd.testing.assert_frame_equal(table.to_pandas(), expected)
    result, other = tables[1], unsorted[1]
    index = other.to_dict()["group"].tolist().index(1)
    np.testing.assert_array_equal(result.adjusted_count(0)["prevalence"], other.adjusted_count(index)["prevalence"])


def test_times_closer_than_a_microsecond_are_different_groups(model: tc.Model) -> None:
    times = np.datetime64("2026-01-01", "ns") + np.array([0, 1, 0, 1, 0, 1])
    for by in (times, pd.Series(times), pl.Series(times), pa.array(times), list(times)):
        groups = model.estimate(SCORES, by=by, check=False).groups["group"]
        assert groups.dtype == "M8[ns]"
        assert groups.tolist() == times[:2].tolist()


@pytest.mark.parametrize("hold", [list, pl.Series, pa.array, lambda values: pd.Series(values, dtype="Int64")])
def test_integer_columns_with_missing_values_stay_integers(model: tc.Model, hold: Callable[[list[Any]], Any]) -> None:
    estimates = model.estimate(SCORES, by={"g": hold([3, None, 3, None, 2, 3])}, sort=False, check=False)
    assert estimates.to_polars()["g"].to_list() == estimates.to_pandas()["g"].tolist() == [3, None, 2]


SEVERAL: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "dict": dict,
    "dict of arrays": lambda columns: {name: np.array(values) for name, values in columns.items()},
    "pandas": pd.DataFrame,
    "pandas, odd index": lambda columns: pd.DataFrame(columns, index=[5, 5, 4, 3, 2, 1]),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "pyarrow batch": pa.RecordBatch.from_pydict,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.mark.parametrize("hold", SEVERAL.values(), ids=SEVERAL)
def test_several_columns(model: tc.Model, hold: Callable[[dict[str, list[Any]]], Any]) -> None:
    columns = {"week": list("babbab"), "region": [2, 1, 1, 2, 1, 2]}
    estimates = model.estimate(SCORES, by=hold(columns), sort=False, check=False)
    assert list(estimates.groups) == ["week", "region"]
    assert list(zip(*(values.tolist() for values in estimates.groups.values()))) == [("b", 2), ("a", 1), ("b", 1)]
    assert estimates.n.tolist() == [3, 2, 1]
    in_order = model.estimate(SCORES, by=hold(columns), check=False)
    assert list(zip(*(values.tolist() for values in in_order.groups.values()))) == [("a", 1), ("b", 1), ("b", 2)]
    assert in_order.n.tolist() == [2, 1, 3]
    three = model.estimate(SCORES, by=hold({**columns, "last": [1, 1, 1, 1, 1, 2]}), sort=False, check=False)
    expected = [("b", 2, 1), ("a", 1, 1), ("b", 1, 1), ("b", 2, 2)]
    assert list(zip(*(values.tolist() for values in three.groups.values()))) == expected


def test_names_of_groups(model: tc.Model) -> None:
    values = list("babbab")
    named = {
        "week": [pd.Series(values, name="week"), pl.Series("week", values)],
        "group": [pd.Series(values, name=("a", 1)), pl.Series(values), values],
        "3": [pd.Series(values, name=3), pd.Series(values, name=np.int64(3))],
    }
    for name, columns in named.items():
        for by in columns:
            assert list(model.estimate(SCORES, by=by, check=False).groups) == [name]
            assert model.estimate(SCORES, by=by, check=False)[0].group == {name: "a"}


def test_weights_and_probabilities_belong_to_their_scores() -> None:
    random = np.random.default_rng(3)
    train, labels = np.r_[random.normal(2, 1, 50), random.normal(0, 1, 50)], np.repeat([1, 0], 50)
    probabilities = 1 / (1 + np.exp(-train))
    model = tc.Model.fit(train, labels, train_probabilities=probabilities, method="pacc,es")
    scores, weights = random.normal(1, 1, 300), random.uniform(1, 2, 300)
    of_scores, by = 1 / (1 + np.exp(-scores)), random.integers(0, 4, 300)
    estimates = model.estimate(scores, by=by, weights=weights, test_probabilities=of_scores, sort=False, check=False)
    for index, group in enumerate(dict.fromkeys(by.tolist())):
        rows = by == group
        alone = model.estimate_each(
            scores[rows], weights=weights[rows], test_probabilities=of_scores[rows], check=False
        )
        assert isinstance(alone, tc.Estimates)
        assert estimates.raw[2 * index : 2 * index + 2].tolist() == alone.raw.tolist()


def test_a_hundred_thousand_groups_in_order_of_appearance(model: tc.Model) -> None:
    by = np.random.default_rng(1).permutation(np.repeat(np.arange(100_000), 3))
    scores = by / 50_000
    estimates = model.estimate(scores, by=by, sort=False, check=False)
    assert estimates.groups["group"].tolist() == list(dict.fromkeys(by.tolist()))
    # All scores of a group equal its number.
    np.testing.assert_allclose(estimates.raw, model.influence(estimates.groups["group"] / 50_000), rtol=0, atol=1e-13)
    assert set(estimates.n.tolist()) == {3}
