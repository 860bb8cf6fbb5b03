"""Python and SQL on the values of the command's test cases (`matrix/cases.json` of its tests).

File formats concern only the command; here a case is its values, with their types. The expected answer is the
command's for the same values in a plain file. A score that is not finite is an error in Python, and missing in SQL.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import truecount as tc

TABLE = json.loads(
    (Path(__file__).parents[2] / "crates/truecount-cli/tests/it/matrix/cases.json").read_text(encoding="utf-8")
)
SHARES = ("prevalence", "raw", "se", "lower", "upper")
Row = list[str]


@dataclass(frozen=True)
class Values:
    """The values of a case, whatever its file format."""

    table: str
    by: bool
    prob: bool
    weighted: bool
    groups: tuple[tuple[str, str], ...]
    types: tuple[tuple[str, str], ...]
    bad: tuple[int, float | None] | None
    """A row whose score is not finite, and that score."""

    @property
    def model(self) -> str:
        """The table that the model is fitted to."""
        return str(TABLE["tables"][self.table].get("model", self.table))

    def __str__(self) -> str:
        options = [name for name in ("by", "prob", "weighted") if getattr(self, name)]
        parts = [
            self.table,
            *options,
            *(f"{a!r} as {b[:20]!r}" for a, b in self.groups),
            *(" ".join(pair) for pair in self.types),
        ]
        return ", ".join([*parts, *([f"row {self.bad[0]} is {self.bad[1]}"] if self.bad else [])])


def expand_entry(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields an entry's cases: every combination of the fields `over` with those of `each`."""
    base = {name: value for name, value in entry.items() if name not in ("over", "each")}
    axes = [[{name: value} for value in values] for name, values in entry.get("over", {}).items()]
    for combination in itertools.product(*axes, entry.get("each", [{}])):
        case = dict(base)
        for fields in combination:
            case |= fields
        yield case


def all_values() -> list[Values]:
    """Returns the distinct values of all cases that Python and SQL can read."""
    distinct: dict[Values, None] = {}
    for case in itertools.chain.from_iterable(map(expand_entry, TABLE["entries"])):
        is_error = "error" in case and "python" not in case
        if is_error or "label" in case.get("cells", {}) | case.get("types", {}) or len(case.get("given", ["file"])) > 1:
            continue
        # Texts are numbers in files only.
        if any("Utf8" in case.get("types", {}).get(column, "") for column in ("score", "p", "w")):
            continue
        bad = None
        if "python" in case:
            bad = (case["null"][0], None) if "null" in case else (case["cell"][0], float(case["cell"][2]))
        values = Values(
            case.get("table", "plain"),
            case.get("by", True),
            case.get("prob", False),
            case.get("weighted", False),
            tuple(case.get("cells", {}).get("g", {}).items()),
            tuple(case.get("types", {}).items()) if case.get("format", "text") != "text" else (),
            bad,
        )
        distinct.setdefault(values)
    return list(distinct)


def rows(name: str) -> list[Row]:
    """Returns the cells of a table."""
    table = TABLE["tables"][name]
    if "rows" in table:
        return [row.split(",") for row in table["rows"]]
    others = table.get("cells", {})

    def cell(column: str, text: str) -> str:
        return str(others.get(column, {}).get(text, text + table.get("suffix", "") * (column == "score")))

    return [
        [cell(column, text) for column, text in zip(TABLE["columns"], row, strict=True)] for row in rows(table["from"])
    ]


def arrow_type(name: str) -> pa.DataType:
    """Returns the Arrow type with this name in Rust."""
    if nested := re.fullmatch(r"Dictionary\((\w+), (\w+)\)", name):
        return pa.dictionary(*map(arrow_type, nested.groups()))
    if decimal := re.fullmatch(r"Decimal(\d+)\((\d+), (\d+)\)", name):
        width, digits, scale = decimal.groups()
        return getattr(pa, f"decimal{width}")(int(digits), int(scale))
    texts = {"Utf8": pa.utf8(), "LargeUtf8": pa.large_utf8(), "Utf8View": pa.string_view()}
    return texts.get(name) or pa.type_for_alias(name.lower().replace("float16", "halffloat"))


def column(values: Values, name: str, rows: list[Row]) -> Any:
    """Returns a column as a numpy array, a list of texts, or an Arrow array of its type."""
    texts = [row[TABLE["columns"].index(name)] for row in rows]
    if name == "g":
        texts = [dict(values.groups).get(text, text) for text in texts]
    kind = dict(values.types).get(name)
    if name == "score" and values.bad:
        row, bad = values.bad
        return pa.array([bad if i + 1 == row else float(text) for i, text in enumerate(texts)], from_pandas=False)
    if kind is None:
        return texts if name == "g" else np.array(texts, float)
    dtype = arrow_type(kind)
    if name == "g":
        value_type = dtype.value_type if pa.types.is_dictionary(dtype) else dtype
        array = pa.array(texts).cast(value_type)
        return array.dictionary_encode().cast(dtype) if value_type != dtype else array
    return pa.array(np.array(texts, np.float16)) if kind == "Float16" else pa.array(np.array(texts, float)).cast(dtype)


class Command:
    """The command's answers for values in plain files."""

    def __init__(self, run: Callable[..., str], folder: Path) -> None:
        self.run, self.folder = run, folder
        self.made: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def file(self, name: str, without: int | None = None) -> Path:
        """A table as text, without one of its rows."""
        path = self.folder / f"{name}-{without}.csv"
        if not path.exists():
            remaining = [row for i, row in enumerate(rows(name)) if i + 1 != without]
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([TABLE["columns"], *remaining])
        return path

    def model(self, name: str, prob: bool, **options: str) -> Path:
        path = self.folder / f"{'-'.join([name, str(prob), *options.values()])}.json"
        arguments = command_arguments(fit_options(name, prob) | options)
        self.once(path, lambda: self.run("fit", "--train", self.file(name), *arguments, "-o", path))
        return path

    def estimates(self, values: Values, misfit: str = "widen") -> list[dict[str, Any]]:
        without = values.bad[0] if values.bad else None
        options = (
            ["--by", "g", "--sort", "none"] * values.by
            + ["--prob", "p"] * values.prob
            + ["--weight", "w"] * values.weighted
        )
        files = ["--model", self.model(values.model, values.prob), "--test", self.file(values.table, without)]
        # Python's tallies of weighted scores are of the sample.
        options += ["--misfit", misfit, "--target", "sample"]
        key = values.table, without, *options
        result = self.once(key, lambda: json.loads(self.run("estimate", *files, *options, "--format", "json")))
        return list(result["estimates"])

    def checks(self, values: Values) -> list[dict[str, str]]:
        options = ["--by", "g", "--sort", "none"] * values.by + ["--resamples", "99", "--format", "csv"]
        files = ["--train", self.file(values.model), "--test", self.file(values.table)]
        printed = self.once((values.table, "check", *options), lambda: self.run("check", *files, *options))
        return [row for row in csv.DictReader(io.StringIO(printed)) if row["table"] == "shift"]


def fit_options(name: str, prob: bool) -> dict[str, Any]:
    return {"method": "es,cc" + ",pcc" * prob, "cutoff": TABLE["tables"][name]["cutoff"]} | (
        {"prob": "p"} if prob else {}
    )


def command_arguments(options: dict[str, Any]) -> list[str]:
    return [word for name, value in options.items() for word in (f"--{name}", str(value))]


@pytest.fixture(scope="module")
def reference(command: Callable[..., str], tmp_path_factory: Any) -> Command:
    return Command(command, tmp_path_factory.mktemp("matrix"))


def fit_model(values: Values) -> tc.Model:
    """Returns the model, fitted to columns of the case's types if they are of its table."""
    table_rows = rows(values.model)
    training_values = (
        values
        if values.model == values.table and not values.bad
        else Values(values.model, True, False, False, (), (), None)
    )
    probabilities = column(training_values, "p", table_rows) if values.prob else None
    options = fit_options(values.model, False) | {"method": fit_options(values.model, values.prob)["method"]}
    options["cutoff"] = float(options["cutoff"])
    labels = [int(row[1]) for row in table_rows]
    return tc.Model.fit(
        column(training_values, "score", table_rows), labels, train_probabilities=probabilities, **options
    )


def arguments(values: Values) -> dict[str, Any]:
    """Returns the arguments of a model's `estimate` and `tally`."""
    table_rows = rows(values.table)
    options = {"by": {"g": column(values, "g", table_rows)}} if values.by else {}
    options |= {"test_probabilities": column(values, "p", table_rows)} if values.prob else {}
    options |= {"weights": column(values, "w", table_rows)} if values.weighted else {}
    return {"test_scores": column(values, "score", table_rows)} | options


def sort_option(values: Values) -> dict[str, Any]:
    """Returns the arguments that keep groups in order of appearance.

    Texts of a file sort differently from values in Python.
    """
    return {"sort": False} if values.by else {}


def assert_same(values: Values, actual: Any, expected: list[dict[str, Any]]) -> None:
    columns = actual.to_dict()
    for name in ("method", "n"):
        assert columns[name].tolist() == [row[name] for row in expected]
    if values.by:
        group_texts = dict(values.groups)
        groups = [row["group"]["g"] for row in expected]
        assert [str(group) for group in columns["g"]] == [group_texts.get(group, group) for group in groups]
    for name in SHARES:
        numbers = [np.nan if row[name] is None else row[name] for row in expected]
        np.testing.assert_allclose(columns[name], numbers, rtol=0, atol=1e-12)
    codes = [[warning["code"] for warning in row["warnings"]] for row in expected]
    assert [[warning.code for warning in warnings] for warnings in actual.warnings] == codes


ALL = all_values()
WHOLE = [pytest.param(values, id=str(values)) for values in ALL if not values.bad]
BAD = [pytest.param(values, id=str(values)) for values in ALL if values.bad]


def test_the_table_is_not_empty() -> None:
    assert len(WHOLE) > 70 and len(BAD) > 5


@pytest.mark.parametrize("values", WHOLE)
def test_python_agrees_with_the_command(values: Values, reference: Command) -> None:
    model = fit_model(values)
    assert model.fingerprint == tc.Model.load(reference.model(values.model, values.prob)).fingerprint
    expected = reference.estimates(values)
    assert_same(values, model.estimate_each(**arguments(values), **sort_option(values), target="sample"), expected)
    tally = tc.Tally.from_bytes(model, model.tally(**arguments(values)).to_bytes())
    assert_same(values, tally.estimate_each(sort=False, target="sample"), expected)


@pytest.mark.parametrize("values", [param for param in WHOLE if not (param.values[0].prob or param.values[0].weighted)])
def test_the_check_agrees_with_the_command(values: Values, reference: Command) -> None:
    table_rows = rows(values.model)
    labelled = [float(row[0]) for row in table_rows], [int(row[1]) for row in table_rows]
    scores = {name: column for name, column in arguments(values).items() if name in ("test_scores", "by")}
    if "check" in TABLE["tables"][values.table]:
        with pytest.raises(tc.LabelError):
            tc.check(*labelled, **scores)
        return
    check = tc.check(*labelled, **scores, **sort_option(values))
    expected = reference.checks(values)
    assert check.verdict == [row["verdict"] for row in expected]
    for name in ("n", "statistic", "p_value", "p_value_holm"):
        np.testing.assert_allclose(check.to_dict()[name], [float(row[name]) for row in expected], rtol=1e-12)


@pytest.mark.parametrize("values", BAD)
def test_a_score_that_is_not_finite_is_an_error(values: Values) -> None:
    with pytest.raises(tc.ScoreError) as caught:
        fit_model(values).estimate(**arguments(values))
    assert values.bad
    row, bad = values.bad
    code = "value-missing" if bad is None else "score-not-finite"
    assert (caught.value.code, caught.value.fields["row"]) == (code, row - 1)


def in_duckdb(query: str, table: pa.Table) -> list[dict[str, Any]]:
    with duckdb.connect() as database:
        database.register("scores", table)
        return list(database.sql(query).to_arrow_table().to_pylist())


def in_sqlite(query: str, table: pa.Table) -> list[dict[str, Any]]:
    database = sqlite3.connect(":memory:")
    columns = table.to_pydict()
    database.execute(f"CREATE TABLE scores ({', '.join(columns)})")
    database.executemany(
        f"INSERT INTO scores VALUES ({', '.join('?' * len(columns))})", zip(*columns.values(), strict=True)
    )
    result = database.execute(query)
    names = [name for name, *_ in result.description]
    answer = [dict(zip(names, row, strict=True)) for row in result]
    database.close()
    return answer


WITHOUT = {"duckdb": ("Float16", "Decimal256"), "sqlite": ("",)}
"""Types that an engine does not support; SQLite supports no Arrow types."""


# Queries of estimates have neither weights nor checks.
@pytest.mark.parametrize(("name", "engine"), [("duckdb", in_duckdb), ("sqlite", in_sqlite)], ids=["duckdb", "sqlite"])
@pytest.mark.parametrize("values", [param for param in WHOLE + BAD if not param.values[0].weighted])
def test_sql_agrees_with_the_command(
    values: Values, reference: Command, name: str, engine: Callable[..., list[dict[str, Any]]]
) -> None:
    if any(kind.startswith(WITHOUT[name]) for _, kind in values.types):
        pytest.skip(f"{name} has no such type")
    table_rows = rows(values.table)
    table = pa.table(
        {column_name: column(values, column_name, table_rows) for column_name in ["score", "g", *["p"] * values.prob]}
    )
    options = ["--by", "g"] * values.by + ["--prob", "p"] * values.prob
    model = reference.model(values.model, values.prob, method="es")
    query = reference.run("sql", "--model", model, "--table", "scores", *options)
    result = {str(row["g"]) if values.by else "": row for row in engine(query, table)}
    expected = [row for row in reference.estimates(values, misfit="warn") if row["method"] == "es"]
    group_texts = dict(values.groups)
    assert len(result) == len(expected)
    # The group whose row has no score.
    missing = None if not values.bad else table_rows[values.bad[0] - 1][2] if values.by else ""
    for row in expected:
        group = row["group"].get("g", "")
        answer = result[group_texts.get(group, group)]
        assert (answer["n"], answer["missing"]) == (row["n"], int(missing == group))
        assert [answer[name] for name in SHARES] == pytest.approx([row[name] for name in SHARES], rel=0, abs=1e-9)
