"""Packs a file with gzip, as small as zopfli makes it: browsers unpack it, and it is packed once.

    python pack.py FILE PACKED
"""

import sys
from pathlib import Path

from zopfli import gzip

file, packed = map(Path, sys.argv[1:])
packed.write_bytes(gzip.compress(file.read_bytes()))
