"""The labelled scores of the models and the tables for the queries, generated with fixed seeds."""

import csv
import datetime
import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 20261121

# The Arrow types of columns.
TYPES = [getattr(pa.types, f"is_{name}") for name in "float64 float32 decimal int32 int64 date string".split()]


def draw(rng, n, share):
    """Scores of two skewed classes, slightly over one standard deviation apart, and labels."""
    positive = rng.random(n) < share
    spread = rng.normal(size=n) + 0.4 * (rng.exponential(size=n) - 1.0)
    return np.where(positive, 1.2 + spread, -0.3 + 0.8 * spread), positive


def sigmoid(scores):
    """Maps scores to (0, 1)."""
    return 1.0 / (1.0 + np.exp(-scores))


@dataclass(frozen=True)
class Table:
    """A table and the name of its score column."""

    name: str
    content: pa.Table
    score: str = "score"

    def write_csv(self, file, null):
        """Writes the table as CSV with every digit and `null` for NULL."""
        with open(file, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(self.content.column_names)
            for row in self.content.to_pylist():
                writer.writerow(null if cell is None else cell for cell in row.values())

    def write_parquet(self, folder):
        """Writes the table to a file of its name in the folder, and returns its path."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{re.sub(r'[^a-z]', '-', self.name)}.parquet"
        pq.write_table(self.content, file)
        return file

    def column_types(self, names):
        """Names of the columns, each with the name of its type from `names`, which are in the order of `TYPES`."""
        types = self.content.schema
        return [(field.name, next(name for fits, name in zip(TYPES, names) if fits(field.type))) for field in types]


def labelled():
    """Labelled rows with several scores.

    There are ordinary scores, probabilities of an overconfident classifier, scores in (0, 1), and
    scores with few values.
    """
    values, positive = draw(np.random.default_rng([SEED, 0]), 700, 0.45)
    content = {
        "score": values,
        "prob": sigmoid(2.0 * values - 0.7),
        "unit": sigmoid(values),
        "label": positive.astype(int),
    }
    content |= {"few": np.clip(np.round(2.0 * values) / 2.0, -1.0, 2.0), "two": np.where(values < 0.4, -1.0, 2.0)}
    content["cluster"] = np.arange(len(values)) // 5
    return Table("labelled", pa.table(content))


def choose(rng, values, n):
    """Returns `n` values in random order, with each value about equally often."""
    return [values[i] for i in rng.permutation(np.arange(n) % len(values))]


REGIONS = ["north", "süd", 'the "east"', "it's", "two\nlines", "a,b", "NULL", "日本", " ", "back\\slash", "`", None]
DAYS = [datetime.date(2026, 2, 27) + datetime.timedelta(days) for days in range(3)] + [None]


def scores(rng):
    """Ordinary scores with groups by text, integer and date, each with NULL."""
    n = 6000
    values, _ = draw(rng, n, 0.3)
    content = {
        "score": values,
        "prob": sigmoid(1.5 * values - 0.2),
        "weight": np.arange(n) % 5 / 4.0,
        "region": pa.array(choose(rng, REGIONS, n), pa.string()),
        "store": pa.array(choose(rng, [-1, 0, 7, 2_147_483_648, None], n), pa.int64()),
        "day": pa.array(choose(rng, DAYS, n), pa.date32()),
    }
    return Table("scores", pa.table(content))


def far(rng):
    """Scores far from the labelled ones, each alone in a group, and all in a group with others."""
    extremes = [1e300, -1e300, -1e308, 1.7976931348623157e308, 1e-320, 5e-324, -0.0, 0.0, 1e16, -40.0, 40.0, 9.0, -9.0]
    ordinary, _ = draw(rng, 500, 0.6)
    kinds = [f"only {x}" for x in extremes] + ["among others"] * (len(extremes) + len(ordinary))
    return Table("far", pa.table({"score": [*extremes, *extremes, *ordinary], "kind": kinds}))


def awkward(rng):
    """A table whose names have characters that engines may mishandle."""
    n = 400
    values, _ = draw(rng, n, 0.5)
    content = {
        'Select "Score" `p`.x': values,
        "Group": choose(rng, ["a", "b"], n),
        'UPPER "lower".`x`': choose(rng, [1, 2], n),
        "order": choose(rng, ["x", None], n),
    }
    return Table('Order by "the".`Hour` x', pa.table(content), score='Select "Score" `p`.x')


def missing(rng):
    """A table with a group of NULL scores, a group with some NULL and a group without NULL."""
    values, _ = draw(rng, 300, 0.5)
    cells = [None if i < 100 or (i < 200 and i % 7 == 0) else x for i, x in enumerate(values.tolist())]
    kinds = ["all"] * 100 + ["some"] * 100 + ["none"] * 100
    return Table("missing", pa.table({"score": pa.array(cells, pa.float64()), "kind": kinds}))


def typed(name, cast, arrow_type):
    """Returns a function that makes a table with scores of a type other than double."""

    def make(rng):
        values, _ = draw(rng, 900, 0.5)
        content = {
            "score": pa.array([cast(x) for x in values], arrow_type),
            "store": choose(rng, [1, 2, 3], len(values)),
        }
        return Table(name, pa.table(content))

    return make


def empty(_rng):
    """A table without rows."""
    return Table("empty", pa.table({"score": pa.array([], pa.float64()), "kind": pa.array([], pa.string())}))


def unit(rng):
    """Scores in (0, 1), some very close to an end."""
    values = sigmoid(draw(rng, 900, 0.4)[0])
    edges = [1e-300, 5e-324, 1e-12, 1.0 - 2.0**-53, 1.0 - 1e-12, 0.5]
    return Table(
        "unit", pa.table({"score": [*values, *edges], "store": choose(rng, [1, 2, 3], len(values) + len(edges))})
    )


def few(rng):
    """Scores with few values, most of them at bin edges.

    One group has only NULL scores, one has a single value, and one has the key NULL.
    """
    n = 1200
    values = np.round(2.0 * draw(rng, n, 0.4)[0]) / 2.0
    stores = choose(rng, ["mixed", "NULL", "alike", None], n)
    cells = [None if store == "NULL" else 0.5 if store == "alike" else x for x, store in zip(values.tolist(), stores)]
    return Table("few", pa.table({"score": pa.array(cells, pa.float64()), "store": stores}))


def days(rng):
    """Scores of the first and last days of years, among them leap years and years of 53 weeks."""
    values, _ = draw(rng, 900, 0.4)
    ends = [(12, 28), (12, 29), (12, 31), (1, 1), (1, 3), (1, 4), (2, 28), (3, 1), (9, 30)]
    dates = [datetime.date(year, *end) for year in (1999, 2000, 2004, 2020, 2024, 2026) for end in ends] + [None]
    return Table("days", pa.table({"score": values, "day": pa.array(choose(rng, dates, 900), pa.date32())}))


TABLES = [
    scores,
    far,
    awkward,
    missing,
    typed("whole", round, pa.int32()),
    typed("single", np.float32, pa.float32()),
    typed("exact", lambda x: Decimal(f"{x:.4f}"), pa.decimal128(12, 4)),
    empty,
    unit,
    few,
    days,
]


def all_tables():
    """All tables by name."""
    tables = (make(np.random.default_rng([SEED, k])) for k, make in enumerate(TABLES, 1))
    return {table.name: table for table in tables}
