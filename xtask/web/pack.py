"""Compresses the WebAssembly module with xz, and joins the decompressor with the script that runs
the module.

    python pack.py MODULE FOLDER      writes FOLDER/truecount.wasm.xz and FOLDER/engine.js

The decompressor is one of the packages that npm.py installs into FOLDER. Browsers decompress gzip
without a script, but xz saves a fifth of the size.
"""

import lzma
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "web"

module, folder = map(Path, sys.argv[1:])
filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}]
packed = lzma.compress(module.read_bytes(), check=lzma.CHECK_CRC32, filters=filters)
(folder / "truecount.wasm.xz").write_bytes(packed)
scripts = [folder / "node_modules/xz-decompress/dist/package/xz-decompress.min.js", WEB / "engine.js"]
(folder / "engine.js").write_text(
    "\n".join(script.read_text(encoding="utf-8") for script in scripts), encoding="utf-8", newline="\n"
)
