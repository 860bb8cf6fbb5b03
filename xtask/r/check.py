"""Checks the R package as CRAN does, and compares its results with the command's.

python check.py FOLDER COMMAND      FOLDER is the output of make.py and build.py, COMMAND is truecount
"""

import sys
from pathlib import Path

from build import build_environment, run


def main():
    package, command = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    folder = package.parent
    (archive,) = folder.glob("truecount_*.tar.gz")
    environment = {
        **build_environment(folder),
        "_R_CHECK_FORCE_SUGGESTS_": "true",
        "NOT_CRAN": "true",
        "TRUECOUNT_COMMAND": str(command),
    }
    run("R", "CMD", "check", "--no-manual", archive.name, folder=folder, **environment)
    log = (folder / "truecount.Rcheck/00check.log").read_text(encoding="utf-8")
    if " WARNING" in log:
        sys.exit("R CMD check warns")
    pages = ["README.md", *map(str, Path("docs").glob("**/*.md"))]
    script = Path(__file__).with_name("pages.py")
    run(sys.executable, "-B", script, folder / "truecount.Rcheck", *pages, folder=".")


if __name__ == "__main__":
    main()
