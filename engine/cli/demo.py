"""``test --demo``: the bundled reference server as the target."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.target import TargetOptions, read_target
from mcp_compliance.model.options import Target
from mcp_compliance.wire.process_group import start_apart

_LISTENING = re.compile(r"listening on (http://\S+)")
_PATIENCE = 5.0


@contextmanager
def demo_target(transport: str, options: TargetOptions) -> Iterator[Target]:
    """The server as a target over ``transport``, for as long as the context lasts.

    Over stdio the run starts it, like any other command; over HTTP it is started and ended here.
    """
    command = (sys.executable, "-m", "mcp_compliance.reference")
    if transport == "stdio":
        yield read_target((*command, "--stdio"), options)
        return
    # Apart, so that Ctrl+C reaches the run first and the server outlives the last request.
    server = start_apart((*command, "--http", "0"))
    try:
        yield read_target((_address(server),), options)
    finally:
        server.terminate()
        try:
            server.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    said = server.stderr.readline()
    found = _LISTENING.match(said)
    if found is None:
        raise UserError(f"the bundled server did not start: {said.strip() or 'it said nothing'}")
    # The pipe has to be read on: a server whose log finds no room stops answering.
    threading.Thread(target=server.stderr.read, daemon=True).start()
    return found.group(1)
