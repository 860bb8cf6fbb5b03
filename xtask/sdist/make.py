"""Writes the source distribution, and an archive from which the package builds without a network.

    python make.py FOLDER      FOLDER is for truecount-VERSION.tar.gz and
                               truecount-VERSION-vendored.tar.xz

The source distribution has the files of maturin's, without tests and their dependencies; cargo
fetches the crates of its Cargo.lock. The second archive also has the sources of every crate that is
built on some platform, and of the others in Cargo.lock the manifests. Its .cargo/config.toml directs
cargo to these sources.
"""

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from vendoring import anonymise, output, remove_tests, remove_unused_sources, used_crates, vendor_crates

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
        # Cargo.lock loses the dependencies of the tests.
        vendor_crates(project)
        remove_unused_sources(project, used_crates(project, "truecount-python", ["all"]))
        write_archive(project, folder / f"{project.name}-vendored.tar.xz")
        for vendored in (".cargo", "vendor"):
            shutil.rmtree(project / vendored)
        write_archive(project, folder / f"{project.name}.tar.gz")


def write_archive(project, archive):
    with tarfile.open(archive, f"w:{archive.suffix[1:]}") as file:
        file.add(project, project.name, filter=anonymise)
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
