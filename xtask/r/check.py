"""Builds and checks the R package as R's archive does, and compares it with the command.

python check.py FOLDER [COMMAND]      FOLDER is where make.py has laid it out; without a command it is only built
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# Debian's names of R and of what the package's tests, help and vignettes need.
PACKAGES = (
    "pandoc",
    "r-base-core",
    "r-base-dev",
    "r-cran-broom",
    "r-cran-data.table",
    "r-cran-ggplot2",
    "r-cran-knitr",
    "r-cran-rmarkdown",
    "r-cran-roxygen2",
    "r-cran-survey",
    "r-cran-testthat",
    "r-cran-tibble",
)


def run(*command, folder, **environment):
    subprocess.run(command, cwd=folder, check=True, env={**os.environ, **environment})


def installed():
    """R with its packages, from the system's where they are missing."""
    if shutil.which("dpkg-query") and shutil.which("apt-get"):
        query = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *PACKAGES]
        known = subprocess.run(query, capture_output=True, text=True)
        there = {line.split()[0] for line in known.stdout.splitlines() if line.endswith(" installed")}
        if missing := [name for name in PACKAGES if name not in there]:
            quiet = {"DEBIAN_FRONTEND": "noninteractive"}
            run("apt-get", "update", "--quiet", "--quiet", folder=".", **quiet)
            run(
                "apt-get",
                "install",
                "--yes",
                "--quiet",
                "--quiet",
                "--no-install-recommends",
                *missing,
                folder=".",
                **quiet,
            )
    elif not shutil.which("R"):
        sys.exit("R is not found: install it, with the packages that r/truecount/DESCRIPTION suggests")


def main():
    package, command = Path(sys.argv[1]).resolve(), sys.argv[2:]
    installed()
    folder = package.parent
    built = {"TRUECOUNT_BUILT": str(folder / "built")}
    run("Rscript", "-e", f"source('{Path(__file__).parent.resolve()}/generate.R')", folder=package)
    run("R", "CMD", "build", "--resave-data=no", package.name, folder=folder, **built)
    (made,) = folder.glob("truecount_*.tar.gz")
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
    if not command:
        return
    checked = {
        **built,
        "_R_CHECK_FORCE_SUGGESTS_": "true",
        "NOT_CRAN": "true",
        "TRUECOUNT_COMMAND": str(Path(command[0]).resolve()),
    }
    run("R", "CMD", "check", "--no-manual", made.name, folder=folder, **checked)
    log = (folder / "truecount.Rcheck/00check.log").read_text(encoding="utf-8")
    if " WARNING" in log:
        sys.exit("R CMD check warns")
    pages = ["README.md", *map(str, Path("docs").glob("**/*.md"))]
    run(
        sys.executable,
        "-B",
        str(Path(__file__).parent / "pages.py"),
        str(folder / "truecount.Rcheck"),
        *pages,
        folder=".",
    )


if __name__ == "__main__":
    main()
