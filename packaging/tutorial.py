"""The estimate of the tutorial, with which commands are tried."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Arguments of the command, in the folder of the repository.
ESTIMATE = ["estimate", "--train", "data/spam/train.csv", "--test", "data/spam/weeks.csv", "--by", "week"]


def check_output(output):
    """Exits unless the tutorial has this output of the estimate."""
    if output not in (ROOT / "docs/start/tutorial.md").read_text(encoding="utf-8"):
        sys.exit(f"this is not in the tutorial:\n{output}")
