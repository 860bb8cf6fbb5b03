"""Runs the R code on pages of the book that begin with library(truecount), and compares what is shown below it.

python pages.py LIBRARY PAGE...      LIBRARY has the installed package
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(r|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Runs files of code one after the other, as if they were typed, and tells where each ends.
RUN = """
.libPaths(c({library!r}, .libPaths()))
options(width = 80)
for (file in {files}) {{
  source(file, local = globalenv(), print.eval = TRUE)
  cat("\\n\\u001e\\n")
}}
"""


def shown(library, codes):
    """What R prints for each piece of code."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, code in enumerate(codes):
            files.append(Path(folder) / f"{number}.R")
            files[-1].write_text(code, encoding="utf-8")
        script = Path(folder) / "run.R"
        listed = "c(" + ", ".join(f'"{file}"' for file in files) + ")"
        script.write_text(RUN.format(library=str(library), files=listed), encoding="utf-8")
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["Rscript", "--vanilla", script], cwd=folder, capture_output=True, text=True, env=environment
        )
        if done.returncode:
            raise ValueError(done.stderr)
        return done.stdout.split("\n\x1e\n")


def faults(library, page):
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    codes = [code for kind, code in blocks if kind == "r"]
    if not codes or not codes[0].startswith("library(truecount)"):
        return
    try:
        outputs = iter(shown(library, codes))
    except ValueError as error:
        yield f"{page}: {error}"
        return
    output = ""
    for kind, text in blocks:
        if kind == "r":
            output = next(outputs)
        elif output.rstrip("\n") != text.rstrip("\n"):
            yield f"{page}: R prints\n{output}\nand the page has\n{text}"


def main():
    library = Path(sys.argv[1]).resolve()
    found = [fault for page in sys.argv[2:] for fault in faults(library, Path(page))]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
