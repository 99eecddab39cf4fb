"""The console script: it can be interrupted at any moment, also while the rest of the program is being loaded."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """As ``mcp_compliance.cli.main.main``, which it loads."""
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
