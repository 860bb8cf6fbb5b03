"""Adds explorables (interactive forms) and the browser page to the book.

The environment variable TRUECOUNT_MODULE names the packed module of the command, with engine.js in the same folder, and
TRUECOUNT_PAGE the browser page.
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
REPORT = ROOT / "crates" / "truecount-report" / "src"

SCRIPTS = ("truecount-module.js", "explore.js")
STYLES = ("figure.css", "explore.css")
COLOURS = ("blue", "orange", "grey")
"""Colours of the figures that differ between the light and the dark theme."""


def file_from(variable):
    path = os.environ.get(variable)
    if path is None or not Path(path).is_file():
        raise ExtensionError(
            f"the book needs the page and its module: name the file in {variable}, or run `cargo xtask docs`"
        )
    return path


def joined_text(*files):
    return "".join(file.read_text(encoding="utf-8") for file in files)


def write(app):
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    packed = Path(file_from("TRUECOUNT_MODULE"))
    module = base64.b64encode(packed.read_bytes()).decode()
    worker = joined_text(WEB / "wasi.js", WEB / "worker.js")
    # The module is inside a script, because pages opened from a disk may not fetch files.
    values = json.dumps({"module": module, "worker": worker})
    script = f"{joined_text(packed.with_name('engine.js'))}const truecount = {values};\n"
    static.joinpath("truecount-module.js").write_text(script, encoding="utf-8", newline="\n")
    shutil.copy(REPORT / "drawing" / "figure.css", static)
    shutil.copy(file_from("TRUECOUNT_PAGE"), Path(app.outdir, "truecount.html"))


def set_colours(app, config):
    """Sets the report's colours of figures as variables of the theme."""
    roots = re.findall(r":root \{(.*?)\}", joined_text(REPORT / "page" / "style.css"), re.DOTALL)
    for scheme, root in zip(("light", "dark"), roots):
        colours = dict(re.findall(r"--(\w+): (#\w+);", root))
        config.html_theme_options[f"{scheme}_css_variables"].update({name: colours[name] for name in COLOURS})


def add_scripts(app, name, template, context, doctree):
    """Adds the module to pages with explorables only."""
    if 'class="explorable"' in context.get("body", ""):
        for script in SCRIPTS:
            app.add_js_file(script, loading_method="defer")
        for style in STYLES:
            app.add_css_file(style)


def setup(app):
    app.connect("config-inited", set_colours)
    app.connect("builder-inited", write)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
