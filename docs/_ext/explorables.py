"""Explorables, forms that a page answers as one moves their sliders, and the page in which the command runs, beside the book.

The environment variable TRUECOUNT_MODULE names the command as a packed module, beside which is engine.js, TRUECOUNT_PAGE the page.
"""

import base64
import json
import os
import re
import shutil
from pathlib import Path

from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
REPORT = ROOT / "crates" / "truecount-report" / "src" / "page"

SCRIPTS = ("truecount-module.js", "explore.js")
STYLES = ("figure.css", "explore.css")
COLOURS = ("blue", "orange", "grey")
"""What figures have in two forms, for light and for dark."""


def given(variable):
    path = os.environ.get(variable)
    if path is None or not Path(path).is_file():
        raise ExtensionError(
            f"the book needs the page and its module: name the file in {variable}, or run `cargo xtask docs`"
        )
    return path


def text(*files):
    return "".join(file.read_text(encoding="utf-8") for file in files)


def write(app):
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    packed = Path(given("TRUECOUNT_MODULE"))
    module = base64.b64encode(packed.read_bytes()).decode()
    worker = text(WEB / "wasi.js", WEB / "worker.js")
    # A script holds it, since pages that are opened as files may not fetch others.
    script = (
        f"{text(packed.with_name('engine.js'))}const truecount = {json.dumps({'module': module, 'worker': worker})};\n"
    )
    static.joinpath("truecount-module.js").write_text(script, encoding="utf-8", newline="\n")
    shutil.copy(REPORT / "figure.css", static)
    shutil.copy(given("TRUECOUNT_PAGE"), Path(app.outdir, "truecount.html"))


def colour(app, config):
    """The figures have the report's colours, as variables of the theme."""
    roots = re.findall(r":root \{(.*?)\}", text(REPORT / "style.css"), re.DOTALL)
    for scheme, root in zip(("light", "dark"), roots):
        colours = dict(re.findall(r"--(\w+): (#\w+);", root))
        config.html_theme_options[f"{scheme}_css_variables"].update({name: colours[name] for name in COLOURS})


def need(app, name, template, context, doctree):
    """Pages without explorables are spared the module."""
    if 'class="explorable"' in context.get("body", ""):
        for script in SCRIPTS:
            app.add_js_file(script, loading_method="defer")
        for style in STYLES:
            app.add_css_file(style)


def setup(app):
    app.connect("config-inited", colour)
    app.connect("builder-inited", write)
    app.connect("html-page-context", need)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
