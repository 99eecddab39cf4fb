"""A real TCP server on loopback that answers with exactly the bytes a test gives, on plain trio.

    async with serving(json_reply('{"jsonrpc":"2.0","id":1,"result":{}}')) as server:
        ...  # server.url, server.requests

A script is an async function that gets the ``Connection`` and may read requests from it and send bytes to it.
When it returns, the connection is closed.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import trio


@dataclass(frozen=True)
class Request:
    """A request as it was read: names in the letter case in which they came."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first value of the header, in any letter case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class Connection:
    """One accepted connection. ``number`` counts from 0."""

    def __init__(self, stream: trio.abc.Stream, server: Server, number: int) -> None:
        self._stream = stream
        self._server = server
        self._buffer = b""
        self.number = number

    async def request(self) -> Request | None:
        """The next request, noted in ``server.requests``; None when the client closed the connection."""
        while b"\r\n\r\n" not in self._buffer:
            if not await self._more():
                return None
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        pairs = [line.partition(":") for line in lines]
        headers = tuple((name, value.strip()) for name, _, value in pairs)
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        while len(self._buffer) < length:
            if not await self._more():
                return None
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        request = Request(method, target, headers, body)
        self._server.requests.append(request)
        return request

    async def _more(self) -> bool:
        chunk = await self._stream.receive_some(65536)
        self._buffer += chunk
        return bool(chunk)

    async def some(self) -> bytes:
        """Bytes of no request, as they come; empty at the end."""
        if not self._buffer:
            await self._more()
        taken, self._buffer = self._buffer, b""
        return taken

    async def send(self, *parts: bytes | str) -> None:
        for part in parts:
            await self._stream.send_all(part.encode() if isinstance(part, str) else part)

    async def closed_by_client(self) -> None:
        """Wait until the client has closed the connection."""
        while await self._more():
            pass


Script: TypeAlias = Callable[[Connection], Awaitable[None]]


@dataclass
class Server:
    """``requests`` in order of arrival over all connections; ``connections`` accepted so far."""

    port: int
    scheme: str = "http"
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    _closed: trio.Event = field(default_factory=trio.Event)

    async def all_closed(self) -> None:
        """Wait until no connection is open."""
        while self.open:
            self._closed = trio.Event()
            await self._closed.wait()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/mcp"


@asynccontextmanager
async def serving(script: Script, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    """Serve on a free port until the block is left; what is still running is cut off then."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    server = Server(listener.socket.getsockname()[1], "http" if tls is None else "https")

    async def handle(stream: trio.abc.Stream) -> None:
        connection = Connection(stream, server, server.connections)
        server.connections += 1
        server.open += 1
        try:
            await script(connection)
        except (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError):
            pass
        finally:
            server.open -= 1
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)
            server._closed.set()

    listeners: list[trio.abc.Listener[trio.abc.Stream]] = [listener]
    if tls is not None:
        listeners = [trio.SSLListener(listener, tls)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, handle, listeners)
        yield server
        nursery.cancel_scope.cancel()


def response(body: bytes | str = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A complete response with Content-Length. Underscores in header names become hyphens."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    lines.append(f"Content-Length: {len(data)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


SSE_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"


def chunk(data: bytes | str) -> bytes:
    """One chunk of a chunked body."""
    raw = data.encode() if isinstance(data, str) else data
    return f"{len(raw):x}\r\n".encode() + raw + b"\r\n"


def always(*parts: bytes | str) -> Script:
    """Answer every request on a connection with these bytes."""

    async def script(connection: Connection) -> None:
        while await connection.request() is not None:
            await connection.send(*parts)

    return script


def json_reply(body: str, status: str = "200 OK") -> Script:
    return always(response(body, status, Content_Type="application/json"))
