"""The system's Chromium, which is installed if it is missing."""

import os
import shutil

from debian import install

NAMES = ["chromium", "chromium-browser", "google-chrome"]
OPTIONS = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


class Missing(Exception):
    """There is none, and it cannot be installed."""


def found():
    """Its path."""
    return on_path() or install("chromium") and on_path() or missing()


def options():
    """What it is started with: it asks the network for nothing, and its sandbox does not work for root."""
    return [*OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


def on_path():
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def missing():
    raise Missing(
        f"no browser: install Chromium so that one of {', '.join(NAMES)} is on PATH (Debian: apt-get install chromium)"
    )
