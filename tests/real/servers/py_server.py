"""An orchard as an MCP server, on the official Python SDK, 1.x and 2.x: ``py_server.py stdio | http PORT``."""

from __future__ import annotations

import sys
from typing import Annotated
from urllib.parse import urlsplit

from mcp.types import Completion, CompletionArgument, ToolAnnotations
from pydantic import BaseModel, Field

try:
    from mcp.server.fastmcp import Context, FastMCP

    MAJOR = 1
except ImportError:
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context, Elicit, Resolve

    MAJOR = 2

LOOPBACK = "127.0.0.1"
ROWS = {"north": "cherries", "middle": "quinces", "south": "medlars"}
READ_ONLY = ToolAnnotations(readOnlyHint=True)

port = int(sys.argv[2]) if sys.argv[1] == "http" else 0
about = "Ask for the rows of a small orchard."
server = (
    FastMCP("orchard-py1", instructions=about, host=LOOPBACK, port=port)
    if MAJOR == 1
    else MCPServer("orchard-py2", version="1.0.0", instructions=about)
)


@server.tool(annotations=READ_ONLY)
def backwards(text: str) -> str:
    """The text, last letter first."""
    return text[::-1]


if MAJOR == 2:  # 1.x asks clients that cannot be asked, too

    class Answer(BaseModel):
        row: str = Field(description="The row that it came from")

    def which_row() -> Elicit[Answer]:
        return Elicit("Which row did the fruit come from?", Answer)

    @server.tool(annotations=READ_ONLY)
    def taste(answer: Annotated[Answer, Resolve(which_row)]) -> str:
        """How a fruit tastes; asks for its row."""
        return f"{ROWS[answer.row]} taste sweet"


@server.tool(annotations=READ_ONLY)
def rows() -> list[str]:
    """Names of the rows."""
    return list(ROWS)


@server.tool(title="Night frost", annotations=READ_ONLY)
async def frost(context: Context) -> str:
    """Lowest temperature of the night; reports progress while it measures, and logs."""
    for step in (1, 2, 3):
        await context.report_progress(step, 3)
    await context.info("measured")
    return "two degrees"


@server.tool(annotations=READ_ONLY)
def ripe(row: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Row"})]) -> str:
    """What is ripe in a row."""
    return ROWS.get(row, "nothing")


@server.tool(annotations=READ_ONLY)
def neighbour(url: str) -> str:
    """Name of the neighbour who has this page. The page is not fetched."""
    return urlsplit(url).hostname or "nobody"


@server.tool()
def share(harvest: float, baskets: int) -> float:
    """Weight of fruit for each basket; 0 baskets are an error."""
    return harvest / baskets


@server.resource("orchard://rows", mime_type="text/plain")
def list_of_rows() -> str:
    """All rows, one a line."""
    return "\n".join(ROWS)


@server.resource("orchard://rows/{name}", mime_type="text/plain")
def row(name: str) -> str:
    """What grows in this row."""
    return ROWS[name]


@server.prompt()
def praise(fruit: str) -> str:
    """Praise a fruit."""
    return f"Write two lines in praise of {fruit}."


@server.prompt()
def diary() -> str:
    """Sum the day up."""
    return "Write today's entry for the orchard's diary."


@server.completion()
async def words(_ref: object, argument: CompletionArgument, _context: object) -> Completion:
    return Completion(values=[word for word in (*ROWS, *ROWS.values()) if word.startswith(argument.value)])


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run(transport="stdio")
    elif MAJOR == 1:
        server.run(transport="streamable-http")
    else:
        server.run(transport="streamable-http", host=LOOPBACK, port=port)
