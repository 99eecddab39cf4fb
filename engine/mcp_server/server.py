"""Serves the two tools over stdio, or over Streamable HTTP on the loopback address, in both eras of the protocol."""

from __future__ import annotations

import math
import signal
import socket
import sys
from collections.abc import Mapping
from typing import Any

import anyio
import trio
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from mcp_compliance import __version__
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.mcp_server.arguments import ArgumentError
from mcp_compliance.mcp_server.tools import EXPLAIN, TEST, tools

INSTRUCTIONS = (
    "Tests whether an MCP server at a URL keeps the MCP specification (mcp_compliance_test), and explains single tests "
    "(mcp_compliance_explain)."
)
LOOPBACK = "127.0.0.1"
FRESH = CacheHint(ttl_ms=3_600_000, scope="public")
"""The tools stay the same for as long as the server runs, and are the same for everybody."""

Context = ServerRequestContext[Any, Any]


def make_server() -> Server[Any]:
    """The server, not yet connected to anything."""
    return Server(
        "mcp-compliance",
        version=__version__,
        title="MCP compliance",
        description="Finds out whether an MCP server keeps the specification.",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": FRESH, "server/discover": FRESH},
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )


def serve_stdio() -> None:
    """Serve one client on standard input and output, until it closes them."""
    # The thread that reads standard input cannot be woken up: a Ctrl+C that asks politely would wait for a line.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    trio.run(_serve_stdio)


def serve_http(port: int) -> None:
    """Serve http://127.0.0.1:PORT/mcp until interrupted; 0 takes a free port. Raises ``OSError`` for one in use."""
    import uvicorn

    from mcp_compliance.mcp_server.envelopes import EnvelopeCheck

    app = EnvelopeCheck(make_server().streamable_http_app(host=LOOPBACK))
    # The protocol is named: asyncio switches the delay of small packets off only for sockets that name it.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        if sys.platform != "win32":  # where it would let a second program take the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(100)
        print(f"listening on http://{LOOPBACK}:{listening.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


async def _serve_stdio() -> None:
    server = make_server()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def _list_tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
    if params is not None and params.cursor is not None:
        raise MCPError(code=INVALID_PARAMS, message="unknown cursor: the list of tools has one page")
    return ListToolsResult(tools=tools())


async def _call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
    arguments: Mapping[str, JSON] = params.arguments or {}
    if params.name not in (TEST, EXPLAIN):
        raise MCPError(code=INVALID_PARAMS, message=f"unknown tool; the tools are {TEST} and {EXPLAIN}")
    # What the tools need is loaded by the first call: clients start their servers long before that, and wait for it.
    from mcp_compliance.mcp_server.explaining import explained

    try:
        if params.name == EXPLAIN:
            data, text = explained(arguments)
            return _result(data, text)
        return await _tested(context, arguments)
    except ArgumentError as error:
        return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)


async def _tested(context: Context, arguments: Mapping[str, JSON]) -> CallToolResult:
    """The run, while its progress is reported to a client that asked for it. A cancelled request ends the run."""
    from mcp_compliance.mcp_server.grading import as_data, as_text, graded

    send, receive = anyio.create_memory_object_stream[tuple[int, int, str]](math.inf)

    async def report_progress() -> None:
        async with receive:
            async for ended, total, message in receive:
                await context.session.report_progress(ended, total, message)

    problem = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(report_progress)
        async with send:
            try:
                report = await graded(arguments, lambda *told: send.send_nowait(told))
            except ArgumentError as error:  # caught here: the task group would wrap it
                problem = error
    if problem is not None:
        raise problem
    return _result(as_data(report), as_text(report), failed=report.error is not None)


def _result(data: JSONObject, text: str, *, failed: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data, is_error=failed)
