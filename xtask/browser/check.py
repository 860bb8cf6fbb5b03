"""Opens pages of `truecount report` in Chromium and checks their rendering, requests, interaction
and print layout.

    python check.py FOLDER TRUECOUNT      FOLDER is for files, TRUECOUNT the command

Prints the size and the times of every page, and fails with a list of faults.
"""

import contextlib
import csv
import io
import itertools
import math
import re
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Error

import chromium
from data import cases
from pages import SCHEMES, SCREENS, check_rendering, open_page

HERE = Path(__file__).resolve().parent

# A4 without Chromium's margins, in CSS pixels.
PAPER = {"width": 718, "height": 1047}

# Limits in seconds, generous enough for a busy machine.
MAX_LOAD_SECONDS, MAX_RESPONSE_SECONDS = 5.0, 5.0
# Pages with fewer groups have no search field.
MIN_GROUPS_FOR_SEARCH = 15
# Up to this number of groups, the figure shows names of up to this number of letters.
MAX_NAMED_GROUPS, MAX_NAME_LENGTH = 40, 20
# Rows that a table of more than this number of rows shows before the reader asks for all.
INITIAL_ROWS, MAX_UNFOLDED_ROWS = 20, 40
# Expected table rows on a printed sheet, and sheets for everything else.
ROWS_PER_SHEET, OTHER_SHEETS = 40, 3
# With more groups every step takes a second or more, and checks that other pages cover are skipped.
MANY_GROUPS = 1000

# The sections that are closed at first, in their order.
CLOSED_SECTIONS = ["scores", "check", "methods", "reproduce"]
CLOSE_SECTIONS = """() => document.querySelectorAll("details").forEach((part) => { part.open = false; })"""

LOAD_TIMES = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return paint && [performance.getEntriesByType("navigation")[0].loadEventEnd, paint.startTime];
}"""

GROUP_ROWS = """() => [...document.querySelectorAll("#groups tbody tr")].map((row) => ({
    names: [...row.querySelectorAll("th")].map((cell) => cell.textContent),
    numbers: [...row.querySelectorAll("td[data-v]")].map((cell) => Number(cell.dataset.v)),
    marks: [...row.querySelectorAll("em")].map((mark) => mark.textContent),
    shown: row.checkVisibility(),
}))"""

# Clicks a column header and waits for the next paint; returns the seconds, the sort order and the
# column's values.
CLICK_HEADER = """async ([table, column]) => {
    const head = document.querySelector(`#${table} thead`).rows[0].cells[column];
    const start = performance.now();
    head.querySelector("button").click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const milliseconds = performance.now() - start;
    const cells = [...document.querySelector(`#${table} tbody`).rows].map((row) => row.cells[column]);
    const value = (cell) => (head.classList.contains("number") ? Number(cell.dataset.v) : cell.textContent);
    return [milliseconds / 1000, head.ariaSort, cells.map(value)];
}"""


def main():
    # Addresses of pages are absolute.
    folder, faults = Path(sys.argv[1]).resolve(), {}
    folder.mkdir(parents=True, exist_ok=True)
    with chromium.launch() as browser:
        check = Check(browser, sys.argv[2], folder, faults)
        for case in cases(folder, HERE.parents[1]):
            try:
                print(f"{case.name:16}{check.check_case(case)}", flush=True)
            except Error as error:
                check.add_fault(case, "the rest was not looked at", str(error))
    if faults:
        sys.exit(
            "\n".join(
                ["", *(f"{name}: {what} ({'; '.join(dict.fromkeys(where))})" for (name, what), where in faults.items())]
            )
        )


class Check:
    """Checks of the reports; `faults` has the places of each fault, by case and message."""

    def __init__(self, browser, truecount, folder, faults):
        self.browser, self.truecount, self.folder, self.faults = browser, truecount, folder, faults

    def check_case(self, case):
        """Writes the report of a case, checks it and returns a summary."""
        file = self.folder / f"{case.name}.html"
        start = time.perf_counter()
        self.run(case, "report", "--items", case.items, "--positive-name", case.positive_name, "--output", file)
        summary = [f"{file.stat().st_size / 1000:6.0f} kB", f"made in {time.perf_counter() - start:.2f} s"]
        if file.stat().st_size > case.max_megabytes * 1e6:
            self.add_fault(case, "file", f"more than {case.max_megabytes} MB")
        for screen in SCREENS:
            with self.open(case, file, screen) as (page, report_fault):
                width = page.viewport_size["width"]
                check_rendering(page, width, lambda message: report_fault(message, "folded"))
                check_closed_sections(page, report_fault)
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    check_rendering(page, width, lambda message, scheme=scheme: report_fault(message, scheme))
                if screen == "screen":
                    summary += [
                        format_seconds("open", check_load_time(page, report_fault)),
                        *self.check_tables(page, case, report_fault),
                        self.check_print(page, case, report_fault),
                    ]
        with self.open(case, file, "screen", java_script_enabled=False) as (page, report_fault):
            if (
                not page.locator(".answer").inner_text().strip()
                or page.locator("#search").count()
                and page.locator("#search").is_visible()
            ):
                report_fault("without scripts the answer is not there, or a search that does nothing is")
        return "  ".join(filter(None, summary))

    def add_fault(self, case, place, message):
        """Adds a fault; the same message at several places is one fault."""
        self.faults.setdefault((case.name, message), []).append(place)

    def run(self, case, command, *options):
        """Runs the command and returns its output; exits with its error message if it fails."""
        # Opened for each run, because every run reads its standard input to the end.
        source = open(case.stdin, "rb") if case.stdin else contextlib.nullcontext(subprocess.DEVNULL)
        with source as stdin:
            words = [self.truecount, command, *case.arguments, *options]
            process = subprocess.run(words, stdin=stdin, capture_output=True)
        if process.returncode:
            sys.exit(f"{case.name}: {' '.join(map(str, words))}: {process.stderr.decode()}")
        # The text mode of a pipe would change a carriage return inside a name into a line feed.
        return process.stdout.decode()

    @contextlib.contextmanager
    def open(self, case, file, screen, **options):
        """Opens a page and yields it with a function that reports a fault of it."""

        def report_fault(message, *place):
            self.add_fault(case, " ".join([screen, *place]), message)

        with open_page(self.browser, file, screen, report_fault, **options) as page:
            yield page, report_fault

    def check_tables(self, page, case, report_fault):
        """Checks the tables' numbers, search and sorting, and returns a summary of the times."""
        check_question(page, case, report_fault)
        sort_times = [] if has_many_groups(case) else [check_sorting(page, "all-methods", report_fault)]
        if case.groups is None:
            if page.locator("#groups").count():
                report_fault("a table of groups, which nobody asked for")
            return []
        rows = page.evaluate(GROUP_ROWS)
        sort = ["--sort=-prevalence"] if len(case.groups) > MAX_UNFOLDED_ROWS and not case.dates else []
        estimates = list(csv.DictReader(io.StringIO(self.run(case, "estimate", "--format", "csv", *sort), newline="")))
        names = [row["names"] for row in rows]
        if sorted(names) != sorted([visible_text(value) for value in group] for group in case.groups):
            report_fault(f"the groups are called {names}")
        if names != [[visible_text(estimate[column]) for column in case.by()] for estimate in estimates]:
            report_fault("the groups are not in the order of the command")
        for row, estimate in zip(rows, estimates):
            expected = [float(estimate[name]) for name in ["n", "prevalence", "lower", "positives"]]
            if row["numbers"][:4] != expected:
                report_fault(f"{row['names']}: {row['numbers'][:4]} instead of {expected}")
        unmarked = {tuple(group) for group in case.doubtful} - {tuple(row["names"]) for row in rows if row["marks"]}
        if unmarked:
            report_fault(f"not told apart: {sorted(unmarked)}")
        for row, estimate in zip(rows, estimates):
            if ("not reliable" in row["marks"]) != (estimate["severity"] == "unreliable"):
                report_fault(f"{row['names']} is marked {row['marks']}, but its severity is {estimate['severity']!r}")
        self.check_figure(page, case, report_fault)
        search_summary = check_search(page, case, report_fault)
        sort_times.append(check_sorting(page, "groups", report_fault))
        return [*search_summary, format_seconds("sort", max(sort_times))]

    def check_figure(self, page, case, report_fault):
        """Checks that the figure of the groups shows their names if there is room and no time axis, and readings.

        Readings are at the arrow keys and at the pointer, also over time.
        """
        if 2 <= len(case.groups) <= MAX_NAMED_GROUPS and not case.dates:
            texts = page.locator("#by-group svg text").all_text_contents()
            names = [", ".join(map(visible_text, group)) for group in case.groups]
            for name in names:
                if len(name) <= MAX_NAME_LENGTH and name not in texts:
                    report_fault(f"{name!r} is not in the picture of the groups")
        figure = page.locator("figure[data-labels]").first
        if figure.count():
            figure.press("End")
            figure.press("ArrowUp")
            shown = figure.locator("output").inner_text()
            if not any(shown.startswith(", ".join(map(visible_text, group)) + ": ") for group in case.groups):
                report_fault(f"the arrow keys lead to {shown!r} in the picture of the groups")
            box = figure.locator("svg:visible circle").first.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            pointed, first = figure.locator("output").inner_text(), figure.get_attribute("data-labels").split("\n")[0]
            if " ".join(pointed.split()) != " ".join(first.split()):
                report_fault(f"the pointer at {first!r} reads {pointed!r}")

    def check_print(self, page, case, report_fault):
        """Checks the page on paper: its width, the number of sheets and the closed sections.

        Of the closed sections, only the one that says how to reproduce the page is printed.
        """
        page.emulate_media(media="print", color_scheme="light")
        page.evaluate(CLOSE_SECTIONS)
        visible = [name for name in CLOSED_SECTIONS if page.locator(f"#{name} > :not(summary)").first.is_visible()]
        if visible != [CLOSED_SECTIONS[-1]]:
            report_fault(f"on paper there are {visible} of what is folded")
        page.set_viewport_size(PAPER)
        check_rendering(page, PAPER["width"], lambda message: report_fault(message, "paper"))
        if has_many_groups(case):
            return ""
        page.emulate_media(media="null", color_scheme="dark")
        pdf = page.pdf(format="A4", tagged=True)
        if b"/StructTreeRoot" not in pdf or b"/FontFile2" not in pdf:
            report_fault("the PDF has no tags, or fonts are not in it")
        sheets = len(re.findall(rb"/Type\s*/Page\b", pdf))
        if not 1 <= sheets <= OTHER_SHEETS + len(case.groups or []) / ROWS_PER_SHEET:
            report_fault(f"{sheets} sheets of paper")
        return f"{sheets} sheets"


def check_closed_sections(page, report_fault):
    """Checks that sections are closed at first and open by a click; leaves them open."""
    for name in CLOSED_SECTIONS:
        section, content = page.locator(f"#{name}"), page.locator(f"#{name} > :not(summary)").first
        if content.is_visible():
            report_fault(f"{name} is not folded")
        section.locator("summary").first.click()
        if not content.is_visible():
            report_fault(f"{name} does not open")


def has_many_groups(case):
    return len(case.groups or []) > MANY_GROUPS


def check_question(page, case, report_fault):
    """Checks that the heading has the names from the command line."""
    heading = page.locator("h1").text_content()
    if heading != f"How many of the {visible_text(case.items)} are {visible_text(case.positive_name)}?":
        report_fault(f"the question is “{heading}”")


def check_load_time(page, report_fault):
    """Checks and returns the seconds until the page is loaded and painted."""
    times = page.wait_for_function(LOAD_TIMES).json_value()
    elapsed = max(times) / 1000
    if elapsed > MAX_LOAD_SECONDS:
        report_fault(f"opens in {elapsed:.1f} s")
    return elapsed


def check_search(page, case, report_fault):
    """Checks that a search leaves the rows with that name, and returns a summary of its time."""
    number = len(case.groups)
    if number < MIN_GROUPS_FOR_SEARCH:
        if page.locator("#search").count():
            report_fault(f"a search among {number} groups")
        return []
    wanted = visible_text(case.groups[number // 2][0])[-3:]
    names = [" ".join(map(visible_text, group)) for group in case.groups]
    expected = sum(wanted.lower() in name.lower() for name in names)
    # Only the last letter is timed: readers wait for the result of one letter.
    page.locator("#search").press_sequentially(wanted[:-1])
    start = time.perf_counter()
    page.locator("#search").press_sequentially(wanted[-1])
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    elapsed = time.perf_counter() - start
    left = [" ".join(row["names"]) for row in page.evaluate(GROUP_ROWS) if row["shown"]]
    status = page.locator("#shown").text_content()
    first = INITIAL_ROWS if number > MAX_UNFOLDED_ROWS else number
    if len(left) != min(expected, first) or any(wanted.lower() not in name.lower() for name in left):
        report_fault(f"searching for {wanted!r} leaves {left}"[:2000])
    some = f"{first} of " if expected > first else ""
    if status != f"{some}{expected} found in {number} rows":
        report_fault(f"searching for {wanted!r} says {status!r}")
    page.locator("#search").fill("")
    if sum(row["shown"] for row in page.evaluate(GROUP_ROWS)) != min(number, first):
        report_fault("rows stay hidden after a search")
    if page.locator("#all").is_visible() != (number > first):
        report_fault("what shows all rows is not there, or for nothing")
    if elapsed > MAX_RESPONSE_SECONDS:
        report_fault(f"a search takes {elapsed:.1f} s")
    return [format_seconds("search", elapsed)]


def check_sorting(page, table, report_fault):
    """Checks sorting by a click on a column header, and returns the longest time."""
    headers = page.locator(f"#{table} thead th").all()
    columns = [column for column, header in enumerate(headers) if header.locator("button").count()]
    if not columns:
        report_fault(f"{table} has no head to press")
        return 0.0
    if page.locator(f"#{table} tbody tr").count() > MANY_GROUPS:
        # A column of names and a column of numbers.
        columns = [columns[0], columns[-1]]
    longest = 0.0
    for column in columns:
        before = None
        for order in ["ascending", "descending"]:
            elapsed, shown_order, values = page.evaluate(CLICK_HEADER, [table, column])
            longest = max(longest, elapsed)
            before = before or sorted(map(str, values))
            if shown_order != order or not is_sorted(values, order) or sorted(map(str, values)) != before:
                report_fault(
                    f"{table} by {headers[column].inner_text()!r} is {shown_order}, not {order}: {values}"[:500]
                )
    if longest > MAX_RESPONSE_SECONDS:
        report_fault(f"sorting takes {longest:.1f} s")
    first = page.locator(f"#{table} thead button").first
    first.focus()
    page.keyboard.press("Enter")
    if headers[0].get_attribute("aria-sort") != "ascending":
        report_fault(f"{table} cannot be sorted by the keyboard")
    return longest


def is_sorted(values, order):
    """Returns whether values are sorted: numbers with NaN at the end, or numbered names.

    Other names are not checked, because their order depends on the browser's language.
    """
    if any(isinstance(value, str) for value in values):
        if not all(re.fullmatch(r"[a-z]+ \d+|[MF]", value) for value in values):
            return True
    else:
        numbers = [value for value in values if not math.isnan(value)]
        if any(math.isnan(value) for value in values[: len(numbers)]):
            return False
        values = numbers
    pairs = itertools.pairwise(values)
    return all(a <= b for a, b in pairs) if order == "ascending" else all(a >= b for a, b in pairs)


def visible_text(value):
    """Text as a page shows it: invisible characters are escaped, and an empty text is "(empty)"."""
    short_escapes = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
    hidden = r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\xad\u061c\u200b\u200e\u200f\u2060\ufeff]"
    return re.sub(hidden, lambda c: short_escapes.get(c[0], f"\\u{{{ord(c[0]):x}}}"), value) or "(empty)"


def format_seconds(name, seconds):
    return f"{name} {seconds:.2f} s"


if __name__ == "__main__":
    main()
