"""The estimate of the tutorial, with which commands are tried."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Arguments of the command, in the folder of the repository.
ESTIMATE = ["estimate", "--train", "data/spam/train.csv", "--test", "data/spam/weeks.csv", "--by", "week"]


def check_command(*command, **options):
    """Runs the estimate with a command, and exits unless the tutorial has its output."""
    options = {"cwd": ROOT, **options}
    output = subprocess.run([*command, *ESTIMATE], check=True, stdout=subprocess.PIPE, text=True, **options).stdout
    if output not in (ROOT / "docs/start/tutorial.md").read_text(encoding="utf-8"):
        sys.exit(f"this is not in the tutorial:\n{output}")
