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

import chromium
import answers
import tables
from pages import opened
from visitor import Visitor

DATA = HERE.parents[1] / "data"

# Bytes of the page, and of what is sent of it where it is packed on its way.
LIMIT, PACKED_LIMIT = 1_500_000, 720_000


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
        check.browser.close()
    if check.faults:
        sys.exit("\n".join(["", *(f"{name}: {what}" for name, what in dict.fromkeys(check.faults))]))


class Check:
    def __init__(self, options):
        # Addresses of pages are absolute, and the command is run in other folders.
        self.file, self.folder, self.truecount = (path.resolve() for path in [options.page, options.folder, options.truecount])
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
    def case(self, name, screen="screen", **options):
        """The page, opened anew, and what takes down a fault of it."""

        def fault(what):
            self.faults.append((name, what))

        try:
            with opened(self.browser, self.file, screen, fault, **options) as page:
                yield Visitor(page), fault
        except Error as error:
            fault(f"the rest was not looked at: {error}")

    def told(self, name, start, what):
        print(f"{name:24}{what}, {time.perf_counter() - start:.1f} s", flush=True)

    def answers(self):
        known = {}
        for case in tables.cases(self.folder, DATA):
            start = time.perf_counter()
            with self.case(case.name) as (visitor, fault):
                beside = lambda file: opened(self.browser, file, "screen", fault)
                self.told(case.name, start, answers.same(visitor, case, self.truecount, beside, fault, known))
        start = time.perf_counter()
        with self.case("counts") as (visitor, fault):
            self.told("counts", start, answers.same_counts(visitor, self.truecount, self.folder, fault))


if __name__ == "__main__":
    try:
        main()
    except chromium.Missing as missing:
        sys.exit(str(missing))
