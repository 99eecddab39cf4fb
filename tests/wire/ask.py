"""Ask a scripted HTTP server something through a wire, on the real clock."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.wire.http import HttpWire
from mcp_compliance.wire.http_client import HttpOptions
from tests.aio import run
from tests.wire.scripted_http import (
    LAST_CHUNK,
    SSE_HEAD,
    Connection,
    Script,
    Server,
    chunk,
    serving,
)
from tests.wire.talk import http_wire, ping, pong

T = TypeVar("T")
PONG = json.dumps(pong())


def talk(
    script: Script,
    act: Callable[[HttpWire, Server], Awaitable[T]],
    recorder: Recorder | None = None,
    options: HttpOptions | None = None,
) -> T:
    async def main() -> T:
        async with serving(script) as server, http_wire(server.url, options, recorder) as wire:
            return await act(wire, server)

    return run(main, jump=False, at_most=20)


def ask(script: Script, sending: Sending | None = None, recorder: Recorder | None = None) -> Exchange:
    return talk(script, lambda wire, _: wire.exchange(sending or ping()), recorder)


def sse(*events: str, head: bytes = SSE_HEAD, end: bool = True) -> Script:
    """An event stream for each request; it stays open unless ``end``."""

    async def script(connection: Connection) -> None:
        while await connection.request() is not None:
            await connection.send(head, *(chunk(event) for event in events))
            if not end:
                await connection.closed_by_client()
                return
            await connection.send(LAST_CHUNK)

    return script


def data(*payloads: object) -> str:
    return "".join(f"data: {json.dumps(payload)}\n\n" for payload in payloads)
