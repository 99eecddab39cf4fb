"""Refuses over HTTP what is JSON but no JSON-RPC message, with the code that JSON-RPC has for it.

The SDK (2.3) takes wrong envelopes for wrong params and answers -32602.
"""

from __future__ import annotations

import json

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

INVALID_REQUEST = -32600
LONGEST = 1024 * 1024
"""Bytes of a body that is looked at; longer ones are left to the SDK and its own limit."""


class EnvelopeCheck:
    """An ASGI application in front of another."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not _is_json(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        messages: list[Message] = []
        body = b""
        more = True
        while more and len(body) <= LONGEST:
            messages.append(await receive())
            body += messages[-1].get("body", b"")
            more = messages[-1].get("more_body", False)
        if not more and (wrong := refusal(body)) is not None:
            await JSONResponse(wrong, status_code=400)(scope, receive, send)
            return

        async def replayed() -> Message:
            return messages.pop(0) if messages else await receive()

        await self._app(scope, replayed, send)


def refusal(body: bytes) -> dict[str, object] | None:
    """The error for a body that is an object and no JSON-RPC message; None for all else."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    method = message.get("method")
    answer = "method" not in message and ("result" in message or "error" in message)
    if message.get("jsonrpc") == "2.0" and (isinstance(method, str) or answer):
        return None
    request_id = message.get("id")
    known = request_id if isinstance(request_id, (str, int)) and not isinstance(request_id, bool) else None
    error = {"code": INVALID_REQUEST, "message": "Invalid Request: not a JSON-RPC 2.0 message"}
    return {"jsonrpc": "2.0", "id": known, "error": error} if known is not None else {"jsonrpc": "2.0", "error": error}


def _is_json(headers: Headers) -> bool:
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
