"""Runs the command of a wheel with uvx, and checks that the wheel has its notices.

python check.py FOLDER      FOLDER has the wheel
"""

import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tutorial import check_command  # noqa: E402

(wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    if not any(name.endswith("NOTICES.txt") for name in archive.namelist()):
        sys.exit(f"{wheel.name} has no notices")
check_command("uvx", "--quiet", "--python", sys.executable, "--from", wheel, "truecount")
print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, and its command answers as the tutorial has it")
