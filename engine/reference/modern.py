"""The methods of MCP 2026-07-28: one request in, the messages that answer it out, whatever came before.

No transport is known here. Whoever calls :meth:`Modern.answer` has checked with ``jsonrpc.classify`` that the
message is a request, a notification or a response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mcp_compliance.reference import dispatch, features, jsonrpc
from mcp_compliance.reference.calls import arguments_of, run
from mcp_compliance.reference.input_required import RequestStates
from mcp_compliance.reference.jsonrpc import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    JSONObject,
    RequestId,
    RpcError,
    text_param,
)
from mcp_compliance.reference.modern_meta import REVISION, RequestMeta, complete, meta_of, read_meta
from mcp_compliance.reference.modern_tools import ASKING, MODERN_TOOLS
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.paging import page
from mcp_compliance.reference.rates import Allowance
from mcp_compliance.reference.resources import read
from mcp_compliance.reference.schema_check import violations
from mcp_compliance.reference.session import Session
from mcp_compliance.reference.subscriptions import listen
from mcp_compliance.reference.tools import Tool, failed

UNSUPPORTED_PROTOCOL_VERSION = -32022
# outside the range that JSON-RPC reserves, as errors of one's own should be (basic/index, error codes)
TOO_MANY_REQUESTS = 429

# "the versions it does support": those of the legacy era among them, since a client that knows no other may open
# them with initialize, and learns of them nowhere else
ALL_REVISIONS = (REVISION, *dispatch.SUPPORTED)

_LISTS: dict[str, tuple[str, Callable[[Notebook], list[JSONObject]]]] = {
    "tools/list": ("tools", lambda notebook: [tool.listed() for tool in MODERN_TOOLS.values()]),
    "resources/list": ("resources", features.resources),
    "resources/templates/list": ("resourceTemplates", features.templates),
    "prompts/list": ("prompts", features.prompts),
}
METHODS = frozenset(
    {
        *_LISTS,
        "server/discover",
        "tools/call",
        "resources/read",
        "prompts/get",
        "completion/complete",
        "subscriptions/listen",
    }
)


class _Asked(NamedTuple):
    """One request: who asks for what, and what it says of itself."""

    session: Session
    id: RequestId
    method: str
    params: JSONObject
    meta: RequestMeta

    def completed(self, value: JSONObject) -> JSONObject:
        return jsonrpc.result(self.id, complete(self.method, value))


class Modern:
    """Answers requests, and remembers nothing but how often each client has called what. Any thread may use it."""

    def __init__(self, revisions: tuple[str, ...] = ALL_REVISIONS) -> None:
        self._revisions = revisions
        self._states = RequestStates()
        self._allowance = Allowance()

    def answer(self, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        """The messages that answer ``message``, the response last.

        Nothing for a notification or a response, and no response for a request that was cancelled meanwhile.
        """
        method, params, id_ = jsonrpc.method_of(message), jsonrpc.params_of(message), jsonrpc.request_id(message)
        if id_ is None:
            dispatch.notified(session, method, params)
            return
        if not method:
            return  # a response: this server asks nothing, so nobody waits for it
        try:
            if is_handshake(message):
                raise self._unsupported(text_param(params, "protocolVersion"))
            meta = read_meta(message)
            if meta.version != REVISION:
                raise self._unsupported(meta.version)
            if method not in METHODS:
                raise RpcError(METHOD_NOT_FOUND, "Method not found")
            yield from self._answer(_Asked(session, id_, method, params, meta))
        except RpcError as problem:
            yield jsonrpc.error(id_, problem)

    def _answer(self, asked: _Asked) -> Iterator[JSONObject]:
        notebook, params = asked.session.notebook, asked.params
        if "requestState" in params:
            # an input that anybody may have made up, whether or not it plays a part in this request
            self._states.check(params["requestState"], asked.session.client, asked.method, params)
        match asked.method:
            case "tools/call":
                yield from self._call_tool(asked)
            case "subscriptions/listen":
                yield from listen(asked.session, asked.id, params)
            case "server/discover":
                yield asked.completed(self._discovered())
            case "resources/read":
                yield asked.completed(_read(notebook, params))
            case "prompts/get":
                yield asked.completed(features.get_prompt(notebook, params))
            case "completion/complete":
                self._spend(asked, asked.method)
                yield asked.completed(features.complete(notebook, params))
            case _:
                key, items = _LISTS[asked.method]
                yield asked.completed(page(key, items(notebook), params))

    def _unsupported(self, requested: str) -> RpcError:
        versions: JSONObject = {"supported": [*self._revisions], "requested": requested}
        return RpcError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", versions)

    def _discovered(self) -> JSONObject:
        return {
            "supportedVersions": [*self._revisions],
            "capabilities": dispatch.CAPABILITIES,
            "instructions": dispatch.INSTRUCTIONS,
        }

    def _call_tool(self, asked: _Asked) -> Iterator[JSONObject]:
        tool = MODERN_TOOLS.get(text_param(asked.params, "name"))
        if tool is None:
            raise RpcError(INVALID_PARAMS, "Invalid params: unknown tool")
        arguments = arguments_of(asked.params)
        self._spend(asked, tool.name)
        wrong = violations(tool.input_schema, arguments)
        if wrong:
            # the model can mend its arguments, so it is told, and not the client (server/tools, error handling)
            yield asked.completed(failed("Invalid arguments: " + "; ".join(wrong)))
            return
        if tool.name in ASKING:
            yield self._ask_or_finish(asked, tool, arguments)
            return
        if asked.meta.wants_log("info"):
            log: JSONObject = {"level": "info", "logger": "harbour", "data": f"{tool.name} was called"}
            yield jsonrpc.notification("notifications/message", log)
        with asked.session.running(asked.id) as call:
            outcome = yield from run(tool, asked.session.notebook, arguments, asked.meta.progress_token, call)
        if outcome is not None:
            yield asked.completed(outcome)

    def _ask_or_finish(self, asked: _Asked, tool: Tool, arguments: JSONObject) -> JSONObject:
        question = ASKING[tool.name].question(arguments)
        question.demand(asked.meta.capabilities)
        answer = question.answered(asked.params)
        # an answer without the state that came with the question is an answer to no question
        if answer is not None and "requestState" in asked.params:
            outcome = ASKING[tool.name].finish(arguments, answer)
            if outcome is not None:
                return asked.completed(outcome)
        state = self._states.issue(asked.session.client, asked.method, asked.params)
        return jsonrpc.result(asked.id, question.asked(state))

    def _spend(self, asked: _Asked, name: str) -> None:
        if not self._allowance.take((asked.session.client, name)):
            raise RpcError(TOO_MANY_REQUESTS, "Too many requests of this kind; try again in a second")


def is_handshake(message: JSONObject) -> bool:
    """Whether ``message`` opens a session of the legacy era.

    Where that era is not served, the refusal names the versions that are: nothing else would tell such a client
    (basic/versioning, backward compatibility).
    """
    return jsonrpc.method_of(message) == "initialize" and "id" in message and not meta_of(message)


def may_wait(message: JSONObject) -> bool:
    """Whether answering ``message``, of either era, may take so long that others should not have to wait for it."""
    return jsonrpc.method_of(message) == "subscriptions/listen" or dispatch.may_wait(message)


def _read(notebook: Notebook, params: JSONObject) -> JSONObject:
    uri = text_param(params, "uri")
    contents = read(notebook, uri)
    if contents is None:
        raise RpcError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return {"contents": [contents]}
