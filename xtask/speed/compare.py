"""Compares truecount's estimates with DuckDB's averages of the same rows: time and memory.

    python compare.py FOLDER TRUECOUNT      FOLDER holds what data.py made; TRUECOUNT is the command

Both have two threads and a new process for every measurement, in turn (A B A B …) after one run of each, which leaves the
file in memory; medians are printed. DuckDB has two times, of the query alone and of the whole process with Python;
truecount's is that of the process. The processors' seconds (cpu) hardly change with what else the machine does. DuckDB
averages and truecount estimates, with standard errors, intervals and warnings, so this is what the statistics cost. Times
never make it fail.
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
    """One process: its seconds, those of its query alone, those of the processors, its largest resident set in GB."""

    process: float
    query: float
    processor: float
    memory: float


def run(command, out):
    """The seconds, the processors' seconds and the GB of a command whose output goes into a file.

    A process inherits the largest resident set of the one that started it, so this script imports nothing big.
    """
    start = time.perf_counter()
    with open(out, "wb") as file, open(errors := out.with_name("errors.txt"), "wb") as told:
        child = subprocess.Popen(command, stdout=file, stderr=told)
        _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{errors.read_text()}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


class Programs:
    """Both programs, with the files in one folder."""

    def __init__(self, folder, truecount):
        self.folder, self.command, self.model = folder, truecount, folder / "model.json"
        train = folder / "labelled.csv"
        subprocess.run([truecount, "fit", "--train", train, "-o", self.model], check=True)

    def truecount(self, file, grouped):
        """One estimate, or one of every group."""
        command = [self.command, "estimate", "--model", self.model, "--test", self.folder / file]
        command += ["--threads", "2", "--format", "csv", *(["--by", "group"] if grouped else [])]
        seconds, processor, memory = run(command, self.folder / "out.csv")
        return Measured(seconds, seconds, processor, memory)

    def duckdb(self, file, grouped, copied):
        """One average, or one of every group."""
        source = f"from '{self.folder / file}'"
        sql = f'select "group", avg(score) {source} group by 1' if grouped else f"select avg(score) {source}"
        if copied:
            sql = f"copy ({sql}) to '{self.folder / 'out.csv'}' (format csv)"
        printed = self.folder / "seconds.txt"
        query = Path(__file__).with_name("query.py")
        seconds, processor, memory = run([sys.executable, "-B", query, sql], printed)
        return Measured(seconds, float(printed.read_text()), processor, memory)


def median(runs):
    """The median of each measure."""
    return Measured(*(statistics.median(getattr(run, name) for run in runs) for name in Measured.__annotations__))


def compare(name, ours, theirs):
    """Prints a line about two programs that are run in turn."""
    ours(), theirs()
    us, them = map(median, zip(*((ours(), theirs()) for _ in range(PAIRS))))
    print(
        f"{name:16}{us.process:7.2f}{us.processor:6.2f}{us.memory:6.2f}"
        f"{them.query:7.2f}{them.process:7.2f}{them.processor:6.2f}{them.memory:6.2f}"
        f"{us.process / them.query:6.2f}{us.process / them.process:6.2f}{us.processor / them.processor:6.2f}",
        flush=True,
    )


def main():
    """Compares on every file, whole and by group."""
    programs = Programs(Path(sys.argv[1]), sys.argv[2])
    print(f"{'':16}{'truecount':>19}{'DuckDB':>26}{'ratio':>18}")
    print(
        f"{'':16}{'time':>7}{'cpu':>6}{'GB':>6}{'query':>7}{'time':>7}{'cpu':>6}{'GB':>6}{'query':>6}{'time':>6}{'cpu':>6}"
    )
    for name, file, grouped, copied in [
        ("rows.parquet", "rows.parquet", False, False),
        ("  by group", "rows.parquet", True, False),
        ("million.parquet", "million.parquet", True, False),
        ("  DuckDB to CSV", "million.parquet", True, True),
        ("rows.csv", "rows.csv", False, False),
        ("  by group", "rows.csv", True, False),
    ]:
        compare(name, lambda: programs.truecount(file, grouped), lambda: programs.duckdb(file, grouped, copied))


if __name__ == "__main__":
    main()
