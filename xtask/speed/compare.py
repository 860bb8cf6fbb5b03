"""Compares the time and memory of truecount's estimates with those of DuckDB's averages of the same
rows.

    python compare.py FOLDER TRUECOUNT      FOLDER is the output of data.py, TRUECOUNT the command

Both programs use two threads. Every measurement is a new process, in turn (A B A B …), after a
first run of each that leaves the file in the page cache; medians are printed. DuckDB has two times,
of the query alone and of the whole process with Python; truecount's is the time of the process. CPU
seconds hardly depend on the machine's load. DuckDB only averages, while truecount adds standard
errors, intervals and warnings: the ratio is the cost of the statistics. The script never fails
because of a time.
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
class Measurement:
    """Seconds of a process, of its query and of the CPU, and the peak resident set in GB."""

    process: float
    query: float
    cpu: float
    memory: float


def run(command, out):
    """Runs a command with its output in a file.

    Returns the seconds, the CPU seconds and the peak resident set in GB.
    A process inherits the peak resident set of its parent, so this script imports nothing big.
    """
    start = time.perf_counter()
    with open(out, "wb") as file, open(errors := out.with_name("errors.txt"), "wb") as error_file:
        child = subprocess.Popen(command, stdout=file, stderr=error_file)
        _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{errors.read_text()}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


class Programs:
    """Both programs, run on the files of a folder."""

    def __init__(self, folder, truecount):
        self.folder, self.command, self.model = folder, truecount, folder / "model.json"
        train = folder / "labelled.csv"
        subprocess.run([truecount, "fit", "--train", train, "-o", self.model], check=True)

    def truecount(self, file, grouped):
        """Measures an estimate, or estimates of all groups."""
        command = [self.command, "estimate", "--model", self.model, "--test", self.folder / file]
        command += ["--threads", "2", "--format", "csv", *(["--by", "group"] if grouped else [])]
        seconds, cpu, memory = run(command, self.folder / "out.csv")
        return Measurement(seconds, seconds, cpu, memory)

    def duckdb(self, file, grouped, to_csv):
        """Measures an average, or averages of all groups."""
        source = f"from '{self.folder / file}'"
        sql = f'select "group", avg(score) {source} group by 1' if grouped else f"select avg(score) {source}"
        if to_csv:
            sql = f"copy ({sql}) to '{self.folder / 'out.csv'}' (format csv)"
        query_seconds = self.folder / "seconds.txt"
        query = Path(__file__).with_name("query.py")
        seconds, cpu, memory = run([sys.executable, "-B", query, sql], query_seconds)
        return Measurement(seconds, float(query_seconds.read_text()), cpu, memory)


def median(runs):
    """Median of each field over several runs."""
    return Measurement(*(statistics.median(getattr(run, name) for run in runs) for name in Measurement.__annotations__))


def compare(name, ours, theirs):
    """Runs two programs in turn and prints a line with the medians and their ratios."""
    ours(), theirs()
    us, them = map(median, zip(*((ours(), theirs()) for _ in range(PAIRS))))
    print(
        f"{name:16}{us.process:7.2f}{us.cpu:6.2f}{us.memory:6.2f}"
        f"{them.query:7.2f}{them.process:7.2f}{them.cpu:6.2f}{them.memory:6.2f}"
        f"{us.process / them.query:6.2f}{us.process / them.process:6.2f}{us.cpu / them.cpu:6.2f}",
        flush=True,
    )


def main():
    """Compares the programs on every file, without and with groups."""
    programs = Programs(Path(sys.argv[1]), sys.argv[2])
    print(f"{'':16}{'truecount':>19}{'DuckDB':>26}{'ratio':>18}")
    print(
        f"{'':16}{'time':>7}{'cpu':>6}{'GB':>6}{'query':>7}{'time':>7}{'cpu':>6}{'GB':>6}{'query':>6}{'time':>6}{'cpu':>6}"
    )
    for name, file, grouped, to_csv in [
        ("rows.parquet", "rows.parquet", False, False),
        ("  by group", "rows.parquet", True, False),
        ("million.parquet", "million.parquet", True, False),
        ("  DuckDB to CSV", "million.parquet", True, True),
        ("rows.csv", "rows.csv", False, False),
        ("  by group", "rows.csv", True, False),
    ]:
        compare(name, lambda: programs.truecount(file, grouped), lambda: programs.duckdb(file, grouped, to_csv))


if __name__ == "__main__":
    main()
