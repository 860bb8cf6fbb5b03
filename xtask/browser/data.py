"""The reports to check and their tables, generated with a fixed seed."""

import csv
import random
from dataclasses import dataclass, field
from pathlib import Path

SEED = 20261121

SCRIPT = "<script>window.hacked=1</script>"
IMAGE = '"><img src=x onerror=window.hacked=1>'

# Names that break a page, a figure or a table if they are treated as markup, code or separators
# instead of text.
HOSTILE = [
    SCRIPT, IMAGE, f"</style>{SCRIPT}", "</script>", f"</title>{SCRIPT}", f"</svg>{SCRIPT}", "<!--", "-->", "]]>", "<b>bold</b>",
    "&lt;b&gt; &amp; &#39; &nbsp;", "\"double\" and 'single'", "`${7*7}` {{7*7}}", "--l:0;} * { display: none }",
    "🐙 Größe ½", "مرحبا بالعالم", "שלום עולם", "abc \u202egpj.exe", "\u2066isolated", "$x$", r"\$", r"$\frac{a}{b}$",
    "x" * 300, "W" * 300, "many words " * 30, "", "   ", "two\nlines", "tab\tinside", "carriage\rreturn", "\x1b[31mred",
    "zero\u200bwidth", "a,b;c|d", "NaN", "constructor",
]  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A report: arguments of the command, and the expected content of the page."""

    name: str
    arguments: list
    stdin: Path | None = None
    # Values of the grouping columns of each group, in any order; None without --by.
    groups: list | None = None
    # Groups that must be marked, because their scores are not a mixture of the labelled classes.
    doubtful: list = field(default_factory=list)
    items: str = "items"
    positive_name: str = "positive"
    # Whether the groups are dates, which the figure shows on a time axis.
    dates: bool = False
    max_megabytes: float = 2.0

    def by(self):
        """Names of the grouping columns."""
        return str(self.arguments[self.arguments.index("--by") + 1]).split(",")


def cases(folder, repository):
    """Writes the tables and returns the cases."""
    rng = random.Random(SEED)
    train = table(folder / "labelled.csv", ["score", "label"], labelled(rng, 300, 500))
    spam = repository / "data" / "spam"
    weeks = list(dict.fromkeys(row[0] for row in read(spam / "weeks.csv")))
    one_group = [["only", score] for score in mixture(rng, 500, 0.3)]
    ungrouped = table(
        folder / "plain.csv", ["score", "weight"], [[s, rng.choice([1, 2, 5])] for s in mixture(rng, 800, 0.3)]
    )
    few = table(folder / "few.csv", ["score", "label"], labelled(rng, 4, 5))
    train_options = ["--train", train]
    return [
        Case(
            "spam",
            [*table_options(spam / "train.csv", spam / "weeks.csv"), "--by", "week"],
            groups=single(weeks),
            doubtful=[("2026-W04",)],
            items="messages",
            positive_name="spam",
            dates=True,
        ),
        shifted(folder, rng, train_options),
        many(folder, rng, train_options),
        Case("one group", [*train_options, *grouped_test_options(folder, "one", one_group)], groups=[("only",)]),
        extreme(folder, rng, train_options),
        hostile(folder, rng, train),
        odd(folder, rng),
        Case("no groups", [*train_options, "--test", ungrouped]),
        Case("no interval", [*train_options, "--test", ungrouped, "--method", "t-ms"]),
        Case("uncorrected", [*train_options, "--test", ungrouped, "--method", "cc,ac"]),
        Case(
            "kernel",
            [*train_options, "--test", ungrouped, "--method", "o-cs", "--family", "kernel", "--transform", "rank"],
        ),
        Case("few labelled", ["--train", few, "--test", ungrouped]),
        Case("weights", [*train_options, "--test", ungrouped, "--weight", "weight"]),
        Case("bootstrap", [*train_options, "--test", ungrouped, "--interval", "bootstrap", "--resamples", "200"]),
        Case(
            "audit",
            [*table_options(spam / "train.csv", spam / "pool.csv"), "--audit", spam / "audited.csv"],
            items="messages",
            positive_name="spam",
        ),
        Case("standard input", [*train_options, "--test", "-"], stdin=ungrouped),
    ]


def shifted(folder, rng, train_options):
    """60 groups; in every fifth, 15 % of the negatives come from a third distribution."""
    names = [f"region {i:02}" for i in range(60)]
    doubtful = names[::5]
    rows = []
    for name in names:
        for _ in range(400):
            positive = rng.random() < 0.3
            is_outlier = not positive and name in doubtful and rng.random() < 0.15
            rows.append([name, rng.gauss(4.5, 0.2) if is_outlier else score(rng, positive)])
    return Case(
        "shifted",
        [*train_options, *grouped_test_options(folder, "shifted", rows)],
        groups=single(names),
        doubtful=single(doubtful),
    )


def many(folder, rng, train_options):
    """5000 groups of about 40 rows, by two columns."""
    groups = [(f"area {i:04}", rng.choice("MF")) for i in range(5000)]
    rows = [[*group, s] for group in groups for s in mixture(rng, rng.randint(30, 50), rng.random())]
    return Case(
        "many",
        [*train_options, *grouped_test_options(folder, "many", rows, ("area", "sex"))],
        groups=groups,
        max_megabytes=5.0,
    )


def extreme(folder, rng, train_options):
    """Groups with estimates outside [0, 1] or with extreme scores."""
    groups = {
        "no positives": [score(rng, False) - 0.5 for _ in range(300)],
        "no negatives": [score(rng, True) + 0.5 for _ in range(300)],
        "one row": [0.7],
        "all equal": [0.25] * 50,
        "huge": [1e300, -1e300, 1e-300, 0.5],
    }
    rows = [[name, s] for name, values in groups.items() for s in values]
    return Case("extreme", [*train_options, *grouped_test_options(folder, "extreme", rows)], groups=single(groups))


def hostile(folder, rng, train):
    """Group names, a column name and option values with markup, scripts and control characters."""
    rows = [[name, s] for name in HOSTILE for s in mixture(rng, 60, rng.random())]
    by = f"{SCRIPT} & 'by' $x$"
    # The command trims spaces around a cell.
    groups = single(dict.fromkeys(name.strip() for name in HOSTILE))
    return Case(
        "hostile",
        [*table_options(train, table(folder / "hostile.csv", [by, "score"], rows)), "--by", by],
        groups=groups,
        items=f"\u202e{SCRIPT} & “letters” $x$",
        positive_name=f"</title>{IMAGE} and 'more'",
    )


def odd(folder, rng):
    """File names that need quoting in a shell and escaping on a page."""
    train = table(folder / "labelled <b>'one' & \"two\" $x$.csv", ["score", "label"], labelled(rng, 100, 100))
    test = table(
        folder / f"{'long name ' * 12}.csv", ["group", "score"], [[g, s] for g in "ab" for s in mixture(rng, 100, 0.5)]
    )
    return Case("odd files", [*table_options(train, test), "--by", "group"], groups=[("a",), ("b",)])


def score(rng, positive):
    """Draws a score from one of two normal classes, two standard deviations apart."""
    return rng.gauss(1.0 if positive else -1.0, 1.0)


def mixture(rng, n, share):
    return [score(rng, rng.random() < share) for _ in range(n)]


def labelled(rng, positives, negatives):
    return [[score(rng, True), 1] for _ in range(positives)] + [[score(rng, False), 0] for _ in range(negatives)]


def single(names):
    return [(name,) for name in names]


def table_options(train, test):
    return ["--train", train, "--test", test]


def grouped_test_options(folder, name, rows, by=("group",)):
    return ["--test", table(folder / f"{name}.csv", [*by, "score"], rows), "--by", ",".join(by)]


def table(file, columns, rows):
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    return file


def read(file):
    """Rows of a table, without the header."""
    with open(file, encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))[1:]
