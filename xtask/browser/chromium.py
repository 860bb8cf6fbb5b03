"""The system's Chromium, which is installed if it is missing."""

import contextlib
import os
import shutil
import sys

from debian import install
from playwright.sync_api import sync_playwright

NAMES = ["chromium", "chromium-browser", "google-chrome"]
OPTIONS = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


@contextlib.contextmanager
def launch():
    """Runs Chromium, without network requests of its own; exits if it is missing and cannot be installed."""
    path = find_on_path() or install("chromium") and find_on_path()
    if not path:
        sys.exit(f"install Chromium so that one of {', '.join(NAMES)} is on PATH (Debian: apt-get install chromium)")
    # The sandbox does not work as root.
    options = [*OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


def find_on_path():
    return next((path for name in NAMES if (path := shutil.which(name))), None)
