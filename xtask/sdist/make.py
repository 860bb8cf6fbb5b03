"""Writes the source distribution, with all that it takes to build the package where there is no network.

    python make.py FOLDER      FOLDER is for truecount-VERSION.tar.gz

It holds what maturin puts into one, without tests and what they alone need, and the sources of every crate that Cargo.lock then names,
as the registry has them, for all platforms; .cargo/config.toml leads cargo there.
"""

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from vendoring import anyones, output, vendored, without_tests

ROOT = Path(__file__).resolve().parents[2]


def unpacked(into):
    """What maturin makes, as a folder."""
    output(sys.executable, "-m", "maturin", "sdist", "--out", into, folder=ROOT)
    (packed,) = into.glob("*.tar.gz")
    with tarfile.open(packed) as file:
        file.extractall(into, filter="data")
    return into / packed.name.removesuffix(".tar.gz")


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Outside the project, whose workspace cargo would find.
    with tempfile.TemporaryDirectory() as temporary:
        project = unpacked(Path(temporary))
        for crate in (project / "crates").iterdir():
            without_tests(crate)
        vendored(project)
        made = folder / f"{project.name}.tar.gz"
        with tarfile.open(made, "w:gz") as file:
            file.add(project, project.name, filter=anyones)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
