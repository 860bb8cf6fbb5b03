"""Makes the page: one HTML file with its style, its scripts, the module and the example inside.

python assemble.py MODULE OUT.html      beside the packed module is engine.js, with what unpacks it
"""

import base64
import hashlib
import lzma
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPORT = HERE.parent / "crates" / "truecount-report" / "src" / "page"
EXAMPLE = HERE.parent / "data" / "spam"


def main(module, out):
    # One script, so that it has one hash: what makes tables live is the report's own.
    script = code(REPORT / "table.js", module.with_name("engine.js"), HERE / "page.js")
    parts = {
        "policy": policy(script),
        "style": text(REPORT / "style.css", REPORT / "figure.css", HERE / "page.css"),
        "script": script,
        "worker": code(HERE / "wasi.js", HERE / "worker.js"),
        "module": encoded(module.read_bytes()),
        "labelled": encoded(packed(EXAMPLE / "train.csv")),
        "unlabelled": encoded(packed(EXAMPLE / "weeks.csv")),
    }
    # A function, so that nothing in a part is taken for a place or a reference.
    page = re.sub(r"\{\{(\w+)\}\}", lambda place: parts.pop(place[1]), text(HERE / "index.html"))
    if parts:
        sys.exit(f"index.html has no place for {', '.join(parts)}")
    out.write_text(page, encoding="utf-8", newline="\n")


def policy(script):
    """Nothing is fetched or sent, and nothing runs but this script, the module, and the worker that it makes."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return "; ".join(
        [
            "default-src 'none'", f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'", "worker-src blob:", "style-src 'unsafe-inline'",
            "img-src data: blob:", "base-uri 'none'", "form-action 'none'",
        ]
    )  # fmt: skip


def text(*files):
    return "".join(file.read_text(encoding="utf-8") for file in files)


def code(*files):
    """Scripts in a row, which nothing in them may end."""
    joined = text(*files)
    if end := re.search(r"</script|<!--", joined, re.IGNORECASE):
        sys.exit(f"{end[0]!r} is in {', '.join(file.name for file in files)}")
    return joined


def packed(file):
    return lzma.compress(file.read_bytes(), check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME)


def encoded(content):
    return base64.b64encode(content).decode()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*map(Path, sys.argv[1:]))
