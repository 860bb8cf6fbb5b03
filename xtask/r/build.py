"""Builds the R package, after installing R and what the package needs.

python build.py FOLDER      FOLDER is the output of make.py
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# Debian packages: R, and the dependencies of the R package's tests, help pages and vignettes.
CRAN = "broom data.table dplyr ggplot2 knitr rmarkdown roxygen2 survey testthat tibble".split()
PACKAGES = ("pandoc", "r-base-core", "r-base-dev", *(f"r-cran-{name}" for name in CRAN))


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
            install = ["install", "--yes", "--quiet", "--quiet", "--no-install-recommends"]
            # Another program may be installing packages.
            wait = ["-o", "DPkg::Lock::Timeout=600"]
            run("apt-get", *wait, *install, *missing, folder=".", **quiet)
    elif not shutil.which("R"):
        sys.exit("R is not found: install it, with the packages that r/truecount/DESCRIPTION suggests")


def build_environment(folder):
    """Variables for R CMD. The package's Makevars keeps compiled crates in this folder."""
    return {"TRUECOUNT_BUILT": str(folder / "built")}


def main():
    package = Path(sys.argv[1]).resolve()
    folder = package.parent
    install_missing()
    run("Rscript", "-e", f"source('{Path(__file__).parent.resolve()}/generate.R')", folder=package)
    for archive in folder.glob("truecount_*.tar.gz"):
        archive.unlink()
    run("R", "CMD", "build", "--resave-data=no", package.name, folder=folder, **build_environment(folder))
    (archive,) = folder.glob("truecount_*.tar.gz")
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
