"""Runs the command of a wheel with uvx, and checks that the wheel has its notices.

python check.py FOLDER      FOLDER has the wheel
"""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/start/tutorial.md"
ESTIMATE = ["estimate", "--train", "data/spam/train.csv", "--test", "data/spam/weeks.csv", "--by", "week"]

(wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    if not any(name.endswith("NOTICES.txt") for name in archive.namelist()):
        sys.exit(f"{wheel.name} has no notices")
uvx = ["uvx", "--quiet", "--python", sys.executable, "--from", wheel, "truecount"]
output = subprocess.run([*uvx, *ESTIMATE], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
if output not in TUTORIAL.read_text(encoding="utf-8"):
    sys.exit(f"this is not in the tutorial:\n{output}")
print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, and its command answers as the tutorial has it")
