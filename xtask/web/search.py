"""Searches the built book in Chromium, opened from a disk and without a network.

    python search.py SITE      SITE is the folder of the built book

Fails with a list of faults: a search without the expected page, a console message, a request
outside the folder.
"""

from playwright.sync_api import Error

import reader

# Timeout in milliseconds, long enough for a busy machine.
TIMEOUT = 30_000

# Search words, each with a page that must be among the results.
EXPECTED_PAGES = {
    "misfit": "why/intervals",
    "Rogan": "how-to/counts",
    "--population": "reference/command/estimate",
    "few-labelled": "reference/command/conditions",
    "Snowflake": "how-to/sql",
    "estimate_each": "reference/python/estimates",
}

# Names of terms in several fields, which must lead to the glossary.
GLOSSARY = [
    "base rate", "label shift", "apparent prevalence", "Birge ratio", "verification bias", "difference estimator",
    "primary sampling unit", "held-out", "concept drift", "Youden", "recall", "design weight",
]  # fmt: skip


def search(page, words, expected):
    """Searches for words and waits for a result on the expected page."""
    page.locator("input[name=q]").first.fill(words)
    page.keyboard.press("Enter")
    page.locator(f"#search-results a[href^='{expected}.html']").first.wait_for(timeout=TIMEOUT)


def check(browser, site):
    faults = []
    for words, expected in [*EXPECTED_PAGES.items(), *((term, "reference/glossary") for term in GLOSSARY)]:
        page = reader.open_page(browser, site, "index", faults)
        try:
            search(page, words, expected)
        except Error as error:
            faults.append(f"{words} does not lead to {expected}: {error}")
        page.close()
    return faults


if __name__ == "__main__":
    reader.run(check)
