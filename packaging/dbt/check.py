"""Makes the dbt package for the model of data/spam, and runs it in a dbt project on DuckDB.

    python check.py FOLDER TRUECOUNT

`truecount finish` must print the same from the project's table as `truecount estimate` from the scores.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent
SPAM = HERE.parents[1] / "data/spam"
FILES = {
    "dbt_project.yml": "name: trial\nversion: '1.0.0'\nconfig-version: 2\nprofile: trial\n",
    "packages.yml": "packages:\n  - local: packages/truecount\n",
    "profiles.yml": "trial:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      path: trial.duckdb\n",
    "models/counts.sql": "{{ config(materialized='table') }}\n{{ truecount.truecount_counts(ref('weeks')) }}\n",
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
            database.execute(f"copy counts to '{project / 'counts.csv'}'")

        def output(*command):
            return subprocess.run([truecount, *command], cwd=project, check=True, capture_output=True, text=True).stdout

        finished = output("finish", "--model", "model.json", "--tally", "counts.csv", "--format", "csv")
        tables = ["--model", "model.json", "--test", SPAM / "weeks.csv"]
        if finished != output("estimate", *tables, "--by", "week", "--format", "csv"):
            sys.exit("the estimates from the counts differ from those of the command")
    print(f"{finished.count(chr(10)) - 1} estimates from dbt's counts on DuckDB are those of the command")


if __name__ == "__main__":
    main()
