"""Messages about wrong input name the problem, its place and a remedy, whatever the container."""

from __future__ import annotations

import array
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import truecount as tc

TRAIN = [3.0, 2.0, 1.5, 2.2, 0.0, 1.0, 0.5, -0.2]
LABELS = [1, 1, 1, 1, 0, 0, 0, 0]


@pytest.fixture(scope="module")
def model() -> tc.Model:
    return tc.Model.fit(TRAIN, LABELS)


def fails(message: str) -> Any:
    return pytest.raises(ValueError, match=f"^{re.escape(message)}$")


class WithArray:
    """A container that converts to a numpy array, as tensors do."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.values.astype(dtype or self.values.dtype)


def masked(values: list[Any], like: list[Any]) -> Any:
    return np.ma.array(values, mask=[value is None for value in like])


HOLDERS: dict[str, Callable[[list[float]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "values of a dict": lambda values: dict(enumerate(values)).values(),
    "array.array": lambda values: array.array("d", values),
    "memoryview": lambda values: memoryview(np.array(values)),
    "__array__": WithArray,
    "list of numpy scalars": lambda values: [np.float32(value) for value in values],
    "list of decimals": lambda values: [Decimal(str(value)) for value in values],
    "float64": np.array,
    "float32": lambda values: np.array(values, np.float32),
    "float16": lambda values: np.array(values, np.float16),
    "longdouble": lambda values: np.array(values, np.longdouble),
    "big-endian": lambda values: np.array(values, ">f8"),
    "object": lambda values: np.array(values, object),
    "strided": lambda values: np.repeat(values, 3)[::3],
    "reversed": lambda values: np.array(values[::-1])[::-1],
    "column of a matrix": lambda values: np.column_stack((values, values))[:, 1],
    "read-only": lambda values: np.frombuffer(np.array(values).tobytes()),
    "unaligned": lambda values: np.frombuffer(b"x" + np.array(values).tobytes(), offset=1),
    "pandas": pd.Series,
    "pandas, odd index": lambda values: pd.Series(values, index=[9, 9, *range(len(values) - 2)]),
    "pandas Index": pd.Index,
    "pandas Float64": lambda values: pd.Series(values, dtype="Float64"),
    "pandas array": lambda values: pd.array(values, dtype="Float64"),
    "pandas ArrowDtype": lambda values: pd.Series(values, dtype="float64[pyarrow]"),
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "pandas sparse": lambda values: pd.Series(values).astype(pd.SparseDtype("float", 0.0)),
    "polars": pl.Series,
    "polars Float32": lambda values: pl.Series(values, dtype=pl.Float32),
    "polars, chunks": lambda values: pl.concat([pl.Series(values[:2]), pl.Series(values[2:])], rechunk=False),
    "polars column": lambda values: pl.DataFrame({"score": values})["score"],
    "pyarrow": pa.array,
    "pyarrow float16": lambda values: pa.array(np.array(values, np.float16)),
    "pyarrow, chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "duckdb, numpy": lambda values: duckdb.from_arrow(pa.table({"s": values})).fetchnumpy()["s"],
    "duckdb, pandas": lambda values: duckdb.from_arrow(pa.table({"s": values})).df()["s"],
    "duckdb, arrow": lambda values: duckdb.from_arrow(pa.table({"s": values})).to_arrow_table()["s"],
    "duckdb, polars": lambda values: duckdb.from_arrow(pa.table({"s": values})).pl()["s"],
}
HELD = pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)

WITH_NOTHING: dict[str, Callable[[list[float | None]], Any]] = {
    "list": list,
    "object": lambda values: np.array(values, object),
    "masked": lambda values: masked([7.0 if v is None else v for v in values], values),
    "masked, of whole numbers": lambda values: masked([7 if v is None else int(v) for v in values], values),
    "list with pandas.NA": lambda values: [pd.NA if value is None else value for value in values],
    "pandas": pd.Series,
    "pandas Float64": lambda values: pd.Series(values, dtype="Float64"),
    "pandas Int64": lambda values: pd.Series([None if v is None else int(v) for v in values], dtype="Int64"),
    "pandas ArrowDtype": lambda values: pd.Series(values, dtype="float64[pyarrow]"),
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "polars": pl.Series,
    "polars Decimal": lambda values: pl.Series([None if v is None else Decimal(str(v)) for v in values]),
    "pyarrow": pa.array,
    "pyarrow decimal": lambda values: pa.array(
        [None if v is None else Decimal(str(v)) for v in values], pa.decimal128(8, 4)
    ),
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "pyarrow, chunks": lambda values: pa.chunked_array([values[:3], values[3:]]),
    "duckdb": lambda values: duckdb.from_arrow(pa.table({"s": values})).fetchnumpy()["s"],
}

TEXTS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "numpy": np.array,
    "object": lambda values: np.array(values, object),
    "pandas": pd.Series,
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "polars": pl.Series,
    "polars Categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "polars Enum": lambda values: pl.Series(values, dtype=pl.Enum(sorted(set(values)))),
    "pyarrow": pa.array,
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
}


# Scores


@HELD
def test_scores_in_every_container(model: tc.Model, hold: Callable[[list[float]], Any]) -> None:
    # 16 bits represent these numbers exactly.
    values = [1.5, 0.25, 2.0, -0.5, 1.5]
    assert model.estimate(hold(values), check=False) == model.estimate(np.array(values), check=False)
    labels = [1, 0, 1, 0, 1]
    assert tc.Model.fit(hold(values), labels).fingerprint == tc.Model.fit(np.array(values), labels).fingerprint


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"])
def test_scores_of_integers_and_booleans(model: tc.Model, dtype: str) -> None:
    values = np.array([1, 0, 1, 1], dtype)
    expected = model.estimate([1.0, 0.0, 1.0, 1.0], check=False)
    for scores in (values, values.tolist(), pd.Series(values), pl.Series(values), pa.array(values)):
        assert model.estimate(scores, check=False) == expected


@pytest.mark.parametrize("holder", HOLDERS)
def test_infinite_and_nan_scores_are_errors(model: tc.Model, holder: str) -> None:
    hold = HOLDERS[holder]

    def problem(text: str, row: int) -> str:
        # These pandas columns convert NaN to NA.
        if text == "NaN" and holder in ("pandas Float64", "pandas ArrowDtype"):
            return f"value {row} is missing; correct it or leave out its row"
        return f"score {row} is {text}; scores must be finite numbers"

    for bad, text in ((np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "-inf")):
        with fails(f"test_scores: {problem(text, 3)}"):
            model.estimate(hold([1.5, 0.25, 2.0, bad, 1.5]))
    with fails(f"train_scores: {problem('NaN', 2)}"):
        tc.Model.fit(hold([2.0, 1.0, np.nan, 0.0]), [1, 1, 0, 0])


@pytest.mark.parametrize("holder", WITH_NOTHING)
def test_missing_scores(model: tc.Model, holder: str) -> None:
    hold = WITH_NOTHING[holder]

    def problem(of_nan: str) -> str:
        # These pandas columns convert null to NaN.
        return (
            of_nan if holder in ("pandas", "pandas category") else "value 3 is missing; correct it or leave out its row"
        )

    score = problem("score 3 is NaN; scores must be finite numbers")
    with fails(f"test_scores: {score}"):
        model.estimate(hold([1.0, 2.0, 3.0, None, 1.0]))
    with fails(f"test_scores: {score}"):
        model.estimate(hold([1.0, 2.0, 3.0, None, 1.0]), by=["b", "a", "b", "a", "a"])
    with fails(f"weights: {problem('weight 3 is NaN; a weight is 0, or between 1e-100 and 1e100')}"):
        model.estimate([1.0] * 5, weights=hold([1.0, 2.0, 3.0, None, 1.0]))
    with fails(f"train_probabilities: {problem('probability 3 is NaN; probabilities lie between 0 and 1')}"):
        tc.Model.fit(TRAIN[:3] + TRAIN[4:6], [1, 1, 1, 0, 0], train_probabilities=hold([1.0, 1.0, 1.0, None, 0.0]))


def test_missing_scores_of_several_sets(model: tc.Model) -> None:
    with fails("test_scores[1]: value 0 is missing; correct it or leave out its row"):
        model.estimate_each(np.ma.array(np.ones((2, 3)), mask=[[False] * 3, [True, False, True]]))


@pytest.mark.parametrize("hold", TEXTS.values(), ids=TEXTS)
def test_text_is_never_a_number(model: tc.Model, hold: Callable[[list[str]], Any]) -> None:
    with fails("test_scores: value 0 is '1.5', not a number; correct it or leave out its row"):
        model.estimate(hold(["1.5", "2"]))


REMEDY = "correct it or leave out its row"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.5, 2.0, "high"], "value 2 is 'high', not a number; correct it or leave out its row"),
        (np.array([1.5 + 0j]), "value 0 is (1.5+0j), not a number; correct it or leave out its row"),
        (np.array(["2026-01-01"], "M8[D]"), "value 0 is np.datetime64('2026-01-01'), not a number; " + REMEDY),
        (np.array([1], "M8[ns]"), "value 0 is np.datetime64('1970-01-01T00:00:00.000000001'), not a number; " + REMEDY),
        (np.array([3], "m8[s]"), "value 0 is np.timedelta64(3,'s'), not a number; correct it or leave out its row"),
        ([10**400, 1], "score 0 is inf; scores must be finite numbers"),
        ([1, -(10**400)], "score 1 is -inf; scores must be finite numbers"),
        (np.array([1, np.longdouble("1e4000")]), "score 1 is inf; scores must be finite numbers"),
        (["x" * 100], f"value 0 is '{'x' * 58}…, not a number; correct it or leave out its row"),
    ],
    ids=str,
)
def test_values_that_are_not_numbers_are_errors(model: tc.Model, values: Any, message: str) -> None:
    with fails(f"test_scores: {message}"):
        model.estimate(values)


ONE_COLUMN = "give one column, with a value for each row"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, f" is None; {ONE_COLUMN}"),
        (1.5, f" is 1.5; {ONE_COLUMN}"),
        (np.array(1.5), f" is array(1.5); {ONE_COLUMN}"),
        ("score", f" is a str; {ONE_COLUMN}"),
        (b"score", f" is a bytes; {ONE_COLUMN}"),
        ({"score": [1.0]}, f" is a dict; {ONE_COLUMN}"),
        ({1.0, 2.0}, f" is a set; {ONE_COLUMN}"),
        (pd.DataFrame({"score": [1.0], "week": [1]}), f" is a DataFrame; {ONE_COLUMN}"),
        (pl.DataFrame({"score": [1.0], "week": [1]}), f" is a DataFrame; {ONE_COLUMN}"),
        (pl.LazyFrame({"score": [1.0]}), f" is a LazyFrame; {ONE_COLUMN}"),
        (pa.table({"score": [1.0], "week": [1]}), f" is a Table; {ONE_COLUMN}"),
        (np.ones((3, 3, 3)), f" have the shape (3, 3, 3), where one dimension is needed; {ONE_COLUMN}"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_are_not_columns_are_errors(model: tc.Model, values: Any, message: str) -> None:
    with fails(f"test_scores{message}"):
        model.estimate(values)
    with fails(f"train_scores{message}"):
        tc.Model.fit(values, LABELS)


def test_probabilities_of_two_classes_are_not_taken_for_test_sets(model: tc.Model) -> None:
    with fails(
        "test_scores have the shape (5, 2), 5 test sets of 2; if it is one test set, take the column of the positive class: "
        "test_scores[:, 1]; if not, give a list of columns"
    ):
        model.estimate(np.ones((5, 2)))
    with fails(
        "train_scores have the shape (8, 2), where one dimension is needed; "
        "take the column of the positive class: train_scores[:, 1]"
    ):
        tc.Model.fit(np.ones((8, 2)), LABELS)


@pytest.mark.parametrize(
    "frame",
    [
        lambda column: np.array(column)[:, np.newaxis],
        lambda column: pd.DataFrame({"x": column}),
        lambda column: pl.DataFrame({"x": column}),
        lambda column: pa.table({"x": column}),
    ],
    ids=["array", "pandas", "polars", "arrow"],
)
def test_one_column_of_two_dimensions_is_a_column(model: tc.Model, frame: Any) -> None:
    scores, groups = [1.5, 0.5, 2.0, 0.1], ["a", "b", "a", "b"]
    fitted = tc.Model.fit(frame(TRAIN), frame(LABELS))
    assert fitted.fingerprint == tc.Model.fit(TRAIN, LABELS).fingerprint
    assert fitted.estimate(frame(scores)) == fitted.estimate(scores)
    estimates = fitted.estimate(frame(scores), by={"g": frame(groups)}, weights=frame([1, 2, 3, 4]))
    assert list(estimates) == list(fitted.estimate(scores, by={"g": groups}, weights=[1, 2, 3, 4]))


@pytest.mark.parametrize(
    "rows", [list, tuple, lambda pair: dict(enumerate(pair)).values()], ids=["lists", "tuples", "others"]
)
def test_rows_of_a_database_are_not_taken_for_test_sets(model: tc.Model, rows: Any) -> None:
    taken = "if it is one test set, take the column of the positive class: [row[1] for row in test_scores]"
    with fails(f"test_scores have the shape (3, 2), 3 test sets of 2; {taken}; if not, give a list of arrays"):
        model.estimate([rows(pair) for pair in ([0.5, 0.5], [0.2, 0.8], [0.1, 0.9])])
    flat = "if it is one test set, flatten it: [row[0] for row in test_scores]"
    with fails(f"test_scores have the shape (4, 1), 4 test sets of 1; {flat}; if not, give a list of arrays"):
        model.estimate(iter([rows([0.5])] * 4))
    with fails(
        "train_scores have the shape (8, 1), where one dimension is needed; flatten it: [row[0] for row in train_scores]"
    ):
        tc.Model.fit([[1.0]] * 8, LABELS)
    # Values that cannot be rows of one table, or are meant as columns.
    for sets in (
        [rows([0.5])] * 2,
        [rows([0.5, 1.0])] * 2 + [rows([0.5])],
        [np.array([0.5])] * 4,
        [pd.Series([0.5, 1.0])] * 4,
    ):
        assert len(model.estimate_each(sets)) == len(sets)  # type: ignore[arg-type]


def test_a_series_of_lists_is_an_error(model: tc.Model) -> None:
    frame = pd.DataFrame({"week": ["a", "b", "a"], "score": [1.0, 2.0, 0.5]})
    with fails(
        "test_scores is a Series of lists, whose index would be lost; give all scores in one column, and their groups as by"
    ):
        model.estimate(frame.groupby("week").score.apply(list))


@pytest.mark.parametrize("name", ["test_scores", "weights"])
def test_a_groupby_is_an_error(model: tc.Model, name: str) -> None:
    frame = pd.DataFrame({"week": ["a", "b"], "score": [1.0, 2.0]})
    for grouped in (
        frame.groupby("week"),
        frame.groupby("week").score,
        pl.DataFrame(frame.to_dict("list")).group_by("week"),
    ):
        with fails(f"{name} is a {type(grouped).__name__}; {ONE_COLUMN}"):
            model.estimate(**{"test_scores": [1.0, 2.0], name: grouped})


def test_different_pandas_indexes_are_errors(model: tc.Model) -> None:
    scores, other = pd.Series([1.0, 2.0, 0.5], index=[4, 5, 6]), pd.Index([6, 5, 4])
    column = pd.Series([1.0, 0.5, 1.0], index=other)

    def fails_with_index(name: str, other_name: str = "test_scores") -> Any:
        return fails(
            f"{name} has another index than {other_name}; reindex it, or give {name}.to_numpy() to go by position"
        )

    for name in ("by", "weights", "test_probabilities"):
        with fails_with_index(name):
            model.estimate(scores, **{name: column})
    with fails_with_index("by"):
        model.estimate(scores, by=column.to_frame())
    with fails_with_index("by['week']"):
        model.tally(scores, by={"week": column})
    with fails_with_index("by"):
        tc.check(TRAIN, LABELS, scores, by=column)
    with fails_with_index("weights[1]", "test_scores[1]"):
        model.estimate([scores, scores], weights=[scores, column])
    with fails_with_index("train_labels", "train_scores"):
        tc.Model.fit(pd.Series(TRAIN), pd.Series(LABELS, index=range(8, 0, -1)))
    with fails_with_index("train_probabilities", "train_scores"):
        tc.Model.fit(pd.Series(TRAIN), LABELS, train_probabilities=pd.Series([0.5] * 8, index=range(8, 0, -1)))
    with fails_with_index("y", "X"):
        tc.UPP(scores, column, size=1)
    with fails_with_index("y", "X"):
        tc.evaluate(model, scores, column)
    with fails_with_index("probabilities", "X"):
        tc.evaluate(model, scores, [1, 0, 1], probabilities=column)
    # All labels are equal, or some are missing.
    for by in (column.set_axis([4, 5, 6]), column.to_numpy(), list(column), {"week": pl.Series(column.to_numpy())}):
        assert len(model.estimate(scores, by=by, check=False)) == 2


def test_an_empty_test_set(model: tc.Model) -> None:
    none = pa.array([], pa.float64())
    for empty in ([], np.empty(0), pd.Series([], dtype=float), pl.Series([], dtype=pl.Float64), none, iter(())):
        with fails("there are no test scores"):
            model.estimate(empty)
    with fails("there are no test scores"):
        model.estimate([], by=[])
    with fails("test_scores[1]: there are no test scores"):
        model.estimate_each([[1.0, 2.0], []])
    with fails("test_scores[0]: there are no test scores"):
        model.estimate_each(np.empty((3, 0)))
    with fails("there are no test sets"):
        model.estimate_each(np.empty((0, 3)))


# Labels


LABELLINGS: dict[str, tuple[Any, Any]] = {
    "flags": (True, False),
    "0 and 1": (1, 0),
    "-1 and 1": (1, -1),
    "floats": (1.0, 0.0),
}


@pytest.mark.parametrize("pair", LABELLINGS.values(), ids=LABELLINGS)
def test_labels_with_a_default_positive(model: tc.Model, pair: tuple[Any, Any]) -> None:
    values = [pair[1 - label] for label in LABELS]
    nullable = pd.Series(values).convert_dtypes()
    for labels in (
        values,
        np.array(values),
        np.array(values, object),
        iter(values),
        nullable,
        pl.Series(values),
        pa.array(values),
    ):
        assert tc.Model.fit(TRAIN, labels).fingerprint == model.fingerprint


@pytest.mark.parametrize("hold", TEXTS.values(), ids=TEXTS)
def test_text_labels_need_a_positive(model: tc.Model, hold: Callable[[list[str]], Any]) -> None:
    labels = hold(["spam" if label else "ham" for label in LABELS])
    assert tc.Model.fit(TRAIN, labels, positive="spam").fingerprint == model.fingerprint
    labels_in_message = "'spam' (4 rows, first in row 0), 'ham' (4 rows, first in row 4)"
    with fails(
        f"train_labels: which label is the positive one? Found {labels_in_message}; name it: positive='spam' or "
        "positive='ham'"
    ):
        tc.Model.fit(TRAIN, labels)
    with fails(
        f"train_labels: no label is 'Spam'; found {labels_in_message}; name the positive label: "
        "positive='spam' or positive='ham'"
    ):
        tc.Model.fit(TRAIN, labels, positive="Spam")


def test_labels_one_and_two_need_a_positive(model: tc.Model) -> None:
    labels = [label + 1 for label in LABELS]
    assert tc.Model.fit(TRAIN, labels, positive=2).fingerprint == model.fingerprint
    with fails(
        "train_labels: which label is the positive one? Found 2 (4 rows, first in row 0), 1 (4 rows, first in row 4); "
        "name it: positive=2 or positive=1"
    ):
        tc.Model.fit(TRAIN, labels)


@pytest.mark.parametrize("hold", WITH_NOTHING.values(), ids=WITH_NOTHING)
def test_missing_labels(hold: Callable[[list[float | None]], Any]) -> None:
    with fails("train_labels: label 5 is missing; label it or leave out the row"):
        tc.Model.fit(TRAIN, hold([1.0, 1.0, 1.0, 1.0, 0.0, None, 0.0, None]))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "train_labels: there are none"),
        (
            [1] * 8,
            "train_labels: two labels are needed, found 1 (8 rows, first in row 0); label some of the other class too",
        ),
        (
            [1, 0, 2, 1, 0, 1, 0, 1],
            "train_labels: two labels are needed, found 1 (4 rows, first in row 0), 0 (3 rows, first in row 1), "
            "2 (1 row, first in row 2); correct the others or leave out their rows; truecount.MulticlassQuantifier estimates "
            "the shares of several classes",
        ),
        (
            list("abcdefgh"),
            "train_labels: two labels are needed, found 'a' (1 row, first in row 0), 'b' (1 row, first in row 1), "
            "'c' (1 row, first in row 2), 'd' (1 row, first in row 3), 'e' (1 row, first in row 4) and 3 more; "
            "correct the others or leave out their rows; truecount.MulticlassQuantifier estimates the shares of several "
            "classes",
        ),
        (
            [index / 8 for index in range(30)],
            "train_labels: two labels are needed, found 30 different numbers; check that these are the labels, not the "
            "scores",
        ),
        ([1, 0], "there are 8 train_scores but 2 train_labels; give one for each row"),
        ([[1]] * 8, "train_labels: value 0 is [1], which cannot be compared; make text or numbers of it"),
        (
            np.ones((8, 2)),
            "train_labels have the shape (8, 2), where one dimension is needed; give a value for each row",
        ),
        ("label", f"train_labels is a str; {ONE_COLUMN}"),
        (
            [0, 0, 0, 0, 1, 1, 1, 1],
            "positives score lower than negatives in 100.0 % of the pairs of a labelled positive and a labelled negative; "
            "take the other label as positive, or negate the scores (the other label: positive=0)",
        ),
    ],
    ids=lambda value: str(value)[:20],
)
def test_unusable_labels_are_errors(labels: Any, message: str) -> None:
    with fails(message):
        tc.Model.fit(TRAIN, labels)


def test_a_class_too_small_for_a_family_is_an_error() -> None:
    with fails(
        "the positive class has 2 labelled scores; the skew-normal family needs at least 3; label more positive rows, "
        "or use es, which fits no family"
    ):
        tc.Model.fit(TRAIN, [1, 1] + [0] * 6, method="o-cs", family="skew-normal")


def test_unreached_thresholds_are_errors() -> None:
    scores = [(i % 20) + 0.3 * (i // 20) for i in range(40)]
    labels = [i // 20 for i in range(40)]
    with pytest.raises(
        ValueError, match=r"^the threshold 0\.25 is above the largest J, 0\.0202; choose a smaller threshold"
    ):
        tc.estimate(scores, labels, [1.0], method="t-cs")
    # The optimal threshold is always reached, with a warning and an interval of [0, 1].
    estimate = tc.estimate(scores, labels, [1.0], method="o-cs")
    assert isinstance(estimate, tc.Estimate)
    assert estimate.interval == (0.0, 1.0)
    assert any("the scores hardly separate the labelled classes" in warning for warning in estimate.warnings)


# Test sets without information


def test_the_estimate_of_one_score_is_its_influence(model: tc.Model) -> None:
    estimate = model.estimate([1.1])
    assert isinstance(estimate, tc.Estimate)
    np.testing.assert_allclose(estimate.raw, model.influence([1.1]), rtol=1e-13)
    assert any("a single test score" in warning for warning in estimate.warnings)


def test_equal_scores_give_the_influence_of_one(model: tc.Model) -> None:
    estimate = model.estimate([1.1] * 7)
    assert isinstance(estimate, tc.Estimate)
    np.testing.assert_allclose(estimate.raw, model.influence([1.1])[0], rtol=1e-13)
    assert any("because all have the same influence" in warning for warning in estimate.warnings)


def test_scores_outside_the_region_and_estimates_outside_0_and_1() -> None:
    model = tc.Model.fit(TRAIN, LABELS, method="o-cs")
    low, high = model.influence([-50.0, 70.0])
    estimate = model.estimate([-50.0, -50.0, 70.0], check=False)
    assert isinstance(estimate, tc.Estimate)
    np.testing.assert_allclose(estimate.raw, (2 * low + high) / 3, rtol=1e-13)
    assert any("no test score lies inside the region" in warning for warning in estimate.warnings)
    below = model.estimate([-50.0] * 3)
    assert isinstance(below, tc.Estimate)
    assert below.raw < 0.0 == below.prevalence
    assert any("the share is reported as 0" in warning for warning in below.warnings)


# Test sets, weights and probabilities


SETS = [[1.5, 0.25, 1.0], [2.0, -0.5, 0.0], [0.0, 1.0, 0.5]]
MANY: dict[str, Any] = {
    "nested lists": SETS,
    "tuple": tuple(map(tuple, SETS)),
    "generator": None,
    "list of arrays": [np.array(one) for one in SETS],
    "list of pandas": [pd.Series(one, index=[7, 7, 8]) for one in SETS],
    "list of polars": [pl.Series(one) for one in SETS],
    "list of Arrow": [pa.array(one) for one in SETS],
    "object": np.array([None, *map(tuple, SETS)], object)[1:],
}


@pytest.mark.parametrize("how", MANY)
def test_several_test_sets(model: tc.Model, how: str) -> None:
    estimates = model.estimate_each(iter(SETS) if how == "generator" else MANY[how])
    assert isinstance(estimates, tc.Estimates)
    for one, estimate in zip(SETS, estimates):
        alone = model.estimate(one, check=False)
        assert isinstance(alone, tc.Estimate)
        assert (estimate.raw, estimate.se, estimate.interval) == (alone.raw, alone.se, alone.interval)
    assert estimates.groups["set"].tolist() == [0, 1, 2]


def test_tables_of_any_layout(model: tc.Model) -> None:
    table = np.random.default_rng(1).normal(1, 1, (4, 6))
    expected = model.estimate_each(list(table))
    assert isinstance(expected, tc.Estimates)
    layouts = [
        table,
        table.view(np.matrix),
        np.asfortranarray(table),
        np.repeat(table, 2, axis=1)[:, ::2],
        table[::-1][::-1],
        table.astype(">f8"),
    ]
    for layout in layouts:
        estimates = model.estimate_each(layout)
        assert isinstance(estimates, tc.Estimates)
        assert estimates.raw.tobytes() == expected.raw.tobytes()


def test_test_sets_of_different_lengths_with_weights() -> None:
    model = tc.Model.fit(TRAIN, LABELS, method="o-cs")
    sets, weights = [[1.5, 0.5, 2.0], [0.25]], [[1.0, 2.0, 0.0], [3.0]]
    estimates = model.estimate_each(sets, weights=weights)
    assert isinstance(estimates, tc.Estimates)
    expected = [np.average(model.influence(one), weights=w) for one, w in zip(sets, weights)]
    np.testing.assert_allclose(estimates.raw, expected, rtol=1e-13)
    n_eff = estimates.to_dict()["n_eff"]
    # Kish's number is 1.8; the larger weight is that of a likely negative.
    assert n_eff[1] == 1.0 and n_eff[0] > 1.8


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([1.0, 2.0], {"weights": [1.0]}, "there are 2 test_scores but 1 weights; give one for each row"),
        (SETS, {"weights": SETS[:2]}, "weights are of 2 test sets, but there are 3"),
        (
            SETS,
            {"weights": [[1, 1, 1], [1], [1, 1, 1]]},
            "there are 3 test_scores[1] but 1 weights[1]; give one for each row",
        ),
        (
            SETS,
            {"weights": np.ones((3, 3))},
            "weights must be given as test_scores are: both as a table, or both as a list",
        ),
        (np.ones((2, 3)), {"weights": np.ones((3, 2))}, "weights have the shape (3, 2), but test_scores (2, 3)"),
        ([[1.0], None], {}, f"test_scores[1] is None; {ONE_COLUMN}"),
        (SETS, {"by": [1, 2, 3]}, "by is for one column of test scores; several test sets are groups already"),
        ([[1.0], [2.0, None]], {}, "test_scores[1]: value 1 is missing; correct it or leave out its row"),
        ([[[1.0], [2.0, 3.0]]], {}, "test_scores[0] are no column of numbers: their parts have different lengths"),
        ([[1.0], ["x"]], {}, "test_scores[1]: value 0 is 'x', not a number; correct it or leave out its row"),
        (np.array([[1, 2, 3], [4, np.inf, 6]]), {}, "test_scores[1]: score 1 is inf; scores must be finite numbers"),
        (
            [1.0],
            {"test_probabilities": [0.5]},
            "the model was fitted without probabilities; leave out the probabilities, or fit the model with some",
        ),
        ([1.0, 2.0], {"weights": [1, -1]}, "weights: weight 1 is -1; a weight is 0, or between 1e-100 and 1e100"),
        ([1.0], {"level": 95}, "level is 95; it must be between 0 and 1, both excluded"),
        ([1.0], {"target": "all"}, "target is 'all'; it must be one of sample, population"),
        ([1.0], {"interval": "bootstrap", "seed": -1}, "seed is -1; it must be 0 or more"),
        ([1.0], {"interval": "bootstrap", "seed": 2**64}, f"seed is {2**64}; it must be 0 or more and below 2^64"),
        ([1.0], {"interval": "bootstrap", "seed": 1.5}, "seed is 1.5; it must be a whole number"),
        (
            [1.0],
            {"interval": "bootstrap", "resamples": 10**30},
            f"resamples is {10**30}; it must be 1 or more and below 2^63",
        ),
        ([1.0], {"level": "95"}, "level is '95'; it must be a number"),
        ([1.0], {"level": None}, "level is None; it must be a number"),
        ([1.0], {"interval": None}, "interval is None; it must be one of wilson, wald, bootstrap"),
        ([1.0], {"misfit": None}, "misfit is None; it must be one of widen, warn"),
        ([1.0], {"misfit": "ignore"}, "misfit is 'ignore'; it must be one of widen, warn"),
        ([1.0], {"by": "week"}, "by is the text 'week'; give the column itself, one value for each test score"),
        ([1.0], {"by": {}}, "by has no columns"),
        (
            [1.0, 2.0],
            {"by": [1]},
            "by: 'group' has 1 value but there are 2 test scores; give one for each row",
        ),
        (
            [1.0],
            {"by": [pd.Series(["a"]), np.array(["b"])]},
            "by is a list of columns; give a dict with their names, as in by={'area': …, 'week': …}, or a data frame",
        ),
        ([1.0], {"by": [1, 2]}, "by: 'group' has 2 values but there are 1 test scores; give one for each row"),
        (
            [1.0],
            {"by": {"n": [1]}},
            "by: a column 'n' would stand twice in the results; rename it, as in by={'by_n': …}",
        ),
        ([1.0], {"by": [[1]]}, "by: 'group': value 0 is [1], which cannot be compared; make text or numbers of it"),
        (
            [1.0],
            {"by": np.ones((1, 2))},
            "by: 'group' have the shape (1, 2), where one dimension is needed; give a value for each row",
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_conflicting_arguments_are_errors(model: tc.Model, scores: Any, options: dict[str, Any], message: str) -> None:
    with fails(message):
        model.estimate_each(scores, **options)


def test_repeated_group_names_are_an_error(model: tc.Model) -> None:
    with fails("by: several columns are called 'a'; rename all but one"):
        model.estimate([1.0], by=pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_probabilities_belong_to_models_that_have_some() -> None:
    model = tc.Model.fit(TRAIN, LABELS, train_probabilities=[0.9, 0.8, 0.7, 0.6, 0.1, 0.2, 0.3, 0.4], method="sld")
    with fails("the model was fitted with probabilities; give probabilities for the test scores too"):
        model.estimate([1.0, 2.0])
    with fails("test_probabilities: probability 1 is 1.5; probabilities lie between 0 and 1"):
        model.estimate([1.0, 2.0], test_probabilities=[0.5, 1.5])
    with fails("test_probabilities[1]: probability 0 is -1; probabilities lie between 0 and 1"):
        model.estimate_each([[1.0], [2.0]], test_probabilities=[[0.5], [-1.0]])
    with fails("there are 8 train_scores but 7 train_probabilities; give one for each row"):
        tc.Model.fit(TRAIN, LABELS, train_probabilities=[0.5] * 7)


def test_an_error_in_a_group_has_the_callers_row() -> None:
    model = tc.Model.fit([0.9, 0.8, 0.7, 0.4, 0.3, 0.2], [1, 1, 1, 0, 0, 0], method="o-cs", transform="logit")
    with fails("test_scores: score 4 is 1.2; the logit transform needs scores above 0 and below 1"):
        model.estimate([0.5, 0.4, 0.6, 0.5, 1.2], by=["a", "b", "a", "b", "b"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": "high"}, "threshold is 'high'; it must be 'optimal' or a number between 0 and 1"),
        ({"threshold": 1.5}, "threshold is 1.5; it must be at least 0.000001 and below 1"),
        ({"cutoff": np.nan}, "cutoff is NaN; it must be finite"),
        ({"rates": "x"}, "rates is 'x'; it must be one of family, labels"),
        ({"threshold": None}, "threshold is None; it must be 'optimal' or a number between 0 and 1"),
        ({"cutoff": "a"}, "cutoff is 'a'; it must be a number"),
        ({"rates": 1}, "rates is 1; it must be one of family, labels"),
        ({"family": 1}, f"family is 1; it must be one of {', '.join(tc.families())}"),
        ({"transform": 1}, "transform is 1; it must be one of none, logit, rank"),
        (
            {"family": "kernel"},
            "family has no effect on es; leave out family, add rates='family' (for es), or use method with one of "
            "o-cs, t-cs, o-ms, pcc, pacc, friedman, edy, sld, sld-bcts, ml, kdey-ml, dys, dys-topsoe, hdy",
        ),
        (
            {"method": "cc,ac", "transform": "rank"},
            "transform has no effect on cc, ac; leave out transform, add rates='family' (for es), or use method with "
            "one of o-cs, t-cs, o-ms, pcc, pacc, friedman, smm, edy, sld, sld-bcts, ml, kdey-ml, dys, dys-topsoe, hdy",
        ),
        ({"method": []}, "no method is named; name at least one method"),
        ({"method": 1}, "method is 1; it must be names of truecount.methods(), in a list or between commas"),
        (
            {"method": [1, 2]},
            "method: 1 is no name; it must be names of truecount.methods(), in a list or between commas",
        ),
        ({"method": "cc,"}, "method: 'cc,' has an empty name; leave it out"),
        (
            {"method": "o-cs", "family": "beta"},
            "the labelled positive score 3.0 is impossible under the beta family, whose scores lie strictly between 0 "
            "and 1; choose another family",
        ),
    ],
    ids=str,
)
def test_wrong_options_are_errors(options: dict[str, Any], message: str) -> None:
    with fails(message):
        tc.Model.fit(TRAIN, LABELS, **options)
