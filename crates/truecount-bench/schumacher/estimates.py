"""Estimates for the paper's test samples: one sample at each test prevalence from each pool of scores.py.

    python estimates.py TRUECOUNT SCORES CLASSIFIER      TRUECOUNT is the command

A test sample has the size of the paper's design, and is drawn without replacement from the pool of its
labelled sample. CLASSIFIER.csv in SCORES gets a row for each test sample: set, labelled sample, truth, and
every method's estimate, which is empty if the method fails. `dys scaled` is `dys` with the column `scaled`.
"""

import csv
import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from scores import TEST, sizes
from sets import SETS

THREADS = 2
INVERTED = "positives score lower than negatives on the whole"


def samples(rng, pool, size):
    """Returns the true prevalences and the table of the test samples, one at each test prevalence."""
    head, *rows = pool.read_text().splitlines()
    rows, positive = np.array(rows), np.array([row.endswith(",1") for row in rows])
    classes = [rows[~positive], rows[positive]]
    truths, lines = [], [f"{head},test\n"]
    for number, test in enumerate(TEST):
        counts = [int(size * part) for part in (1 - test, test)]
        truths.append(counts[1] / sum(counts))
        for members, count in zip(classes, counts):
            lines += (f"{row},{number}\n" for row in rng.choice(members, count, replace=False))
    return truths, "".join(lines)


def estimates(command, folder):
    """Returns the rows of the result for one labelled sample."""
    name = folder.parent.name
    share, training, seed = folder.name.split("-")
    known = SETS[name]
    _, size = sizes(np.repeat((0, 1), (known.rows - known.positives, known.positives)), float(share), float(training))
    rng = np.random.default_rng([int(seed), round(100 * float(share)), round(100 * float(training)), 1])
    truths, table = samples(rng, folder / "pool.csv", size)
    sample = {"data": name, "share": share, "training": training, "seed": seed, "n": size}
    results = [{**sample, "test": test, "truth": truth} for test, truth in zip(TEST, truths)]
    for methods, probability, suffix in (("all", "probability", ""), ("dys", "scaled", " scaled")):
        options = ["--prob", probability, "--method", methods, "--by", "test", "--format", "csv", "--threads", "1"]
        train = ["--train", folder / "labelled.csv", "--test", "-"]
        run = subprocess.run([command, "estimate", *train, *options], input=table, capture_output=True, text=True)
        if run.returncode != 0 and INVERTED not in run.stderr:
            sys.exit(f"{folder}: {run.stderr}")
        for row in csv.DictReader(io.StringIO(run.stdout)):
            results[int(row["test"])][row["method"] + suffix] = row["prevalence"]
    return results


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    command, scores, classifier = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    folders = sorted((scores / classifier).glob("*/*/"))
    with ThreadPoolExecutor(THREADS) as threads:
        results = threads.map(lambda folder: estimates(command, folder), folders)
        rows = [row for result in results for row in result]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with (scores / f"{classifier}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
