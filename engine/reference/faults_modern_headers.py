"""Faults of MCP 2026-07-28: the headers of a POST, and what GET, DELETE and sessions have become."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.endpoint import PATH
from mcp_compliance.reference.fault_model import HTTP, HttpHook, Respond, modern, relabelled, with_header
from mcp_compliance.reference.fault_rules import MIRRORED
from mcp_compliance.reference.http_messages import Request, Response, refusal
from mcp_compliance.reference.jsonrpc import INVALID_REQUEST, as_object
from mcp_compliance.reference.modern_headers import HEADER_MISMATCH
from mcp_compliance.reference.modern_meta import PROTOCOL_VERSION, meta_of
from mcp_compliance.reference.session import Session

VERSION, METHOD, NAME, SESSION = "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"

_SPELLED = {"MCP-Protocol-Version", "Mcp-Method"}

Source = Callable[[Request], str | None]


def _version(request: Request) -> str | None:
    version = meta_of(request.message).get(PROTOCOL_VERSION)
    return version if isinstance(version, str) else None


def _method(request: Request) -> str | None:
    return jsonrpc.method_of(request.message) or None


def _name(request: Request) -> str | None:
    params = jsonrpc.params_of(request.message)
    named = params.get("name", params.get("uri"))
    return named if isinstance(named, str) else None


def _read_from_the_body(header: str, source: Source, *, when_missing: bool) -> HttpHook:
    """Take what the body says for what the header should say, if the header is missing, or else if it is there."""

    def hook(respond: Respond, request: Request) -> Response:
        value = source(request) if request.verb == "POST" else None
        missing = header not in request.headers
        return respond(with_header(request, header, value) if value and missing == when_missing else request)

    return hook


def _other_code(respond: Respond, request: Request) -> Response:
    response = respond(request)
    message = as_object(jsonrpc.decode(response.body)) if response.status == 400 and response.body else {}
    error = as_object(message.get("error"))
    if error.get("code") != HEADER_MISMATCH:
        return response
    return replace(response, body=jsonrpc.encode({**message, "error": {**error, "code": INVALID_REQUEST}}))


def _spelling_matters(respond: Respond, request: Request) -> Response:
    for name in _SPELLED - set(request.spelled):
        request = with_header(request, name.lower(), None)
    return respond(request)


def _get_stream(respond: Respond, request: Request) -> Response:
    opens = request.verb == "GET" and request.path == PATH
    return Response(200, feed=Session()) if opens else respond(request)


def _delete_204(respond: Respond, request: Request) -> Response:
    return Response(204) if request.verb == "DELETE" and request.path == PATH else respond(request)


def _session_minted(respond: Respond, request: Request) -> Response:
    response = respond(request)
    if request.verb != "POST" or response.status != 200:
        return response
    return relabelled(response, "Mcp-Session-Id", request.header(SESSION) or "f6a7c1d0b24e4d9f8f0c")


def _session_looked_up(respond: Respond, request: Request) -> Response:
    if SESSION in request.headers:
        return refusal(404, "Not found: there is no such session", id_=jsonrpc.request_id(request.message))
    return respond(request)


FAULTS = (
    modern(
        "version-header-optional",
        "A request without MCP-Protocol-Version is refused.",
        "transport-header-version-required",
        transports=HTTP,
        http=_read_from_the_body(VERSION, _version, when_missing=True),
    ),
    modern(
        "version-header-unread",
        "MCP-Protocol-Version is compared with the version in _meta, before the version is looked at.",
        "transport-header-version-mismatch",
        transports=HTTP,
        http=_read_from_the_body(VERSION, _version, when_missing=False),
    ),
    modern(
        "method-header-optional",
        "A request without Mcp-Method is refused.",
        "transport-header-method-required",
        transports=HTTP,
        http=_read_from_the_body(METHOD, _method, when_missing=True),
    ),
    modern(
        "method-header-unread",
        "Mcp-Method is compared with the method in the body.",
        "transport-header-method-mismatch",
        transports=HTTP,
        http=_read_from_the_body(METHOD, _method, when_missing=False),
    ),
    modern(
        "name-header-unread",
        "Mcp-Name is compared with the name or the URI in the body.",
        "transport-header-name-mismatch",
        transports=HTTP,
        http=_read_from_the_body(NAME, _name, when_missing=False),
    ),
    modern(
        "header-mismatch-other-code",
        "The error for a header that is missing or wrong has the code -32020.",
        *MIRRORED,
        transports=HTTP,
        http=_other_code,
    ),
    modern(
        "header-spelling-matters",
        "Header names are compared without regard to case.",
        "transport-header-case-insensitive",
        transports=HTTP,
        http=_spelling_matters,
    ),
    modern(
        "get-stream",
        "GET is answered 405.",
        "transport-get-removed",
        transports=HTTP,
        http=_get_stream,
        needs="alone",
    ),
    modern(
        "delete-204",
        "DELETE is answered 405.",
        "transport-delete-removed",
        transports=HTTP,
        http=_delete_204,
        needs="alone",
    ),
    modern(
        "session-minted",
        "There are no sessions: no Mcp-Session-Id is given out.",
        "transport-session-ignored",
        transports=HTTP,
        http=_session_minted,
        needs="alone",
    ),
    modern(
        "session-looked-up",
        "There are no sessions: an Mcp-Session-Id that comes with a request is ignored.",
        "transport-session-ignored",
        transports=HTTP,
        http=_session_looked_up,
        needs="alone",
    ),
)
