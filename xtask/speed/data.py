"""The files that truecount and DuckDB read for the comparison of their speed; made once, and kept.

    python data.py FOLDER

`rows.parquet` and `million.parquet` have 50 million rows in a thousand and in a million groups, `rows.csv` the first 20
million rows of the former as DuckDB writes them, with every digit of a double. `labelled.csv` is what the model is
learnt from. A file is written under another name and then renamed, so one that is there is whole.
"""

import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS, CSV_ROWS, LABELLED = 50_000_000, 20_000_000, 2000
ROW_GROUP = 1 << 20  # pyarrow's own choice
SEED = 20261121


def scores(rng, positive):
    """Normal scores of either class."""
    return rng.normal(positive.astype(float), 1.0)


def labelled(file):
    """Labelled scores, half of them positive."""
    rng = np.random.default_rng([SEED, 0])
    label = np.arange(LABELLED) % 2
    lines = (f"{score!r},{y}\n" for score, y in zip(scores(rng, label == 1).tolist(), label))
    file.write_text("score,label\n" + "".join(lines))


def parquet(groups):
    """Writes pyarrow's default Parquet, except that scores, which hardly repeat, get no dictionary."""

    def write(file):
        rng = np.random.default_rng([SEED, groups])
        schema = pa.schema([("score", pa.float64()), ("group", pa.int32())])
        with pq.ParquetWriter(file, schema, use_dictionary=["group"]) as writer:
            for start in range(0, ROWS, ROW_GROUP):
                n = min(ROW_GROUP, ROWS - start)
                columns = [scores(rng, rng.random(n) < 0.4), rng.integers(groups, size=n, dtype=np.int32)]
                writer.write_table(pa.table(columns, schema=schema), row_group_size=ROW_GROUP)

    return write


def csv(file):
    """The first rows of rows.parquet."""
    duckdb.execute(f"copy (from '{file.parent}/rows.parquet' limit {CSV_ROWS}) to '{file}' (format csv)")


FILES = {
    "labelled.csv": labelled,
    "rows.parquet": parquet(1000),
    "million.parquet": parquet(1_000_000),
    "rows.csv": csv,
}


def main():
    """Makes what is missing."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in FILES.items():
        if not (folder / name).exists():
            print(f"making {folder / name}", file=sys.stderr)
            unfinished = folder / f"unfinished-{name}"
            make(unfinished)
            unfinished.rename(folder / name)


if __name__ == "__main__":
    main()
