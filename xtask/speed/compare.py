"""Compares truecount's estimates with DuckDB's averages of the same rows: time and memory.

    python compare.py FOLDER TRUECOUNT      FOLDER holds what data.py made; TRUECOUNT is the command

Both have two threads and a new process for every measurement, in turn (A B A B …) after one run of each, which leaves the
file in memory; medians are printed. DuckDB has two times, of the query alone and of the whole process with Python;
truecount's is that of the process. DuckDB averages and truecount estimates, with standard errors, intervals and warnings, so
this is what the statistics cost. Times never make it fail.
"""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PAIRS = 5


@dataclass(frozen=True)
class Measured:
    """One process: its seconds, those of its query alone, and its largest resident set in GB."""

    process: float
    query: float
    memory: float


def run(command, out):
    """The seconds and the GB of a command whose output goes into a file.

    A process inherits the largest resident set of the one that started it, so this script imports nothing big.
    """
    start = time.perf_counter()
    with open(out, "wb") as file, subprocess.Popen(command, stdout=file) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if child.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return seconds, usage.ru_maxrss / 1e6


class Programs:
    """Both programs, with the files in one folder."""

    def __init__(self, folder, truecount):
        self.folder, self.command, self.model = folder, truecount, folder / "model.json"
        train = folder / "labelled.csv"
        subprocess.run([truecount, "fit", "--train", train, "--method", "o-cs", "-o", self.model], check=True)

    def truecount(self, file, grouped):
        """One estimate, or one of every group."""
        command = [self.command, "estimate", "--model", self.model, "--test", self.folder / file]
        command += ["--threads", "2", "--format", "csv", *(["--by", "group"] if grouped else [])]
        seconds, memory = run(command, self.folder / "out.csv")
        return Measured(seconds, seconds, memory)

    def duckdb(self, file, grouped, copied):
        """One average, or one of every group."""
        source = f"from '{self.folder / file}'"
        sql = f'select "group", avg(score) {source} group by 1' if grouped else f"select avg(score) {source}"
        if copied:
            sql = f"copy ({sql}) to '{self.folder / 'out.csv'}' (format csv)"
        printed = self.folder / "seconds.txt"
        query = Path(__file__).with_name("query.py")
        seconds, memory = run([sys.executable, "-B", query, sql], printed)
        return Measured(seconds, float(printed.read_text()), memory)


def median(runs):
    """The median of each measure."""
    return Measured(*(statistics.median(getattr(run, name) for run in runs) for name in Measured.__annotations__))


def compare(name, ours, theirs):
    """Prints a line about two programs that are run in turn."""
    ours(), theirs()
    us, them = map(median, zip(*((ours(), theirs()) for _ in range(PAIRS))))
    print(
        f"{name:25}{us.process:8.2f}{us.memory:7.3f}{them.query:9.2f}{them.process:9.2f}{them.memory:7.3f}"
        f"{us.process / them.query:8.2f}{us.process / them.process:7.2f}",
        flush=True,
    )


def main():
    """Compares on every file, whole and by group."""
    programs = Programs(Path(sys.argv[1]), sys.argv[2])
    print(f"{'seconds, GB':25}{'truecount':>15}{'DuckDB':>25}{'ratio to':>15}")
    print(f"{'':25}{'process':>8}{'memory':>7}{'query':>9}{'process':>9}{'memory':>7}{'query':>8}{'proc.':>7}")
    for name, file, grouped, copied in [
        ("rows.parquet", "rows.parquet", False, False),
        ("  by group", "rows.parquet", True, False),
        ("million.parquet by group", "million.parquet", True, False),
        ("  and DuckDB writes CSV", "million.parquet", True, True),
        ("rows.csv", "rows.csv", False, False),
        ("  by group", "rows.csv", True, False),
    ]:
        compare(name, lambda: programs.truecount(file, grouped), lambda: programs.duckdb(file, grouped, copied))


if __name__ == "__main__":
    main()
