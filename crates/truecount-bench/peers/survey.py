"""Compares standard errors for weights and clusters of labelled rows with R's package survey (Debian: r-cran-survey).

    python survey.py COMMAND…       COMMAND runs truecount's example `peers`

Compared are weighted class means, and the standard error of α a₊ + (1−α) a₋ at a few α, which is the labelled
part of an estimate's standard error: without clusters (`svymean` of each class), and with clusters that may
contain both classes (`svyby` with `covmat`, `svycontrast`). The script fails if a relative difference exceeds
1e-8.
"""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from problems import truecount

SAMPLES, SEED = 200, 20261122
ALPHAS = (0.0, 0.02, 0.3, 0.5, 0.9, 1.0)
TOLERANCE = 1e-8


def random_sample(rng):
    """Returns rows of both classes with unequal weights; every second sample has clusters with random effects."""
    clustered = rng.uniform() < 0.5
    rows = int(np.exp(rng.uniform(np.log(12), np.log(400))))
    clusters = rng.integers(0, max(4, rows // 5), rows)
    effects = rng.normal(0.0, 1.0, clusters.max() + 1)
    labels = rng.uniform(size=rows) < rng.uniform(0.2, 0.8)
    logits = rng.normal(np.where(labels, 1.0, -1.0), 1.0) + effects[clusters]
    sample = {
        "probabilities": (1.0 / (1.0 + np.exp(-logits))).tolist(),
        "labels": labels.tolist(),
        "weights": np.exp(rng.normal(0.0, rng.uniform(0.1, 1.5), rows)).tolist(),
        "clusters": clusters.tolist() if clustered else None,
        "alphas": ALPHAS,
    }
    weights, g = np.array(sample["weights"]), np.array(sample["probabilities"])
    enough = all(len(set(clusters[labels == y])) > 1 for y in (True, False))
    means = enough and [np.average(g[labels == y], weights=weights[labels == y]) for y in (True, False)]
    return sample if enough and means[0] > means[1] else random_sample(rng)


def survey_results(samples):
    """Returns the numbers of R's survey, a list for each sample."""
    if not shutil.which("Rscript"):
        sys.exit("R is missing: install it with its package survey (Debian: apt-get install r-cran-survey)")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "samples.csv"
        with file.open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["sample", "g", "label", "w", "cluster"])
            for number, sample in enumerate(samples):
                clusters = sample["clusters"] or ["NA"] * len(sample["labels"])
                columns = sample["probabilities"], sample["labels"], sample["weights"], clusters
                writer.writerows([number, repr(g), int(label), repr(w), c] for g, label, w, c in zip(*columns))
        script = Path(__file__).with_name("survey.R")
        command = ["Rscript", script, file, *map(str, ALPHAS)]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [[float(number) for number in line.split()] for line in lines]


def main():
    """Prints the largest difference of each number, and fails if a difference is too large."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rng = np.random.default_rng(SEED)
    samples = [random_sample(rng) for _ in range(SAMPLES)]
    lines = "\n".join(json.dumps(sample) for sample in samples)
    answers = [json.loads(line) for line in truecount(sys.argv[1:], "designs", lines.encode()).splitlines()]
    ours = np.array([[answer["positive"], answer["negative"], *answer["se"]] for answer in answers])
    theirs = np.array(survey_results(samples))
    differences = np.abs(ours / theirs - 1.0)
    clustered = np.array([sample["clusters"] is not None for sample in samples])
    names = ["mean of positives", "mean of negatives", *(f"standard error at {alpha}" for alpha in ALPHAS)]
    print(f"{SAMPLES} labelled samples beside R's survey: largest relative difference\n")
    print(f"{'':24}{'one by one':>12}{'clusters':>12}")
    for name, column in zip(names, differences.T):
        print(f"{name:24}{column[~clustered].max():12.1e}{column[clustered].max():12.1e}")
    if not differences.max() < TOLERANCE:
        sys.exit(f"\na number differs from survey's by {differences.max():.1e} of itself")


if __name__ == "__main__":
    main()
