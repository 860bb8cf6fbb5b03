"""Packs a file with xz, which leaves a fifth less of a module than gzip does.

    python pack.py FILE PACKED
"""

import lzma
import sys
from pathlib import Path

file, packed = map(Path, sys.argv[1:])
packed.write_bytes(lzma.compress(file.read_bytes(), check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME))
