"""The tables to count: from the repository, or generated with a fixed seed."""

import csv
import gzip
import random
import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from data import table

SEED = 20261123

# Values that need quoting or escaping in a file, a form, a shell or a table.
LANDS = [
    "Korea, South", 'the "Dutch" Antilles', "Österreich", "Côte d'Ivoire", "Trinidad & Tobago", "<b>Żary</b>", "a|b_c*", r"back\slash",
]  # fmt: skip
LAND_COLUMN = 'born in, "land" (größer)'


@dataclass(frozen=True)
class Case:
    """Two tables and the form's fields."""

    name: str
    folder: Path
    train: str
    test: str
    fields: dict = field(default_factory=dict)
    # Group to compare with, in addition to the default reference.
    reference: str | None = None
    # Name of a case with the same estimates.
    same_as: str | None = None
    # Whether the numbers agree with the command's in every digit.
    exact: bool = True


def cases(folder, data):
    """Writes the files of each case to a folder and returns the cases."""
    spam = copy_files(folder / "spam", data / "spam", ["train.csv", "weeks.csv"])
    for name in ["train.csv", "weeks.csv"]:
        (spam / f"{name}.gz").write_bytes(gzip.compress((spam / name).read_bytes()))
        workbook(spam / name.replace(".csv", ".xlsx"), spam / name)
    landsat = copy_files(folder / "landsat", data / "landsat", ["cover.csv", "cover_pixels.csv"])
    judge = copy_files(folder / "judge", data / "judge", ["graded.jsonl", "answers.jsonl"])
    weekly = {"by": ["week"], "items": "messages", "positive_name": "spam"}
    people = {"score": "probability", "label": "income", "positive": ">50K", "items": "people", "positive_name": "rich"}
    marks = {"score": "judge.mark", "label": "human.right", "positive": "true", "by": ["model"]}
    return [
        Case("spam", spam, "train.csv", "weeks.csv", weekly, reference="2026-W01"),
        Case("spam, gzipped", spam, "train.csv.gz", "weeks.csv.gz", weekly, reference="2026-W01", same_as="spam"),
        Case("spam, workbooks", spam, "train.xlsx", "weeks.xlsx", weekly, reference="2026-W01", same_as="spam"),
        Case("income", income(folder / "income"), "labelled.csv", "people.csv", people | {"by": ["sex", LAND_COLUMN]}),
        Case(
            "income otherwise", folder / "income", "labelled.csv", "people.csv",
            people | {"by": ["sex"], "weight": "weight", "stratum": LAND_COLUMN, "method": "pacc", "transform": "logit", "cutoff": "0.4", "level": "0.9", "target": "population"},
            reference="M", exact=False,
        ),
        Case("classes", landsat, "cover.csv", "cover_pixels.csv", {"by": ["area"], "items": "pixels"}, reference="F", exact=False),
        Case("judge", judge, "graded.jsonl", "answers.jsonl", marks, reference="A"),
    ]  # fmt: skip


def income(folder):
    """Writes probabilities of a classifier, for groups with different prevalences."""
    rng = random.Random(SEED)
    folder.mkdir(exist_ok=True)

    def probability(rich):
        return f"{rng.betavariate(4, 2) if rich else rng.betavariate(2, 5):.6f}"

    labelled = [
        (probability(rich), ">50K" if rich else "<=50K") for rich in (rng.random() < 0.25 for _ in range(5_000))
    ]
    table(folder / "labelled.csv", ["probability", "income"], labelled)
    share = {(sex, land): rng.uniform(0.05, 0.6) for sex in "FM" for land in LANDS}
    groups = [rng.choice(list(share)) for _ in range(20_000)]
    people = [(*group, probability(rng.random() < share[group]), rng.choice([1, 2, 5])) for group in groups]
    table(folder / "people.csv", ["sex", LAND_COLUMN, "probability", "weight"], people)
    return folder


def workbook(file, table):
    """Writes a table as an Excel workbook, below a title."""
    with open(table, encoding="utf-8", newline="") as lines:
        rows = [["Messages of 2026"], [], *csv.reader(lines)]

    def cell(text):
        is_number = text.removeprefix("-").replace(".", "", 1).isdecimal()
        return f"<c><v>{text}</v></c>" if is_number else f'<c t="inlineStr"><is><t>{text}</t></is></c>'

    sheet = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    office, package = (
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "http://schemas.openxmlformats.org/package/2006",
    )
    relation = lambda name, target: (
        f'<Relationships xmlns="{package}/relationships"><Relationship Id="a" Type="{office}/{name}" Target="{target}"/></Relationships>'
    )
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [
            ("[Content_Types].xml", f'<Types xmlns="{package}/content-types"/>'),
            ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
            ("xl/workbook.xml", f'<workbook xmlns:r="{office}"><sheets><sheet name="May" sheetId="1" r:id="a"/></sheets></workbook>'),
            ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
            ("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{sheet}</sheetData></worksheet>"),
        ]:  # fmt: skip
            archive.writestr(name, content)


def copy_files(folder, source, names):
    folder.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(source / name, folder)
    return folder
