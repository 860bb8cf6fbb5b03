"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write beside the file and rename: a file that is there keeps its permissions, and a link stays a link.

    Raises
    ------
    OSError
        Where it cannot be written.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a file that can be replaced")
    beside = target.with_name(f".truecount-{secrets.token_hex(8)}")
    try:
        with open(beside, "xb") as file:
            if target.exists():
                os.chmod(beside, target.stat().st_mode & 0o7777)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except OSError as error:
        # The file beside it is nobody's business.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)
