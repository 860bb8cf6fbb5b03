"""Runs the queries that `truecount sql` prints in SQL engines and compares every number with `truecount estimate` and `compare`.

    python check.py FOLDER TRUECOUNT ENGINE…      FOLDER is for files, TRUECOUNT the command

A query for histogram methods returns a tally, which `truecount finish` turns into estimates. The first engine is given the
long list of cases. Then the SQL of the engines that are not here is parsed, and what the parser has understood is run in DuckDB. The script fails where a number is further than 1e-9 from that of the command.
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

import parsed
from cases import HISTOGRAMS, Case, Model, at_length, briefly, everywhere
from tables import all_tables, labelled

MODULES = {
    "duckdb": "duck",
    "sqlite": "lite",
    "postgresql": "postgres",
    "spark": "spark",
    "clickhouse": "click",
    "datafusion": "fusion",
}
SHARES = ["prevalence", "raw", "se", "lower", "upper", "level"]
DIFFERENCES = ["prevalence", "prevalence_reference", "difference", "se", "ratio", "correlation"]
TOLERANCE = 1e-9
TOTAL = "total"


class Wrong(Exception):
    """An answer that is not the expected one."""


class Truecount:
    """The command, and the tables it is asked about."""

    def __init__(self, command, folder):
        self.command, self.folder, self.tables = command, folder, all_tables()
        self.train = folder / "labelled.csv"
        labelled().write_csv(self.train, "")
        self.models, self.estimated = {}, {}

    def run(self, *arguments):
        """What the command prints."""
        done = subprocess.run([self.command, *arguments], capture_output=True, encoding="utf-8")
        if done.returncode:
            raise Wrong(f"truecount {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout

    def model(self, case):
        """The file with the model of a case."""
        if case.model not in self.models:
            file = self.folder / f"model-{len(self.models)}.json"
            self.run("fit", "--train", self.train, *case.model.arguments(), "--output", file)
            self.models[case.model] = file
        return self.models[case.model]

    def columns(self, case):
        """The options that name a case's columns."""
        prob = ["--prob", "prob"] if case.model.prob else []
        return ["--score", self.tables[case.table].score, *prob, *(["--by", ",".join(case.by)] if case.by else [])]

    def sql(self, case, dialect):
        """The query."""
        # Dots would separate a schema from a table, so the name is quoted, as in SQL.
        name = '"' + case.table.replace('"', '""') + '"'
        where = ["--model", self.model(case), "--table", name, "--dialect", dialect]
        return self.run("sql", *where, *self.columns(case), *case.options)

    def expected(self, case):
        """What the query must return: a row for every group and method, by both."""
        if case not in self.estimated:
            self.estimated[case] = self.estimate(case)
        return self.estimated[case]

    def estimate(self, case):
        """The command's own answer, and a row without estimates for groups without scores."""
        table = self.tables[case.table]
        score, keys = (
            table.content[table.score],
            list(zip(*(map(text, table.content[by].to_pylist()) for by in case.by))),
        )
        keys = keys or [()] * len(score)
        missing = Counter(key for key, null in zip(keys, score.is_null().to_pylist()) if null)
        present = table.content.filter(pc.is_valid(score))
        rows = {}
        if len(present):
            file = self.folder / "test.parquet"
            pq.write_table(present, file)
            command = [
                "compare" if case.against else "estimate",
                "--model",
                self.model(case),
                "--test",
                file,
                "--misfit",
                "warn",
                "--format",
                "csv",
            ]
            rows = rows_of(*parse(self.run(*command, *self.columns(case), *case.options)), case)
        if case.against:
            return rows
        groups = set(keys) if case.by else {()}
        if case.total and (keys or not case.by):
            missing[total := (*[None] * len(case.by), TOTAL)] = score.null_count
            groups.add(total)
        level = dict(zip(case.options[::2], case.options[1::2])).get("--level", "0.95")
        for group in groups:
            for method in case.model.methods.split(","):
                nothing = {"n": "0", "level": level} | dict.fromkeys(SHARES[:-1])
                rows.setdefault((group, method), nothing)["missing"] = str(missing[group])
        return rows

    def finish(self, case, columns, rows):
        """The estimates from a tally that an engine returned."""
        file = self.folder / "tally.csv"
        with open(file, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(columns)
            writer.writerows([text(cell) for cell in row] for row in rows)
        return parse(self.run("finish", "--model", self.model(case), "--tally", file, "--format", "csv", *case.options))


def text(value):
    """A cell as text, or None."""
    return None if value is None else str(value)


def parse(output):
    """The columns and the rows of CSV in which an empty cell is NULL."""
    columns, *rows = csv.reader(io.StringIO(output))
    return columns, [[cell or None for cell in row] for row in rows]


def rows_of(columns, rows, case):
    """Rows by group and method."""
    found = {}
    for row in rows:
        cells = dict(zip(columns, map(text, row), strict=True))
        group = tuple(cells[by] for by in case.by)
        # The command tells it in the column of its tables.
        if cells.get("total") == "1" or cells.get("table") == TOTAL:
            group += (TOTAL,)
        key = group, cells["method"]
        if key in found:
            raise Wrong(f"{place(case, key)}: two rows")
        found[key] = cells
    return found


def place(case, key):
    """Where something was found."""
    group, method = key
    return f"{case}\n  group {group}, method {method}"


def compare(case, expected, found, exact, shares=SHARES):
    """The differences between numbers, or the place of the first that is too large."""
    for key in expected.keys() ^ found.keys():
        raise Wrong(f"{place(case, key)}: {'no row' if key in expected else 'a row too many'}")
    differences = []
    for key, right in expected.items():
        for column in [*exact, *shares]:
            ours, theirs = right[column], found[key][column]
            if (ours is None) != (theirs is None):
                raise Wrong(f"{place(case, key)}: {column} is {theirs}, not {ours}")
            if ours is None:
                continue
            difference = abs(float(theirs) - float(ours))
            # Not >, which NaN passes.
            if not difference <= (0.0 if column in exact else TOLERANCE):
                raise Wrong(f"{place(case, key)}: {column} is {theirs}, not {ours}: {difference:.1e} apart")
            differences.append(difference)
    return differences


def check(case, engine, truecount):
    """Runs a query and compares what it finds."""
    sql = truecount.sql(case, engine.dialect)
    (truecount.folder / f"{engine.name}.sql").write_text(sql, encoding="utf-8")
    try:
        columns, rows = engine.query(sql)
    except Exception as error:
        raise Wrong(f"{case}\n  {error}") from error
    expected = truecount.expected(case)
    if case.against:
        found = rows_of(columns, rows, case)
        for key in expected.keys() & found.keys():
            if expected[key]["reference"] != (found[key]["reference"] or None):
                raise Wrong(f"{place(case, key)}: against {found[key]['reference']}, not {expected[key]['reference']}")
        return compare(case, expected, found, [], DIFFERENCES)
    if case.model.methods != HISTOGRAMS:
        return compare(case, expected, rows_of(columns, rows, case), ["n", "missing"])
    estimable = {key: row for key, row in expected.items() if row["n"] != "0"}
    if not estimable:
        # `finish` refuses a tally without scores.
        if any(row[columns.index("n")] for row in rows):
            raise Wrong(f"{case}: scores where there are none")
        return []
    return compare(case, estimable, rows_of(*truecount.finish(case, columns, rows), case), ["n"])


def check_misspelt(engine, truecount):
    """A column that is not there must be an error: SQLite takes a quoted name that it does not know for a text."""
    sql = truecount.sql(Case(Model("es"), "scores", ("region",)), engine.dialect)
    for column in ("score", "region"):
        misspelt = re.sub(rf"(truecount_rows\.\W){column}", r"\1typo", sql)
        try:
            rows = engine.query(misspelt)[1]
        except Exception:
            continue
        raise Wrong(f"there is no column 'typo', and the answer is {rows}")


def run(engine, cases, truecount):
    """Checks every case in an engine; whether all is right."""
    start, differences, queries = time.perf_counter(), [], 0
    with engine:
        for table in truecount.tables.values():
            engine.load(table)
        try:
            for case in cases:
                differences += check(case, engine, truecount)
                queries += 1
            check_misspelt(engine, truecount)
        except Wrong as wrong:
            print(f"{engine.name}: {wrong}\n  the query is in {truecount.folder / engine.name}.sql", flush=True)
            return False
    print(
        f"{engine.name:10} {queries:4} queries {len(differences):8} numbers   largest difference {max(differences):.1e}"
        f"   {time.perf_counter() - start:4.0f} s",
        flush=True,
    )
    return True


def main():
    """Checks every engine that is named."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is stopped
    folder, command, *names = sys.argv[1:]
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    truecount = Truecount(command, folder)
    lists = [[*everywhere(), *at_length()]] + [list(everywhere())] * (len(names) - 1)
    engines = [importlib.import_module(MODULES[name]).Engine(folder) for name in names]
    engines += [parsed.Engine(dialect, folder) for dialect in parsed.DIALECTS]
    lists += [list(parsed.readable(dialect, briefly())) for dialect in parsed.DIALECTS]
    right = [run(engine, cases, truecount) for engine, cases in zip(engines, lists)]
    sys.exit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
