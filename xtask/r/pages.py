"""Runs the R code on pages of the book and compares its output with the output on the page.

    python pages.py LIBRARY PAGE...      LIBRARY has the installed package

A page is checked if its first block of R code begins with library(truecount).
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(r|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Runs files of code in one session, as if they were typed, and prints a separator after the output
# of each.
SCRIPT = """
.libPaths(c({library!r}, .libPaths()))
options(width = 80)
for (file in {files}) {{
  source(file, local = globalenv(), print.eval = TRUE)
  cat("\\n\\u001e\\n")
}}
"""


def run_code(library, codes):
    """Returns R's output of each piece of code; raises `ValueError` if R fails."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, code in enumerate(codes):
            files.append(Path(folder) / f"{number}.R")
            files[-1].write_text(code, encoding="utf-8")
        script = Path(folder) / "run.R"
        file_vector = "c(" + ", ".join(f'"{file}"' for file in files) + ")"
        script.write_text(SCRIPT.format(library=str(library), files=file_vector), encoding="utf-8")
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        process = subprocess.run(
            ["Rscript", "--vanilla", script], cwd=folder, capture_output=True, text=True, env=environment
        )
        if process.returncode:
            raise ValueError(process.stderr)
        return process.stdout.split("\n\x1e\n")


def page_faults(library, page):
    """Yields a fault for each block of output that differs from R's."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    codes = [code for kind, code in blocks if kind == "r"]
    if not codes or not codes[0].startswith("library(truecount)"):
        return
    try:
        outputs = iter(run_code(library, codes))
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
    faults = [fault for page in sys.argv[2:] for fault in page_faults(library, Path(page))]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
