"""Writes the source distribution, with all that it takes to build the package where there is no network.

    python make.py FOLDER      FOLDER is for truecount-VERSION.tar.gz

It holds what maturin puts into one, without tests and what they alone need, and the sources of every crate that Cargo.lock then names,
as the registry has them, for all platforms; .cargo/config.toml leads cargo there.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Tables of a manifest, and folders beside it.
OF_TESTS = ("[dev-dependencies]", "[[test]]", "[[bench]]", "[[example]]")
FOLDERS_OF_TESTS = ("tests", "benches", "examples")

# For cargo: the sources lie here, and nowhere else.
CONFIG = """\
[source.crates-io]
replace-with = "vendored"

[source.vendored]
directory = "vendor"
"""

# What a zip file can hold, and no time of day, so that the same files give the same bytes.
LONG_AGO = 315_532_800


def output(*command, folder):
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def unpacked(into):
    """What maturin makes, as a folder."""
    output(sys.executable, "-m", "maturin", "sdist", "--out", into, folder=ROOT)
    (packed,) = into.glob("*.tar.gz")
    with tarfile.open(packed) as file:
        file.extractall(into, filter="data")
    return into / packed.name.removesuffix(".tar.gz")


def without_tests(crate):
    for folder in FOLDERS_OF_TESTS:
        shutil.rmtree(crate / folder, ignore_errors=True)
    manifest = crate / "Cargo.toml"
    tables = re.split(r"^(?=\[)", manifest.read_text(encoding="utf-8"), flags=re.MULTILINE)
    manifest.write_text("".join(table for table in tables if not table.startswith(OF_TESTS)), encoding="utf-8")


def locked(project):
    """The crates of Cargo.lock with their versions."""
    packages = tomllib.loads((project / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return {(package["name"], package["version"]) for package in packages}


def vendored(project):
    """Cargo.lock loses what nothing needs any more, and nothing else happens to it; the rest comes along."""
    before = locked(project)
    output("cargo", "metadata", "--format-version", "1", folder=project)
    if new := locked(project) - before:
        sys.exit(f"Cargo.lock would have other crates than the project: {sorted(new)}")
    output("cargo", "vendor", "--quiet", "--locked", "vendor", folder=project)
    (project / ".cargo").mkdir()
    (project / ".cargo/config.toml").write_text(CONFIG, encoding="utf-8")


def anyones(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = LONG_AGO
    return entry


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
