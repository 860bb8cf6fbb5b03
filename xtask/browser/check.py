"""Opens the pages that `truecount report` writes in Chromium, and checks what is seen, asked for and printed.

    python check.py FOLDER TRUECOUNT [--screenshots DIR]      FOLDER is for files, TRUECOUNT the command

A line for every page says how large it is and how long it takes; the script fails with a list of what is wrong.
"""

import argparse
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

from playwright.sync_api import Error, sync_playwright

import chromium
from data import cases
from pages import SCHEMES, SCREENS, opened, picture, rendered

HERE = Path(__file__).resolve().parent

# A4 without Chromium's margins, in CSS pixels.
PAPER = {"width": 718, "height": 1047}

# Seconds, on a machine that does other things too.
OPEN, ANSWER = 5.0, 5.0
# Groups from which on they can be searched.
SEARCHED = 15
# Groups that are drawn one by one, and letters of a name for which there is room.
DRAWN, NAME = 80, 20
# Rows of a table that are shown before all are asked for.
FIRST = 200
# Table rows on a sheet, and sheets for all else: the answer, a picture, words, what makes it again.
ROWS, SHEETS = 25, 4
# Groups from which on every step takes a second or more, and what other pages show too is left out.
LONG = 1000

# The parts that are folded, in their order.
FOLDED = ["scores", "check", "methods", "reproduce"]
FOLD = """() => document.querySelectorAll("details").forEach((part) => { part.open = false; })"""

TIMES = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return paint && [performance.getEntriesByType("navigation")[0].loadEventEnd, paint.startTime];
}"""

CELLS = """() => [...document.querySelectorAll("#groups tbody tr")].map((row) => ({
    names: [...row.querySelectorAll("th")].map((cell) => cell.textContent),
    numbers: [...row.querySelectorAll("td[data-v]")].map((cell) => Number(cell.dataset.v)),
    marks: [...row.querySelectorAll("em")].map((mark) => mark.textContent),
    shown: row.checkVisibility(),
}))"""

# Presses a head and waits until what follows is painted.
PRESS = """async ([table, column]) => {
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
    parser = argparse.ArgumentParser(usage="check.py FOLDER TRUECOUNT [--screenshots DIR]")
    parser.add_argument("folder", type=Path)
    parser.add_argument("truecount")
    parser.add_argument("--screenshots", type=Path)
    options = parser.parse_args()
    for folder in filter(None, [options.folder, options.screenshots]):
        folder.mkdir(parents=True, exist_ok=True)
    # Addresses of pages are absolute.
    work = options.folder.resolve()
    faults = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=chromium.options())
        check = Check(browser, options.truecount, work, options.screenshots, faults)
        for case in cases(work, HERE.parents[1]):
            try:
                print(f"{case.name:16}{check.case(case)}", flush=True)
            except Error as error:
                check.fault(case, "the rest was not looked at", str(error))
        browser.close()
    if faults:
        sys.exit(
            "\n".join(
                ["", *(f"{name}: {what} ({'; '.join(dict.fromkeys(where))})" for (name, what), where in faults.items())]
            )
        )


class Check:
    def __init__(self, browser, truecount, folder, screenshots, faults):
        self.browser, self.truecount, self.folder, self.screenshots, self.faults = (
            browser,
            truecount,
            folder,
            screenshots,
            faults,
        )

    def case(self, case):
        """Makes a page and looks at it in every way; what there is to say of it."""
        file = self.folder / f"{case.name}.html"
        start = time.perf_counter()
        self.run(case, "report", "--items", case.items, "--positive-name", case.are, "--output", file)
        said = [f"{file.stat().st_size / 1000:6.0f} kB", f"made in {time.perf_counter() - start:.2f} s"]
        if file.stat().st_size > case.megabytes * 1e6:
            self.fault(case, "file", f"more than {case.megabytes} MB")
        for screen in SCREENS:
            with self.opened(case, file, screen) as (page, fault):
                rendered(page, page.viewport_size["width"], lambda what: fault(what, "folded"))
                unfold(page, fault)
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    rendered(page, page.viewport_size["width"], lambda what, scheme=scheme: fault(what, scheme))
                    picture(page, self.screenshots, f"{case.name}-{screen}-{scheme}")
                if screen == "screen":
                    said += [
                        seconds("open", opening(page, fault)),
                        *self.table(page, case, fault),
                        self.printed(page, case, fault),
                    ]
        with self.opened(case, file, "screen", java_script_enabled=False) as (page, fault):
            if (
                not page.locator(".answer").inner_text().strip()
                or page.locator("#search").count()
                and page.locator("#search").is_visible()
            ):
                fault("without scripts the answer is not there, or a search that does nothing is")
        return "  ".join(filter(None, said))

    def fault(self, case, where, what):
        """Takes down what is wrong, once for all places where it is."""
        self.faults.setdefault((case.name, what), []).append(where)

    def run(self, case, command, *options):
        """What the command prints; it is all there is to see if it fails."""
        # The standard input of a case is read anew each time.
        given = open(case.stdin, "rb") if case.stdin else contextlib.nullcontext(subprocess.DEVNULL)
        with given as stdin:
            words = [self.truecount, command, *case.arguments, *options]
            done = subprocess.run(words, stdin=stdin, capture_output=True)
        if done.returncode:
            sys.exit(f"{case.name}: {' '.join(map(str, words))}: {done.stderr.decode()}")
        # Not by the text mode of a pipe, which takes a carriage return in a name for the end of a line.
        return done.stdout.decode()

    @contextlib.contextmanager
    def opened(self, case, file, screen, **options):
        """A page, and what takes down a fault of it."""

        def fault(what, *where):
            self.fault(case, " ".join([screen, *where]), what)

        with opened(self.browser, file, screen, fault, **options) as page:
            yield page, fault

    def table(self, page, case, fault):
        """The groups' table holds the command's numbers, can be searched and sorted; how long that takes."""
        asked_for(page, case, fault)
        longest = [] if long(case) else [sort(page, "all-methods", fault)]
        if case.groups is None:
            if page.locator("#groups").count():
                fault("a table of groups, which nobody asked for")
            return []
        rows = page.evaluate(CELLS)
        estimates = list(csv.DictReader(io.StringIO(self.run(case, "estimate", "--format", "csv"), newline="")))
        names = [row["names"] for row in rows]
        if sorted(names) != sorted([shown(value) for value in group] for group in case.groups):
            fault(f"the groups are called {names}")
        if names != [[shown(estimate[column]) for column in case.by()] for estimate in estimates]:
            fault("the groups are not in the order of the command")
        for row, estimate in zip(rows, estimates):
            expected = [float(estimate[name]) for name in ["n", "prevalence", "lower", "se"]]
            if row["numbers"][:4] != expected:
                fault(f"{row['names']}: {row['numbers'][:4]} instead of {expected}")
        missed = {tuple(group) for group in case.doubtful} - {tuple(row["names"]) for row in rows if row["marks"]}
        if missed:
            fault(f"not told apart: {sorted(missed)}")
        for row, estimate in zip(rows, estimates):
            if ("not reliable" in row["marks"]) != (estimate["severity"] == "unreliable"):
                fault(f"{row['names']} is marked {row['marks']}, but its severity is {estimate['severity']!r}")
        self.drawn(page, case, fault)
        searched = search(page, case, fault)
        longest.append(sort(page, "groups", fault))
        return [*searched, seconds("sort", max(longest))]

    def drawn(self, page, case, fault):
        """Every group has its name in the picture, if there is room for it and it is not a date, of which an axis shows some."""
        if 2 <= len(case.groups) <= DRAWN and not case.dates:
            texts = page.locator("#by-group svg text").all_text_contents()
            names = [", ".join(map(shown, group)) for group in case.groups]
            for name in names:
                if len(name) <= NAME and name not in texts:
                    fault(f"{name!r} is not in the picture of the groups")

    def printed(self, page, case, fault):
        """On paper nothing is too wide, there are as many sheets as the page is long, and what is folded stays so, but for what makes the page
        again."""
        page.emulate_media(media="print", color_scheme="light")
        page.evaluate(FOLD)
        seen = [name for name in FOLDED if page.locator(f"#{name} > :not(summary)").first.is_visible()]
        if seen != [FOLDED[-1]]:
            fault(f"on paper there are {seen} of what is folded")
        page.set_viewport_size(PAPER)
        rendered(page, PAPER["width"], lambda what: fault(what, "paper"))
        if long(case) and not self.screenshots:
            return ""
        page.emulate_media(media="null", color_scheme="dark")
        pdf = page.pdf(format="A4")
        if self.screenshots:
            (self.screenshots / f"{case.name}.pdf").write_bytes(pdf)
        sheets = len(re.findall(rb"/Type\s*/Page\b", pdf))
        if not 1 <= sheets <= SHEETS + len(case.groups or []) / ROWS:
            fault(f"{sheets} sheets of paper")
        return f"{sheets} sheets"


def unfold(page, fault):
    """What is folded at first, and then opened by hand."""
    for name in FOLDED:
        part, content = page.locator(f"#{name}"), page.locator(f"#{name} > :not(summary)").first
        if content.is_visible():
            fault(f"{name} is not folded")
        part.locator("summary").first.click()
        if not content.is_visible():
            fault(f"{name} does not open")


def long(case):
    return len(case.groups or []) > LONG


def asked_for(page, case, fault):
    """The words of the command line are words of the page."""
    head = page.locator("h1").text_content()
    if head != f"How many of the {shown(case.items)} are {shown(case.are)}?":
        fault(f"the question is “{head}”")


def opening(page, fault):
    """Seconds until the page is loaded and first painted."""
    times = page.wait_for_function(TIMES).json_value()
    taken = max(times) / 1000
    if taken > OPEN:
        fault(f"opens in {taken:.1f} s")
    return taken


def search(page, case, fault):
    """Typing leaves the rows with that name; how long it takes."""
    number = len(case.groups)
    if number < SEARCHED:
        if page.locator("#search").count():
            fault(f"a search among {number} groups")
        return []
    wanted = shown(case.groups[number // 2][0])[-3:]
    names = [" ".join(map(shown, group)) for group in case.groups]
    expected = sum(wanted.lower() in name.lower() for name in names)
    # The last letter alone is timed: so long does who types wait.
    page.locator("#search").press_sequentially(wanted[:-1])
    start = time.perf_counter()
    page.locator("#search").press_sequentially(wanted[-1])
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    taken = time.perf_counter() - start
    left = [" ".join(row["names"]) for row in page.evaluate(CELLS) if row["shown"]]
    told = page.locator("#shown").text_content()
    if len(left) != min(expected, FIRST) or any(wanted.lower() not in name.lower() for name in left):
        fault(f"searching for {wanted!r} leaves {left}"[:2000])
    some = f"{FIRST} of " if expected > FIRST else ""
    if told != f"{some}{expected} found in {number} rows":
        fault(f"searching for {wanted!r} says {told!r}")
    page.locator("#search").fill("")
    if sum(row["shown"] for row in page.evaluate(CELLS)) != min(number, FIRST):
        fault("rows stay hidden after a search")
    if page.locator("#all").is_visible() != (number > FIRST):
        fault("what shows all rows is not there, or for nothing")
    if taken > ANSWER:
        fault(f"a search takes {taken:.1f} s")
    return [seconds("search", taken)]


def sort(page, table, fault):
    """Pressing a head sorts by it, pressing it again the other way round; the longest time that takes."""
    heads = page.locator(f"#{table} thead th").all()
    columns = [column for column, head in enumerate(heads) if head.locator("button").count()]
    if not columns:
        fault(f"{table} has no head to press")
        return 0.0
    if page.locator(f"#{table} tbody tr").count() > LONG:
        # One of names, one of numbers.
        columns = [columns[0], columns[-1]]
    longest = 0.0
    for column in columns:
        before = None
        for order in ["ascending", "descending"]:
            taken, told, values = page.evaluate(PRESS, [table, column])
            longest = max(longest, taken)
            before = before or sorted(map(str, values))
            if told != order or not in_order(values, order) or sorted(map(str, values)) != before:
                fault(f"{table} by {heads[column].inner_text()!r} is {told}, not {order}: {values}"[:500])
    if longest > ANSWER:
        fault(f"sorting takes {longest:.1f} s")
    # The keyboard does what the mouse does.
    first = page.locator(f"#{table} thead button").first
    first.focus()
    page.keyboard.press("Enter")
    if heads[0].get_attribute("aria-sort") != "ascending":
        fault(f"{table} cannot be sorted by the keyboard")
    return longest


def in_order(values, order):
    """Whether numbers are in order with those that are none at the end, or plain names as they would be counted."""
    if any(isinstance(value, str) for value in values):
        # How languages sort is the browser's affair.
        if not all(re.fullmatch(r"[a-z]+ \d+|[MF]", value) for value in values):
            return True
    else:
        numbers = [value for value in values if not math.isnan(value)]
        if any(math.isnan(value) for value in values[: len(numbers)]):
            return False
        values = numbers
    pairs = itertools.pairwise(values)
    return all(a <= b for a, b in pairs) if order == "ascending" else all(a >= b for a, b in pairs)


def shown(value):
    """A name from the data as a page shows it: what cannot be seen as an escape, and what is empty by its name."""
    named = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
    hidden = r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\xad\u061c\u200b\u200e\u200f\u2060\ufeff]"
    return re.sub(hidden, lambda c: named.get(c[0], f"\\u{{{ord(c[0]):x}}}"), value) or "(empty)"


def seconds(what, taken):
    return f"{what} {taken:.2f} s"


if __name__ == "__main__":
    try:
        main()
    except chromium.Missing as missing:
        sys.exit(str(missing))
