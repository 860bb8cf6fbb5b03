"""Writes the copyright notices and licences of everything that is compiled into truecount.

    python make.py FILE              writes FILE
    python make.py --check FILE      fails if FILE is not current

The file covers the command, the Python package, the R package and the browser page, on all
platforms. Crates whose licences have the same wording share one text. Where a crate offers a choice
of licences that includes MIT, the MIT licence is taken.
"""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("truecount-cli", "truecount-python", "truecount-r", "truecount-web")

# Parts other than crates, under the MIT licence.
PARTS = {
    "Rust's standard library": "Copyright (c) The Rust Project Contributors",
    "musl (in static commands)": "Copyright © 2005-2020 Rich Felker, et al.",
    "wasi-libc (in the browser page)": "Copyright (c) The wasi-libc contributors",
    "xz-decompress (in the browser page)": "Copyright (c) Tim Perry and contributors",
}

# Crates without a licence file or an MIT licence, and a crate of the same authors that has the text.
TEXT_ELSEWHERE = {"alloc-stdlib": "alloc-no-stdlib"}

LICENCE_FILE = re.compile(r"(licen[cs]e|unlicense|copyright|notice)(?!.*\.(rs|py|html)$)", re.IGNORECASE)
COPYING = re.compile(r"copying", re.IGNORECASE)
TITLE = re.compile(r"\W*(the )?(mit|bsd|isc)\b.{0,30}licen[cs]e.{0,20}|all rights reserved\.?|#.*|=+|-+", re.IGNORECASE)
COPYRIGHT = re.compile(r"(copyright|\(c\)|©)\s*(\(c\)|©|\d{4}|the |[A-Z])", re.IGNORECASE)

HEADING = """\
truecount contains the software listed here, under these licences. truecount's own licence is MIT or
Apache-2.0, at your choice. `cargo xtask notices` writes this file.
"""


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def compiled_crates():
    """All crates of other authors in what is published, except those that only run at build time."""
    metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1"))["packages"]
    crates = {(crate["name"], crate["version"]): crate for crate in metadata}
    selection = [word for package in PACKAGES for word in ("--package", package)]
    shape = ["--edges", "normal,no-proc-macro", "--target", "all", "--prefix", "none", "--format", "{p}"]
    lines = output("cargo", "tree", "--locked", *selection, *shape).splitlines()
    used = {tuple(line.replace(" v", " ").split()[:2]) for line in lines if line}
    return [crates[key] for key in sorted(used) if crates[key]["source"]]


def licence_files(crate):
    """The licence files of a crate, also of C sources in its folders."""
    folder = Path(crate["manifest_path"]).parent
    every = sorted(file for file in folder.rglob("*") if file.is_file())
    files = [file for file in every if LICENCE_FILE.match(file.name)] or [
        file for file in every if COPYING.match(file.name)
    ]
    top = [file for file in files if file.parent == folder]
    is_choice = re.search(r" OR |/", crate["license"]) and " AND " not in crate["license"]
    if is_choice and (chosen := [file for file in top if "MIT" in file.name.upper()]):
        return chosen + [file for file in files if file.parent != folder]
    return files


def licences(crate, crates):
    """Yields the copyright lines and the text of each licence of a crate."""
    if files := licence_files(crate):
        for file in files:
            yield split(file.read_text(encoding="utf-8", errors="replace"))
    elif name := TEXT_ELSEWHERE.get(crate["name"]):
        [other] = (other for other in crates if other["name"] == name)
        yield from licences(other, crates)
    elif "MIT" in crate["license"]:
        authors = [re.sub(r"\s*<[^>]*>", "", author) for author in crate["authors"]]
        yield [f"Copyright (c) {', '.join(authors) or 'the authors of ' + crate['name']}"], mit_text()
    elif crate["license"] == "Apache-2.0":
        yield [], split((ROOT / "LICENSE-APACHE").read_text(encoding="utf-8"))[1]
    else:
        sys.exit(f"{crate['name']} has no licence file; {crate['license']} needs an entry in {Path(__file__).name}")


def mit_text():
    return split((ROOT / "LICENSE-MIT").read_text(encoding="utf-8"))[1]


def split(text):
    """Separates the copyright lines of a licence from its wording, without its title."""
    # An appendix explains how to apply the Apache licence.
    text = re.split(r"^\s*APPENDIX: How to apply", text, flags=re.MULTILINE)[0]
    lines = [line.rstrip() for line in text.replace("\ufeff", "").splitlines()]
    holders = [line.strip() for line in lines if COPYRIGHT.match(line.strip())]
    wording = [line for line in lines if not COPYRIGHT.match(line.strip()) and not TITLE.fullmatch(line.strip())]
    return holders, re.sub(r"\n{3,}", "\n\n", "\n".join(wording)).strip("\n")


def notices():
    crates = compiled_crates()
    entries = [
        (f"{crate['name']} {crate['version']}", *licence) for crate in crates for licence in licences(crate, crates)
    ]
    entries += [(name, [holder], mit_text()) for name, holder in PARTS.items()]
    texts, owners = {}, {}
    for name, holders, text in entries:
        wording = "".join(re.findall(r"\w+", text.lower()))
        texts.setdefault(wording, text)
        names = owners.setdefault(wording, {}).setdefault(tuple(dict.fromkeys(holders)), [])
        if name not in names:
            names.append(name)
    parts = [HEADING]
    for wording, by_holders in sorted(owners.items(), key=lambda item: -sum(map(len, item[1].values()))):
        parts.append("=" * 100)
        for holders, names in by_holders.items():
            parts.append("\n".join([*textwrap.wrap(", ".join(names), 100), *(f"    {holder}" for holder in holders)]))
        parts.append(texts[wording])
    return "\n\n".join(parts) + "\n"


def main():
    file = Path(sys.argv[-1])
    text = notices()
    if "--check" not in sys.argv:
        file.write_text(text, encoding="utf-8", newline="\n")
    elif not file.is_file() or file.read_text(encoding="utf-8") != text:
        sys.exit(f"{file} is not current: run `cargo xtask notices`")


if __name__ == "__main__":
    main()
