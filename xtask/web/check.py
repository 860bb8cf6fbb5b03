"""Opens the page that counts in the browser in Chromium, does what its visitors do, and compares what they see with the command.

    python check.py PAGE.html FOLDER TRUECOUNT AXE.js [--screenshots DIR]      FOLDER is for files, TRUECOUNT the command

A line for every case says what was compared; the script fails with a list of what is wrong.
"""

import argparse
import contextlib
import gzip
import sys
import time
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "browser"))

import answers
import barred
import choosing
import chromium
import large
import looks
import refusals
import tables
from pages import SCREENS, opened
from visitor import Visitor

DATA = HERE.parents[1] / "data"

# Bytes of the page, and of what is sent of it where it is packed on its way.
LIMIT, PACKED_LIMIT = 1_500_000, 610_000


def main():
    parser = argparse.ArgumentParser(usage="check.py PAGE.html FOLDER TRUECOUNT AXE.js [--screenshots DIR]")
    parser.add_argument("page", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("truecount", type=Path)
    parser.add_argument("axe", type=Path)
    parser.add_argument("--screenshots", type=Path)
    options = parser.parse_args()
    for folder in filter(None, [options.folder, options.screenshots]):
        folder.mkdir(parents=True, exist_ok=True)
    check = Check(options)
    check.sizes()
    with sync_playwright() as playwright:
        check.browser = playwright.chromium.launch(executable_path=chromium.found(), args=chromium.options())
        check.answers()
        check.choosing()
        check.refusals()
        check.large()
        check.looks()
        check.barred()
        check.browser.close()
    if check.faults:
        sys.exit("\n".join(["", *(f"{name}: {what}" for name, what in dict.fromkeys(check.faults))]))


class Check:
    def __init__(self, options):
        # Addresses of pages are absolute, and the command is run in other folders.
        self.file, self.folder, self.truecount = (
            path.resolve() for path in [options.page, options.folder, options.truecount]
        )
        self.axe, self.screenshots = options.axe, options.screenshots
        self.faults = []

    def sizes(self):
        page = self.file.read_bytes()
        packed = gzip.compress(page, 9)
        for what, size, limit in [("page", len(page), LIMIT), ("packed page", len(packed), PACKED_LIMIT)]:
            print(f"{what:24}{size} bytes", flush=True)
            if size > limit:
                self.faults.append((what, f"more than {limit} bytes"))

    @contextlib.contextmanager
    def case(self, name, screen="screen", heard=(), **options):
        """The page, opened anew, and what takes down a fault of it, but for those that begin with what is to be heard. What is told of the
        case is printed."""
        start = time.perf_counter()
        told = []

        def fault(what):
            if not what.startswith(tuple(heard)):
                self.faults.append((name, what))

        try:
            with opened(self.browser, self.file, screen, fault, **options) as page:
                yield Visitor(page), fault, told.append
        except Error as error:
            fault(f"the rest was not looked at: {error}")
        print(f"{name:24}{', '.join([*told, f'{time.perf_counter() - start:.1f} s'])}", flush=True)

    def answers(self):
        known = {}
        for case in tables.cases(self.folder, DATA):
            with self.case(case.name) as (visitor, fault, tell):
                beside = lambda file, fault=fault: opened(self.browser, file, "screen", fault)
                tell(answers.same(visitor, case, self.truecount, beside, fault, known))
        with self.case("counts") as (visitor, fault, tell):
            tell(answers.same_counts(visitor, self.truecount, self.folder, fault))

    def choosing(self):
        with self.case("choosing") as (visitor, fault, tell):
            tell(choosing.choosing(visitor, DATA, self.folder / "choosing", fault))

    def refusals(self):
        with self.case("refusals") as (visitor, fault, tell):
            refused = 0
            for row in refusals.ROWS:
                told = lambda what, row=row: fault(f"{row.name}: {what}")
                refused += refusals.row(visitor, row, self.truecount, self.folder / "refusals", told)
            tell(f"{refused} refused alike, {len(refusals.ROWS) - refused} answered alike")

    def large(self):
        folder = large.written(self.folder / "large")
        with self.case("million rows") as (visitor, fault, tell):
            tell(large.million(visitor, self.truecount, folder, fault))
        with self.case("memory of estimates") as (visitor, fault, tell):
            tell(large.memory(visitor, folder, fault))

    def looks(self):
        for screen in SCREENS:
            # What looks for hindrances is a script that the page does not know.
            with self.case(f"looks, {screen}", screen, bypass_csp=True) as (visitor, fault, tell):
                tell(looks.looks(visitor, self.axe, screen, self.screenshots, fault))
        with self.case("keyboard") as (visitor, fault, tell):
            tell(looks.keyboard(visitor, fault))

    def barred(self):
        # What is barred is said on the console; it is asked for, but goes nowhere.
        for name, expected, options in [
            ("barred", [set(), set()], {}),
            ("not barred", barred.WAYS, {"bypass_csp": True}),
        ]:
            with self.case(name, heard=["console: ", "asks for "], **options) as (visitor, fault, tell):
                came = barred.sent(visitor, expected)
                if came != expected:
                    fault(f"{came} came instead of {expected}")
                tell(f"{sum(map(len, came))} of {sum(map(len, barred.WAYS))} ways lead out")


if __name__ == "__main__":
    try:
        main()
    except chromium.Missing as missing:
        sys.exit(str(missing))
