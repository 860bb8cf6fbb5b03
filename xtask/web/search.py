"""Searches the built book in Chromium, as a reader does who has the site on a disk and no network.

    python search.py SITE      SITE is the folder of the built book

The script fails with a list of what is wrong: a page that is not found by its word, anything said on the console, a request for something that is
not in the folder.
"""

import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))
import chromium
import reader

# Milliseconds, on a machine that does other things too.
PATIENCE = 30_000

# What is typed, and a page that must be among the results.
FOUND = {
    "misfit": "why/intervals",
    "Rogan": "how-to/counts",
    "--population": "reference/command/estimate",
    "few-labelled": "reference/command/conditions",
    "Snowflake": "how-to/sql",
    "estimate_each": "reference/python/estimates",
}


def searched(page, words, found):
    page.locator("input[name=q]").first.fill(words)
    page.keyboard.press("Enter")
    page.locator(f"#search-results a[href^='{found}.html']").first.wait_for(timeout=PATIENCE)


def main(site):
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=chromium.options())
        for words, found in FOUND.items():
            page = reader.opened(browser, site, "index", wrong)
            try:
                searched(page, words, found)
            except Error as error:
                wrong.append(f"{words} does not lead to {found}: {error}")
            page.close()
        browser.close()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(Path(sys.argv[1]).resolve())
