"""Sources that go along with a package, so that it builds where there is no network: crates without their tests, and all that they need."""

import re
import shutil
import subprocess
import sys
import tomllib

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
