"""The Streamable HTTP transport as a function of one request to one response; no socket is touched here."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mcp_compliance.reference import dispatch, jsonrpc
from mcp_compliance.reference.authorization import Authorization
from mcp_compliance.reference.http_messages import Event, Request, Response, media_types
from mcp_compliance.reference.jsonrpc import (
    INVALID_REQUEST,
    TOO_MANY_CALLS,
    JSONObject,
    RequestId,
    RpcError,
)
from mcp_compliance.reference.rates import Allowance
from mcp_compliance.reference.session import Session

PATH = "/mcp"
VERBS = ("GET", "POST", "DELETE")

# the oldest session is ended when there would be more than this
SESSIONS_AT_MOST = 1000

# Answered with an event stream; everything else with one JSON object. ping is among them because it is the
# cheapest request on which a client can be tried with both.
STREAMED = ("tools/call", "ping")

Answer = Callable[[Session, JSONObject], Iterator[JSONObject]]


@dataclass(eq=False)
class _Open:
    """An open session: its state, whose it is, and what is left of its allowance of calls, by tool."""

    session: Session
    owner: str | None
    allowance: Allowance = field(default_factory=Allowance)


class Endpoint:
    """One MCP endpoint with its sessions. :meth:`respond` may be called from several threads at once."""

    def __init__(self, authorization: Authorization, answer: Answer = dispatch.answer) -> None:
        self._authorization = authorization
        self._answer = answer
        self._sessions: OrderedDict[str, _Open] = OrderedDict()
        self._lock = threading.Lock()

    def respond(self, request: Request) -> Response:
        """The response to ``request``. Its events have to be read to the end, or what makes them stops."""
        origin = request.header("origin")
        if origin is not None and not _is_local(origin):
            return refusal(403, "Forbidden: this Origin is not allowed")
        metadata = self._authorization.metadata(request)
        if metadata is not None:
            return metadata
        if request.path != PATH:
            return refusal(404, "Not found")
        if request.verb not in VERBS:
            return refusal(405, "Method not allowed", (("Allow", ", ".join(VERBS)),))
        challenge = self._authorization.challenge(request)
        if challenge is not None:
            return challenge
        version = request.header("mcp-protocol-version")
        if version is not None and version not in dispatch.SUPPORTED:
            return refusal(400, "Bad request: this MCP-Protocol-Version is not supported")
        return {"GET": self._get, "POST": self._post, "DELETE": self._delete}[request.verb](request)

    def _get(self, request: Request) -> Response:
        if not media_types(request.header("accept")) & {"text/event-stream", "text/*", "*/*"}:
            return refusal(406, "Not acceptable: accept text/event-stream")
        found = self._find(request, None)
        return found if isinstance(found, Response) else Response(200, feed=found.session)

    def _delete(self, request: Request) -> Response:
        found = self._find(request, None)
        if isinstance(found, Response):
            return found
        with self._lock:
            self._sessions.pop(request.header("mcp-session-id") or "", None)
        found.session.end()
        return Response(204)

    def _post(self, request: Request) -> Response:
        if media_types(request.header("content-type")) != {"application/json"}:
            return refusal(415, "Unsupported media type: send application/json")
        accepted = media_types(request.header("accept"))
        if not (
            accepted & {"application/json", "application/*", "*/*"}
            and accepted & {"text/event-stream", "text/*", "*/*"}
        ):
            return refusal(406, "Not acceptable: accept both application/json and text/event-stream")
        id_: RequestId | None = None
        try:
            decoded = jsonrpc.decode(request.body)
            id_ = jsonrpc.request_id(decoded)
            kind, message = jsonrpc.classify(decoded)
        except RpcError as problem:
            return json_response(400, jsonrpc.error(id_, problem))
        opens = kind == "request" and jsonrpc.method_of(message) == "initialize"
        if opens and request.header("mcp-session-id") is None:
            return self._initialize(request, message)
        found = self._find(request, id_)
        if isinstance(found, Response):
            return found
        if kind != "request":
            for _ in self._answer(found.session, message):
                pass
            return Response(202)
        return self._request(found, message)

    def _initialize(self, request: Request, message: JSONObject) -> Response:
        session = Session()
        response = list(self._answer(session, message))[-1]
        if "error" in response:
            return json_response(200, response)
        id_ = secrets.token_urlsafe(32)
        with self._lock:
            self._sessions[id_] = _Open(session, self._authorization.owner(request))
            dropped = self._sessions.popitem(last=False)[1] if len(self._sessions) > SESSIONS_AT_MOST else None
        if dropped is not None:
            dropped.session.end()
        return json_response(200, response, (("MCP-Session-Id", id_),))

    def _request(self, found: _Open, message: JSONObject) -> Response:
        method = jsonrpc.method_of(message)
        if method == "tools/call" and not found.allowance.take(str(jsonrpc.params_of(message).get("name"))):
            problem = RpcError(TOO_MANY_CALLS, "Too many calls of this tool; try again in a second")
            limited = jsonrpc.error(jsonrpc.request_id(message), problem)
            return json_response(429, limited, (("Retry-After", "1"),))
        answers = self._answer(found.session, message)
        if method in STREAMED:
            return Response(200, events=(Event(jsonrpc.encode(one).decode()) for one in answers))
        return json_response(200, list(answers)[-1])

    def _find(self, request: Request, id_: RequestId | None) -> _Open | Response:
        """The session that the request names, or the refusal when it names none that is open."""
        name = request.header("mcp-session-id")
        if name is None:
            return refusal(400, "Bad request: the MCP-Session-Id header is missing", id_=id_)
        with self._lock:
            found = self._sessions.get(name)
            if found is None or found.owner != self._authorization.owner(request):
                return refusal(404, "Not found: there is no such session", id_=id_)
            self._sessions.move_to_end(name)
            return found


def json_response(status: int, message: JSONObject, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """``message`` as the JSON body of a response."""
    return Response(status, (("Content-Type", "application/json"), *headers), jsonrpc.encode(message))


def refusal(
    status: int, text: str, headers: tuple[tuple[str, str], ...] = (), id_: RequestId | None = None
) -> Response:
    """An HTTP refusal whose body says the same as a JSON-RPC error -32600."""
    return json_response(status, jsonrpc.error(id_, RpcError(INVALID_REQUEST, text)), headers)


def _is_local(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.hostname in ("localhost", "127.0.0.1", "::1")
    except ValueError:
        return False
