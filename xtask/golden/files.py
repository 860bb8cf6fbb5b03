"""Reads and writes golden files."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "crates/truecount/tests/golden"


def read(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def write(name, tree):
    (FOLDER / f"{name}.json").write_text(json.dumps(tree, indent=1))
