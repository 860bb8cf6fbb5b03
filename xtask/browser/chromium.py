"""The system's Chromium, which is installed if it is missing."""

import os
import shutil

from debian import install

NAMES = ["chromium", "chromium-browser", "google-chrome"]
OPTIONS = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


class BrowserNotFound(Exception):
    """Raised if Chromium is missing and cannot be installed."""


def executable():
    """Path of Chromium, which is installed if it is missing."""
    path = find_on_path() or install("chromium") and find_on_path()
    if not path:
        names = ", ".join(NAMES)
        raise BrowserNotFound(
            f"no browser: install Chromium so that one of {names} is on PATH (Debian: apt-get install chromium)"
        )
    return path


def options():
    """Command-line options: no network requests of Chromium's own, and no sandbox as root.

    The sandbox does not work as root.
    """
    return [*OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


def find_on_path():
    return next((path for name in NAMES if (path := shutil.which(name))), None)
