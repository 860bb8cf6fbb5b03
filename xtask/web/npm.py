"""Installs the packages of package-lock.json into a folder with npm, which is installed if it is
missing.

python npm.py FOLDER
"""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "browser"))

from debian import install


def main(folder):
    if not shutil.which("npm") and not (install("npm") and shutil.which("npm")):
        sys.exit("no npm: install Node.js so that npm is on PATH (Debian: apt-get install npm)")
    for file in ("package.json", "package-lock.json"):
        shutil.copy(HERE / file, folder)
    sys.exit(subprocess.run(["npm", "ci", "--prefix", folder, "--no-audit", "--no-fund"]).returncode)


if __name__ == "__main__":
    main(sys.argv[1])
