"""The command, to be forked where the MCP SDK is in memory: to load it takes longer than most of what it is asked."""

from __future__ import annotations

from collections.abc import Sequence

import mcp_compliance.mcp_server.server  # noqa: F401  what the command imports when it runs
from mcp_compliance.cli.main import main


def run(arguments: Sequence[str]) -> int:
    return main(list(arguments))
