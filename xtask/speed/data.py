"""Writes the files for the speed comparison of truecount with DuckDB, unless they exist.

    python data.py FOLDER

`rows.parquet` and `million.parquet` have 50 million rows in a thousand and in a million groups.
`rows.csv` has the first 20 million rows of `rows.parquet`, as DuckDB writes them, with every digit
of a double. `labelled.csv` has the labelled scores of the model. A file is renamed after it was
written, so that an existing file is complete.
"""

import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS, CSV_ROWS, LABELLED = 50_000_000, 20_000_000, 2000
ROW_GROUP = 1 << 20  # pyarrow's default
SEED = 20261121


def draw_scores(rng, positive):
    """Draws normal scores: with mean 1 for positives and mean 0 for negatives."""
    return rng.normal(positive.astype(float), 1.0)


def write_labelled(file):
    """Writes labelled scores, half of them positive."""
    rng = np.random.default_rng([SEED, 0])
    label = np.arange(LABELLED) % 2
    lines = (f"{score!r},{y}\n" for score, y in zip(draw_scores(rng, label == 1).tolist(), label))
    file.write_text("score,label\n" + "".join(lines))


def parquet_writer(groups):
    """Returns a function that writes a Parquet file with this number of groups.

    The file has pyarrow's defaults, but no dictionary of the scores, which hardly repeat.
    """

    def write(file):
        rng = np.random.default_rng([SEED, groups])
        schema = pa.schema([("score", pa.float64()), ("group", pa.int32())])
        with pq.ParquetWriter(file, schema, use_dictionary=["group"]) as writer:
            for start in range(0, ROWS, ROW_GROUP):
                n = min(ROW_GROUP, ROWS - start)
                columns = [draw_scores(rng, rng.random(n) < 0.4), rng.integers(groups, size=n, dtype=np.int32)]
                writer.write_table(pa.table(columns, schema=schema), row_group_size=ROW_GROUP)

    return write


def write_csv(file):
    """Writes the first rows of rows.parquet as CSV."""
    duckdb.execute(f"copy (from '{file.parent}/rows.parquet' limit {CSV_ROWS}) to '{file}' (format csv)")


FILES = {
    "labelled.csv": write_labelled,
    "rows.parquet": parquet_writer(1000),
    "million.parquet": parquet_writer(1_000_000),
    "rows.csv": write_csv,
}


def main():
    """Writes the missing files."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in FILES.items():
        if not (folder / name).exists():
            print(f"making {folder / name}", file=sys.stderr)
            unfinished = folder / f"unfinished-{name}"
            write(unfinished)
            unfinished.rename(folder / name)


if __name__ == "__main__":
    main()
