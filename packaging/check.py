"""Checks the JSON Schemas, the examples in AGENTS.md, and the action.

    python check.py TRUECOUNT

Every example of AGENTS.md runs. Its JSON must fit the command's schema, and the experiment files of
the repository must fit theirs.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[1]
ACTION = ROOT / "packaging/action/run.sh"

# Output that no example of AGENTS.md has.
MORE_EXAMPLES = (
    "estimate --train data/spam/train.csv --test data/spam/weeks.csv --by week --method all --total --format json",
    "audit --test data/spam/weeks.csv --train data/spam/train.csv --half-width 0.03 --format json",
    "audit --test data/spam/weeks.csv --train data/spam/train.csv --draw 20 --format json",
    "check --train data/spam/train.csv --test data/spam/weeks.csv --by week --format json",
    "counts --table data/counts/herds.csv --by herd --sensitivity 0.96 --specificity 0.89 --format json",
)
EXPERIMENTS = sorted((ROOT / "data/bench").glob("*.toml"))

# Status of `monitor` with an alarm.
ALARM = 3


def examples():
    """The words of each command in AGENTS.md, without the program's name."""
    table = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [shlex.split(command) for line in lines for command in re.findall(r"`truecount ([^`]*)`", line)]


def run(truecount, words):
    result = subprocess.run([truecount, *words], cwd=ROOT, capture_output=True, text=True)
    if result.returncode not in (0, ALARM):
        sys.exit(f"truecount {shlex.join(words)} failed:\n{result.stderr}")
    return result.stdout


def check_schemas(truecount):
    schemas = json.loads(run(truecount, ["help", "schemas"]))["$defs"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    commands = [*examples(), *map(shlex.split, MORE_EXAMPLES)]
    for words in commands:
        output = run(truecount, words)
        if "json" in words:
            value = json.loads(output)
            validate(f"truecount {shlex.join(words)}", value, schemas[words[0]])
            unknown = {name for name, rows in value.items() if rows_of(rows)} - set(schemas[words[0]]["properties"])
            if unknown:
                sys.exit(f"the schema of {words[0]} has no table {sorted(unknown)}")
    for file in EXPERIMENTS:
        validate(file, tomllib.loads(file.read_text(encoding="utf-8")), schemas["experiment file"])
    check_experiment_keys(truecount, schemas["experiment file"])
    print(f"{len(commands)} commands and {len(EXPERIMENTS)} experiment files fit their schemas")


def rows_of(value):
    """Whether a value is a table: a list of objects."""
    return isinstance(value, list) and value and all(isinstance(row, dict) for row in value)


def validate(name, value, schema):
    for error in Draft202012Validator(schema).iter_errors(value):
        sys.exit(f"{name}: {error.json_path}: {error.message}")


def check_experiment_keys(truecount, schema):
    """Compares the keys of the schema with those that the command names for an unknown key."""
    tables = ("training", "scores", "protocol")
    properties = schema["properties"]
    objects = {"": schema, **{f"[[{name}]]\n": properties[name]["items"] for name in tables}}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "keys.toml")
        for heading, described in objects.items():
            file.write_text(f"{heading}unknown = 1\n", encoding="utf-8")
            failed = subprocess.run([truecount, "experiment", file, "--out", folder], capture_output=True, text=True)
            accepted = set(re.findall(r"`([\w-]+)`", failed.stderr.split("expected one of")[-1]))
            if accepted != set(described["properties"]):
                sys.exit(f"experiment accepts {sorted(accepted)}; its schema has {sorted(described['properties'])}")


def check_action(truecount):
    """Runs the action's script as a runner does, with and without an alarm."""
    for limit, status in (("0.99", 0), ("0.5", ALARM)):
        with tempfile.TemporaryDirectory() as folder:
            summary = Path(folder, "summary.md")
            variables = {
                "GITHUB_STEP_SUMMARY": str(summary),
                "TRUECOUNT": truecount,
                "COMMAND": "monitor",
                "TRAIN": "data/spam/train.csv",
                "TEST": "data/spam/weeks.csv",
                "OPTIONS": f"--by week --above {limit}",
            }
            result = subprocess.run(["bash", ACTION], cwd=ROOT, env={**os.environ, **variables})
            text = summary.read_text(encoding="utf-8")
            if result.returncode != status or "| week |" not in text:
                sys.exit(f"the action ended with {result.returncode} instead of {status}, and this summary:\n{text}")
    print("the action writes its summary, and its status is that of the command")


if __name__ == "__main__":
    check_schemas(sys.argv[1])
    check_action(sys.argv[1])
