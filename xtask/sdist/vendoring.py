"""Prepares Rust sources for packages that build without a network.

The sources are our crates without tests, and all their dependencies.
"""

import json
import re
import shutil
import subprocess
import sys
import tomllib

# Tables of a manifest, and folders of a crate, that only tests need.
TEST_TABLES = ("[dev-dependencies]", "[[test]]", "[[bench]]", "[[example]]")
TEST_FOLDERS = ("tests", "benches", "examples")

# Configuration that makes cargo use the vendored sources in place of the registry.
CARGO_CONFIG = """\
[source.crates-io]
replace-with = "vendored"

[source.vendored]
directory = "vendor"
"""

# A constant modification time, so that the same files give the same bytes: 1980-01-01, the earliest
# in a zip file.
CONSTANT_TIME = 315_532_800


def output(*command, folder):
    """Runs a command and returns its output."""
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def remove_tests(crate):
    """Removes the tests of a crate from its folder and its manifest."""
    for folder in TEST_FOLDERS:
        shutil.rmtree(crate / folder, ignore_errors=True)
    manifest = crate / "Cargo.toml"
    tables = re.split(r"^(?=\[)", manifest.read_text(encoding="utf-8"), flags=re.MULTILINE)
    manifest.write_text("".join(table for table in tables if not table.startswith(TEST_TABLES)), encoding="utf-8")


def locked_crates(project):
    """Names and versions of the crates in Cargo.lock."""
    packages = tomllib.loads((project / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return {(package["name"], package["version"]) for package in packages}


def vendor_crates(project):
    """Removes unused crates from Cargo.lock, and copies the sources of the others to the project.

    Exits if Cargo.lock would get a crate or a version that it did not have.
    """
    before = locked_crates(project)
    output("cargo", "metadata", "--format-version", "1", folder=project)
    if new := locked_crates(project) - before:
        sys.exit(f"Cargo.lock would have other crates than the project: {sorted(new)}")
    output("cargo", "vendor", "--quiet", "--locked", "vendor", folder=project)
    (project / ".cargo").mkdir()
    (project / ".cargo/config.toml").write_text(CARGO_CONFIG, encoding="utf-8")


def used_crates(project, package, targets):
    """Names and versions of the crates that a package is built from for some target."""
    shape = ["--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
    tree = ["cargo", "tree", "--locked", "--package", package, *shape]
    lines = {line for target in targets for line in output(*tree, "--target", target, folder=project).splitlines()}
    return {tuple(line.replace(" v", " ").split()[:2]) for line in lines}


def remove_unused_sources(project, needed):
    """Removes what is not built: tests, fonts for images, and the sources of crates that are only locked."""
    for crate in (project / "vendor").iterdir():
        manifest = (crate / "Cargo.toml").read_text(encoding="utf-8")
        metadata = tomllib.loads(manifest)["package"]
        checksum = json.loads((crate / ".cargo-checksum.json").read_text(encoding="utf-8"))
        if (metadata["name"], metadata["version"]) in needed:
            remove_tests(crate)
            shutil.rmtree(crate / "assets/fonts", ignore_errors=True)
        else:
            # Cargo needs only the manifest.
            shutil.rmtree(crate)
            (crate / "src").mkdir(parents=True)
            (crate / "src/lib.rs").touch()
            (crate / "Cargo.toml").write_text(manifest, encoding="utf-8")
        (crate / ".cargo-checksum.json").write_text(json.dumps({**checksum, "files": {}}), encoding="utf-8")


def anonymise(entry):
    """Removes the owner and the modification time of an archive's entry."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = CONSTANT_TIME
    return entry
