"""Crates without what a page has no use for: most of what they would add to it.

    python lighter.py FOLDER      FOLDER is what each of the crates is laid out in, by its name, for cargo's `paths`

kuva: whatever draws or measures plots matches on all kinds of them, so all are linked. Here a kind that is not drawn holds a value that cannot be made,
and the compiler drops every arm for it: an error where it is drawn after all, and not a hole in a picture.

crc32fast: its table of 16 kB, which cannot be packed, is made when it is first read.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

DRAWN = {"Band", "Forest", "Line", "Scatter"}

# Faces that our pictures have no letters of, unless a user's text has some.
FACES = ("ITALIC", "BOLD_ITALIC", "MONO")
UPRIGHT = "REGULAR.get_or_init(|| decode_rle(data::ADVANCE_RLE_REGULAR))"

# Is used as what it would hold if it could be made.
NEVER = """
pub struct Never<T>(std::convert::Infallible, std::marker::PhantomData<T>);

impl<T> Never<T> {
    pub fn of(_: T) -> Self {
        unreachable!("a plot of this kind is not drawn")
    }
}

impl<T> std::ops::Deref for Never<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self.0 {}
    }
}

impl<T> std::ops::DerefMut for Never<T> {
    fn deref_mut(&mut self) -> &mut T {
        match self.0 {}
    }
}
"""


TABLE = """
pub static CRC32_TABLE: std::sync::LazyLock<[[u32; 256]; 16]> = std::sync::LazyLock::new(|| {
    let mut table = [[0; 256]; 16];
    for byte in 0..256 {
        let one = |rest: u32, _| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
        table[0][byte] = (0..8).fold(byte as u32, one);
    }
    for place in 1..16 {
        for byte in 0..256 {
            let before: u32 = table[place - 1][byte];
            table[place][byte] = before >> 8 ^ table[0][(before & 0xff) as usize];
        }
    }
    table
});
"""


def sources(*names):
    """Where cargo keeps them."""
    metadata = ["cargo", "metadata", "--locked", "--format-version", "1"]
    packages = json.loads(subprocess.run(metadata, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)["packages"]
    for name in names:
        [manifest] = (package["manifest_path"] for package in packages if package["name"] == name)
        yield name, Path(manifest).parent


def changed(file, *edits):
    """A file with what patterns find replaced; an error where one finds nothing, for then it is of another version."""
    text = file.read_text(encoding="utf-8")
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if not count:
            sys.exit(f"{file} has changed, there is nothing like {pattern}")
    file.write_text(text, encoding="utf-8")
    # By its time cargo sees that it need not be built again.
    time = Path(__file__).stat().st_mtime
    os.utime(file, (time, time))


def kuva(folder):
    plots = folder / "src/render/plots.rs"
    enum = re.search(
        r"^pub enum Plot \{\n(.*?)^\}\n", plots.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    kinds = set(re.findall(r"^    (\w+)\(\w+\),$", enum[1], flags=re.MULTILINE)) if enum else set()
    if missing := DRAWN - kinds:
        sys.exit(f"{plots}: kuva has changed, there is no plot {sorted(missing)}")
    other = "|".join(sorted(kinds - DRAWN))
    made = (
        rf"^( +(?:let plots = vec!\[)?)((?:crate::render::plots::)?Plot::(?:{other}))\(([a-z][\w.]*)\)(\];)?$",
        r"\1\2(crate::render::plots::Never::of(\3))\4",
    )
    changed(plots, (rf"^    ({other})\((\w+)\),$", r"    \1(Never<\2>),"), made, (r"\Z", NEVER))
    for file in ("render.rs", "brick_pop.rs"):
        changed(folder / "src/render" / file, made)
    # The widths of upright letters do for all others.
    faces = [(rf"\b{face}\.get_or_init\(\|\| decode_rle\(data::ADVANCE_RLE_{face}\)\)", UPRIGHT) for face in FACES]
    changed(folder / "src/render/text_metrics/mod.rs", *faces)
    # Pictures do not move.
    changed(
        folder / "src/backend/svg.rs",
        (r"svg\.push_str\(interactive_js::JS\);", 'unreachable!("pictures do not move");'),
    )
    # It is not for us to mend its warnings.
    changed(folder / "src/lib.rs", (r"\A", "#![allow(warnings)]\n"))


def crc32fast(folder):
    changed(folder / "src/table.rs", (r"(?s)^pub static CRC32_TABLE: \[\[u32; 256\]; 16\] = \[.*^\];\n", TABLE))


def main():
    for (name, source), lighten in zip(sources("kuva", "crc32fast"), (kuva, crc32fast)):
        folder = Path(sys.argv[1], name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("tests", "benches", "examples"))
        lighten(folder)


if __name__ == "__main__":
    main()
