"""The ``arsg`` command."""

from __future__ import annotations

import signal
import sys

from ._arsg import run_command


def main() -> int:
    """Runs the command line of this process. Ctrl-C ends it, as it ends any program."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["arsg", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
