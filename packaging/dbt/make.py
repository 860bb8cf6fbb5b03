"""Writes a dbt package whose macro counts scores in the bins of a model.

python make.py MODEL FOLDER [OPTIONS of `truecount sql --counts`]

The variable TRUECOUNT names the command if it is not on the search path.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RELATION = "truecount_relation"

model, folder, options = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
command = os.environ.get("TRUECOUNT", "truecount")
version = subprocess.run([command, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
query = [command, "sql", "--counts", "--model", model, "--table", RELATION, *options]
sql = subprocess.run(query, check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip().removesuffix(";")
sql = sql.replace(f'"{RELATION}"', "{{ relation }}").replace(f"`{RELATION}`", "{{ relation }}")
if RELATION in sql:
    sys.exit("the query names its table in an unknown way")
(folder / "macros").mkdir(parents=True, exist_ok=True)
macro = f"{{% macro truecount_counts(relation) %}}\n{sql}\n{{% endmacro %}}\n"
(folder / "macros/truecount_counts.sql").write_text(macro, encoding="utf-8")
project = (HERE / "dbt_project.yml").read_text(encoding="utf-8").replace("@VERSION@", version)
(folder / "dbt_project.yml").write_text(project, encoding="utf-8")
