"""Runs the queries of `truecount sql` in SQL engines and compares the results with `truecount
estimate`.

    python check.py FOLDER TRUECOUNT ENGINE…      FOLDER is for files, TRUECOUNT the command

A query of counts returns a tally, which `truecount finish` turns into estimates. SQL for engines that
are not available here is parsed and run in DuckDB. The script fails if a number differs by more than
1e-9 from the command's.
"""

import csv
import importlib
import io
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

import dialects
from cases import Case, Model, common_cases, core_cases
from tables import all_tables, labelled

MODULES = {
    "duckdb": "duck",
    "sqlite": "lite",
    "postgresql": "postgres",
    "clickhouse": "click",
    "datafusion": "fusion",
}
ESTIMATE_COLUMNS = ["prevalence", "raw", "se", "lower", "upper", "level"]
FINISHED_COLUMNS = [*ESTIMATE_COLUMNS, "misfit", "widening"]
TOLERANCE = 1e-9
PERIODS = {
    "day": "{:%Y-%m-%d}".format,
    "week": "{:%G-W%V}".format,
    "month": "{:%Y-%m}".format,
    "quarter": lambda date: f"{date.year}-Q{(date.month + 2) // 3}",
    "year": "{:%Y}".format,
}


class Mismatch(Exception):
    """An engine's result that differs from the expected one, or a command that fails."""


class Truecount:
    """The command, with the tables and the models of the cases."""

    def __init__(self, command, folder):
        self.command, self.folder, self.tables = command, folder, all_tables()
        self.train = folder / "labelled.csv"
        labelled().write_csv(self.train, "")
        self.models, self.expected_rows = {}, {}

    def run(self, *arguments):
        """Runs the command and returns its output."""
        process = subprocess.run([self.command, *arguments], capture_output=True, encoding="utf-8")
        if process.returncode:
            raise Mismatch(f"truecount {' '.join(map(str, arguments))}: {process.stderr.strip()}")
        return process.stdout

    def model(self, case):
        """File with the fitted model of a case."""
        if case.model not in self.models:
            file = self.folder / f"model-{len(self.models)}.json"
            self.run("fit", "--train", self.train, *case.model.arguments(), "--output", file)
            self.models[case.model] = file
        return self.models[case.model]

    def columns(self, case):
        """Options that name the columns of a case."""
        prob = ["--prob", "prob"] if case.model.prob else []
        return ["--score", self.tables[case.table].score, *prob, *(["--by", ",".join(case.by)] if case.by else [])]

    def sql(self, case, dialect):
        """Returns the query of a case."""
        # The name is quoted as in SQL, because a dot would separate a schema from a table.
        name = '"' + case.table.replace('"', '""') + '"'
        source = ["--model", self.model(case), "--table", name, "--dialect", dialect]
        return self.run("sql", *source, *self.columns(case), *case.options)

    def expected(self, case):
        """Rows that the query must return, by group and method."""
        if case not in self.expected_rows:
            self.expected_rows[case] = self.estimate(case)
        return self.expected_rows[case]

    def estimate(self, case):
        """The command's own results, with rows without estimates for groups without scores."""
        table = self.tables[case.table]
        score = table.content[table.score]
        columns = [table.content[by].to_pylist() for by in case.by]
        if case.every:
            columns[-1] = [value and PERIODS[case.every](value) for value in columns[-1]]
        keys = list(zip(*(map(text, column) for column in columns))) or [()] * len(score)
        missing = Counter(key for key, null in zip(keys, score.is_null().to_pylist()) if null)
        present = table.content.filter(pc.is_valid(score))
        rows = {}
        if len(present):
            file = self.folder / "test.parquet"
            pq.write_table(present, file)
            tables = ["--model", self.model(case), "--test", file, *self.columns(case)]
            options = case.weight if case.counts else ("--misfit", "warn", *case.options)
            rows = rows_by_key(*parse(self.run("estimate", *tables, "--format", "csv", *options)), case)
        if case.counts:
            return rows
        groups = set(keys) if case.by else {()}
        options = dict(zip(case.options[::2], case.options[1::2]))
        level, target = options.get("--level", "0.95"), options.get("--target", "sample")
        for group in groups:
            for method in case.model.methods.split(","):
                without_scores = {"n": "0", "level": level, "target": target} | dict.fromkeys(ESTIMATE_COLUMNS[:-1])
                rows.setdefault((group, method), without_scores)["missing"] = str(missing[group])
        return rows

    def finish(self, case, columns, rows):
        """Estimates of `truecount finish` from a tally that an engine returned."""
        file = self.folder / "tally.csv"
        with open(file, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(columns)
            writer.writerows([text(cell) for cell in row] for row in rows)
        return parse(self.run("finish", "--model", self.model(case), "--tally", file, "--format", "csv"))


def text(value):
    """A cell as text; NULL stays `None`."""
    return None if value is None else str(value)


def parse(output):
    """Column names and rows of CSV in which an empty cell is NULL."""
    columns, *rows = csv.reader(io.StringIO(output))
    return columns, [[cell or None for cell in row] for row in rows]


def rows_by_key(columns, rows, case):
    """Returns the rows by group and method.

    Raises `Mismatch` if two rows have the same group and method.
    """
    by_key = {}
    for row in rows:
        cells = dict(zip(columns, map(text, row), strict=True))
        group = tuple(cells[by] for by in case.by)
        key = group, cells["method"]
        if key in by_key:
            raise Mismatch(f"{location(case, key)}: two rows")
        by_key[key] = cells
    return by_key


def location(case, key):
    """Text that names a case, a group and a method."""
    group, method = key
    return f"{case}\n  group {group}, method {method}"


def compare(case, expected, actual, exact_columns, columns=ESTIMATE_COLUMNS):
    """Returns the differences between the numbers of an engine and of the command.

    Raises `Mismatch` at the first difference above the tolerance, which is 0 for `exact_columns`.
    """
    for key in expected.keys() ^ actual.keys():
        raise Mismatch(f"{location(case, key)}: {'no row' if key in expected else 'a row too many'}")
    differences = []
    for key, expected_row in expected.items():
        if (ours := expected_row.get("target")) != (theirs := actual[key].get("target")):
            raise Mismatch(f"{location(case, key)}: target is {theirs}, not {ours}")
        for column in [*exact_columns, *columns]:
            ours, theirs = expected_row[column], actual[key][column]
            if (ours is None) != (theirs is None):
                raise Mismatch(f"{location(case, key)}: {column} is {theirs}, not {ours}")
            if ours is None:
                continue
            difference = abs(float(theirs) - float(ours))
            # Not `difference > …`, which is false for NaN.
            if not difference <= (0.0 if column in exact_columns else TOLERANCE):
                raise Mismatch(f"{location(case, key)}: {column} is {theirs}, not {ours}: {difference:.1e} apart")
            differences.append(difference)
    return differences


def check(case, engine, truecount):
    """Runs the query of a case in an engine and compares the results with the command's."""
    sql = truecount.sql(case, engine.dialect)
    (truecount.folder / f"{engine.name}.sql").write_text(sql, encoding="utf-8")
    try:
        columns, rows = engine.query(sql)
    except Exception as error:
        raise Mismatch(f"{case}\n  {error}") from error
    expected = truecount.expected(case)
    if not case.counts:
        return compare(case, expected, rows_by_key(columns, rows, case), ["n", "missing"])
    if not expected:
        # `truecount finish` fails on a tally without scores.
        if any(row[columns.index("bin")] != -1 for row in rows):
            raise Mismatch(f"{case}: scores where there are none")
        return []
    return compare(case, expected, rows_by_key(*truecount.finish(case, columns, rows), case), ["n"], FINISHED_COLUMNS)


def check_missing_columns(engine, truecount):
    """Checks that a missing column is an error.

    SQLite takes an unknown quoted name for a text.
    """
    sql = truecount.sql(Case(Model("es"), "scores", ("region",)), engine.dialect)
    for column in ("score", "region"):
        misspelt = re.sub(rf"(truecount_rows\.\W){column}", r"\1typo", sql)
        try:
            rows = engine.query(misspelt)[1]
        except Exception:
            continue
        raise Mismatch(f"there is no column 'typo', and the answer is {rows}")


def run(engine, cases, truecount):
    """Checks every case in an engine and returns whether all results agree."""
    start, differences, queries = time.perf_counter(), [], 0
    with engine:
        for table in truecount.tables.values():
            engine.load(table)
        try:
            for case in cases:
                differences += check(case, engine, truecount)
                queries += 1
            check_missing_columns(engine, truecount)
        except Mismatch as mismatch:
            print(f"{engine.name}: {mismatch}\n  the query is in {truecount.folder / engine.name}.sql", flush=True)
            return False
    print(
        f"{engine.name:10} {queries:4} queries {len(differences):8} numbers   largest difference {max(differences):.1e}"
        f"   {time.perf_counter() - start:4.0f} s",
        flush=True,
    )
    return True


def main():
    """Checks the engines on the command line, then the parsed dialects."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that engines stop their servers
    folder, command, *names = sys.argv[1:]
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    truecount = Truecount(command, folder)
    lists = [list(common_cases())] * len(names)
    engines = [importlib.import_module(MODULES[name]).Engine(folder) for name in names]
    engines += [dialects.Engine(dialect, folder) for dialect in dialects.DIALECTS]
    lists += [list(dialects.supported(dialect, core_cases())) for dialect in dialects.DIALECTS]
    passed = [run(engine, cases, truecount) for engine, cases in zip(engines, lists)]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
