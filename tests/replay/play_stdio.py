"""The played stdio server as a command: `python play_stdio.py CASE.json JOURNAL`."""

import os
import sys
from pathlib import Path

# Run as a script the folder is on the path already, unless Python was started isolated (-I), as the tests do.
sys.path.insert(0, str(Path(__file__).parent))

from player.stdio_server import main  # type: ignore[import-not-found]

if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except BrokenPipeError:
        code = 1
    sys.stdout.flush()
    # Nothing is buffered any more, and the interpreter's own clean-up would only cost time.
    os._exit(code)
