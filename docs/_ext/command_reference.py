"""The pages of the command, written by the command itself (`truecount reference`) before the book is read.

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
    # Pages of commands that are no more would stay.
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([program, "reference", folder], check=True)


def setup(app):
    # Before the pages are looked for.
    app.connect("builder-inited", write, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
