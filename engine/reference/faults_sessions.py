"""Faults of sessions, of the Origin check and of CORS."""

from __future__ import annotations

import itertools
from dataclasses import replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.fault_model import HTTP, Fault, Respond, is_post, relabelled, server_error, with_header
from mcp_compliance.reference.http_messages import Request, Response, refusal
from mcp_compliance.reference.jsonrpc import JSONObject

SESSION = "mcp-session-id"

_HANDSHAKE: JSONObject = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "nobody", "version": "0"},
    },
}


def _issued(response: Response) -> str | None:
    return next((value for name, value in response.headers if name.lower() == SESSION), None)


def _session_not_required(respond: Respond, request: Request) -> Response:
    response = respond(request)
    if request.verb != "POST" or response.status != 400 or SESSION in request.headers:
        return response
    if "method" not in request.message or is_post(request, "initialize"):
        return response
    opened = _issued(respond(replace(request, body=jsonrpc.encode(_HANDSHAKE))))
    return respond(with_header(request, SESSION, opened))


class _UnknownSession400:
    """Says 400 instead of 404 for an id that was never issued; an ended session is still 404."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __call__(self, respond: Respond, request: Request) -> Response:
        response = respond(request)
        self._known |= {_issued(response) or ""}
        named = request.header(SESSION)
        if response.status == 404 and named is not None and named not in self._known:
            return replace(response, status=400)
        return response


def _delete_forgets(respond: Respond, request: Request) -> Response:
    if request.verb == "DELETE" and SESSION in request.headers:
        return Response(204)
    return respond(request)


class _Counted:
    """Numbers the sessions instead of naming them at random."""

    def __init__(self) -> None:
        self._numbers = itertools.count(100_000_000_000_000_001)
        self._names: dict[str, str] = {}

    def __call__(self, respond: Respond, request: Request) -> Response:
        named = request.header(SESSION)
        response = respond(with_header(request, SESSION, self._names.get(named, "unknown")) if named else request)
        issued = _issued(response)
        if issued is None:
            return response
        number = str(next(self._numbers))
        self._names[number] = issued
        return relabelled(response, "MCP-Session-Id", number)


def _reinit_500(respond: Respond, request: Request) -> Response:
    if is_post(request, "initialize") and SESSION in request.headers:
        problem = jsonrpc.RpcError(jsonrpc.INTERNAL_ERROR, "Internal error")
        body = jsonrpc.encode(jsonrpc.error(jsonrpc.request_id(request.message), problem))
        return Response(500, (("Content-Type", "application/json"),), body)
    return respond(request)


def _any_origin(respond: Respond, request: Request) -> Response:
    return respond(with_header(request, "origin", None))


def _cors_reflected(respond: Respond, request: Request) -> Response:
    response = respond(request)
    origin = request.header("origin")
    if origin is None:
        return response
    allowed = relabelled(response, "Access-Control-Allow-Origin", origin)
    return relabelled(allowed, "Access-Control-Allow-Credentials", "true")


def _cancellation_refused(respond: Respond, request: Request) -> Response:
    if is_post(request, "notifications/cancelled"):
        return refusal(400, "Bad request: no such request is in progress")
    return respond(request)


def _progress_500(respond: Respond, request: Request) -> Response:
    return server_error() if is_post(request, "notifications/progress") else respond(request)


FAULTS = (
    Fault(
        "session-not-required",
        "A server with sessions refuses a request that names none.",
        ("transport-session-id",),
        HTTP,
        http=_session_not_required,
    ),
    Fault(
        "unknown-session-400",
        "A request that names a session which does not exist is answered 404.",
        ("transport-session-invalid",),
        HTTP,
        http=_UnknownSession400(),
    ),
    Fault(
        "ended-session-served",
        "Once a session is ended, requests that name it are answered 404.",
        ("transport-session-invalid", "transport-delete"),
        HTTP,
        http=_delete_forgets,
    ),
    Fault(
        "session-id-counted",
        "Session ids are random.",
        ("security-session-entropy",),
        HTTP,
        http=_Counted(),
    ),
    Fault(
        "second-initialize-500",
        "A second initialize in a session does not break the server.",
        ("lifecycle-reinit-reject",),
        HTTP,
        http=_reinit_500,
    ),
    Fault(
        "any-origin-served",
        "A request with a foreign Origin is answered 403.",
        ("security-origin-validation",),
        HTTP,
        http=_any_origin,
    ),
    Fault(
        "cors-reflected",
        "Foreign web pages are not allowed to read the answers.",
        ("security-cors-headers",),
        HTTP,
        http=_cors_reflected,
    ),
    Fault(
        "cancellation-refused",
        "A cancellation of a request that is done is ignored.",
        ("lifecycle-cancellation", "transport-notification-202"),
        HTTP,
        http=_cancellation_refused,
    ),
    Fault(
        "progress-500",
        "Progress that nobody asked for does no harm.",
        ("lifecycle-progress",),
        HTTP,
        http=_progress_500,
    ),
)
