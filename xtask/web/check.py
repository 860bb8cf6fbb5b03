"""Opens the browser page in Chromium, acts as its visitors do, and compares the results with the
command's.

    python check.py PAGE.html FOLDER TRUECOUNT AXE.js      FOLDER is for files, TRUECOUNT the command

Prints what was compared in every case, and fails with a list of faults.
"""

import contextlib
import gzip
import sys
import time
from pathlib import Path

from playwright.sync_api import Error

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "browser"))

import accessibility
import answers
import chromium
import errors
import file_inputs
import isolation
import large_tables
import layout
import tables
import words
from pages import SCREENS, open_page
from visitor import Visitor

DATA = HERE.parents[1] / "data"

# Maximal size of the page in bytes, and of the page as compressed by a web server.
MAX_SIZE, MAX_COMPRESSED_SIZE = 1_500_000, 890_000


def main():
    # Absolute, because the browser opens absolute addresses and the command runs in other folders.
    check = Check(*(Path(word).resolve() for word in sys.argv[1:]))
    check.folder.mkdir(parents=True, exist_ok=True)
    check.check_sizes()
    with chromium.launch() as check.browser:
        check.check_answers()
        check.check_file_inputs()
        check.check_errors()
        check.check_large_tables()
        check.check_accessibility()
        check.check_layout()
        check.check_isolation()
    if check.faults:
        sys.exit("\n".join(["", *(f"{name}: {message}" for name, message in dict.fromkeys(check.faults))]))


class Check:
    """All checks of the page; `faults` has pairs of a case's name and a message."""

    def __init__(self, page, folder, truecount, axe):
        self.file, self.folder, self.truecount, self.axe, self.faults = page, folder, truecount, axe, []

    def check_sizes(self):
        page = self.file.read_bytes()
        compressed = gzip.compress(page, 9)
        sizes = [("page", len(page), MAX_SIZE), ("packed page", len(compressed), MAX_COMPRESSED_SIZE)]
        for name, size, limit in sizes:
            print(f"{name:24}{size} bytes", flush=True)
            if size > limit:
                self.faults.append((name, f"more than {limit} bytes"))

    @contextlib.contextmanager
    def case(self, name, screen="screen", ignored=(), **options):
        """Opens the page and yields a visitor and functions that report a fault and add to the
        summary.

        Faults that begin with an `ignored` text are dropped. The summary is printed at the end.
        """
        start = time.perf_counter()
        summary = []

        def report_fault(message):
            if not message.startswith(tuple(ignored)):
                self.faults.append((name, message))

        try:
            with open_page(self.browser, self.file, screen, report_fault, **options) as page:
                yield Visitor(page), report_fault, summary.append
        except Error as error:
            report_fault(f"the rest was not looked at: {error}")
        print(f"{name:24}{', '.join([*summary, f'{time.perf_counter() - start:.1f} s'])}", flush=True)

    def check_answers(self):
        estimates_by_case = {}
        for case in tables.cases(self.folder, DATA):
            with self.case(case.name) as (visitor, report_fault, summarise):
                open_file = lambda file, report_fault=report_fault: open_page(
                    self.browser, file, "screen", report_fault
                )
                summarise(answers.check_case(visitor, case, self.truecount, open_file, report_fault, estimates_by_case))
        with self.case("counts") as (visitor, report_fault, summarise):
            summarise(answers.check_counts(visitor, self.truecount, self.folder, report_fault))

    def check_file_inputs(self):
        with self.case("choosing") as (visitor, report_fault, summarise):
            summarise(file_inputs.check(visitor, DATA, self.folder / "choosing", report_fault))

    def check_errors(self):
        with self.case("refusals") as (visitor, report_fault, summarise):
            failed = 0
            for case in errors.CASES:
                case_fault = lambda message, case=case: report_fault(f"{case.name}: {message}")
                failed += errors.check(visitor, case, self.truecount, self.folder / "refusals", case_fault)
            summarise(f"{failed} refused alike, {len(errors.CASES) - failed} answered alike")

    def check_large_tables(self):
        folder = large_tables.write_tables(self.folder / "large")
        with self.case("million rows") as (visitor, report_fault, summarise):
            summarise(large_tables.check_responsiveness(visitor, self.truecount, folder, report_fault))
        with self.case("memory of estimates") as (visitor, report_fault, summarise):
            summarise(large_tables.check_memory(visitor, folder, report_fault))

    def check_accessibility(self):
        for screen in SCREENS:
            # The page's security policy would block axe-core, a script that is not part of the
            # page.
            with self.case(f"looks, {screen}", screen, bypass_csp=True) as (visitor, report_fault, summarise):
                summarise(accessibility.check_rendering(visitor, self.axe, screen, report_fault))
        with self.case("keyboard") as (visitor, report_fault, summarise):
            summarise(accessibility.check_keyboard(visitor, report_fault))

    def check_layout(self):
        with self.case("wide screen", bypass_csp=True, viewport=layout.WIDE) as (visitor, report_fault, summarise):
            summarise(accessibility.check_rendering(visitor, self.axe, "wide", report_fault))
            layout.check_wide(visitor, report_fault)
        with self.case("two columns", viewport=layout.NARROWEST_WIDE) as (visitor, report_fault, summarise):
            layout.check_columns(visitor, report_fault)
        with self.case("paper") as (visitor, report_fault, summarise):
            summarise(layout.check_print(visitor, report_fault))
        with self.case("words") as (visitor, report_fault, summarise):
            summarise(words.check(visitor, report_fault))

    def check_isolation(self):
        # A blocked request is written to the console and counts as a request, although it is not
        # sent.
        for name, expected, options in [
            ("barred", [set(), set()], {}),
            ("not barred", isolation.UNBLOCKED_REQUESTS, {"bypass_csp": True}),
        ]:
            with self.case(name, ignored=["console: ", "asks for "], **options) as (visitor, report_fault, summarise):
                received = isolation.received_requests(visitor, expected)
                if received != expected:
                    report_fault(f"{received} came instead of {expected}")
                unblocked = sum(map(len, isolation.UNBLOCKED_REQUESTS))
                summarise(f"{sum(map(len, received))} of {unblocked} ways lead out")


if __name__ == "__main__":
    main()
