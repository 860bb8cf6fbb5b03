"""Makes the dbt package for the model of data/spam, and runs it in a dbt project on DuckDB.

    python check.py FOLDER TRUECOUNT

The project's table must have the estimates of `truecount estimate`.
"""

import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent
SPAM = HERE.parents[1] / "data/spam"
TOLERANCE = 1e-9
FILES = {
    "dbt_project.yml": "name: trial\nversion: '1.0.0'\nconfig-version: 2\nprofile: trial\n",
    "packages.yml": "packages:\n  - local: packages/truecount\n",
    "profiles.yml": "trial:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      path: trial.duckdb\n",
    "models/shares.sql": ("{{ config(materialized='table') }}\n{{ truecount.truecount_estimates(ref('weeks')) }}\n"),
}


def main():
    folder, truecount = Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve())
    environment = {**os.environ, "TRUECOUNT": truecount, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary)
        for name, text in FILES.items():
            (project / name).parent.mkdir(exist_ok=True)
            (project / name).write_text(text, encoding="utf-8")
        (project / "seeds").mkdir()
        shutil.copy(SPAM / "weeks.csv", project / "seeds")

        def run(*command):
            subprocess.run(command, cwd=project, env=environment, check=True, stdout=subprocess.DEVNULL)

        run(truecount, "fit", "--train", SPAM / "train.csv", "-o", "model.json")
        run(sys.executable, HERE / "make.py", "model.json", folder, "--by", "week")
        shutil.copytree(folder, project / "packages/truecount")
        dbt = str(Path(sys.executable).parent / "dbt")
        run(dbt, "deps", "--profiles-dir", ".")
        run(dbt, "build", "--profiles-dir", ".")
        with duckdb.connect(str(project / "trial.duckdb")) as database:
            shares = dict(database.execute("select week, prevalence from shares").fetchall())
    tables = ["--train", SPAM / "train.csv", "--test", SPAM / "weeks.csv"]
    estimate = [truecount, "estimate", *tables, "--by", "week", "--format", "csv"]
    output = subprocess.run(estimate, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    expected = {row["week"]: float(row["prevalence"]) for row in csv.DictReader(io.StringIO(output))}
    distance = max(abs(shares[week] - prevalence) for week, prevalence in expected.items())
    if shares.keys() != expected.keys() or distance > TOLERANCE:
        sys.exit(f"the estimates differ by up to {distance}")
    print(f"{len(shares)} estimates of dbt on DuckDB are those of the command, up to {distance:.0e}")


if __name__ == "__main__":
    main()
