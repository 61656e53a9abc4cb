"""The program `unstuck`."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

from ._native import run


def main() -> NoReturn:
    """Runs the program with the arguments of the process, and ends the process with its exit code."""
    # The program answers Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run(["unstuck", *sys.argv[1:]], [sys.executable, "-m", "unstuck"]))


if __name__ == "__main__":
    main()
