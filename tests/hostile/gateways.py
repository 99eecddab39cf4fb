"""Gateways in front of a real server: what they block they answer themselves, everything else they hand on.

The scripts are for `tests.wire.scripted_http.serving`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import trio

from tests.wire.scripted_http import Connection, Request, Script, response

Blocks = Callable[[Request, Any], bool]
"""Whether a request is blocked; the second argument is its body as JSON, None where it is none."""
PAGE = "<!doctype html><html><body>Request blocked</body></html>"


@dataclass(frozen=True)
class Block:
    """What a gateway answers in the server's place. With ``code`` the body is a JSON-RPC error that echoes the id."""

    status: str
    body: str = ""
    code: int | None = None
    message: str = "Unauthorized"
    headers: tuple[tuple[str, str], ...] = ()

    def bytes(self, message: Any) -> bytes:
        headers = dict(self.headers)
        if self.code is None:
            return response(self.body, self.status, **headers)
        error = {"code": self.code, "message": self.message}
        echoed = message.get("id") if isinstance(message, dict) else None
        body = json.dumps({"jsonrpc": "2.0", "id": echoed, "error": error})
        return response(body, self.status, Content_Type="application/json", **headers)


REJECTED = (
    ("WWW_Authenticate", 'Basic realm="x, Bearer", Bearer error="invalid_token", error_description="a \\"b\\""'),
)
LOGIN = Block("401 Unauthorized", code=-32001, headers=REJECTED)
FORBIDDEN = Block("403 Forbidden")
WRONG_HOST = Block("403 Forbidden", code=-32000, message="Invalid Host header")
NO_SCOPE = Block("403 Forbidden", headers=(("WWW_Authenticate", 'Bearer error="insufficient_scope"'),))
LIMIT = Block("429 Too Many Requests", headers=(("Retry_After", "0"),))
DOWN = Block("502 Bad Gateway", PAGE, headers=(("Content_Type", "text/html"),))
WEB_PAGE = Block("200 OK", PAGE, headers=(("Content_Type", "text/html"),))
NOTHING = Block("200 OK")
NO_PATH = Block("404 Not Found", PAGE, headers=(("Content_Type", "text/html"),))


def everything(request: Request, message: Any) -> bool:
    return True


def all_but_discover(request: Request, message: Any) -> bool:
    return not isinstance(message, dict) or message.get("method") != "server/discover"


def odd_posts(request: Request, message: Any) -> bool:
    """What a firewall takes for no MCP: POSTs without the headers or the envelope of a request."""
    if request.method != "POST":
        return False
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return True
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    kind = (request.header("content-type") or "").split(";")[0]
    return (
        request.header("mcp-protocol-version") is None
        or request.header("mcp-method") is None
        or kind != "application/json"
        or not isinstance(meta, dict)
        or "io.modelcontextprotocol/protocolVersion" not in meta
    )


def first_only() -> Blocks:
    """Blocks the first request, as while a server is woken up."""
    seen = 0

    def blocks(request: Request, message: Any) -> bool:
        nonlocal seen
        seen += 1
        return seen == 1

    return blocks


def gateway(port: int, block: Block, blocks: Blocks) -> Script:
    """In front of the server on this port of 127.0.0.1."""

    async def script(connection: Connection) -> None:
        while (request := await connection.request()) is not None:
            try:
                message = json.loads(request.body)
            except ValueError:
                message = None
            if blocks(request, message):
                await connection.send(block.bytes(message))
            else:
                await _hand_on(port, connection, request)
                return

    return script


async def _hand_on(port: int, connection: Connection, request: Request) -> None:
    """One request to the server and its answer back, until one of the two closes."""
    lines = [f"{request.method} {request.target} HTTP/1.1", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in request.headers if name.lower() != "connection"]
    try:
        async with await trio.open_tcp_stream("127.0.0.1", port) as server, trio.open_nursery() as nursery:

            async def watch_client() -> None:
                await connection.closed_by_client()
                nursery.cancel_scope.cancel()

            await server.send_all("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + request.body)
            nursery.start_soon(watch_client)
            async for piece in server:
                await connection.send(piece)
            nursery.cancel_scope.cancel()
    except* (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # one of the two has gone
