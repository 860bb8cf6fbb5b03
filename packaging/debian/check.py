"""Installs a Debian package, uses its command, and removes it.

python check.py FOLDER      FOLDER has the package
"""

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tutorial import check_command  # noqa: E402

COMMAND = "/usr/bin/truecount"

(package,) = Path(sys.argv[1]).resolve().glob("*.deb")
subprocess.run(["dpkg", "--install", package], check=True)
try:
    check_command(COMMAND)
    listed = subprocess.run(["dpkg", "--listfiles", "truecount"], check=True, stdout=subprocess.PIPE, text=True).stdout
finally:
    subprocess.run(["dpkg", "--purge", "truecount"], check=True)
if shutil.which(COMMAND):
    sys.exit(f"{COMMAND} is still there")
print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, installed, used and removed:\n{listed}")
