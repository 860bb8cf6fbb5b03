"""Opens pages of the built book in Chromium from a disk, without a network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))
import chromium


def run(check):
    """Runs a check of the site in the folder that the command line names, and exits with its list of faults."""
    with chromium.launch() as browser:
        faults = check(browser, Path(sys.argv[1]).resolve())
    if faults:
        sys.exit("\n".join(faults))


def open_page(browser, site, name, faults):
    """Opens a page and adds console messages, errors and requests outside the site to `faults`."""
    page = browser.new_page()
    page.on("console", lambda message: faults.append(f"{name}: on the console: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
    page.on("request", lambda request: is_local(request.url, site) or faults.append(f"{name} asks for {request.url}"))
    page.goto(site.joinpath(f"{name}.html").as_uri())
    return page


def is_local(url, site):
    """Returns whether an address is a file of the site or a blob, as the pages' worker is."""
    return url.startswith((f"{site.as_uri()}/", "blob:"))
