"""Tables to count: those of the repository, and others that are made with a fixed seed by the standard library alone."""

import csv
import gzip
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

SEED = 20261123

# What must come out of a file, a form, a shell and a table as it went in.
LANDS = [
    "Korea, South", 'the "Dutch" Antilles', "Österreich", "Côte d'Ivoire", "Trinidad & Tobago", "<b>Żary</b>", "a|b_c*", r"back\slash",
]  # fmt: skip
LAND = 'born in, "land" (größer)'


@dataclass(frozen=True)
class Case:
    """Two tables, and what a visitor chooses."""

    name: str
    folder: Path
    train: str
    test: str
    chosen: dict = field(default_factory=dict)
    # What each group is compared with, besides the usual.
    reference: str | None = None
    # The same numbers as in that case.
    like: str | None = None
    # Not to the last digit.
    roughly: bool = False


def cases(folder, data):
    """Every case, after its files have been written to a folder of its own."""
    spam = copied(folder / "spam", data / "spam", ["train.csv", "weeks.csv"])
    for name in ["train.csv", "weeks.csv"]:
        (spam / f"{name}.gz").write_bytes(gzip.compress((spam / name).read_bytes()))
    judge = copied(folder / "judge", data / "judge", ["graded.jsonl", "answers.jsonl"])
    weekly = {"by": ["week"], "items": "messages", "positive_name": "spam"}
    people = {"score": "probability", "label": "income", "positive": ">50K", "items": "people", "positive_name": "rich"}
    marks = {"score": "judge.mark", "label": "human.right", "positive": "true", "by": ["model"]}
    return [
        Case("spam", spam, "train.csv", "weeks.csv", weekly, reference="2026-W01"),
        Case("spam, gzipped", spam, "train.csv.gz", "weeks.csv.gz", weekly, reference="2026-W01", like="spam"),
        Case("income", income(folder / "income"), "labelled.csv", "people.csv", people | {"by": ["sex", LAND]}),
        Case(
            "income otherwise", folder / "income", "labelled.csv", "people.csv",
            people | {"by": ["sex"], "weight": "weight", "method": "pacc", "transform": "logit", "level": "0.9", "target": "population"},
            reference="M", roughly=True,
        ),
        Case("judge", judge, "graded.jsonl", "answers.jsonl", marks, reference="A"),
    ]  # fmt: skip


def income(folder):
    """Probabilities of a classifier, more of them high in some groups than in others."""
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
    table(folder / "people.csv", ["sex", LAND, "probability", "weight"], people)
    return folder


def copied(folder, source, names):
    folder.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(source / name, folder)
    return folder


def table(file, columns, rows):
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
