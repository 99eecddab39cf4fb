"""The console script: it can be interrupted at any moment, also while the rest of the program is being loaded."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """As ``mcp_compliance.cli.main.main``, which it loads."""
    _open_streams()
    try:
        from mcp_compliance.cli import main as program

        return program.main()
    except KeyboardInterrupt:
        from mcp_compliance.cli.errors import EXIT_INTERRUPTED

        print("Interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED
    finally:
        # What is left is the end of the interpreter, which would answer Ctrl+C with a traceback.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _open_streams() -> None:
    """Put the null device in the place of standard streams that the parent closed. Else words for people go to
    standard output (that is what `print` does without a standard error), and a socket gets the number of one.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open until the end)
