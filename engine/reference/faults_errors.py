"""Faults of what is answered to requests that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakSet

from mcp_compliance.reference import dispatch, jsonrpc
from mcp_compliance.reference.fault_model import (
    HTTP,
    STDIO,
    Fault,
    HttpHook,
    Respond,
    crash_on,
    error_with,
    instead,
    is_method,
)
from mcp_compliance.reference.http_messages import Request, Response, json_response
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, JSONObject
from mcp_compliance.reference.modern_tools import MODERN_TOOLS
from mcp_compliance.reference.session import Answer, Session
from mcp_compliance.reference.tools import said


def _is_unknown(message: JSONObject) -> bool:
    return "id" in message and jsonrpc.method_of(message) not in dispatch.METHODS


def is_call_without_name(message: JSONObject) -> bool:
    """Whether ``message`` calls a tool and does not say which."""
    return is_method("tools/call")(message) and "name" not in jsonrpc.params_of(message)


def is_call_of_unknown(message: JSONObject) -> bool:
    """Whether ``message`` calls a tool that does not exist."""
    name = jsonrpc.params_of(message).get("name")
    return is_method("tools/call")(message) and isinstance(name, str) and name not in MODERN_TOOLS


def _has_bad_cursor(message: JSONObject) -> bool:
    method, params = jsonrpc.method_of(message), jsonrpc.params_of(message)
    if not method.endswith("/list") or "cursor" not in params:
        return False
    answers = dispatch.answer(_opened(), {**message, "id": 0})
    return any("error" in answer for answer in answers)


def _opened() -> Session:
    session = Session()
    session.version = dispatch.LATEST
    return session


def calls(text: str) -> Callable[[jsonrpc.RequestId, JSONObject], JSONObject]:
    return lambda id_, params: jsonrpc.result(id_, said(text))


def recode(code: int) -> Callable[[JSONObject], JSONObject]:
    """The change of an error to this code."""
    return lambda error: {**error, "code": code}


def _refused_with(status_of: int, change: Callable[[Request, JSONObject], Response | None]) -> HttpHook:
    """Put ``change(request, error)`` in the place of a refusal with this JSON-RPC code, unless it is None."""

    def hook(respond: Respond, request: Request) -> Response:
        response = respond(request)
        if request.verb != "POST" or response.status != 400 or not response.body:
            return response
        error = jsonrpc.as_object(jsonrpc.decode(response.body))
        if jsonrpc.as_object(error.get("error")).get("code") != status_of:
            return response
        return change(request, error) or response

    return hook


def _code_on_400(code: int) -> Callable[[Request, JSONObject], Response]:
    def change(request: Request, error: JSONObject) -> Response:
        problem = {**jsonrpc.as_object(error["error"]), "code": code}
        return json_response(400, {**error, "error": problem})

    return change


def _stranger_taken(request: Request, error: JSONObject) -> Response | None:
    message = request.message
    return Response(202) if message and "jsonrpc" not in message else None


def _invalid_request_recoded(request: Request, error: JSONObject) -> Response | None:
    # not for objects without jsonrpc, and not for refusals of well-formed messages (a missing session)
    try:
        jsonrpc.classify(request.message)
    except jsonrpc.RpcError:
        return _code_on_400(INVALID_PARAMS)(request, error) if "jsonrpc" in request.message else None
    return None


class DeafAfterUnknown:
    """Answers an unknown method as it should, and then overhears a request of ``method`` that follows at once."""

    def __init__(self, is_unknown: Callable[[JSONObject], bool], method: str) -> None:
        self._is_unknown = is_unknown
        self._method = method
        self._dazed: WeakSet[Session] = WeakSet()

    def __call__(self, answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        dazed = session in self._dazed
        self._dazed.discard(session)
        if self._is_unknown(message):
            self._dazed.add(session)
        if not (dazed and is_method(self._method)(message)):
            yield from answer(session, message)


_cursor_crash = crash_on(_has_bad_cursor)

FAULTS = (
    Fault(
        "unknown-method-served",
        "A method that the server does not know is answered with an error.",
        ("error-unknown-method", "error-method-code", "stdio-unknown-method-recovers"),
        rpc=instead(_is_unknown, lambda id_, params: jsonrpc.result(id_, {})),
    ),
    Fault(
        "unknown-method-other-code",
        "The error for an unknown method has the code -32601.",
        ("error-method-code", "stdio-unknown-method-recovers"),
        rpc=error_with(METHOD_NOT_FOUND, recode(INVALID_REQUEST), _is_unknown),
    ),
    Fault(
        "deaf-after-unknown-method",
        "After an unknown method the server goes on answering.",
        ("stdio-unknown-method-recovers",),
        STDIO,
        rpc=DeafAfterUnknown(_is_unknown, "ping"),
        allows={"error-unknown-method": "may look whether the server still answers"},
    ),
    Fault(
        "strange-object-taken",
        "An object that is no JSON-RPC message is refused.",
        ("error-invalid-jsonrpc",),
        HTTP,
        http=_refused_with(INVALID_REQUEST, _stranger_taken),
    ),
    Fault(
        "broken-json-taken",
        "A body that is not JSON is refused.",
        ("error-invalid-json", "error-parse-code"),
        HTTP,
        http=_refused_with(jsonrpc.PARSE_ERROR, lambda request, error: Response(202)),
    ),
    Fault(
        "broken-json-other-code",
        "The error for a body that is not JSON has the code -32700.",
        ("error-parse-code",),
        HTTP,
        http=_refused_with(jsonrpc.PARSE_ERROR, _code_on_400(INVALID_REQUEST)),
    ),
    Fault(
        "invalid-request-other-code",
        "The error for a message that is no valid request has the code -32600.",
        ("error-invalid-request-code",),
        HTTP,
        http=_refused_with(INVALID_REQUEST, _invalid_request_recoded),
    ),
    Fault(
        "call-without-name-served",
        "A call that names no tool is answered with an error.",
        ("error-missing-params",),
        rpc=instead(is_call_without_name, calls("nothing was called")),
    ),
    Fault(
        "unknown-tool-served",
        "A call of a tool that does not exist is answered with an error.",
        ("tools-call-unknown",),
        rpc=instead(is_call_of_unknown, calls("done")),
    ),
    Fault(
        "bad-cursor-crashes",
        "A cursor that the server has not handed out is refused without harm.",
        ("error-invalid-cursor",),
        rpc=_cursor_crash.rpc,
        http=_cursor_crash.http,
    ),
)
