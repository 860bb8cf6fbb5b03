"""Assembles the page: one HTML file with its style, scripts, module and example.

python assemble.py MODULE OUT.html

MODULE is the packed module. Its folder also has engine.js, which includes the decompressor.
"""

import base64
import hashlib
import html
import lzma
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPORT = HERE.parent / "crates" / "truecount-report" / "src"
EXAMPLE = HERE.parent / "data" / "spam"
NOTICES = HERE.parent / "crates" / "truecount-cli" / "NOTICES.txt"


def main(module, out):
    # There is one script, so that the policy has one hash. table.js is that of the report.
    script = code(REPORT / "page" / "table.js", module.with_name("engine.js"), HERE / "page.js")
    parts = {
        "policy": policy(script),
        "style": text(REPORT / "page" / "style.css", REPORT / "drawing" / "figure.css", HERE / "page.css"),
        "script": script,
        "worker": code(HERE / "wasi.js", HERE / "worker.js"),
        "module": base64_text(module.read_bytes()),
        "labelled": base64_text(compressed(EXAMPLE / "train.csv")),
        "unlabelled": base64_text(compressed(EXAMPLE / "weeks.csv")),
        "notices": html.escape(text(NOTICES)),
    }
    # With a function as the replacement, backslashes in a part are not interpreted.
    page = re.sub(r"\{\{(\w+)\}\}", lambda placeholder: parts.pop(placeholder[1]), text(HERE / "index.html"))
    if parts:
        sys.exit(f"index.html has no place for {', '.join(parts)}")
    out.write_text(page, encoding="utf-8", newline="\n")


def policy(script):
    """Return a policy without network access that allows only this script, the module and its worker."""
    digest = base64_text(hashlib.sha256(script.encode()).digest())
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'",
            "worker-src blob:",
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def text(*files):
    return "".join(file.read_text(encoding="utf-8") for file in files)


def code(*files):
    """Join scripts, which must not contain text that ends a script element."""
    joined = text(*files)
    if end := re.search(r"</script|<!--", joined, re.IGNORECASE):
        sys.exit(f"{end[0]!r} is in {', '.join(file.name for file in files)}")
    return joined


def compressed(file):
    return lzma.compress(file.read_bytes(), check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME)


def base64_text(content):
    return base64.b64encode(content).decode()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*map(Path, sys.argv[1:]))
