"""HTTP servers that conform but for one twist, as scripts for `tests.wire.scripted_http.serving`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import trio

from tests.hostile.conforming import answer
from tests.wire.scripted_http import LAST_CHUNK, SSE_HEAD, Connection, Request, Script, chunk, response

Twist = Callable[[Connection, Request, dict[str, Any], int], Awaitable[bool]]
"""Answers one request with an id (``number`` counts them from 1) and returns True, or leaves it to the conforming
server."""


def conforming(request: Request) -> tuple[bytes, dict[str, Any]]:
    """The right answer to one HTTP request, and the JSON-RPC message that it carried."""
    if request.method != "POST":
        return response(b"", "405 Method Not Allowed", Allow="POST"), {}
    try:
        message = json.loads(request.body)
    except ValueError:
        error = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}
        return response(json.dumps(error), "400 Bad Request", Content_Type="application/json"), {}
    reply = answer(message)
    if reply is None:
        return response(b"", "202 Accepted"), message
    status = "200 OK" if isinstance(message, dict) and "id" in reply else "400 Bad Request"
    return response(json.dumps(reply), status, Content_Type="application/json"), message if status[0] == "2" else {}


def twisted(twist: Twist) -> Script:
    """A conforming server but for what ``twist`` takes over."""
    count = 0

    async def script(connection: Connection) -> None:
        nonlocal count
        while (request := await connection.request()) is not None:
            right, message = conforming(request)
            if "id" in message:
                count += 1
                if await twist(connection, request, message, count):
                    continue
            await connection.send(right)

    return script


async def nothing(*_: object) -> bool:
    return False


def silent_from(first: int) -> Script:
    """Takes requests from this one on and never answers them."""

    async def twist(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
        if number < first:
            return False
        await connection.closed_by_client()
        return True

    return twisted(twist)


def dead_from(first: int) -> Script:
    """From this request on the server is stuck: connections are still accepted (by the system), nothing is read."""
    count = 0

    async def script(connection: Connection) -> None:
        nonlocal count
        while count < first - 1 and (request := await connection.request()) is not None:
            right, message = conforming(request)
            count += "id" in message
            if count < first:
                await connection.send(right)
        await trio.sleep_forever()

    return script


def streaming(write: Callable[[Connection, dict[str, Any]], Awaitable[None]]) -> Script:
    """Answers every request with an event stream that ``write`` fills and ends."""

    async def twist(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
        await connection.send(SSE_HEAD)
        await write(connection, message)
        await connection.send(LAST_CHUNK)
        return True

    return twisted(twist)


def event(message: object) -> bytes:
    return chunk(f"data: {json.dumps(message)}\n\n")


async def endless_comments(connection: Connection, message: dict[str, Any]) -> None:
    while True:
        await connection.send(chunk(b": x\n\n" * 10_000))


async def flood(connection: Connection, message: dict[str, Any]) -> None:
    """Notifications and requests of the server before every answer."""
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
    ask = {"jsonrpc": "2.0", "method": "sampling/createMessage", "params": {}}
    await connection.send(event(note) * 50, b"".join(event({**ask, "id": f"q{number}"}) for number in range(10)))
    await connection.send(event(answer(message)))


async def drip(connection: Connection, message: dict[str, Any]) -> None:
    for byte in f"data: {json.dumps(answer(message))}\n\n":
        await connection.send(chunk(byte))


def redirecting(hops: int, status: str = "307 Temporary Redirect") -> Script:
    """``hops`` redirects of the same origin before the endpoint."""

    async def script(connection: Connection) -> None:
        while (request := await connection.request()) is not None:
            hop = int(request.target.rpartition("/")[2]) if request.target[-1].isdigit() else 0
            if hop < hops:
                await connection.send(response(b"", status, Location=f"/hop/{hop + 1}"))
            else:
                await connection.send(conforming(request)[0])

    return script


def deep_json(message: dict[str, Any]) -> str:
    return f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},"result":{"[" * 100_000}{"]" * 100_000}}}'
