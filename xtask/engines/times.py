"""Compares the time of the query for Efficient Sweep with that of a mean by group, in DuckDB and
Spark, on two threads.

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


def fit_and_build_query(folder, truecount, dialect, *options):
    """Fits a model with the default method and returns its query."""
    train, model = folder / "labelled.csv", folder / "es.json"
    labelled().write_csv(train, "")

    def run(*arguments):
        return subprocess.run([truecount, *arguments], check=True, capture_output=True, encoding="utf-8").stdout

    run("fit", "--train", train, "--score", "score", "--output", model)
    return run("sql", "--model", model, "--table", "t", "--by", "g", "--dialect", dialect, *options)


def report(name, query, execute):
    """Runs both queries in turn and prints their median times, and the time of the first run."""
    seconds = {MEAN_QUERY: [], query: []}
    for _ in range(REPETITIONS + 1):
        for sql, times in seconds.items():
            start = time.perf_counter()
            execute(sql)
            times.append(time.perf_counter() - start)
    mean, ours = (statistics.median(times[1:]) for times in seconds.values())
    print(
        f"{name:7} {len(query):6} bytes   mean {mean:.2f} s   es {ours:.2f} s, {ours / mean:.1f} times; "
        f"at first {seconds[query][0]:.1f} s",
        flush=True,
    )


def main():
    """Compares the times in DuckDB, then in Spark."""
    folder, truecount = Path(sys.argv[1]).resolve(), sys.argv[2]
    file = folder / "t.parquet"
    pq.write_table(many(ROWS, GROUPS), file)
    connection = duckdb.connect(config={"threads": 2})
    connection.execute(f"create table t as from '{file}'")
    for options in [(), ("--interval", "wald")]:
        query = fit_and_build_query(folder, truecount, "ansi", *options)
        report("DuckDB", query, lambda sql: connection.execute(sql).fetchall())
    connection.close()

    from spark import Engine

    with Engine(folder) as engine:
        engine.session.read.parquet(str(file)).createOrReplaceTempView("t")
        report("Spark", fit_and_build_query(folder, truecount, "spark"), engine.query)


if __name__ == "__main__":
    main()
