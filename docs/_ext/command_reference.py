"""Writes the pages of the command, by `truecount reference`, before Sphinx reads the book.

The environment variable TRUECOUNT names the program; without it the path is searched.
"""

import os
import shutil
import subprocess
from pathlib import Path

from sphinx.errors import ExtensionError


def write(app):
    program = os.environ.get("TRUECOUNT") or shutil.which("truecount")
    if program is None:
        raise ExtensionError(
            "the pages of the command need the command: name it in TRUECOUNT, or run `cargo xtask docs`"
        )
    folder = Path(app.srcdir, "reference/command")
    # Remove the pages of former commands.
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([program, "reference", folder], check=True)


def setup(app):
    # Before Sphinx looks for pages.
    app.connect("builder-inited", write, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
