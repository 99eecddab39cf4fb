"""Faults of tools, resources and prompts: their lists, their pages, and what comes back from them."""

from __future__ import annotations

from collections.abc import Callable

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.dispatch import CAPABILITIES
from mcp_compliance.reference.fault_model import Fault, RpcHook, because, instead, is_method, result_of
from mcp_compliance.reference.fault_rules import ON_PROMPTS, ON_RESOURCES, ON_TOOLS
from mcp_compliance.reference.jsonrpc import JSON, METHOD_NOT_FOUND, JSONObject, RpcError, as_object


def _survey(change: Callable[[JSONObject], JSONObject]) -> RpcHook:
    """Change the results of the tool without arguments only: the others are what attacks are tried on."""
    return result_of("tools/call", lambda result, params: change(result) if params.get("name") == "survey" else result)


def _block(change: Callable[[JSONObject], JSONObject]) -> RpcHook:
    def changed(result: JSONObject) -> JSONObject:
        content = result["content"]
        return {**result, "content": [change(as_object(b)) for b in content]} if isinstance(content, list) else {}

    return _survey(changed)


def _first(key: str, change: Callable[[JSONObject], JSONObject]) -> Callable[[JSONObject, JSONObject], JSON]:
    """A change to the first item of the array ``key`` of a result."""

    def changed(result: JSONObject, params: JSONObject) -> JSON:
        items = result[key]
        assert isinstance(items, list)
        return {**result, key: [change(as_object(items[0])), *items[1:]]}

    return changed


def _without(*names: str) -> Callable[[JSONObject], JSONObject]:
    return lambda item: {key: value for key, value in item.items() if key not in names}


def _not_an_array(kind: str, *dependents: str) -> Fault:
    return Fault(
        f"{kind}-not-an-array",
        f"{kind}/list is answered with an array named {kind}.",
        (f"{kind}-list",),
        rpc=result_of(f"{kind}/list", lambda result, params: {**result, kind: {}}),
        allows=because(f"there is no list of {kind} to work on", *dependents),
    )


def _circle(kind: str) -> Fault:
    def turn(result: JSONObject, params: JSONObject) -> JSON:
        return result if "nextCursor" in result else {**result, "nextCursor": params["cursor"]}

    return Fault(
        f"{kind}-pages-in-a-circle",
        f"The last page of {kind}/list has no nextCursor.",
        (f"{kind}-pagination",),
        rpc=result_of(f"{kind}/list", turn),
    )


FAULTS = (
    _not_an_array("tools", *ON_TOOLS),
    _not_an_array("resources", *ON_RESOURCES),
    _not_an_array("prompts", *ON_PROMPTS),
    _circle("tools"),
    _circle("resources"),
    _circle("prompts"),
    Fault(
        "call-without-content",
        "The result of tools/call has an array of content.",
        ("tools-call",),
        rpc=_survey(_without("content")),
        allows={"tools-content-types": "there is no content to look at"},
    ),
    Fault(
        "structured-content-unfit",
        "structuredContent conforms to the outputSchema of the tool.",
        ("tools-call",),
        rpc=_survey(lambda result: {**result, "structuredContent": {"notes": "several"}}),
    ),
    Fault(
        "content-without-type",
        "Every block of content says its type.",
        ("tools-call", "tools-content-types"),
        rpc=_block(_without("type")),
    ),
    Fault(
        "content-of-unknown-type",
        "A block of content is text, image, audio, resource_link or resource.",
        ("tools-content-types",),
        rpc=_block(lambda block: {**block, "type": "markdown"}),
    ),
    Fault(
        "resource-without-contents",
        "Each of the contents of a resource has a text or a blob.",
        ("resources-read",),
        rpc=result_of("resources/read", _first("contents", _without("text", "blob"))),
    ),
    Fault(
        "template-without-name",
        "A resource template has a name.",
        ("resources-templates",),
        rpc=result_of("resources/templates/list", _first("resourceTemplates", _without("name"))),
    ),
    Fault(
        "unsubscribe-refused",
        "A server that declares subscribe lets a client subscribe, and leave again.",
        ("resources-subscribe",),
        rpc=instead(
            is_method("resources/unsubscribe"),
            lambda id_, params: jsonrpc.error(id_, RpcError(METHOD_NOT_FOUND, "Method not found")),
        ),
    ),
    Fault(
        "prompt-from-the-system",
        "The messages of a prompt come from the user or the assistant.",
        ("prompts-get",),
        rpc=result_of("prompts/get", _first("messages", lambda message: {**message, "role": "system"})),
    ),
    Fault(
        "prompts-undeclared",
        "A server that serves prompts declares them.",
        ("error-capability-gated",),
        rpc=result_of(
            "initialize",
            lambda result, params: {**result, "capabilities": _without("prompts")(CAPABILITIES)},
        ),
        allows=because("prompts are not declared, so they are not tried", "prompts-list", *ON_PROMPTS),
    ),
)
