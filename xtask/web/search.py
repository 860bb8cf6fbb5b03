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


def search(browser, site, words, page):
    tab = browser.new_page()
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("request", lambda request: request.url.startswith(site.as_uri()) or said.append(f"asks for {request.url}"))
    said = []
    tab.goto(site.joinpath("index.html").as_uri())
    tab.locator("input[name=q]").first.fill(words)
    tab.keyboard.press("Enter")
    try:
        tab.locator(f"#search-results a[href^='{page}.html']").first.wait_for(timeout=PATIENCE)
    except Error:
        said.append(f"{page} is not found; said: {tab.locator('#search-results').inner_text().strip()[:200]!r}")
    tab.close()
    return said


def main(site):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=chromium.options())
        wrong = [f"{words}: {said}" for words, page in FOUND.items() for said in search(browser, site, words, page)]
        browser.close()
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(FOUND)} searches of the book, without a network")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
