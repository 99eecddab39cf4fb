"""Short words for tests of transports: sendings, a responder, and a wire to a scripted server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Answers, Headers, Sending
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.http import HttpWire
from mcp_compliance.wire.http_client import HttpOptions

HEADERS: Headers = (
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("Authorization", "Bearer s3cr3t"),
)


def responder(request: JSONObject) -> JSONObject:
    return {"result": {}} if request["method"] == "ping" else {"error": {"code": -32601, "message": "no"}}


def ping(
    id: JSON = 1, within: float = 5, *, headers: Headers = HEADERS, answers: Answers = "mine", listen: float = 0
) -> Sending:
    message: JSONObject = {"jsonrpc": "2.0", "id": id, "method": "ping"}
    return Sending("ping", within, message=message, headers=headers, answers=answers, listen=listen)


def note(within: float = 5, headers: Headers = HEADERS) -> Sending:
    message: JSONObject = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    return Sending("note", within, message=message, headers=headers, answers="none")


def bare(method: str, within: float = 5, *, url: str | None = None, listen: float = 0) -> Sending:
    return Sending("bare", within, http_method=method, url=url, headers=HEADERS[1:], answers="none", listen=listen)


def pong(id: JSON = 1) -> JSONObject:
    return {"jsonrpc": "2.0", "id": id, "result": {}}


@asynccontextmanager
async def http_wire(
    url: str, options: HttpOptions | None = None, recorder: Recorder | None = None
) -> AsyncIterator[HttpWire]:
    """A wire that is closed with the block; its background work may not raise."""
    async with trio.open_nursery() as nursery:
        wire = HttpWire(
            url,
            recorder=recorder or Recorder(),
            responder=responder,
            nursery=nursery,
            options=options or HttpOptions(trust_env=False),
        )
        try:
            yield wire
        finally:
            await wire.aclose()
