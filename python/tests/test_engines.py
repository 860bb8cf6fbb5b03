"""Estimates inside polars and DuckDB, compared with truecount on the same columns."""

import numpy as np
import pytest

import truecount as tc

pl = pytest.importorskip("polars", minversion="1.0")
duckdb = pytest.importorskip("duckdb")

N = 5000


@pytest.fixture(scope="module")
def train():
    rng = np.random.default_rng(1)
    return np.r_[rng.normal(1, 1.2, 150), rng.normal(-1, 1, 250)], np.repeat([1, 0], [150, 250])


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(2)
    week = rng.choice(["2026-W01", "2026-W02", "2026-W03"], N, p=[0.6, 0.3, 0.1])
    return {"week": week, "score": rng.normal(np.where(rng.random(N) < 0.3, 1, -1), 1)}


@pytest.fixture(scope="module")
def frame(columns):
    """The columns in several chunks that divide groups."""
    whole = pl.DataFrame(columns)
    frame = pl.concat([whole[:1], whole[1:1700], whole[1700:]], rechunk=False)
    assert frame["score"].n_chunks() == 3
    return frame


@pytest.fixture(scope="module", params=["es", "o-cs", "ac", "pacc", "smm"])
def model(request, train):
    return tc.Model.fit(*train, method=request.param)


@pytest.fixture(scope="module")
def weeks(model, columns):
    estimates = model.estimate(columns["score"], by={"week": columns["week"]})
    return dict(zip(estimates.groups["week"], estimates.raw))


def influence(model):
    return model.influence_expr(pl.col("score"))


def test_select(model, frame, columns):
    result = frame.select(influence(model).mean()).item()
    assert result == pytest.approx(model.estimate(columns["score"]).raw, abs=1e-12)
    assert frame.select(influence(model))["score"].to_numpy() == pytest.approx(
        model.influence(columns["score"]), abs=1e-15
    )


@pytest.mark.parametrize("how", ["eager", "lazy", "streaming"])
def test_groups(model, frame, weeks, how):
    mean = influence(model).mean().alias("prevalence")
    if how == "eager":
        result = frame.group_by("week").agg(mean)
    else:
        query = frame.lazy().group_by("week").agg(mean)
        result = query.collect(engine="streaming" if how == "streaming" else "auto")
    assert dict(result.iter_rows()) == pytest.approx(weeks, abs=1e-12)


def test_over(model, frame, weeks):
    result = frame.with_columns(influence(model).mean().over("week").alias("prevalence"))
    assert result["prevalence"].to_numpy() == pytest.approx(
        np.array([weeks[week] for week in frame["week"]]), abs=1e-12
    )


def test_the_method_can_be_chosen(train, frame, columns):
    model = tc.Model.fit(*train, method="cc,ac")
    for method, expected in zip(model.methods, model.estimate_each(columns["score"])):
        result = frame.select(model.influence_expr(pl.col("score"), method=method).mean()).item()
        assert result == pytest.approx(expected.raw, abs=1e-12)


def test_scores_may_be_integers(model):
    whole = pl.DataFrame({"score": [2, 0, -1]}, schema={"score": pl.Int32})
    assert whole.select(influence(model).mean()).item() == pytest.approx(model.estimate([2, 0, -1]).raw, abs=1e-12)


@pytest.mark.parametrize(
    ("value", "message"), [(None, "value 1 is missing"), (float("nan"), "is NaN; scores must be finite")]
)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_missing_scores_are_an_error(train, value, message, engine):
    model = tc.Model.fit(*train)
    frame = pl.LazyFrame({"week": ["a", "a", "b"], "score": [0.5, value, 0.25]}, schema_overrides={"score": pl.Float64})
    for query in (frame.select(influence(model).mean()), frame.group_by("week").agg(influence(model).mean())):
        with pytest.raises(ValueError, match=message):
            query.collect(engine=engine)


def test_a_method_without_influence_function_is_an_error(train):
    with pytest.raises(ValueError, match="t-ms is not the mean of a function"):
        tc.Model.fit(*train, method="t-ms").influence_expr(pl.col("score"))


@pytest.fixture(scope="module", params=["pandas", "polars", "pyarrow"])
def database(request, columns):
    library = pytest.importorskip(request.param)
    frame = library.table(columns) if request.param == "pyarrow" else library.DataFrame(columns)
    with duckdb.connect() as connection:
        connection.register("messages", frame)
        yield connection


@pytest.mark.parametrize("options", [{}, {"target": "population", "level": 0.9}])
def test_queries_by_group_agree_with_estimates(database, train, columns, options):
    model = tc.Model.fit(*train)
    query = model.sql("messages", by="week", **options)
    result = {(row["week"], row["method"]): row for row in database.sql(query).to_arrow_table().to_pylist()}
    expected = model.estimate(columns["score"], by={"week": columns["week"]}, **options)
    assert len(result) == len(expected) == 3
    for one in expected:
        row = result[one.group["week"], one.method]
        assert (row["n"], row["missing"], row["level"], row["target"]) == (one.n, 0, one.level, one.target)
        numbers = [row[name] for name in ("prevalence", "raw", "se", "lower", "upper")]
        assert numbers == pytest.approx([one.prevalence, one.raw, one.se, *one.interval], abs=1e-9)


def test_queries_group_dates_by_period(train, columns):
    days = np.datetime64("2026-01-01") + np.arange(len(columns["score"])) % 60
    model = tc.Model.fit(*train)
    with duckdb.connect() as connection:
        connection.register("messages", pl.DataFrame({"score": columns["score"], "day": days}))
        rows = connection.sql(model.sql("messages", by="day", every="week")).fetchall()
    expected = model.estimate(columns["score"], by={"day": tc.periods(days, "week")})
    assert [(row[0], row[2]) for row in rows] == [(one.group["day"], one.n) for one in expected]


def test_queries_of_all_rows_agree_with_estimates(database, train, columns):
    model = tc.Model.fit(*train)
    names = [column[0] for column in database.execute(model.sql("messages")).description]
    row = dict(zip(names, database.execute(model.sql("messages")).fetchall()[0]))
    one = model.estimate(columns["score"])
    assert [row[name] for name in ("raw", "se", "lower", "upper")] == pytest.approx(
        [one.raw, one.se, *one.interval], abs=1e-9
    )


def test_a_query_counts_missing_scores(train):
    model = tc.Model.fit(*train)
    with duckdb.connect() as connection:
        rows = "values ('a', 0.5), ('a', null), ('a', -0.5), ('b', 1.0)"
        connection.execute(f"create table messages as from ({rows}) as t(week, score)")
        rows = connection.sql(model.sql("messages", by="week")).to_arrow_table().to_pylist()
    result = {row["week"]: (row["n"], row["missing"], row["raw"]) for row in rows}
    assert result["a"] == (2, 1, pytest.approx(model.estimate([0.5, -0.5]).raw, abs=1e-9))
    assert result["b"] == (1, 0, pytest.approx(model.estimate([1.0]).raw, abs=1e-9))


def test_counts_are_those_of_the_tally(database, train, columns, tmp_path):
    model, file = tc.Model.fit(*train), tmp_path / "week.tally"
    rows = database.sql(model.sql("messages", by="week", counts=True)).fetchall()
    for week in np.unique(columns["week"]):
        counts = {bin: n for group, method, bin, n, _ in rows if (group, method) == (week, "es")}
        model.tally(columns["score"][columns["week"] == week]).write(file)
        ((expected,),) = database.execute(f"select tally.es.counts from read_parquet('{file}')").fetchall()
        assert [counts.get(bin, 0) for bin in range(len(expected))] == expected


def test_names_are_quoted(train, columns):
    pd = pytest.importorskip("pandas")
    model = tc.Model.fit(*train)
    with duckdb.connect() as connection:
        connection.register("its", pd.DataFrame({'the "week"': columns["week"], "order": columns["score"]}))
        connection.execute('create schema "my shop"; create table "my shop"."a.b" as select * from its')
        query = model.sql(("my shop", "a.b"), score="order", by='the "week"')
        rows = connection.sql(query).to_arrow_table().to_pylist()
    expected = model.estimate(columns["score"], by={'the "week"': columns["week"]})
    result = {row['the "week"']: row["raw"] for row in rows}
    assert result == pytest.approx(dict(zip(expected.groups['the "week"'], expected.raw)), abs=1e-9)


def test_duckdb_reads_estimates_as_a_table(train, columns):
    estimates = tc.Model.fit(*train).estimate(columns["score"], by={"week": columns["week"]})
    rows = duckdb.sql("select week, n, raw from estimates order by raw").fetchall()
    assert rows == sorted(zip(estimates.groups["week"], estimates.n, estimates.raw), key=lambda row: row[2])
