"""Estimates of the paper's test samples, one at each of its test prevalences from each pool that scores.py wrote.

    python estimates.py TRUECOUNT SCORES CLASSIFIER      TRUECOUNT is the command

A test sample has the size that the paper's design leaves for it, and its rows are drawn without replacement from the pool of its labelled
sample. CLASSIFIER.csv in SCORES gets a row for each: set, labelled sample, truth, and every method's estimate, empty where it refuses. `dys scaled` is
`dys` of the column `scaled`.
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
REFUSED = "positives score lower than negatives on the whole"


def samples(rng, pool, size):
    """Truths and tables of the test samples, one at each test prevalence."""
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
    """Rows of the result for one labelled sample."""
    name = folder.parent.name
    share, training, seed = folder.name.split("-")
    known = SETS[name]
    _, size = sizes(np.repeat((0, 1), (known.rows - known.positives, known.positives)), float(share), float(training))
    rng = np.random.default_rng([int(seed), round(100 * float(share)), round(100 * float(training)), 1])
    truths, table = samples(rng, folder / "pool.csv", size)
    sample = {"data": name, "share": share, "training": training, "seed": seed, "n": size}
    found = [{**sample, "test": test, "truth": truth} for test, truth in zip(TEST, truths)]
    for methods, probability, suffix in (("all", "probability", ""), ("dys", "scaled", " scaled")):
        options = ["--prob", probability, "--method", methods, "--by", "test", "--format", "csv", "--threads", "1"]
        train = ["--train", folder / "labelled.csv", "--test", "-"]
        ran = subprocess.run([command, "estimate", *train, *options], input=table, capture_output=True, text=True)
        if ran.returncode != 0 and REFUSED not in ran.stderr:
            sys.exit(f"{folder}: {ran.stderr}")
        for row in csv.DictReader(io.StringIO(ran.stdout)):
            found[int(row["test"])][row["method"] + suffix] = row["prevalence"]
    return found


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    command, scores, classifier = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    folders = sorted((scores / classifier).glob("*/*/"))
    with ThreadPoolExecutor(THREADS) as threads:
        rows = [row for found in threads.map(lambda folder: estimates(command, folder), folders) for row in found]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with (scores / f"{classifier}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
