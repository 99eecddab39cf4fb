"""Faults of MCP 2026-07-28: lists, their pages and caching hints, resources, prompts and completions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.fault_edits import circling, of_first, without
from mcp_compliance.reference.fault_model import (
    Fault,
    RpcHook,
    because,
    error_with,
    instead,
    is_method,
    modern,
    result_of,
)
from mcp_compliance.reference.fault_rules import MODERN_ON_PROMPTS, MODERN_ON_RESOURCES, MODERN_ON_TOOLS
from mcp_compliance.reference.faults_errors import recode
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, RESOURCE_NOT_FOUND, JSONObject
from mcp_compliance.reference.modern_meta import complete
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.session import Answer, Session

_WIRE = "schema-wire-valid"


def _edited(change: Callable[[JSONObject], JSONObject]) -> Callable[[JSONObject, JSONObject], JSON]:
    return lambda result, params: change(result)


def _not_an_array(kind: str, *dependents: str) -> Fault:
    return modern(
        f"{kind}-not-an-array",
        f"{kind}/list is answered with an array named {kind}.",
        f"{kind}-list",
        "lifecycle-capability-handlers-match",
        _WIRE,
        rpc=result_of(f"{kind}/list", lambda result, params: {**result, kind: {}}),
        allows=because(f"there is no list of {kind} to work on", *dependents),
    )


def _no_hints(method: str, rule: str) -> Fault:
    return modern(
        f"{method.replace('/', '-')}-without-hints",
        f"The result of {method} says how long it keeps, and for whom.",
        rule,
        _WIRE,
        rpc=result_of(method, _edited(without("ttlMs", "cacheScope"))),
    )


def _circle(kind: str) -> Fault:
    return modern(
        f"{kind}-pages-in-a-circle",
        f"The last page of {kind}/list has no nextCursor.",
        f"{kind}-pagination",
        rpc=circling(kind),
    )


def _scope_of_later_pages(kind: str) -> Fault:
    def other(result: JSONObject, params: JSONObject) -> JSON:
        turned = "public" if result.get("cacheScope") == "private" else "private"
        return {**result, "cacheScope": turned} if "cursor" in params else result

    return modern(
        f"{kind}-pages-differ-in-scope",
        f"All pages of {kind}/list have the same cacheScope.",
        f"{kind}-list-caching",
        rpc=result_of(f"{kind}/list", other),
    )


class _Turning:
    """Turns round all pages whenever the tools are listed for the second, fourth, sixth time."""

    def __init__(self) -> None:
        self._listed: WeakKeyDictionary[Notebook, int] = WeakKeyDictionary()

    def __call__(self, answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        anew = is_method("tools/list")(message) and "cursor" not in jsonrpc.params_of(message)
        listed = self._listed.get(session.notebook, 0) + anew
        self._listed[session.notebook] = listed

        def turned(result: JSONObject, params: JSONObject) -> JSON:
            tools = result["tools"]
            assert isinstance(tools, list)
            return result if listed % 2 else {**result, "tools": tools[::-1]}

        yield from result_of("tools/list", turned)(answer, session, message)


def _is_read(message: JSONObject) -> bool:
    return is_method("resources/read")(message)


def _read_empty() -> RpcHook:
    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            id_ = jsonrpc.request_id(message)
            missing = _is_read(message) and jsonrpc.as_object(out.get("error")).get("message") == "Resource not found"
            empty = complete("resources/read", {"contents": []})
            yield jsonrpc.result(id_, empty) if missing and id_ is not None else out

    return hook


FAULTS = (
    _not_an_array("tools", *MODERN_ON_TOOLS),
    _not_an_array("resources", *MODERN_ON_RESOURCES),
    _not_an_array("prompts", *MODERN_ON_PROMPTS),
    _no_hints("tools/list", "tools-list-caching"),
    _no_hints("resources/list", "resources-list-caching"),
    _no_hints("resources/templates/list", "resources-templates-caching"),
    _no_hints("resources/read", "resources-read-caching"),
    _no_hints("prompts/list", "prompts-list-caching"),
    _circle("tools"),
    _circle("resources"),
    _circle("prompts"),
    _scope_of_later_pages("tools"),
    _scope_of_later_pages("resources"),
    _scope_of_later_pages("prompts"),
    modern(
        "tools-turn-round",
        "The order of the tools does not change while there are the same tools.",
        "tools-list-deterministic-order",
        rpc=_Turning(),
    ),
    modern(
        "resource-without-contents",
        "Each of the contents of a resource has a text or a blob.",
        "resources-read",
        _WIRE,
        rpc=result_of("resources/read", of_first("contents", without("text", "blob"))),
    ),
    modern(
        "resource-not-found-retired-code",
        "A resource that there is not is answered with the code -32602, not with -32002 any more.",
        "resources-not-found",
        "error-retired-codes",
        rpc=error_with(INVALID_PARAMS, recode(RESOURCE_NOT_FOUND), _is_read),
    ),
    modern(
        "resource-not-found-empty",
        "A resource that there is not is answered with an error, not with nothing.",
        "resources-not-found",
        rpc=_read_empty(),
    ),
    modern(
        "template-without-name",
        "A resource template has a name.",
        "resources-templates",
        _WIRE,
        rpc=result_of("resources/templates/list", of_first("resourceTemplates", without("name"))),
    ),
    modern(
        "prompt-from-the-system",
        "The messages of a prompt come from the user or the assistant.",
        "prompts-get",
        _WIRE,
        rpc=result_of("prompts/get", of_first("messages", lambda message: {**message, "role": "system"})),
    ),
    modern(
        "completion-without-values",
        "A completion is an array of values.",
        "lifecycle-completions",
        _WIRE,
        rpc=result_of("completion/complete", _edited(lambda result: {**result, "completion": {"total": 0}})),
    ),
    modern(
        "result-without-type",
        "Every result says of which type it is.",
        "schema-result-type",
        _WIRE,
        rpc=result_of("completion/complete", _edited(without("resultType"))),
    ),
    modern(
        "completion-asks",
        "Only tools/call, prompts/get and resources/read may ask for input.",
        "schema-no-input-required-on-lists",
        "lifecycle-completions",
        _WIRE,
        rpc=instead(
            is_method("completion/complete"),
            lambda id_, params: jsonrpc.result(id_, {"resultType": "input_required", "requestState": "harbour"}),
        ),
        allows={"schema-input-required-shape": "there is a result that asks for input, in the right shape"},
    ),
)
