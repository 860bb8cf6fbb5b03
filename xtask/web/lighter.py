"""Writes reduced copies of crates: without code and data that the browser page does not use.

    python lighter.py FOLDER      writes each crate to a folder of its name in FOLDER, for cargo's `paths`

kuva: its code matches on all kinds of plots, so that all are linked. In the copy, a kind that the
page does not draw holds an uninhabited type, and the compiler drops the match arms for it. Drawing
such a plot panics.

encoding_rs: workbooks are in UTF-8 or UTF-16, so that the tables of other encodings are not needed.

calamine: the styles of cells are not read, except for the formats of numbers, which dates have.

zip: times and other names of entries are not read.

fast-float2: numbers are parsed by the standard library, which has the same table of powers.

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


# The formats of dates that the figures use, instead of all of chrono.
FORMATTED_DATE = """let (date, time, week) = (dt.date(), dt.time(), dt.date().iso_week());
        let year = |year: i32| format!("{year:04}");
        let two = |number: u32| format!("{number:02}");
        self.format.replace("%Y", &year(date.year())).replace("%m", &two(date.month())).replace("%d", &two(date.day()))
            .replace("%H", &two(time.hour())).replace("%M", &two(time.minute()))
            .replace("%G", &year(week.year())).replace("%V", &two(week.week()))"""

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
    # The names of colours that the figures do not use.
    colours = r'^        "(?!black|white"|(?:light|dark)?gr[ae]y)[a-z" |]+ => Color::Rgb\(\d+, \d+, \d+\),\n'
    edit(folder / "src/render/color.rs", (colours, ""))
    edit(folder / "src/render/datetime.rs", (r"dt\.format\(&self\.format\)\.to_string\(\)", FORMATTED_DATE))
    # The figures are not interactive.
    edit(
        folder / "src/backend/svg.rs",
        (r"svg\.push_str\(interactive_js::JS\);", 'unreachable!("pictures do not move");'),
    )


def reduce_crc32fast(folder):
    edit(folder / "src/table.rs", (r"(?s)^pub static CRC32_TABLE: \[\[u32; 256\]; 16\] = \[.*^\];\n", LAZY_CRC32_TABLE))


def reduce_encoding_rs(folder):
    arm = r"^( +VariantDecoder::(?!Utf)\w+)\(ref mut v\) => v\.decode_to_utf8_raw\(src, dst, last\),$"
    edit(folder / "src/variant.rs", (arm, r"\1(_) => (DecoderResult::Malformed(1, 0), 0, 0),"))


def reduce_calamine(folder):
    styles = r"(?s)^ {16}Ok\(Event::Start\(e\)\) if e\.local_name\(\)\.as_ref\(\) == \"(fonts|fills|borders)\" => loop \{\n.*?^ {16}\},\n"
    edit(
        folder / "src/xlsx/mod.rs",
        (styles, ""),
        (r"(?s)^ +// Build the full style for this xf record\..*?self\.styles\.push\(style\);\n", ""),
        (r"^ +let theme_colors = self\.read_theme_colors\(\);\n", ""),
        (r"^ +let mut (?:(?:fonts|fills|borders): .*|xf_buf .*)\n", ""),
        (r"^ +check_for_password_protected\(&mut reader\)\?;\n", ""),
    )


def reduce_zip(folder):
    fields = r"(?s)^ {16}Ok\(UsedExtraField::Ntfs\) =>.*?(?=^ {16}_ => \{)"
    edit(folder / "src/extra_fields/extra_field.rs", (fields, ""))
    edit(folder / "src/read/mod.rs", (r"(?s)^ {8}if let \(Some\(upath\).*?(?=^ {8}if self\.compression_method)", ""))


def reduce_fast_float(folder):
    parser = r"(?s)^ {8}let s = s\.as_ref\(\);\n {8}match Self::parse_float_partial\(s\) \{.*?^ {8}\}"
    edit(
        folder / "src/lib.rs",
        (r"^pub trait FastFloat: float::Float \{", "pub trait FastFloat: float::Float + core::str::FromStr {"),
        (parser, "        core::str::from_utf8(s.as_ref()).ok().and_then(|text| text.parse().ok()).ok_or(Error)"),
    )


REDUCED = {
    "calamine": reduce_calamine,
    "crc32fast": reduce_crc32fast,
    "encoding_rs": reduce_encoding_rs,
    "fast-float2": reduce_fast_float,
    "kuva": reduce_kuva,
    "zip": reduce_zip,
}


def main():
    for (name, source), reduce_crate in zip(sources(*REDUCED), REDUCED.values()):
        folder = Path(sys.argv[1], name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("tests", "benches", "examples"))
        reduce_crate(folder)
        # The crate's warnings are not ours to fix.
        edit(folder / "src/lib.rs", (r"\A", "#![allow(warnings)]\n"))


if __name__ == "__main__":
    main()
