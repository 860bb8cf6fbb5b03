"""Lays the R package out as R wants it: sources of all crates that it needs, data, the text of versions.

    python make.py FOLDER      FOLDER is what the package is laid out in

It is r/truecount, with the Rust half and all crates that it needs in src/rust.tar.xz, and the data of data/spam. What is generated (the functions
that call Rust, help pages, the list of exports) is not made here.
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

from vendoring import anyones, output, vendored, without_tests  # noqa: E402

CRATES = ("truecount", "truecount-analysis", "truecount-r")


# For whom it is built.
TARGETS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnu",
)


def workspace(project):
    """The crates as a workspace of their own."""
    for name in CRATES:
        shutil.copytree(ROOT / "crates" / name, project / "crates" / name)
        without_tests(project / "crates" / name)
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    members = ", ".join(f'"crates/{name}"' for name in CRATES)
    manifest = re.sub(r"^members = .*$", f"members = [{members}]", manifest, flags=re.MULTILINE)
    manifest = re.sub(r"^default-members = .*\n", "", manifest, flags=re.MULTILINE)
    (project / "Cargo.toml").write_text(manifest, encoding="utf-8")
    shutil.copy(ROOT / "Cargo.lock", project)
    return tomllib.loads(manifest)["workspace"]["package"]


def packed(project, file):
    """The workspace with other people's crates, in one file: R leaves out folders that are called check."""
    with tarfile.open(file, "w:xz", preset=9) as archive:
        for entry in sorted(project.iterdir()):
            # Our own keep their times, by which cargo sees what has changed since it last built them.
            archive.add(entry, entry.name, filter=anyones if entry.name == "vendor" else None)


def used(project):
    """The crates that are built for any target, as folders of the vendored ones are named."""
    tree = [
        "cargo",
        "tree",
        "--locked",
        "--package",
        "truecount-r",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]
    lines = {line for target in TARGETS for line in output(*tree, "--target", target, folder=project).splitlines()}
    return {tuple(line.replace(" v", " ").split()[:2]) for line in lines}


def emptied(project):
    """Of crates that are only named, as options of others, cargo wants to see the manifest and nothing else."""
    needed = used(project)
    for crate in (project / "vendor").iterdir():
        about = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))["package"]
        if (about["name"], about["version"]) in needed:
            continue
        checksum = json.loads((crate / ".cargo-checksum.json").read_text(encoding="utf-8"))
        manifest = (crate / "Cargo.toml").read_text(encoding="utf-8")
        shutil.rmtree(crate)
        (crate / "src").mkdir(parents=True)
        (crate / "src/lib.rs").touch()
        (crate / "Cargo.toml").write_text(manifest, encoding="utf-8")
        (crate / ".cargo-checksum.json").write_text(json.dumps({**checksum, "files": {}}), encoding="utf-8")


def authors(project):
    """Whose work is in the package, as R's archive asks."""
    needed = used(project)
    packages = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", folder=project))["packages"]
    others = [package for package in packages if package["source"] and (package["name"], package["version"]) in needed]
    lines = ["The package contains the sources of these crates, each with its own licence and authors.", ""]
    for package in sorted(others, key=lambda package: package["name"]):
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
    # Outside the project, whose workspace cargo would find.
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary)
        about = workspace(project)
        vendored(project)
        (package / "inst").mkdir(exist_ok=True)
        (package / "inst/AUTHORS").write_text(authors(project), encoding="utf-8")
        emptied(project)
        packed(project, package / "src/rust.tar.xz")
    shutil.copytree(ROOT / "data/spam", package / "inst/spam", ignore=shutil.ignore_patterns("*.py"))
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, package / "inst" / name)
    description = package / "DESCRIPTION"
    words = {"@VERSION@": about["version"], "@RUST@": about["rust-version"]}
    text = description.read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(word, value)
    description.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
