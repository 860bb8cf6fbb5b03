"""Reports to look at, and the tables they are about: made with a fixed seed, by the standard library alone."""

import csv
import random
from dataclasses import dataclass, field
from pathlib import Path

SEED = 20261121

SCRIPT = "<script>window.hacked=1</script>"
IMAGE = '"><img src=x onerror=window.hacked=1>'

# What breaks a page, a picture or a table if it is taken for something else than text.
HOSTILE = [
    SCRIPT, IMAGE, f"</style>{SCRIPT}", "</script>", f"</title>{SCRIPT}", f"</svg>{SCRIPT}", "<!--", "-->", "]]>", "<b>bold</b>",
    "&lt;b&gt; &amp; &#39; &nbsp;", "\"double\" and 'single'", "`${7*7}` {{7*7}}", "--l:0;} * { display: none }",
    "🐙 Größe ½", "مرحبا بالعالم", "שלום עולם", "abc \u202egpj.exe", "\u2066isolated", "$x$", r"\$", r"$\frac{a}{b}$",
    "x" * 300, "W" * 300, "many words " * 30, "", "   ", "two\nlines", "tab\tinside", "carriage\rreturn", "\x1b[31mred",
    "zero\u200bwidth", "a,b;c|d", "NaN", "constructor",
]  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A report: what the command is told, and what must be seen."""

    name: str
    arguments: list
    stdin: Path | None = None
    # Each group's values as they are in the table, in any order; None without --by.
    groups: list | None = None
    # Those that must be told apart, because they are no mixture of the labelled classes.
    doubtful: list = field(default_factory=list)
    items: str = "items"
    are: str = "positive"
    # The groups are dates, which are drawn over time.
    dates: bool = False
    # The page is no larger.
    megabytes: float = 2.0

    def by(self):
        """The columns that say of which group a row is."""
        return str(self.arguments[self.arguments.index("--by") + 1]).split(",")


def cases(folder, repository):
    """Every report, after the tables it needs have been written."""
    rng = random.Random(SEED)
    train = table(folder / "labelled.csv", ["score", "label"], labelled(rng, 300, 500))
    spam = repository / "data" / "spam"
    week = list(dict.fromkeys(row[0] for row in read(spam / "weeks.csv")))
    one = [["only", score] for score in mixture(rng, 500, 0.3)]
    plain = table(
        folder / "plain.csv", ["score", "weight"], [[s, rng.choice([1, 2, 5])] for s in mixture(rng, 800, 0.3)]
    )
    few = table(folder / "few.csv", ["score", "label"], labelled(rng, 4, 5))
    told = ["--train", train]
    return [
        Case(
            "spam",
            [*both(spam / "train.csv", spam / "weeks.csv"), "--by", "week"],
            groups=single(week),
            doubtful=[("2026-W04",)],
            **words("messages", "spam"),
            dates=True,
        ),
        shifted(folder, rng, told),
        many(folder, rng, told),
        Case("one group", [*told, *tested(folder, "one", one)], groups=[("only",)]),
        extreme(folder, rng, told),
        hostile(folder, rng, train),
        odd(folder, rng),
        Case("no groups", [*told, "--test", plain]),
        Case("no interval", [*told, "--test", plain, "--method", "t-ms"]),
        Case("uncorrected", [*told, "--test", plain, "--method", "cc,ac"]),
        Case("kernel", [*told, "--test", plain, "--method", "o-cs", "--family", "kernel", "--transform", "rank"]),
        Case("few labelled", ["--train", few, "--test", plain]),
        Case("weights", [*told, "--test", plain, "--weight", "weight"]),
        Case("bootstrap", [*told, "--test", plain, "--interval", "bootstrap", "--resamples", "200"]),
        Case(
            "audit",
            [*both(spam / "train.csv", spam / "pool.csv"), "--audit", spam / "audited.csv"],
            **words("messages", "spam"),
        ),
        Case("standard input", [*told, "--test", "-"], stdin=plain),
    ]


def shifted(folder, rng, told):
    """60 groups, in a fifth of which one in seven negatives is of another kind."""
    names = [f"region {i:02}" for i in range(60)]
    doubtful = names[::5]
    rows = []
    for name in names:
        for _ in range(400):
            positive = rng.random() < 0.3
            other = not positive and name in doubtful and rng.random() < 0.15
            rows.append([name, rng.gauss(4.5, 0.2) if other else score(rng, positive)])
    return Case("shifted", [*told, *tested(folder, "shifted", rows)], groups=single(names), doubtful=single(doubtful))


def many(folder, rng, told):
    """5000 groups of about 40, by two columns."""
    groups = [(f"area {i:04}", rng.choice("MF")) for i in range(5000)]
    rows = [[*group, s] for group in groups for s in mixture(rng, rng.randint(30, 50), rng.random())]
    return Case("many", [*told, *tested(folder, "many", rows, ("area", "sex"))], groups=groups, megabytes=5.0)


def extreme(folder, rng, told):
    """Estimates outside [0, 1], and what a score may be."""
    groups = {
        "no positives": [score(rng, False) - 0.5 for _ in range(300)],
        "no negatives": [score(rng, True) + 0.5 for _ in range(300)],
        "one row": [0.7],
        "all equal": [0.25] * 50,
        "huge": [1e300, -1e300, 1e-300, 0.5],
    }
    rows = [[name, s] for name, values in groups.items() for s in values]
    return Case("extreme", [*told, *tested(folder, "extreme", rows)], groups=single(groups))


def hostile(folder, rng, train):
    """Whatever people write is text."""
    rows = [[name, s] for name in HOSTILE for s in mixture(rng, 60, rng.random())]
    by = f"{SCRIPT} & 'by' $x$"
    said = words(f"\u202e{SCRIPT} & “letters” $x$", f"</title>{IMAGE} and 'more'")
    # Spaces around a cell are no part of it.
    groups = single(dict.fromkeys(name.strip() for name in HOSTILE))
    return Case(
        "hostile", [*both(train, table(folder / "hostile.csv", [by, "score"], rows)), "--by", by], groups=groups, **said
    )


def odd(folder, rng):
    """File names that a shell and a page would both take for something else."""
    train = table(folder / "labelled <b>'one' & \"two\" $x$.csv", ["score", "label"], labelled(rng, 100, 100))
    test = table(
        folder / f"{'long name ' * 12}.csv", ["group", "score"], [[g, s] for g in "ab" for s in mixture(rng, 100, 0.5)]
    )
    return Case("odd files", [*both(train, test), "--by", "group"], groups=[("a",), ("b",)])


def score(rng, positive):
    """Of a classifier that tells two normal classes apart fairly well."""
    return rng.gauss(1.0 if positive else -1.0, 1.0)


def mixture(rng, n, share):
    return [score(rng, rng.random() < share) for _ in range(n)]


def labelled(rng, positives, negatives):
    return [[score(rng, True), 1] for _ in range(positives)] + [[score(rng, False), 0] for _ in range(negatives)]


def single(names):
    return [(name,) for name in names]


def words(items, are):
    return {"items": items, "are": are}


def both(train, test):
    return ["--train", train, "--test", test]


def tested(folder, name, rows, by=("group",)):
    return ["--test", table(folder / f"{name}.csv", [*by, "score"], rows), "--by", ",".join(by)]


def table(file, columns, rows):
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    return file


def read(file):
    """The rows of a table, without its head."""
    with open(file, encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))[1:]
