"""Builds the package from its source distribution as where there is no network, and asks the command that comes of it.

    python check.py FOLDER      FOLDER holds what make.py wrote

What the project's folder, cargo's home or a registry has cannot be reached: cargo finds the sources in the distribution alone, pip
nothing. Neither can numpy, which the command does not need. What the command prints is in the tutorial.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/start/tutorial.md"
ESTIMATE = ["estimate", "--train", "data/spam/train.csv", "--test", "data/spam/weeks.csv", "--by", "week"]


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def main():
    (packed,) = Path(sys.argv[1]).resolve().glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        offline = {
            **os.environ,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "CARGO_HOME": str(folder / "cargo"),
            "CARGO_NET_OFFLINE": "true",
            "MATURIN_PEP517_ARGS": "--profile quick",
            "PIP_NO_INDEX": "true",
        }
        pip = [sys.executable, "-m", "pip", "--quiet"]
        run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, packed, cwd=folder, env=offline)
        (wheel,) = folder.glob("*.whl")
        fresh = folder / "fresh"
        venv.create(fresh)
        python = fresh / "bin/python"
        run(*pip, "--python", python, "install", "--no-deps", wheel, env=offline)
        printed = run(fresh / "bin/truecount", *ESTIMATE, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
        if printed not in TUTORIAL.read_text(encoding="utf-8"):
            sys.exit(f"this is not in the tutorial:\n{printed}")
        print(f"{packed.name} builds without a network; its command answers as the tutorial has it")


if __name__ == "__main__":
    main()
