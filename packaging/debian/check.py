"""Installs a Debian package, uses its command, and removes it.

python check.py FOLDER      FOLDER has the package
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/start/tutorial.md"
COMMAND = "/usr/bin/truecount"
ESTIMATE = ["estimate", "--train", "data/spam/train.csv", "--test", "data/spam/weeks.csv", "--by", "week"]

(package,) = Path(sys.argv[1]).resolve().glob("*.deb")
subprocess.run(["dpkg", "--install", package], check=True)
try:
    output = subprocess.run([COMMAND, *ESTIMATE], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    listed = subprocess.run(["dpkg", "--listfiles", "truecount"], check=True, stdout=subprocess.PIPE, text=True).stdout
finally:
    subprocess.run(["dpkg", "--purge", "truecount"], check=True)
if output not in TUTORIAL.read_text(encoding="utf-8"):
    sys.exit(f"this is not in the tutorial:\n{output}")
if shutil.which(COMMAND):
    sys.exit(f"{COMMAND} is still there")
print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, installed, used and removed:\n{listed}")
