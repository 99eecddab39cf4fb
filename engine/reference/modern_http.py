"""A POST of MCP 2026-07-28: its headers, the status of what it gets, and the streams that are open."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import chain

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.http_messages import Request, Response, json_response
from mcp_compliance.reference.input_required import MISSING_CLIENT_CAPABILITY
from mcp_compliance.reference.jsonrpc import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    JSONObject,
    Kind,
    RpcError,
    as_object,
)
from mcp_compliance.reference.modern import TOO_MANY_REQUESTS, UNSUPPORTED_PROTOCOL_VERSION, is_handshake, may_wait
from mcp_compliance.reference.modern_headers import check_headers
from mcp_compliance.reference.modern_meta import is_well_formed
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.session import Answer, Session
from mcp_compliance.reference.streams import Stream

# Errors that are not here are answered 200: a client that tries out what a server speaks takes a 400 with any
# other code for a sign of the legacy era (basic/transports/streamable-http, backward compatibility).
_STATUS = {
    METHOD_NOT_FOUND: 404,
    MISSING_CLIENT_CAPABILITY: 400,
    UNSUPPORTED_PROTOCOL_VERSION: 400,
    TOO_MANY_REQUESTS: 429,
}


class ModernEndpoint:
    """Answers each POST by itself. Of a client it keeps the notes, by its credential."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._notebooks: dict[str | None, Notebook] = {}
        self._streams: set[Stream] = set()
        self._changed = threading.Condition()

    def post(self, request: Request, kind: Kind, message: JSONObject, owner: str | None) -> Response:
        """The response to a message that ``request`` carries; ``owner`` is the credential that it came with."""
        try:
            if kind == "response":
                raise RpcError(INVALID_REQUEST, "Invalid request: clients send requests and notifications only")
            if not is_handshake(message):
                check_headers(request, message)
        except RpcError as problem:
            return json_response(400, jsonrpc.error(jsonrpc.request_id(message), problem))
        if kind == "notification":
            # None has a meaning here: it is the end of its stream that cancels a request, not a notification.
            return Response(202)
        with self._changed:
            notebook = self._notebooks.setdefault(owner, Notebook())
        session = Session(notebook, owner or request.peer[0])
        answers = self._answer(session, message)
        if may_wait(message):
            return Response(200, feed=self._stream(session, answers))
        first = next(answers, None)
        if first is None or "method" in first:
            begun = () if first is None else (first,)
            return Response(200, feed=self._stream(session, chain(begun, answers)))
        return _answered(message, first)

    def close(self, patience: float) -> None:
        """End the streams that are open, and wait so many seconds at most until their clients have been told."""
        ends = time.monotonic() + patience
        with self._changed:
            for stream in self._streams:
                stream.end()
            self._changed.wait_for(lambda: not self._streams, max(0.0, ends - time.monotonic()))

    def _stream(self, session: Session, messages: Iterator[JSONObject]) -> Stream:
        stream = Stream(session, messages, self._forget)
        with self._changed:
            self._streams.add(stream)
        return stream

    def _forget(self, stream: Stream) -> None:
        with self._changed:
            self._streams.discard(stream)
            self._changed.notify_all()


def _answered(message: JSONObject, response: JSONObject) -> Response:
    code = as_object(response.get("error")).get("code")
    if "error" in response and not is_well_formed(message):
        return json_response(400, response)
    status = _STATUS.get(code, 200) if isinstance(code, int) else 200
    return json_response(status, response, (("Retry-After", "1"),) if status == 429 else ())
