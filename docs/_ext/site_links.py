"""Looks at the site when it is built: every link leads somewhere, and no page asks another machine for anything."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.util import logging

logger = logging.getLogger(__name__)

LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("object", "data")}
"""What a browser fetches by itself; links are followed by people."""


SCRIPTED = ("rust",)
"""Where cargo's pages are, in which a script has ends of links of its own; rustdoc has looked at them."""


class Page(HTMLParser):
    """The ids of a page, and what it refers to."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.outside = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        self.ids.add(attributes.get("id"))
        if tag == "a":
            self.ids.add(attributes.get("name"))
        for name in ("href", "src", "data"):
            target = urlsplit(attributes.get(name, ""))
            if target.scheme == "data" or not (target.path or target.netloc or target.fragment):
                continue
            if not (target.scheme or target.netloc):
                self.links.add((unquote(target.path), unquote(target.fragment)))
            elif (tag, name) in LOADED and attributes.get("rel") != "canonical":
                self.outside.add(attributes[name])


def look(app, exception):
    if exception or app.builder.name not in ("html", "dirhtml"):
        return
    site = Path(app.outdir)
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
    for path, page in pages.items():
        shown = path.relative_to(site)
        for target in sorted(page.outside):
            logger.warning("%s asks another machine for %s", shown, target)
        for target, fragment in sorted(page.links):
            to = (path.parent / target).resolve() if target else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists():
                logger.warning("%s leads to %s, which is not there", shown, target)
            elif fragment and to in pages and fragment not in pages[to].ids and shown.parts[0] not in SCRIPTED:
                logger.warning("%s leads to #%s, which %s does not have", shown, fragment, to.relative_to(site))
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        if any(outside in text for outside in ("url(http", "url('http", 'url("http', "url(//", "@import")):
            logger.warning("%s asks another machine for something", path.relative_to(site))


def setup(app):
    app.connect("build-finished", look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
