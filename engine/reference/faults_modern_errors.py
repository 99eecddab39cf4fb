"""Faults of MCP 2026-07-28: what is answered to requests that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.fault_model import (
    HTTP,
    Respond,
    crash_on,
    error_with,
    instead,
    modern,
)
from mcp_compliance.reference.faults_errors import is_call_of_unknown, is_call_without_name, recode
from mcp_compliance.reference.faults_modern_http import is_unknown
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import INVALID_REQUEST, METHOD_NOT_FOUND, JSONObject
from mcp_compliance.reference.modern import Modern
from mcp_compliance.reference.modern_meta import complete
from mcp_compliance.reference.session import Answer, Session
from mcp_compliance.reference.tools import said


def _called(text: str) -> Callable[[jsonrpc.RequestId, JSONObject], JSONObject]:
    return lambda id_, params: jsonrpc.result(id_, complete("tools/call", said(text)))


def _has_bad_cursor(message: JSONObject) -> bool:
    listed = jsonrpc.method_of(message).endswith("/list") and "cursor" in jsonrpc.params_of(message)
    return listed and any("error" in answer for answer in Modern().answer(Session(), message))


def _unknown_200(respond: Respond, request: Request) -> Response:
    response = respond(request)
    return replace(response, status=200) if b'"code":-32601' in response.body else response


def _id_lost(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    for out in answer(session, message):
        lost = is_call_of_unknown(message) and "error" in out
        yield {name: value for name, value in out.items() if name != "id"} if lost else out


_cursor_crash = crash_on(_has_bad_cursor)

FAULTS = (
    modern(
        "unknown-method-served",
        "A method that the server does not know is answered with an error.",
        "error-unknown-method",
        "error-method-code",
        "lifecycle-removed-methods",
        "stdio-unknown-method-recovers",
        rpc=instead(is_unknown, lambda id_, params: jsonrpc.result(id_, {"resultType": "complete"})),
    ),
    modern(
        "unknown-method-other-code",
        "The error for an unknown method has the code -32601.",
        "error-method-code",
        "lifecycle-removed-methods",
        rpc=error_with(METHOD_NOT_FOUND, recode(INVALID_REQUEST), is_unknown),
        allows={"error-unknown-method": "over HTTP the status of such an error is not 404"},
    ),
    modern(
        "unknown-method-200",
        "An unknown method is answered 404.",
        "error-unknown-method",
        "lifecycle-removed-methods",
        transports=HTTP,
        http=_unknown_200,
    ),
    modern(
        "call-without-name-served",
        "A call that names no tool is answered with an error.",
        "error-missing-params",
        rpc=instead(is_call_without_name, _called("nothing was called")),
    ),
    modern(
        "unknown-tool-served",
        "A call of a tool that does not exist is answered with an error.",
        "tools-call-unknown",
        rpc=instead(is_call_of_unknown, _called("done")),
    ),
    modern(
        "bad-cursor-crashes",
        "A cursor that the server has not handed out is refused without harm.",
        "error-invalid-cursor",
        rpc=_cursor_crash.rpc,
        http=_cursor_crash.http,
    ),
    modern(
        "error-id-lost",
        "An error carries the id of its request.",
        "error-id-echo",
        rpc=_id_lost,
        allows={"tools-call-unknown": "over stdio the answer is not recognised"},
    ),
)
