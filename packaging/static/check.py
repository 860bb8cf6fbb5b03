"""Runs a static command in an empty folder that is its whole file system.

    python check.py TRUECOUNT

The folder has the command and the two tables of data/spam, and nothing else. Changing the root
needs an administrator. The tutorial has the expected output.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tutorial import ROOT, check_command  # noqa: E402

TABLES = ("train.csv", "weeks.csv")


def main():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data/spam").mkdir(parents=True)
        shutil.copy(sys.argv[1], Path(folder) / "truecount")
        for name in TABLES:
            shutil.copy(ROOT / "data/spam" / name, Path(folder) / "data/spam")
        check_command("/truecount", cwd="/", preexec_fn=lambda: (os.chroot(folder), os.chdir("/")))
    print(f"{sys.argv[1]}: {Path(sys.argv[1]).stat().st_size / 1e6:.1f} MB, runs without any other file")


if __name__ == "__main__":
    main()
