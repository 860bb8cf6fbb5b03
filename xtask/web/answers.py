"""What the page shows and saves of two tables is what the command prints and writes, to the last byte."""

import itertools
import math
import re
import subprocess

# The report's own text on the page, which has a first heading already, and that of the report as a browser opens it.
SHOWN = """() => {
    const answer = document.querySelector("#answer").cloneNode(true);
    answer.querySelectorAll(".said").forEach((line) => line.remove());
    return answer.innerHTML.replace('<h2 id="answer-head">', "<h1>").replace("</h2>", "</h1>");
}"""
REPORT = """() => document.querySelector("main").innerHTML"""

# The cells of all tables below a form, and its other sentences.
CELLS = """(form) => [...form.querySelectorAll(".result tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"""
SENTENCES = """(form) => [...form.querySelectorAll(".result p:not(.said)")].map((line) => line.textContent)"""

# Logarithms and exponentials are the system's, and differ in the last digit of some: so much of a number may, where it comes to that.
WITHIN = 1e-11

COUNTS = [
    {"positives": "30", "tested": "100", "sensitivity": "90/100", "specificity": "285/300"},
    {"positives": "7", "tested": "500", "sensitivity": "90%", "specificity": "0.97"},
]


class Command:
    """Runs truecount where the files are."""

    def __init__(self, truecount, folder):
        self.truecount, self.folder = truecount, folder

    def run(self, *words):
        """How it ended, and what it printed."""
        done = subprocess.run([self.truecount, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True)
        return done.returncode, done.stdout, done.stderr.decode()

    def printed(self, *words):
        code, printed, said = self.run(*words)
        if code:
            raise AssertionError(f"truecount {' '.join(words)}: {said}")
        return printed

    def report(self, words):
        """The page that it writes, and what it says besides."""
        code, _, said = self.run(*words)
        if code:
            raise AssertionError(f"truecount {' '.join(words)}: {said}")
        return (self.folder / words[-1]).read_bytes(), [
            line for line in said.splitlines() if not line.startswith("wrote ")
        ]


def same(visitor, case, truecount, opened, fault, known):
    """Counts as a visitor does, and runs the command lines that the page then shows."""
    command = Command(truecount, case.folder)
    visitor.give(case.folder / case.train, case.folder / case.test)
    visitor.choose(**case.chosen)
    visitor.count()
    if visitor.refusal() is not None:
        fault(f"is refused: {visitor.refusal()}")
        return "refused"
    wanted = {
        name: value if isinstance(value, str) else ",".join(map(quoted, value)) for name, value in case.chosen.items()
    }
    chosen(visitor.command(), wanted, fault)
    report, said = same_report(visitor, command, WITHIN if case.roughly else 0, opened, fault)
    if said != visitor.page.locator("#answer .said").all_text_contents():
        fault(f"the command says {said}")
    estimates = same_estimates(visitor, command, WITHIN if case.roughly else 0, fault)
    known[case.name] = estimates
    if case.like and known[case.like] != estimates:
        fault(f"the estimates are not those of {case.like}")
    rows = [
        same_differences(visitor, command, reference, fault)
        for reference in ["", case.reference]
        if reference is not None
    ]
    return f"{len(report):8} bytes of report {len(estimates):7} of estimates {sum(rows):4} rows compared"


def same_report(visitor, command, within, opened, fault):
    """The report that is saved, and the one that is shown."""
    report, said = command.report(visitor.command())
    saved = visitor.saved("#report")
    if not alike(saved, report, within):
        fault(f"the report that is saved is another: {difference(saved, report)}")
    file = command.folder / "saved.html"
    file.write_bytes(saved)
    with opened(file) as page:
        expected = page.evaluate(REPORT)
        title = page.title()
    shown = visitor.page.evaluate(SHOWN)
    if shown != expected:
        fault(f"the report that is shown is another: {difference(shown.encode(), expected.encode())}")
    if not visitor.page.title() == visitor.answer() == title:
        fault(
            f"the page's title is {visitor.page.title()!r}, its answer {visitor.answer()!r}, the report's title {title!r}"
        )
    return report, said


def same_estimates(visitor, command, within, fault):
    saved = visitor.saved("#estimates")
    words = list(visitor.command())
    # Words and a file are the report's alone.
    for option in ["--items", "--positive-name", "--output"]:
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    printed = command.printed("estimate", *words[1:], "--format", "csv")
    if not alike(saved, printed, within):
        fault(f"the estimates that are saved are others: {difference(saved, printed)}")
    return saved


def same_differences(visitor, command, reference, fault):
    visitor.page.select_option("#reference", reference)
    visitor.page.click("#comparison button")
    visitor.settle()
    chosen(visitor.command("#comparison"), {"reference": reference} if reference else {}, fault)
    return same_below(visitor, command, "#comparison", fault)


def same_counts(visitor, truecount, folder, fault):
    """Counts that are typed."""
    visitor.page.click("#from-counts > summary")
    for counts in COUNTS:
        for name, value in counts.items():
            visitor.page.fill(f"#{name}", value)
        visitor.page.click("#counts button")
        visitor.settle()
        chosen(visitor.command("#counts"), counts, fault)
        same_below(visitor, Command(truecount, folder), "#counts", fault)
    visitor.page.fill("#positives", "501")
    visitor.page.click("#counts button")
    visitor.settle()
    words = [word for name, value in (COUNTS[-1] | {"positives": "501"}).items() for word in (f"--{name}", value)]
    _, _, said = Command(truecount, folder).run("counts", *words)
    told = visitor.page.locator("#counts [role=alert]").inner_text()
    if f"error: {told}\n" != said:
        fault(f"more positives than were tested: {told!r} instead of {said!r}")
    return f"{len(COUNTS)} answers, one refusal"


def chosen(words, wanted, fault):
    """The command line has what was chosen."""
    options = dict(itertools.pairwise(words))
    for name, value in wanted.items():
        if options.get(f"--{name.replace('_', '-')}") != value:
            fault(f"{name} is {value!r}, but the command is {words}")


def quoted(name):
    """A column among several, as --by takes it."""
    return '"' + name.replace('"', '""') + '"' if "," in name or name.startswith('"') else name


def same_below(visitor, command, form, fault):
    """The tables below a form are those of the command line that is shown there; how many rows they have."""
    alert = visitor.page.locator(f"{form} [role=alert]")
    if alert.is_visible():
        fault(f"{form}: {alert.inner_text()}")
        return 0
    words = visitor.command(form)
    rows, sentences = read_markdown(command.printed(*words, "--format", "markdown").decode())
    shown = visitor.page.eval_on_selector(form, CELLS)
    if shown != rows:
        fault(f"{form}: the cells are {shown}, not {rows}"[:1000])
    told = visitor.page.eval_on_selector(form, SENTENCES)
    if sorted(told) != sorted(sentences):
        fault(f"{form}: the sentences are {told}, not {sentences}"[:1000])
    return len(rows)


def read_markdown(text):
    """Rows of cells, and what else there is."""
    lines = [line for line in text.splitlines() if line]
    tables = [line for line in lines if line.startswith("|")]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in tables if not re.fullmatch(r"[|:-]+", line)]
    return [[plain(cell) for cell in row] for row in rows], [
        plain(line.removeprefix("- ")) for line in lines if line not in tables
    ]


def plain(text):
    """Without the backslashes before what could be markup."""
    return re.sub(r"\\(.)", r"\1", text).strip()


def alike(found, expected, within):
    """Whether two texts are the same but for such a part of the numbers in them, or of 1."""
    if found == expected or not within:
        return found == expected
    number = rb"-?\d+(?:\.\d+)?(?:e-?\d+)?"
    if re.sub(number, b"", found) != re.sub(number, b"", expected):
        return False
    pairs = zip(*(map(float, re.findall(number, text)) for text in (found, expected)))
    return all(math.isclose(a, b, rel_tol=within, abs_tol=within) for a, b in pairs)


def difference(found, expected):
    """Where two texts begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    around = slice(max(0, at - 40), at + 80)
    return f"{len(found)} bytes instead of {len(expected)}, from byte {at} on {found[around]!r} instead of {expected[around]!r}"
