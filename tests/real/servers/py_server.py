"""A harbour as an MCP server, on the official Python SDK, 1.x and 2.x: ``py_server.py stdio | http PORT``."""

from __future__ import annotations

import sys

from mcp.types import ToolAnnotations

try:
    from mcp.server.fastmcp import Context, FastMCP

    MAJOR = 1
except ImportError:
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context

    MAJOR = 2

LOOPBACK = "127.0.0.1"
BOATS = {"Alma": "trawler", "Brise": "sloop", "Cormorant": "ferry"}
READ_ONLY = ToolAnnotations(readOnlyHint=True)

port = int(sys.argv[2]) if sys.argv[1] == "http" else 0
about = "Ask for the boats of a small harbour."
server = (
    FastMCP("harbour-py1", instructions=about, host=LOOPBACK, port=port)
    if MAJOR == 1
    else MCPServer("harbour-py2", version="1.0.0", instructions=about)
)


@server.tool(annotations=READ_ONLY)
def backwards(text: str) -> str:
    """The text, last letter first."""
    return text[::-1]


@server.tool(annotations=READ_ONLY)
def boats() -> list[str]:
    """Names of the boats."""
    return list(BOATS)


@server.tool(annotations=READ_ONLY)
async def tide(context: Context) -> str:
    """Water level; reports progress while it measures."""
    for step in (1, 2, 3):
        await context.report_progress(step, 3)
    return "two metres, falling"


@server.tool()
def share(catch: float, crew: int) -> float:
    """Weight of fish for each of the crew; a crew of 0 is an error."""
    return catch / crew


@server.resource("harbour://boats", mime_type="text/plain")
def list_of_boats() -> str:
    """All boats, one a line."""
    return "\n".join(BOATS)


@server.resource("harbour://boats/{name}", mime_type="text/plain")
def boat(name: str) -> str:
    """What kind of boat this is."""
    return BOATS[name]


@server.prompt()
def hail(name: str) -> str:
    """Greet a boat."""
    return f"Write a greeting for the crew of the {name}."


@server.prompt()
def log_entry() -> str:
    """Sum the day up."""
    return "Write today's entry for the harbour log."


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run(transport="stdio")
    elif MAJOR == 1:
        server.run(transport="streamable-http")
    else:
        server.run(transport="streamable-http", host=LOOPBACK, port=port)
