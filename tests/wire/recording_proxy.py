"""A real HTTP proxy on loopback that forwards, opens tunnels, and notes what it was asked for.

async with proxying() as proxy:
    ...  # proxy.url, proxy.requests
"""

from __future__ import annotations

import ssl
from contextlib import AbstractAsyncContextManager
from urllib.parse import urlsplit

import trio

from tests.wire.scripted_http import Connection, Request, Server, response, serving


def proxying(credentials: str | None = None, tls: ssl.SSLContext | None = None) -> AbstractAsyncContextManager[Server]:
    """``credentials``: the value of Proxy-Authorization without which everything is refused."""

    async def script(connection: Connection) -> None:
        while (request := await connection.request()) is not None:
            if credentials is not None and request.header("Proxy-Authorization") != credentials:
                await connection.send(response("", "407 Proxy Authentication Required", Proxy_Authenticate="Basic"))
            elif request.method == "CONNECT":
                host, _, port = request.target.rpartition(":")
                async with await trio.open_tcp_stream(host, int(port)) as target:
                    await connection.send(b"HTTP/1.1 200 OK\r\n\r\n")
                    await _tunnel(connection, target)
                return
            else:
                await _forward(connection, request)
                return

    return serving(script, tls)


async def _forward(connection: Connection, request: Request) -> None:
    """This request and those after it, all for the server that the first one names."""
    parts = urlsplit(request.target)
    async with (
        await trio.open_tcp_stream(str(parts.hostname), parts.port or 80) as target,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(_back, connection, target, nursery.cancel_scope)
        following: Request | None = request
        while following is not None:
            path = "/" + following.target.split("/", 3)[3]
            head = [f"{following.method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in following.headers)]
            await target.send_all("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + following.body)
            following = await connection.request()
        nursery.cancel_scope.cancel()


async def _tunnel(connection: Connection, target: trio.SocketStream) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_back, connection, target, nursery.cancel_scope)
        while chunk := await connection.some():
            await target.send_all(chunk)
        nursery.cancel_scope.cancel()


async def _back(connection: Connection, target: trio.SocketStream, scope: trio.CancelScope) -> None:
    while chunk := await target.receive_some():
        await connection.send(chunk)
    scope.cancel()
