"""A listener on loopback that notes who asks for its unguessable paths."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import trio

HOSTS = ("127.0.0.1", "::1")
HEAD = 8192
"""Bytes of a request that are read."""
PATIENCE = 5.0
"""Seconds that a connection may take."""
BODY = b"This page belongs to a test of the program that asked for it.\n"
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (
    len(BODY),
    BODY,
)


@dataclass
class LoopbackListener:
    """``knocks`` maps the path of a request that arrived to its first line. ``six``: also reachable over IPv6."""

    port: int
    six: bool
    knocks: dict[str, str] = field(default_factory=dict)
    _heard: trio.Event = field(default_factory=trio.Event)

    def url(self, host: str) -> str | None:
        """A URL with a path that nobody can guess; None for an IPv6 address where there is no IPv6."""
        if host.startswith("[") and not self.six:
            return None
        return f"http://{host}:{self.port}/{secrets.token_hex(12)}"

    async def knock(self, url: str, seconds: float) -> str | None:
        """The request for that URL, waited for at most so long."""
        await self.any_knock([url], seconds)
        return self.known(url)

    async def any_knock(self, urls: Sequence[str], seconds: float) -> None:
        """Wait until one of the URLs has been asked for, at most so long."""
        with trio.move_on_after(seconds):
            while not any(self.known(url) for url in urls):
                self._heard = trio.Event()
                await self._heard.wait()

    def known(self, url: str) -> str | None:
        """The request for that URL, if it has come."""
        return self.knocks.get(urlsplit(url).path)

    async def answer(self, stream: trio.SocketStream) -> None:
        """Read the head of one request, note it, answer with a page."""
        try:
            with trio.move_on_after(PATIENCE):
                head = b""
                while b"\r\n\r\n" not in head and len(head) < HEAD and (more := await stream.receive_some(HEAD)):
                    head += more
                line = head.partition(b"\n")[0].decode("latin-1").strip()
                words = line.split(" ")
                if len(words) == 3:
                    self.knocks[urlsplit(words[1]).path] = line
                    self._heard.set()
                    await stream.send_all(REPLY)
        except (trio.BrokenResourceError, trio.ClosedResourceError, ValueError):
            pass
        finally:
            await trio.aclose_forcefully(stream)


@asynccontextmanager
async def listening() -> AsyncIterator[LoopbackListener]:
    """A listener for the time of the block. Raises ``OSError`` where loopback cannot be listened on."""
    sockets = await trio.open_tcp_listeners(0, host=HOSTS[0])
    port = sockets[0].socket.getsockname()[1]
    with suppress(OSError):
        sockets += await trio.open_tcp_listeners(port, host=HOSTS[1])
    listener = LoopbackListener(port, six=len(sockets) > 1)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, listener.answer, sockets)
            yield listener
            nursery.cancel_scope.cancel()
    except ExceptionGroup as group:
        # What the block raises must reach its caller as it is; a nursery wraps it.
        raise group.exceptions[0] from None
