"""``mcp-compliance mcp``: this tool as an MCP server, for assistants."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from mcp_compliance.cli.errors import EXIT_DONE, UserError

EPILOG = """\
[bold]For a client that keeps its servers in .mcp.json[/bold]

  {"mcpServers": {"mcp-compliance": {"command": "uvx", "args":
    ["--from", "mcp-compliance\\[mcp]", "mcp-compliance", "mcp"]}}}
"""
_PARTS = frozenset({"mcp", "mcp_types", "anyio", "uvicorn"})


def mcp(
    http: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65_535,
            help="Serve http://127.0.0.1:PORT/mcp in place of standard input and output.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Serve this tool to assistants: an MCP server with a tool that tests and one that explains."""
    try:
        from mcp_compliance.mcp_server import server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        raise UserError("the MCP SDK 2.3 or newer is missing: pip install 'mcp-compliance[mcp]'") from error
    if http is None:
        server.serve_stdio()
        return EXIT_DONE
    try:
        server.serve_http(http)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise UserError(f"--http {http}: cannot listen there: {reason}; 0 takes a free port") from error
    return EXIT_DONE
