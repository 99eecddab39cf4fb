"""Faults of tools, resources and prompts: their lists, their pages, and what comes back from them."""

from __future__ import annotations

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.dispatch import CAPABILITIES
from mcp_compliance.reference.fault_edits import circling, of_block, of_first, of_survey, without
from mcp_compliance.reference.fault_model import Fault, because, instead, is_method, result_of
from mcp_compliance.reference.fault_rules import ON_PROMPTS, ON_RESOURCES, ON_TOOLS
from mcp_compliance.reference.jsonrpc import METHOD_NOT_FOUND, RpcError


def _not_an_array(kind: str, *dependents: str) -> Fault:
    return Fault(
        f"{kind}-not-an-array",
        f"{kind}/list is answered with an array named {kind}.",
        (f"{kind}-list",),
        rpc=result_of(f"{kind}/list", lambda result, params: {**result, kind: {}}),
        allows=because(f"there is no list of {kind} to work on", *dependents),
    )


def _circle(kind: str) -> Fault:
    return Fault(
        f"{kind}-pages-in-a-circle",
        f"The last page of {kind}/list has no nextCursor.",
        (f"{kind}-pagination",),
        rpc=circling(kind),
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
        rpc=of_survey(without("content")),
        allows={"tools-content-types": "there is no content to look at"},
    ),
    Fault(
        "structured-content-unfit",
        "structuredContent conforms to the outputSchema of the tool.",
        ("tools-call",),
        rpc=of_survey(lambda result: {**result, "structuredContent": {"notes": "several"}}),
    ),
    Fault(
        "content-without-type",
        "Every block of content says its type.",
        ("tools-call", "tools-content-types"),
        rpc=of_block(without("type")),
    ),
    Fault(
        "content-of-unknown-type",
        "A block of content is text, image, audio, resource_link or resource.",
        ("tools-content-types",),
        rpc=of_block(lambda block: {**block, "type": "markdown"}),
    ),
    Fault(
        "resource-without-contents",
        "Each of the contents of a resource has a text or a blob.",
        ("resources-read",),
        rpc=result_of("resources/read", of_first("contents", without("text", "blob"))),
    ),
    Fault(
        "template-without-name",
        "A resource template has a name.",
        ("resources-templates",),
        rpc=result_of("resources/templates/list", of_first("resourceTemplates", without("name"))),
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
        rpc=result_of("prompts/get", of_first("messages", lambda message: {**message, "role": "system"})),
    ),
    Fault(
        "prompts-undeclared",
        "A server that serves prompts declares them.",
        ("error-capability-gated",),
        rpc=result_of(
            "initialize",
            lambda result, params: {**result, "capabilities": without("prompts")(CAPABILITIES)},
        ),
        allows=because("prompts are not declared, so they are not tried", "prompts-list", *ON_PROMPTS),
    ),
)
