"""Compares the times of the queries for Efficient Sweep, of counts and of estimates, with that of a mean
by group, in DuckDB and Spark, on two threads.

python times.py FOLDER TRUECOUNT      FOLDER is for files, TRUECOUNT the command
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from tables import labelled, many

ROWS, GROUPS, REPETITIONS = 10_000_000, 1000, 5
MEAN_QUERY = "SELECT g, avg(score) FROM t GROUP BY g"
KINDS = {"counts": ["--counts"], "estimates": []}


def fit_and_build_query(folder, truecount, dialect, *options):
    """Fits a model with the default method and returns its query."""
    train, model = folder / "labelled.csv", folder / "es.json"
    labelled().write_csv(train, "")

    def run(*arguments):
        return subprocess.run([truecount, *arguments], check=True, capture_output=True, encoding="utf-8").stdout

    run("fit", "--train", train, "--score", "score", "--output", model)
    return run("sql", "--model", model, "--table", "t", "--by", "g", "--dialect", dialect, *options)


def report(name, queries, execute):
    """Runs all queries in turn, and prints the median time of each and that of its first run."""
    queries = {"mean": MEAN_QUERY, **queries}
    seconds = {kind: [] for kind in queries}
    for _ in range(REPETITIONS + 1):
        for kind, sql in queries.items():
            start = time.perf_counter()
            execute(sql)
            seconds[kind].append(time.perf_counter() - start)
    medians = {kind: statistics.median(times[1:]) for kind, times in seconds.items()}
    for kind, sql in queries.items():
        ratio = medians[kind] / medians["mean"]
        print(
            f"{name:7} {kind:10} {len(sql):6} bytes {medians[kind]:6.3f} s, {ratio:4.1f} times the mean; "
            f"at first {seconds[kind][0]:.1f} s",
            flush=True,
        )


def main():
    """Compares the times in DuckDB, then in Spark."""
    folder, truecount = Path(sys.argv[1]).resolve(), sys.argv[2]
    file = folder / "t.parquet"
    pq.write_table(many(ROWS, GROUPS), file)
    connection = duckdb.connect(config={"threads": 2})
    connection.execute(f"create table t as from '{file}'")
    queries = {kind: fit_and_build_query(folder, truecount, "ansi", *options) for kind, options in KINDS.items()}
    report("DuckDB", queries, lambda sql: connection.execute(sql).fetchall())
    connection.close()

    from spark import Engine

    with Engine(folder) as engine:
        engine.session.read.parquet(str(file)).createOrReplaceTempView("t")
        queries = {kind: fit_and_build_query(folder, truecount, "spark", *options) for kind, options in KINDS.items()}
        report("Spark", queries, engine.query)


if __name__ == "__main__":
    main()
