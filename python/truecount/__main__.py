"""The command `truecount`. It needs nothing of the package but the compiled half: to import numpy takes longer than most commands."""

from __future__ import annotations

import signal
import sys

from truecount._core import command


def main() -> int:
    """Runs the words that Python was started with, and returns the exit status."""
    # Python would only take note of Ctrl-C until the command is done; the command ends at once. Where it is ignored it stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
