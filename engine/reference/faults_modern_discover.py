"""Faults of MCP 2026-07-28: what server/discover says, and whether that is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.dispatch import CAPABILITIES
from mcp_compliance.reference.eras import MODERN
from mcp_compliance.reference.fault_edits import Edit, set_to, without
from mcp_compliance.reference.fault_model import (
    RpcHook,
    because,
    instead,
    is_method,
    modern,
    result_of,
)
from mcp_compliance.reference.fault_rules import MODERN_CAPABILITY, MODERN_ON_PROMPTS, ON_DISCOVER
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, RpcError, as_object
from mcp_compliance.reference.modern_meta import (
    SERVER_INFO_KEY,
)
from mcp_compliance.reference.session import Answer, Session

DISCOVER = "server/discover"


def _discovered(change: Edit) -> RpcHook:
    return result_of(DISCOVER, lambda result, params: change(result))


def _without_jsonrpc(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    for out in answer(session, message):
        yield without("jsonrpc")(out) if is_method(DISCOVER)(message) and "result" in out else out


def _other_ids(kind: type, change: Callable[[JSON], JSON]) -> RpcHook:
    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            wrong = is_method(DISCOVER)(message) and isinstance(message.get("id"), kind) and "result" in out
            yield {**out, "id": change(out.get("id"))} if wrong else out

    return hook


_WIRE = "schema-wire-valid"


FAULTS = (
    modern(
        "capabilities-missing",
        "The result of server/discover has an object of capabilities.",
        "lifecycle-discover",
        "lifecycle-capabilities",
        _WIRE,
        rpc=_discovered(without("capabilities")),
        allows=because("nothing is declared, so nothing of it is tried", *MODERN_CAPABILITY),
    ),
    modern(
        "versions-not-an-array",
        "supportedVersions is an array.",
        "lifecycle-discover",
        "lifecycle-discover-versions",
        _WIRE,
        rpc=_discovered(set_to("supportedVersions", MODERN)),
        allows=because("compares with supportedVersions", "lifecycle-version-unsupported"),
    ),
    modern(
        "versions-without-dates",
        "A protocol version is a date, written YYYY-MM-DD.",
        "lifecycle-discover-versions",
        rpc=_discovered(set_to("supportedVersions", ["2026.07", "2025.11"])),
        allows=because("compares with supportedVersions", "lifecycle-version-unsupported"),
    ),
    modern(
        "discover-no-ttl",
        "The result of server/discover says how long it keeps.",
        "lifecycle-discover-caching",
        _WIRE,
        rpc=_discovered(without("ttlMs")),
    ),
    modern(
        "discover-ttl-negative",
        "ttlMs is not negative.",
        "lifecycle-discover-caching",
        _WIRE,
        rpc=_discovered(set_to("ttlMs", -1)),
    ),
    modern(
        "discover-scope-unknown",
        "cacheScope is public or private.",
        "lifecycle-discover-caching",
        _WIRE,
        rpc=_discovered(set_to("cacheScope", "shared")),
    ),
    modern(
        "discover-without-jsonrpc",
        'Every message says "jsonrpc": "2.0".',
        "lifecycle-jsonrpc",
        _WIRE,
        rpc=_without_jsonrpc,
    ),
    modern(
        "number-id-as-text",
        "A response carries the id of the request, in the same JSON type: a number stays one.",
        "lifecycle-id-match",
        "lifecycle-jsonrpc",
        "transport-concurrent",
        rpc=_other_ids(int, str),
        allows=because("the answer to its server/discover is not recognised", *ON_DISCOVER),
    ),
    modern(
        "text-id-lost",
        "A response carries the id of the request, in the same JSON type: a string stays one.",
        "lifecycle-string-id",
        rpc=_other_ids(str, lambda id_: len(str(id_))),
    ),
    modern(
        "capability-boolean",
        "What a server can do is declared with an object.",
        "lifecycle-capabilities",
        _WIRE,
        rpc=_discovered(set_to("capabilities", {**CAPABILITIES, "completions": True})),
        allows=because("completions are not declared with an object", "lifecycle-completions"),
    ),
    modern(
        "server-info-missing",
        "Results say which server gives them.",
        "lifecycle-server-info",
        rpc=_discovered(lambda result: {**result, "_meta": without(SERVER_INFO_KEY)(as_object(result["_meta"]))}),
    ),
    modern(
        "instructions-not-text",
        "instructions is a string.",
        "lifecycle-instructions",
        _WIRE,
        rpc=_discovered(set_to("instructions", ["Notes are resources."])),
    ),
    modern(
        "prompts-undeclared",
        "A server that serves prompts declares them.",
        "lifecycle-capability-handlers-match",
        "error-capability-gated",
        rpc=_discovered(set_to("capabilities", without("prompts")(CAPABILITIES))),
        allows=because("prompts are not declared, so they are not tried", "prompts-list", *MODERN_ON_PROMPTS),
    ),
    modern(
        "prompts-unserved",
        "A server that declares prompts serves them.",
        "lifecycle-capability-handlers-match",
        "prompts-list",
        rpc=instead(
            is_method("prompts/list"),
            lambda id_, params: jsonrpc.error(id_, RpcError(jsonrpc.METHOD_NOT_FOUND, "Method not found")),
        ),
        allows=because("there is no list of prompts to work on", *MODERN_ON_PROMPTS),
    ),
)
