"""Assembles the source of the R package: r/truecount, the sources of all Rust crates, data and the
version.

    python make.py FOLDER      FOLDER is for the package

src/rust.tar.xz has our crates and all crates that they need. The data are those of data/spam.
Generated files (the functions that call Rust, help pages, NAMESPACE) are not written here.
"""

import json
import re
import shutil
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "xtask/sdist"))

from vendoring import anonymise, output, remove_tests, remove_unused_sources, used_crates, vendor_crates  # noqa: E402

CRATES = ("truecount", "truecount-analysis", "truecount-report", "truecount-r")
PACKAGE = "truecount-r"


# Platforms that CRAN and its users build for.
TARGETS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnu",
)


def write_workspace(project):
    """Writes a workspace of the package's crates, and returns its `[workspace.package]`."""
    for name in CRATES:
        shutil.copytree(ROOT / "crates" / name, project / "crates" / name)
        remove_tests(project / "crates" / name)
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    members = ", ".join(f'"crates/{name}"' for name in CRATES)
    manifest = re.sub(r"^members = .*$", f"members = [{members}]", manifest, flags=re.MULTILINE)
    manifest = re.sub(r"^default-members = .*\n", "", manifest, flags=re.MULTILINE)
    (project / "Cargo.toml").write_text(manifest, encoding="utf-8")
    shutil.copy(ROOT / "Cargo.lock", project)
    return tomllib.loads(manifest)["workspace"]["package"]


def write_archive(project, file):
    """Writes the workspace with the vendored crates to an archive.

    An archive is needed because R leaves out folders called "check".
    """
    with tarfile.open(file, "w:xz", preset=9) as archive:
        for entry in sorted(project.iterdir()):
            # Our own files keep their modification times, from which cargo sees what to build
            # again.
            archive.add(entry, entry.name, filter=anonymise if entry.name == "vendor" else None)


def authors(project):
    """Authors and licences of the vendored crates in use, which CRAN requires."""
    needed = used_crates(project, PACKAGE, TARGETS)
    packages = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", folder=project))["packages"]
    vendored = [
        package for package in packages if package["source"] and (package["name"], package["version"]) in needed
    ]
    lines = ["The package contains the sources of these crates, each with its own licence and authors.", ""]
    for package in sorted(vendored, key=lambda package: package["name"]):
        names = (
            ", ".join(re.sub(r"\s*<[^>]*>", "", name) for name in package["authors"])
            or f"the authors of {package['name']}"
        )
        lines.append(f"{package['name']} {package['version']}: {names}; {package['license']}")
    return "\n".join(lines) + "\n"


def main():
    package = Path(sys.argv[1])
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "r/truecount", package)
    # Outside the repository, because cargo would find its workspace.
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary)
        workspace_package = write_workspace(project)
        vendor_crates(project)
        (package / "inst").mkdir(exist_ok=True)
        (package / "inst/AUTHORS").write_text(authors(project), encoding="utf-8")
        remove_unused_sources(project, used_crates(project, PACKAGE, TARGETS))
        write_archive(project, package / "src/rust.tar.xz")
    shutil.copytree(
        ROOT / "data/spam", package / "inst/spam", ignore=shutil.ignore_patterns("*.py", "read.csv", "unread.csv")
    )
    for name in ("LICENSE-MIT", "LICENSE-APACHE", "crates/truecount-cli/NOTICES.txt"):
        shutil.copy(ROOT / name, package / "inst")
    description = package / "DESCRIPTION"
    placeholders = {"@VERSION@": workspace_package["version"], "@RUST@": workspace_package["rust-version"]}
    text = description.read_text(encoding="utf-8")
    for placeholder, value in placeholders.items():
        text = text.replace(placeholder, value)
    description.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
