"""The reference server in a process of its own, sooner than its command starts it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

# Every server needs these; they are here to be in memory before the fork.
import mcp_compliance.reference.endpoint
import mcp_compliance.reference.faults
import mcp_compliance.reference.http  # noqa: F401
from mcp_compliance.reference.command import serve
from tests.forking import FORKING

STDIO = (sys.executable, "-I", "-S", str(Path(__file__).with_name("start.py")), "--stdio")
"""The command of a stdio server: without the packages that are installed, none of which it needs."""


@contextmanager
def http(*arguments: str, token: str | None = None) -> Iterator[str]:
    """An HTTP server, forked; gives the line in which it says that it listens."""
    environment = {**os.environ, **({"MCP_REFERENCE_TOKEN": token} if token else {})}
    said, stderr = FORKING.Pipe(duplex=False)
    process = FORKING.Process(target=_become, args=(["--http", "0", *arguments], environment, stderr))
    process.start()
    stderr.close()
    try:
        with os.fdopen(said.fileno(), encoding="utf-8", closefd=False) as lines:
            yield lines.readline()
    finally:
        process.kill()
        process.join()
        said.close()


def _become(arguments: Sequence[str], environment: Mapping[str, str], stderr: Connection) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(stderr.fileno(), 2)
    stderr.close()
    sys.exit(serve(arguments))
