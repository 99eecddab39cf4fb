"""The methods of MCP 2025-11-25: one message in, the messages that answer it out.

No transport is known here. Whoever calls :func:`answer` has checked with ``jsonrpc.classify`` that the
message is a request, a notification or a response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    JSON,
    METHOD_NOT_FOUND,
    JSONObject,
    RequestId,
    RpcError,
    as_object,
)
from mcp_compliance.reference.paging import page
from mcp_compliance.reference.prompts import PROMPTS
from mcp_compliance.reference.resources import TEMPLATES, read
from mcp_compliance.reference.schema_check import violations
from mcp_compliance.reference.session import LOG_LEVELS, Session
from mcp_compliance.reference.tools import TOOLS, Change, failed

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

COMPLETIONS_AT_MOST = 100


def answer(session: Session, message: JSONObject) -> Iterator[JSONObject]:
    """The messages that answer ``message``, the response last.

    Nothing for a notification or a response, and no response for a request that was cancelled meanwhile.
    """
    method, params, id_ = jsonrpc.method_of(message), jsonrpc.params_of(message), jsonrpc.request_id(message)
    if id_ is None:
        _notified(session, method, params)
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


def _notified(session: Session, method: str, params: JSONObject) -> None:
    id_ = params.get("requestId")
    if method == "notifications/cancelled" and isinstance(id_, (str, int)):
        session.cancel(id_)


def _call_tool(session: Session, id_: RequestId, params: JSONObject) -> Iterator[JSONObject]:
    tool = TOOLS.get(_text(params, "name"))
    if tool is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown tool")
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: the arguments are not an object")
    wrong = violations(tool.input_schema, arguments)
    if wrong:
        # the model can mend its arguments, so it is told, and not the client (server/tools, error handling)
        yield jsonrpc.result(id_, failed("Invalid arguments: " + "; ".join(wrong)))
        return
    token = _progress_token(params)
    yield from session.log("info", f"{tool.name} was called")
    with session.running(id_) as cancelled:
        steps = tool.run(session.notebook, arguments)
        while True:
            try:
                step = next(steps)
            except StopIteration as finished:
                outcome: JSONObject = finished.value
                break
            if isinstance(step, Change):
                session.changed(step.uri, step.new)
                continue
            if token is not None:
                report: JSONObject = {
                    "progressToken": token,
                    "progress": step.done,
                    "total": step.total,
                    "message": f"step {step.done} of {step.total}",
                }
                yield jsonrpc.notification("notifications/progress", report)
            if cancelled.wait(step.pause):
                return
    yield jsonrpc.result(id_, outcome)


def _progress_token(params: JSONObject) -> str | int | None:
    token = as_object(params.get("_meta")).get("progressToken")
    return token if isinstance(token, (str, int)) and not isinstance(token, bool) else None


def _initialize(session: Session, params: JSONObject) -> JSONObject:
    if session.version is not None:
        raise RpcError(INVALID_REQUEST, "Invalid request: the session is initialized already")
    asked = _text(params, "protocolVersion")
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
    level = _text(params, "level")
    if level not in LOG_LEVELS:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown log level")
    session.log_level = level
    return {}


def _read(session: Session, params: JSONObject) -> JSONObject:
    return {"contents": [read(session.notebook, _text(params, "uri"))]}


def _subscribe(session: Session, params: JSONObject) -> JSONObject:
    uri = _text(params, "uri")
    read(session.notebook, uri)  # raises when there is nothing to watch
    session.subscriptions.add(uri)
    return {}


def _unsubscribe(session: Session, params: JSONObject) -> JSONObject:
    session.subscriptions.discard(_text(params, "uri"))
    return {}


def _get_prompt(session: Session, params: JSONObject) -> JSONObject:
    prompt = PROMPTS.get(_text(params, "name"))
    if prompt is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown prompt")
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: the arguments are not an object")
    return prompt.get(session.notebook, arguments)


def _complete(session: Session, params: JSONObject) -> JSONObject:
    reference, argument = as_object(params.get("ref")), as_object(params.get("argument"))
    name, typed = _text(argument, "name"), _text(argument, "value")
    suggest: Callable[..., list[str]] | None = None
    if reference.get("type") == "ref/prompt":
        prompt = PROMPTS.get(_text(reference, "name"))
        found = prompt.argument(name) if prompt else None
        suggest = found.suggestions if found else None
    elif reference.get("type") == "ref/resource":
        template = TEMPLATES.get(_text(reference, "uri"))
        suggest = template.variables.get(name) if template else None
    if suggest is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: there is nothing of this name to complete")
    values: list[JSON] = [value for value in suggest(session.notebook) if value.startswith(typed)]
    shown = values[:COMPLETIONS_AT_MOST]
    return {"completion": {"values": shown, "total": len(values), "hasMore": len(shown) < len(values)}}


def _text(params: JSONObject, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} is not a string")
    return value


_METHODS: dict[str, Callable[[Session, JSONObject], JSONObject]] = {
    "initialize": _initialize,
    "ping": lambda session, params: {},
    "logging/setLevel": _set_level,
    "completion/complete": _complete,
    "tools/list": lambda s, params: page("tools", [tool.listed() for tool in TOOLS.values()], params),
    "resources/list": lambda s, params: page(
        "resources", [note.listed() for note in s.notebook.notes.values()], params
    ),
    "resources/templates/list": lambda s, params: page(
        "resourceTemplates", [template.listed() for template in TEMPLATES.values()], params
    ),
    "resources/read": _read,
    "resources/subscribe": _subscribe,
    "resources/unsubscribe": _unsubscribe,
    "prompts/list": lambda s, params: page("prompts", [prompt.listed() for prompt in PROMPTS.values()], params),
    "prompts/get": _get_prompt,
}
METHODS = frozenset({*_METHODS, "tools/call"})
