"""The command `truecount`, which does not import numpy, as that takes longer than most commands."""

from __future__ import annotations

import signal
import sys

from truecount._core import command


def main() -> int:
    """Run the command with the arguments of this process, and return the exit status."""
    # With Python's handler, Ctrl-C would have no effect until the command is done. An ignored Ctrl-C stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
