"""GET, POST and DELETE of MCP 2025-11-25: its sessions, and their event streams."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from mcp_compliance.reference import dispatch, jsonrpc
from mcp_compliance.reference.authorization import Authorization
from mcp_compliance.reference.http_messages import Event, Request, Response, json_response, media_types, refusal
from mcp_compliance.reference.jsonrpc import TOO_MANY_CALLS, JSONObject, Kind, RequestId, RpcError
from mcp_compliance.reference.rates import Allowance
from mcp_compliance.reference.session import Answer, Session

# the oldest session is ended when there would be more than this
SESSIONS_AT_MOST = 1000

# Answered with an event stream; everything else with one JSON object. ping is among them because it is the
# cheapest request on which a client can be tried with both.
STREAMED = ("tools/call", "ping")


@dataclass(eq=False)
class _Open:
    """An open session: its state, whose it is, and what is left of its allowance of calls, by tool."""

    session: Session
    owner: str | None
    allowance: Allowance = field(default_factory=Allowance)


class LegacyEndpoint:
    """Sessions by their id. Whoever calls has let the request pass as ``authorization`` says."""

    def __init__(self, authorization: Authorization, answer: Answer) -> None:
        self._authorization = authorization
        self._answer = answer
        self._sessions: OrderedDict[str, _Open] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, request: Request) -> Response:
        """The stream of what a session posts."""
        if not media_types(request.header("accept")) & {"text/event-stream", "text/*", "*/*"}:
            return refusal(406, "Not acceptable: accept text/event-stream")
        found = self._find(request, None)
        return found if isinstance(found, Response) else Response(200, feed=found.session)

    def delete(self, request: Request) -> Response:
        """End a session."""
        found = self._find(request, None)
        if isinstance(found, Response):
            return found
        with self._lock:
            self._sessions.pop(request.header("mcp-session-id") or "", None)
        found.session.end()
        return Response(204)

    def post(self, request: Request, kind: Kind, message: JSONObject) -> Response:
        """The response to a message that ``request`` carries."""
        opens = kind == "request" and jsonrpc.method_of(message) == "initialize"
        if opens and request.header("mcp-session-id") is None:
            return self._initialize(request, message)
        found = self._find(request, jsonrpc.request_id(message))
        if isinstance(found, Response):
            return found
        if kind != "request":
            for _ in self._answer(found.session, message):
                pass
            return Response(202)
        return self._request(found, message)

    def _initialize(self, request: Request, message: JSONObject) -> Response:
        unsupported = self._refused_version(request, jsonrpc.request_id(message))
        if unsupported is not None:
            return unsupported
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
        unsupported = self._refused_version(request, id_)
        if unsupported is not None:
            return unsupported
        name = request.header("mcp-session-id")
        if name is None:
            return refusal(400, "Bad request: the MCP-Session-Id header is missing", id_=id_)
        with self._lock:
            found = self._sessions.get(name)
            if found is None or found.owner != self._authorization.owner(request):
                return refusal(404, "Not found: there is no such session", id_=id_)
            self._sessions.move_to_end(name)
            return found

    def _refused_version(self, request: Request, id_: RequestId | None) -> Response | None:
        version = request.header("mcp-protocol-version")
        if version is None or version in dispatch.SUPPORTED:
            return None
        return refusal(400, "Bad request: this MCP-Protocol-Version is not supported", id_=id_)
