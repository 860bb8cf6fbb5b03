"""Tallies on the executors of a local Spark."""

import datetime
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import truecount as tc

pytest.importorskip("pyspark", minversion="4.0")
pytest.importorskip("pyarrow")

from pyspark.sql import SparkSession

from truecount.spark import tally

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

QUIET = """
appender.errors.type = Console
appender.errors.name = errors
appender.errors.target = SYSTEM_ERR
rootLogger.level = fatal
rootLogger.appenderRef.errors.ref = errors
logger.shell.name = org.apache.spark.api.python.PythonGatewayServer
logger.shell.level = fatal
"""
DAYS = np.array(["2026-11-01", "2026-11-02", "2026-11-03"], dtype="datetime64[D]")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    (folder / "log4j2.properties").write_text(QUIET)
    settings = {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(Path(tc.__file__).parents[1]),
        "SPARK_CONF_DIR": str(folder),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "RAYON_NUM_THREADS": "1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        builder = SparkSession.builder.master("local[2]").appName("truecount")
        options = {
            "ui.enabled": "false",
            "ui.showConsoleProgress": "false",
            "sql.warehouse.dir": str(folder / "warehouse"),
        }
        for name, value in (options | {"sql.execution.arrow.maxRecordsPerBatch": "500"}).items():
            builder = builder.config(f"spark.{name}", value)
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.fixture(scope="module")
def train():
    rng = np.random.default_rng(1)
    return np.r_[rng.normal(1, 1, 200), rng.normal(-1, 1, 300)], np.repeat([1, 0], [200, 300])


@pytest.fixture(scope="module")
def scores():
    """Returns scores with a day, a shop (some missing), a rating (some NaN), and weights."""
    rng = np.random.default_rng(2)
    n = 4000
    return {
        "score": rng.normal(np.where(rng.random(n) < 0.3, 1, -1), 1),
        "day": rng.choice(DAYS, n),
        "shop": rng.choice(np.array(["east", "west", None], dtype=object), n),
        "rating": rng.choice([1.5, 2.5, np.nan], n),
        "weight": rng.uniform(0.5, 2.0, n),
    }


@pytest.fixture(scope="module")
def frame(spark, scores):
    import pyarrow as pa

    return spark.createDataFrame(pa.table(scores)).repartition(7).cache()


def assert_same(actual, expected, names):
    """Asserts equal rows in any order, because the order of partitions may differ."""

    def rows(estimates):
        return {
            tuple(str(estimates.groups[name][row]) for name in names): (one.n, one.raw, one.se, *one.interval)
            for row, one in enumerate(estimates)
        }

    actual, expected = rows(actual), rows(expected)
    assert actual.keys() == expected.keys()
    for key, values in actual.items():
        assert values == pytest.approx(expected[key], abs=1e-12), key


@pytest.mark.parametrize("names", [("shop",), ("day", "shop", "rating")])
def test_groups_agree_with_estimate(frame, scores, train, names):
    model = tc.Model.fit(*train, method="es")
    estimates = tally(model, frame, by=names).estimate_each()
    assert_same(estimates, model.estimate(scores["score"], by={name: scores[name] for name in names}), names)


def test_groups_keep_their_type(frame, train):
    result = tally(tc.Model.fit(*train), frame, by=["day", "shop", "rating"])
    day, shop, rating = next(key for key in result._numbers if None not in key)
    assert type(day) is datetime.date and type(shop) is str and type(rating) is float
    groups = result.estimate_each().groups
    assert (groups["day"].dtype, groups["rating"].dtype) == (DAYS.dtype, np.float64)


def test_estimates_of_all_rows_by_every_kind_of_method(frame, scores, train):
    model = tc.Model.fit(*train, method="o-cs,es,ac,t-ms,sld,dys,hdy")
    for one, other in zip(tally(model, frame).estimate_each(), model.estimate_each(scores["score"]), strict=True):
        assert (one.method, one.n, one.warnings) == (other.method, 4000, other.warnings)
        assert one.raw == pytest.approx(other.raw, abs=1e-12)


def test_probabilities_and_weights(frame, scores, train):
    # Any monotone map of the scores serves as probabilities here.
    def probabilities(values):
        return 1 / (1 + np.exp(-2 * values))

    model = tc.Model.fit(*train, method="pacc", train_probabilities=probabilities(train[0]))
    with_them = frame.selectExpr("*", "1 / (1 + exp(-2 * score)) as likely")
    estimates = tally(model, with_them, by="day", probability="likely", weight="weight").estimate_each()
    expected = model.estimate(
        scores["score"],
        by={"day": scores["day"]},
        test_probabilities=probabilities(scores["score"]),
        weights=scores["weight"],
    )
    assert_same(estimates, expected, ["day"])


def test_partitions_that_are_empty_and_awkward_names(spark, train):
    odd = "a `day`, or. so"
    rows = "values (1.0d, 'x'), (0.5d, 'y'), (-1.0d, 'x') as t(tally, `a ``day``, or. so`)"
    frame = spark.sql(f"select * from {rows}").repartition(5)
    assert frame.selectExpr("spark_partition_id()").distinct().count() < 5
    model = tc.Model.fit(*train)
    # The score column may also be a grouping column.
    estimates = tally(model, frame, "tally", by=[odd, "tally"]).estimate_each()
    expected = model.estimate([1.0, 0.5, -1.0], by={odd: ["x", "y", "x"], "tally": [1.0, 0.5, -1.0]})
    assert_same(estimates, expected, [odd, "tally"])


def test_tallies_add_up_with_local_ones(frame, scores, train):
    model = tc.Model.fit(*train)
    east, rest = frame.where("shop = 'east'"), scores["shop"] != "east"
    both = tally(model, east, by="rating") + model.tally(scores["score"][rest], by={"rating": scores["rating"][rest]})
    assert_same(both.estimate_each(), model.estimate(scores["score"], by={"rating": scores["rating"]}), ["rating"])


def test_wrong_arguments_are_errors(spark, frame, train):
    model = tc.Model.fit(*train)
    for score, weight, reason in [
        ("null", "1d", r"column 'score', day = datetime\.date\(2026, 11, 2\): a score is null"),
        ("double('-inf')", "1d", "is -inf; scores must be finite"),
        ("1d", "null", r"column 'weight', day = datetime\.date\(2026, 11, 2\): a weight is null"),
    ]:
        rows = f"values (date'2026-11-01', 0d, 1d), (date'2026-11-02', {score}, {weight}) as t(day, score, weight)"
        with pytest.raises(tc.ScoreError, match=reason) as caught:
            tally(model, spark.sql(f"select * from {rows}"), by="day", weight="weight")
        # An error of an executor keeps its class and message.
        assert caught.value.code == ("score-not-finite" if "inf" in score else "value-not-number")
        assert caught.value.fields["row"] == 0
    with pytest.raises(ValueError, match="not a number"):
        tally(model, spark.sql("select date'2026-11-01' as score"))
    with pytest.raises(ValueError, match="no column 'week'; its columns are score, day"):
        tally(model, frame, by="week")
    with pytest.raises(ValueError, match="a column twice: day, day"):
        tally(model, frame, by=["day", "day"])
    with pytest.raises(ValueError, match="no rows"):
        tally(model, frame.where("false"))
