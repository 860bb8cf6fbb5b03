"""Makes the golden values in crates/truecount/tests/golden anew, with 50 digits and nothing of truecount, and compares.

    python check.py              fails where a value is not that of its file, and names it
    python check.py --write      puts what differs into the files, and leaves everything else as it is

Each golden file has a module of its name here. Its header says what the values are, `made(file)` makes them from the
inputs that the file holds, and `KEPT` says why the rest of the file stays as it is. A new golden file gets a module
and a place in MAKERS. datasets.json has none: all of it is input.
"""

import argparse
import sys
import time
from collections import Counter
from multiprocessing import Pool

import bayes_posterior
import calibration_curve
import continuous_sweep_estimates
import normal_known_parameters
import skew_normal
import skew_normal_sweep
import training_variance
from comparison import Comparison, Unmatched
from files import read, write

# Those that take longest first.
MAKERS = [
    continuous_sweep_estimates,
    bayes_posterior,
    skew_normal,
    training_variance,
    calibration_curve,
    skew_normal_sweep,
    normal_known_parameters,
]


def compare(k):
    start, maker = time.process_time(), MAKERS[k]
    file = read(maker.__name__)
    found = Comparison(maker.__name__, file, maker.made(file), maker.KEPT)
    return maker.__name__, found, time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description="Makes the golden values anew and compares them with the files.")
    parser.add_argument("--write", action="store_true", help="put what differs into the files")
    options = parser.parse_args()
    total, renewed, differences = Counter(), {}, 0
    with Pool(2) as pool:
        for name, found, seconds in pool.imap(compare, range(len(MAKERS))):
            print(f"{name}, {seconds:.0f} s: {told(found.counts)}", *found.differences, sep="\n  ", flush=True)
            total += found.counts
            if found.differences:
                renewed[name], differences = found.renewed, differences + len(found.differences)
    print(f"all: {told(total)}")
    if options.write:
        for name, tree in renewed.items():
            write(name, tree)
            print(f"{name}.json: written")
    elif renewed:
        sys.exit(f"{differences} values are not those of the files: find out which is right before you --write")


def told(counts):
    return ", ".join(f"{number} {reason}" for reason, number in counts.most_common() if number)


if __name__ == "__main__":
    try:
        main()
    except Unmatched as unmatched:
        sys.exit(str(unmatched))
