"""The methods of MCP 2025-11-25: one message in, the messages that answer it out.

No transport is known here. Whoever calls :func:`answer` has checked with ``jsonrpc.classify`` that the
message is a request, a notification or a response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_compliance.reference import features, jsonrpc
from mcp_compliance.reference.calls import ProgressToken, arguments_of, run
from mcp_compliance.reference.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    JSONObject,
    RequestId,
    RpcError,
    as_object,
    text_param,
)
from mcp_compliance.reference.paging import page
from mcp_compliance.reference.resources import read
from mcp_compliance.reference.schema_check import violations
from mcp_compliance.reference.session import LOG_LEVELS, Session
from mcp_compliance.reference.tools import TOOLS, failed

LATEST = "2025-11-25"
# 2025-03-26 is left out on purpose: it has batches, and those are not served
SUPPORTED = (LATEST, "2025-06-18")

CAPABILITIES: JSONObject = {
    "tools": {},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {},
    "logging": {},
    "completions": {},
}
SERVER_INFO: JSONObject = {
    "name": "mcp-compliance-reference",
    "title": "Harbour notebook (reference server)",
    "version": "1.0.0",
}
INSTRUCTIONS = "A small notebook about a harbour. Notes are resources; tools search, read and write them."


def answer(session: Session, message: JSONObject) -> Iterator[JSONObject]:
    """The messages that answer ``message``, the response last.

    Nothing for a notification or a response, and no response for a request that was cancelled meanwhile.
    """
    method, params, id_ = jsonrpc.method_of(message), jsonrpc.params_of(message), jsonrpc.request_id(message)
    if id_ is None:
        notified(session, method, params)
        return
    if not method:
        return  # a response: this server asks nothing, so nobody waits for it
    try:
        if method not in METHODS:
            raise RpcError(METHOD_NOT_FOUND, "Method not found")
        if session.version is None and method not in ("initialize", "ping"):
            raise RpcError(INVALID_REQUEST, "Invalid request: initialize comes first")
        if method == "tools/call":
            yield from _call_tool(session, id_, params)
        else:
            yield jsonrpc.result(id_, _METHODS[method](session, params))
    except RpcError as problem:
        yield jsonrpc.error(id_, problem)


def may_wait(message: JSONObject) -> bool:
    """Whether answering ``message`` may take so long that others should not have to wait for it."""
    tool = TOOLS.get(str(jsonrpc.params_of(message).get("name")))
    return jsonrpc.method_of(message) == "tools/call" and tool is not None and tool.waits


def notified(session: Session, method: str, params: JSONObject) -> None:
    """Take note of a notification from the client; one that says nothing to this server is passed over."""
    id_ = params.get("requestId")
    if method == "notifications/cancelled" and isinstance(id_, (str, int)):
        session.cancel(id_)


def _call_tool(session: Session, id_: RequestId, params: JSONObject) -> Iterator[JSONObject]:
    tool = TOOLS.get(text_param(params, "name"))
    if tool is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown tool")
    arguments = arguments_of(params)
    wrong = violations(tool.input_schema, arguments)
    if wrong:
        # the model can mend its arguments, so it is told, and not the client (server/tools, error handling)
        yield jsonrpc.result(id_, failed("Invalid arguments: " + "; ".join(wrong)))
        return
    yield from session.log("info", f"{tool.name} was called")
    with session.running(id_) as call:
        outcome = yield from run(tool, session.notebook, arguments, _progress_token(params), call)
    if outcome is not None:
        yield jsonrpc.result(id_, outcome)


def _progress_token(params: JSONObject) -> ProgressToken | None:
    token = as_object(params.get("_meta")).get("progressToken")
    return token if isinstance(token, (str, int)) and not isinstance(token, bool) else None


def _initialize(session: Session, params: JSONObject) -> JSONObject:
    if session.version is not None:
        raise RpcError(INVALID_REQUEST, "Invalid request: the session is initialized already")
    asked = text_param(params, "protocolVersion")
    if not isinstance(params.get("capabilities"), dict) or not isinstance(params.get("clientInfo"), dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: capabilities and clientInfo are objects")
    session.version = asked if asked in SUPPORTED else LATEST
    return {
        "protocolVersion": session.version,
        "capabilities": CAPABILITIES,
        "serverInfo": SERVER_INFO,
        "instructions": INSTRUCTIONS,
    }


def _set_level(session: Session, params: JSONObject) -> JSONObject:
    level = text_param(params, "level")
    if level not in LOG_LEVELS:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown log level")
    session.log_level = level
    return {}


def _found(session: Session, params: JSONObject) -> JSONObject:
    uri = text_param(params, "uri")
    contents = read(session.notebook, uri)
    if contents is None:
        raise RpcError(RESOURCE_NOT_FOUND, "Resource not found", {"uri": uri})
    return contents


def _read(session: Session, params: JSONObject) -> JSONObject:
    return {"contents": [_found(session, params)]}


def _subscribe(session: Session, params: JSONObject) -> JSONObject:
    _found(session, params)  # raises when there is nothing to watch
    session.subscriptions.add(text_param(params, "uri"))
    return {}


def _unsubscribe(session: Session, params: JSONObject) -> JSONObject:
    session.subscriptions.discard(text_param(params, "uri"))
    return {}


_METHODS: dict[str, Callable[[Session, JSONObject], JSONObject]] = {
    "initialize": _initialize,
    "ping": lambda session, params: {},
    "logging/setLevel": _set_level,
    "completion/complete": lambda session, params: features.complete(session.notebook, params),
    "tools/list": lambda session, params: page("tools", [tool.listed() for tool in TOOLS.values()], params),
    "resources/list": lambda session, params: page("resources", features.resources(session.notebook), params),
    "resources/templates/list": lambda session, params: page(
        "resourceTemplates", features.templates(session.notebook), params
    ),
    "resources/read": _read,
    "resources/subscribe": _subscribe,
    "resources/unsubscribe": _unsubscribe,
    "prompts/list": lambda session, params: page("prompts", features.prompts(session.notebook), params),
    "prompts/get": lambda session, params: features.get_prompt(session.notebook, params),
}
METHODS = frozenset({*_METHODS, "tools/call"})
