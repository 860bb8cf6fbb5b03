"""Writes a source distribution from which the package builds without a network.

    python make.py FOLDER      FOLDER is for truecount-VERSION.tar.gz

It has the files of maturin's source distribution, without tests and their dependencies, and the
unchanged sources of every crate in the remaining Cargo.lock, for all platforms. .cargo/config.toml
directs cargo to these sources.
"""

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from vendoring import anonymise, output, remove_tests, vendor_crates

ROOT = Path(__file__).resolve().parents[2]


def unpack_maturin_sdist(folder):
    """Makes and unpacks maturin's source distribution, and returns the folder of its content."""
    output(sys.executable, "-m", "maturin", "sdist", "--out", folder, folder=ROOT)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Outside the repository, because cargo would find its workspace.
    with tempfile.TemporaryDirectory() as temporary:
        project = unpack_maturin_sdist(Path(temporary))
        for crate in (project / "crates").iterdir():
            remove_tests(crate)
        vendor_crates(project)
        archive = folder / f"{project.name}.tar.gz"
        with tarfile.open(archive, "w:gz") as file:
            file.add(project, project.name, filter=anonymise)
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
