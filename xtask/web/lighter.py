"""Writes reduced copies of crates: without code and data that the browser page does not use.

    python lighter.py FOLDER      writes each crate to a folder of its name in FOLDER, for cargo's `paths`

kuva: its code matches on all kinds of plots, so that all are linked. In the copy, a kind that the
page does not draw holds an uninhabited type, and the compiler drops the match arms for it. Drawing
such a plot panics.

crc32fast: its table of 16 kB, which does not compress, is computed at the first use instead.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

USED_PLOTS = {"Band", "Forest", "Line", "Scatter"}

# Font faces that the figures do not use. Their letter widths are replaced by those of the regular
# face.
UNUSED_FACES = ("ITALIC", "BOLD_ITALIC", "MONO")
REGULAR_WIDTHS = "REGULAR.get_or_init(|| decode_rle(data::ADVANCE_RLE_REGULAR))"

# An uninhabited type that can be used in place of a T.
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


LAZY_CRC32_TABLE = """
pub static CRC32_TABLE: std::sync::LazyLock<[[u32; 256]; 16]> = std::sync::LazyLock::new(|| {
    let mut table = [[0; 256]; 16];
    for byte in 0..256 {
        let shift = |rest: u32, _| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
        table[0][byte] = (0..8).fold(byte as u32, shift);
    }
    for index in 1..16 {
        for byte in 0..256 {
            let previous: u32 = table[index - 1][byte];
            table[index][byte] = previous >> 8 ^ table[0][(previous & 0xff) as usize];
        }
    }
    table
});
"""


def sources(*names):
    """Yields names of crates with the folders of their sources in cargo's registry."""
    metadata = ["cargo", "metadata", "--locked", "--format-version", "1"]
    packages = json.loads(subprocess.run(metadata, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)["packages"]
    for name in names:
        [manifest] = (package["manifest_path"] for package in packages if package["name"] == name)
        yield name, Path(manifest).parent


def edit(file, *edits):
    """Replaces patterns in a file; exits if one is missing, because the crate has changed."""
    text = file.read_text(encoding="utf-8")
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if not count:
            sys.exit(f"{file} has changed, there is nothing like {pattern}")
    file.write_text(text, encoding="utf-8")
    # A constant modification time, so that cargo does not build the crate again.
    time = Path(__file__).stat().st_mtime
    os.utime(file, (time, time))


def reduce_kuva(folder):
    plots = folder / "src/render/plots.rs"
    enum = re.search(
        r"^pub enum Plot \{\n(.*?)^\}\n", plots.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    kinds = set(re.findall(r"^    (\w+)\(\w+\),$", enum[1], flags=re.MULTILINE)) if enum else set()
    if missing := USED_PLOTS - kinds:
        sys.exit(f"{plots}: kuva has changed, there is no plot {sorted(missing)}")
    unused = "|".join(sorted(kinds - USED_PLOTS))
    construction = (
        rf"^( +(?:let plots = vec!\[)?)((?:crate::render::plots::)?Plot::(?:{unused}))\(([a-z][\w.]*)\)(\];)?$",
        r"\1\2(crate::render::plots::Never::of(\3))\4",
    )
    edit(plots, (rf"^    ({unused})\((\w+)\),$", r"    \1(Never<\2>),"), construction, (r"\Z", NEVER))
    for file in ("render.rs", "brick_pop.rs"):
        edit(folder / "src/render" / file, construction)
    faces = [
        (rf"\b{face}\.get_or_init\(\|\| decode_rle\(data::ADVANCE_RLE_{face}\)\)", REGULAR_WIDTHS)
        for face in UNUSED_FACES
    ]
    edit(folder / "src/render/text_metrics/mod.rs", *faces)
    # The figures are not interactive.
    edit(
        folder / "src/backend/svg.rs",
        (r"svg\.push_str\(interactive_js::JS\);", 'unreachable!("pictures do not move");'),
    )
    # The crate's warnings are not ours to fix.
    edit(folder / "src/lib.rs", (r"\A", "#![allow(warnings)]\n"))


def reduce_crc32fast(folder):
    edit(folder / "src/table.rs", (r"(?s)^pub static CRC32_TABLE: \[\[u32; 256\]; 16\] = \[.*^\];\n", LAZY_CRC32_TABLE))


def main():
    for (name, source), reduce_crate in zip(sources("kuva", "crc32fast"), (reduce_kuva, reduce_crc32fast)):
        folder = Path(sys.argv[1], name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("tests", "benches", "examples"))
        reduce_crate(folder)


if __name__ == "__main__":
    main()
