"""Writes six experiments with rare positives: 200 or 800 labels, and 250, 2500 or 25,000 new rows.

    cargo xtask pools
    python crates/truecount-bench/pools/rare.py FOLDER
    truecount experiment FOLDER/200-2500.toml --out FOLDER/200-2500

The sets are the spam, the wine and the six pools. The rows of each are the population. They are
repeated until there are 100,000, so that labelled rows and samples are drawn nearly with replacement.
"""

import sys
from pathlib import Path

ROWS = 100_000
PREVALENCES = [0.01, 0.02, 0.05, 0.1, 0.3, 0.6]
ROOT = Path(__file__).resolve().parents[3]
SETS = {
    "spam": [ROOT / "data/spam/train.csv", ROOT / "data/spam/pool.csv"],
    "wine": [ROOT / "data/bench/wine-labelled.csv", ROOT / "data/bench/wine-pool.csv"],
    **{file.stem: [file] for file in sorted((ROOT / "target/pools/data").glob("*.csv"))},
}


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    scores = []
    for name, files in SETS.items():
        tables = [file.read_text().splitlines() for file in files]
        header, rows = tables[0][0], [row for table in tables for row in table[1:]]
        repeated = rows * (ROWS // len(rows) + 1)
        # In another order, because `experiment` rejects the same table as `train` and `pool`.
        for part, lines in (("labelled", repeated[::-1]), ("pool", repeated)):
            (folder / f"{name}-{part}.csv").write_text("\n".join([header, *lines]) + "\n")
        files = f'train = "{name}-labelled.csv"\npool = "{name}-pool.csv"'
        scores.append(f'[[scores]]\ndata = "{name}"\n{files}\nscore = "score"\nlabel = "label"\n')
    protocol = f'[[protocol]]\nshift = "prior"\nprevalences = {PREVALENCES}\n'
    for labels in (200, 800):
        training = f"[[training]]\nsize = {labels}\nrepeats = 200\n"
        for n in (250, 2500, 25_000):
            head = f'methods = ["es", "sld"]\nfamily = "kernel"\ntransform = "rank"\nsizes = [{n}]\nsamples = 6\n'
            (folder / f"{labels}-{n}.toml").write_text("\n".join([head, *scores, training, protocol]))


main()
