"""Checks the built site: every link has a target, and no page loads anything from another host."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.util import logging

logger = logging.getLogger(__name__)

LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("object", "data")}
"""Tags and attributes whose targets a browser loads by itself."""


SCRIPTED = ("rust",)
"""Folders of rustdoc's pages, where a script adds link targets; rustdoc checks these links."""


class Page(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.external = set(), set(), set()
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
                self.external.add(attributes[name])


def check_links(app, exception):
    if exception or app.builder.name not in ("html", "dirhtml"):
        return
    site = Path(app.outdir)
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in sorted(page.external):
            logger.warning("%s asks another machine for %s", name, target)
        for target, fragment in sorted(page.links):
            to = (path.parent / target).resolve() if target else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists():
                logger.warning("%s leads to %s, which is not there", name, target)
            elif fragment and to in pages and fragment not in pages[to].ids and name.parts[0] not in SCRIPTED:
                logger.warning("%s leads to #%s, which %s does not have", name, fragment, to.relative_to(site))
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        if any(external in text for external in ("url(http", "url('http", 'url("http', "url(//", "@import")):
            logger.warning("%s asks another machine for something", path.relative_to(site))


def setup(app):
    app.connect("build-finished", check_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
