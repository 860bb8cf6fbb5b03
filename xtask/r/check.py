"""Builds the R package, checks it as CRAN does, and compares its results with the command's.

    python check.py FOLDER [COMMAND]      FOLDER is the output of make.py, COMMAND is truecount

Without a command, the package is only built.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# Debian packages: R, and the dependencies of the R package's tests, help pages and vignettes.
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


def install_missing():
    """Installs missing packages on Debian; elsewhere exits if R is missing."""
    if shutil.which("dpkg-query") and shutil.which("apt-get"):
        query = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *PACKAGES]
        statuses = subprocess.run(query, capture_output=True, text=True).stdout
        installed = {line.split()[0] for line in statuses.splitlines() if line.endswith(" installed")}
        if missing := [name for name in PACKAGES if name not in installed]:
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
    install_missing()
    folder = package.parent
    build_environment = {"TRUECOUNT_BUILT": str(folder / "built")}
    run("Rscript", "-e", f"source('{Path(__file__).parent.resolve()}/generate.R')", folder=package)
    run("R", "CMD", "build", "--resave-data=no", package.name, folder=folder, **build_environment)
    (archive,) = folder.glob("truecount_*.tar.gz")
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")
    if not command:
        return
    check_environment = {
        **build_environment,
        "_R_CHECK_FORCE_SUGGESTS_": "true",
        "NOT_CRAN": "true",
        "TRUECOUNT_COMMAND": str(Path(command[0]).resolve()),
    }
    run("R", "CMD", "check", "--no-manual", archive.name, folder=folder, **check_environment)
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
