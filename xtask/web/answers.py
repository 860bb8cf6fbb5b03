"""Checks that the results the page shows and saves are the command's, to the last byte."""

import itertools
import math
import re
import subprocess

# The report on the page without links to explanations, and with its heading as in the saved report: the page has an
# h1 of its own.
SHOWN_REPORT = """() => {
    const answer = document.querySelector("#answer").cloneNode(true);
    answer.querySelectorAll(".said").forEach((line) => line.remove());
    answer.querySelectorAll(".word").forEach((link) => link.replaceWith(...link.childNodes));
    return answer.innerHTML.replace('<h2 id="answer-head">', "<h1>").replace("</h2>", "</h1>");
}"""
SAVED_REPORT = """() => document.querySelector("main").innerHTML"""

# The cells of all tables below a form, and the sentences next to them.
CELLS = """(form) => [...form.querySelectorAll(".result tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"""
SENTENCES = """(form) => [...form.querySelectorAll(".result p:not(.said)")].map((line) => line.textContent)"""

# Tolerance for results that depend on the system's logarithms and exponentials, which differ in the
# last digit.
TOLERANCE = 1e-11

COUNTS = [
    {"positives": "30", "tested": "100", "sensitivity": "90/100", "specificity": "285/300"},
    {"positives": "1.030", "tested": "5.100", "sensitivity": "90,5 %", "specificity": "1.185/1.200"},
    {"positives": "7", "tested": "500", "sensitivity": "90%", "specificity": "0.97"},
]


class Command:
    """The command, run in the folder of the files."""

    def __init__(self, truecount, folder):
        self.truecount, self.folder = truecount, folder

    def run(self, *words):
        """Returns the exit code, the output and the messages."""
        process = subprocess.run(
            [self.truecount, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True
        )
        return process.returncode, process.stdout, process.stderr.decode()

    def answer(self, *words):
        """Returns the output and the messages. Raises `AssertionError` if the command fails."""
        code, output, messages = self.run(*words)
        if code:
            raise AssertionError(f"truecount {' '.join(words)}: {messages}")
        return output, messages

    def report(self, words):
        """Returns the report, whose file is the last word, and the lines of warnings."""
        _, messages = self.answer(*words)
        # The page has no field for probabilities, so it does not propose a column of them.
        lines = [line for line in messages.splitlines() if "; if those in the column " not in line]
        warnings = [line for line in lines if not line.startswith("wrote ")]
        return (self.folder / words[-1]).read_bytes(), warnings


def check_case(visitor, case, truecount, open_file, report_fault, estimates_by_case):
    """Counts as a visitor does, and compares the results with the command's; returns a summary."""
    command = Command(truecount, case.folder)
    visitor.select_files(case.folder / case.train, case.folder / case.test)
    visitor.fill_form(**case.fields)
    visitor.count()
    if visitor.error() is not None:
        report_fault(f"is refused: {visitor.error()}")
        return "refused"
    expected_options = {
        name: value if isinstance(value, str) else ",".join(map(quoted, value)) for name, value in case.fields.items()
    }
    check_options(visitor.command(), expected_options, report_fault)
    tolerance = 0 if case.exact else TOLERANCE
    report, warnings = check_report(visitor, command, tolerance, open_file, report_fault)
    if warnings != visitor.page.locator("#answer .said").all_text_contents():
        report_fault(f"the command says {warnings}")
    estimates = check_estimates(visitor, command, tolerance, report_fault)
    estimates_by_case[case.name] = estimates
    if case.same_as and estimates_by_case[case.same_as] != estimates:
        report_fault(f"the estimates are not those of {case.same_as}")
    rows = [
        check_differences(visitor, command, reference, report_fault)
        for reference in ["", case.reference]
        if reference is not None
    ]
    return f"{len(report):8} bytes of report {len(estimates):7} of estimates {sum(rows):4} rows compared"


def check_report(visitor, command, tolerance, open_file, report_fault):
    """Compares the saved and the shown report with the command's, and returns it with its warnings."""
    report, warnings = command.report(visitor.command())
    saved = visitor.download("#report")
    if not is_close(saved, report, tolerance):
        report_fault(f"the report that is saved is another: {difference(saved, report)}")
    file = command.folder / "saved.html"
    file.write_bytes(saved)
    with open_file(file) as page:
        expected = page.evaluate(SAVED_REPORT)
        title = page.title()
    shown = visitor.page.evaluate(SHOWN_REPORT)
    if shown != expected:
        report_fault(f"the report that is shown is another: {difference(shown.encode(), expected.encode())}")
    if not visitor.page.title() == visitor.answer() == title:
        report_fault(
            f"the page's title is {visitor.page.title()!r}, its answer {visitor.answer()!r}, the report's title {title!r}"
        )
    return report, warnings


def check_estimates(visitor, command, tolerance, report_fault):
    """Compares the saved estimates with the command's, and returns the former."""
    saved = visitor.download("#estimates")
    words = list(visitor.command())
    # `truecount estimate` does not take these options of `truecount report`.
    for option in ["--items", "--positive-name", "--output"]:
        if option in words:
            index = words.index(option)
            del words[index : index + 2]
    expected, _ = command.answer("estimate", *words[1:], "--format", "csv")
    if not is_close(saved, expected, tolerance):
        report_fault(f"the estimates that are saved are others: {difference(saved, expected)}")
    return saved


def check_differences(visitor, command, reference, report_fault):
    """Compares the groups with a reference on the page, and returns the number of compared rows."""
    visitor.page.select_option("#reference", reference)
    visitor.page.click("#comparison button")
    visitor.wait_until_idle()
    check_options(visitor.command("#comparison"), {"reference": reference} if reference else {}, report_fault)
    return check_results(visitor, command, "#comparison", report_fault)


def check_counts(visitor, truecount, folder, report_fault):
    """Checks the form for counts, with valid and with invalid counts."""
    visitor.page.click("#from-counts > summary")
    for counts in COUNTS:
        for name, value in counts.items():
            visitor.page.fill(f"#{name}", value)
        visitor.page.click("#counts button")
        visitor.wait_until_idle()
        check_options(visitor.command("#counts"), counts, report_fault)
        check_results(visitor, Command(truecount, folder), "#counts", report_fault)
        answer = visitor.page.locator("#counts .answer").text_content()
        if not re.search(
            rf"estimated [\d.]+\s% .* of the population that the {counts['tested'].replace('.', ',')} tested", answer
        ):
            report_fault(f"the sentence about counts is {answer!r}")
    visitor.page.fill("#positives", "501")
    visitor.page.click("#counts button")
    visitor.wait_until_idle()
    words = [word for name, value in (COUNTS[-1] | {"positives": "501"}).items() for word in (f"--{name}", value)]
    _, _, expected = Command(truecount, folder).run("counts", *words)
    alert = visitor.page.locator("#counts [role=alert]").inner_text()
    if f"error: {alert}\n" != expected:
        report_fault(f"more positives than were tested: {alert!r} instead of {expected!r}")
    return f"{len(COUNTS)} answers, one refusal"


def check_options(words, expected, report_fault):
    """Checks that a command line has the options chosen on the page."""
    options = dict(itertools.pairwise(words))
    for name, value in expected.items():
        if options.get(f"--{name.replace('_', '-')}") != value:
            report_fault(f"{name} is {value!r}, but the command is {words}")


def quoted(name):
    """Quotes a column name if `--by` needs it."""
    return '"' + name.replace('"', '""') + '"' if "," in name or name.startswith('"') else name


def check_results(visitor, command, form, report_fault):
    """Compares the results below a form with the command's; returns the number of table rows."""
    alert = visitor.page.locator(f"{form} [role=alert]")
    if alert.is_visible():
        report_fault(f"{form}: {alert.inner_text()}")
        return 0
    words = visitor.command(form)
    _, sentences = read_markdown(command.answer(*words, "--format", "markdown")[0].decode())
    rows, _ = read_markdown(command.answer(*words, "--percent", "--format", "markdown")[0].decode())
    # The page names no other commands.
    sentences = [sentence.replace("; see `truecount check`", "") for sentence in sentences]
    shown = [[plain(cell).replace(",", "") for cell in row] for row in visitor.page.eval_on_selector(form, CELLS)]
    if shown != [[cell.replace(",", "") for cell in row] for row in rows]:
        report_fault(f"{form}: the cells are {shown}, not {rows}"[:1000])
    shown_sentences = visitor.page.eval_on_selector(form, SENTENCES)
    if form == "#comparison":
        # The first note is the answer, above the table.
        shown_sentences.append(visitor.page.locator(f"{form} .answer").text_content())
    if sorted(map(plain, shown_sentences)) != sorted(sentences):
        report_fault(f"{form}: the sentences are {shown_sentences}, not {sentences}"[:1000])
    return len(rows)


def plain(text):
    """The text with the command's hyphens instead of minus signs."""
    return text.replace("−", "-")


def read_markdown(text):
    """Rows of cells of all tables, and the other lines."""
    lines = [line for line in text.splitlines() if line]
    tables = [line for line in lines if line.startswith("|")]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in tables if not re.fullmatch(r"[|:-]+", line)]
    sentences = [unescape(line.removeprefix("- ")) for line in lines if line not in tables]
    return [[unescape(cell) for cell in row] for row in rows], sentences


def unescape(text):
    """Removes the backslashes that escape Markdown."""
    return re.sub(r"\\(.)", r"\1", text).strip()


def is_close(actual, expected, tolerance):
    """Returns whether two texts agree, with numbers up to a relative or absolute tolerance."""
    if actual == expected or not tolerance:
        return actual == expected
    number = rb"-?\d+(?:\.\d+)?(?:e-?\d+)?"
    if re.sub(number, b"", actual) != re.sub(number, b"", expected):
        return False
    pairs = zip(*(map(float, re.findall(number, text)) for text in (actual, expected)))
    return all(math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance) for a, b in pairs)


def difference(actual, expected):
    """Describes the first difference of two texts."""
    at = next((i for i, (a, b) in enumerate(zip(actual, expected)) if a != b), min(len(actual), len(expected)))
    around = slice(max(0, at - 40), at + 80)
    sizes = f"{len(actual)} bytes instead of {len(expected)}"
    return f"{sizes}, from byte {at} on {actual[around]!r} instead of {expected[around]!r}"
