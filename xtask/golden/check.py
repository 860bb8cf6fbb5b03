"""Recomputes the golden values in crates/truecount/tests/golden and compares them with the files.

The computation has 50 digits and uses no code of truecount.

    python check.py              fails and lists every value that differs from its file
    python check.py --write      replaces the differing values in the files, and nothing else

Each golden file has a module of the same name here. Its docstring says what the values are,
`compute(file)` recomputes them from the inputs in the file, and `NOT_RECOMPUTED` lists the other
keys by the reason for which they are not recomputed. A new golden file needs a module and an entry
in MODULES. datasets.json has none: it consists of inputs.
"""

import sys
import time
from collections import Counter
from multiprocessing import Pool

import bayes_posterior
import calibration_curve
import continuous_sweep_estimates
import multiclass
import normal_known_parameters
import skew_normal
import skew_normal_sweep
import training_variance
import two_sample_score
from comparison import Comparison, StructureMismatch
from files import read, write

# The slowest come first, so that the two processes finish at about the same time.
MODULES = [
    continuous_sweep_estimates,
    bayes_posterior,
    skew_normal,
    training_variance,
    multiclass,
    calibration_curve,
    skew_normal_sweep,
    normal_known_parameters,
    two_sample_score,
]


def compare(k):
    start, module = time.process_time(), MODULES[k]
    file = read(module.__name__)
    comparison = Comparison(module.__name__, file, module.compute(file), module.NOT_RECOMPUTED)
    return module.__name__, comparison, time.process_time() - start


def main():
    total, updated, differences = Counter(), {}, 0
    with Pool(2) as pool:
        for name, comparison, seconds in pool.imap(compare, range(len(MODULES))):
            print(
                f"{name}, {seconds:.0f} s: {format_counts(comparison.counts)}",
                *comparison.differences,
                sep="\n  ",
                flush=True,
            )
            total += comparison.counts
            if comparison.differences:
                updated[name], differences = comparison.updated, differences + len(comparison.differences)
    print(f"all: {format_counts(total)}")
    if "--write" in sys.argv:
        for name, tree in updated.items():
            write(name, tree)
            print(f"{name}.json: written")
    elif updated:
        sys.exit(f"{differences} values are not those of the files: find out which is right before you --write")


def format_counts(counts):
    return ", ".join(f"{number} {reason}" for reason, number in counts.most_common() if number)


if __name__ == "__main__":
    try:
        main()
    except StructureMismatch as mismatch:
        sys.exit(str(mismatch))
