"""Faults of MCP 2026-07-28: what a call gives, and what is sent before its result or in a subscription."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.fault_edits import of_block, of_survey, set_to, without
from mcp_compliance.reference.fault_model import RpcHook, because, is_method, modern
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, as_object
from mcp_compliance.reference.modern_meta import SUBSCRIPTION_ID
from mcp_compliance.reference.session import Answer, Session

_WIRE = "schema-wire-valid"
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_NOT_MEASURED = because("there is no content to look at", "tools-content-types")


def _asking(value: JSONObject) -> RpcHook:
    return of_survey(lambda result: {"resultType": "input_required", **value})


def _request(method: str, params: JSONObject) -> JSONObject:
    return {"inputRequests": {"berth": {"method": method, "params": params}}}


_FORM: JSONObject = {
    "message": "Which berth?",
    "requestedSchema": {"type": "object", "properties": {"berth": {"type": "string"}}},
}
_SAMPLE: JSONObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "Which berth is free?"}}],
    "maxTokens": 20,
}


def _sent(method: str, change: Callable[[JSONObject], JSONObject | None]) -> RpcHook:
    """Change the params of each notification of ``method``; None leaves it out."""

    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            if not is_method(method)(out):
                yield out
                continue
            params = change(jsonrpc.params_of(out))
            if params is not None:
                yield {**out, "params": params}

    return hook


def _logs(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    params = jsonrpc.params_of(message)
    if is_method("tools/call")(message) and params.get("name") == "survey":
        log: JSONObject = {"level": "error", "logger": "harbour", "data": "the tide is late"}
        yield jsonrpc.notification("notifications/message", log)
    yield from answer(session, message)


def _as_text(params: JSONObject) -> JSONObject:
    meta = as_object(params["_meta"])
    return {**params, "_meta": {**meta, SUBSCRIPTION_ID: f"listen-{meta[SUBSCRIPTION_ID]}"}}


def _early(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    if is_method("subscriptions/listen")(message):
        mark: JSONObject = {"_meta": {SUBSCRIPTION_ID: message["id"]}}
        yield jsonrpc.notification("notifications/resources/list_changed", mark)
    yield from answer(session, message)


_UNFIT: JSON = {"notes": "several"}

FAULTS = (
    modern(
        "call-without-content",
        "The result of tools/call has an array of content.",
        "tools-call",
        _WIRE,
        rpc=of_survey(without("content")),
        allows=_NOT_MEASURED,
    ),
    modern(
        "structured-content-unfit",
        "structuredContent conforms to the outputSchema of the tool.",
        "tools-call",
        rpc=of_survey(set_to("structuredContent", _UNFIT)),
    ),
    modern(
        "content-without-type",
        "Every block of content says its type.",
        "tools-call",
        "tools-content-types",
        _WIRE,
        rpc=of_block(without("type")),
    ),
    modern(
        "content-of-unknown-type",
        "A block of content is text, image, audio, resource_link or resource.",
        "tools-content-types",
        _WIRE,
        rpc=of_block(set_to("type", "markdown")),
    ),
    modern(
        "asks-for-nothing",
        "A result that asks for input has inputRequests or a requestState.",
        "tools-call",
        "schema-input-required-shape",
        rpc=_asking({}),
        allows=_NOT_MEASURED,
    ),
    modern(
        "asks-what-was-not-declared",
        "A result asks only for what the client has declared.",
        "schema-input-required-shape",
        rpc=_asking(_request("sampling/createMessage", _SAMPLE)),
        allows={**_NOT_MEASURED, **because("may look at the capability, too", "tools-call")},
    ),
    modern(
        "asks-with-a-link",
        "A question has a mode that the client has declared.",
        "schema-input-required-shape",
        rpc=_asking(
            _request("elicitation/create", {"mode": "url", "message": "Pay.", "url": "https://dues.harbour.example/"})
        ),
        allows={**_NOT_MEASURED, **because("may look at the mode, too", "tools-call")},
    ),
    modern(
        "asks-with-numbered-state",
        "requestState is a string.",
        "tools-call",
        "schema-input-required-shape",
        _WIRE,
        rpc=_asking({**_request("elicitation/create", _FORM), "requestState": 7}),
        allows=_NOT_MEASURED,
    ),
    modern(
        "logs-unasked",
        "Log messages are sent only for requests that ask for them.",
        "lifecycle-log-level-gating",
        rpc=_logs,
    ),
    modern(
        "progress-token-foreign",
        "Progress carries the token of its request.",
        "lifecycle-progress-token",
        rpc=_sent("notifications/progress", set_to("progressToken", "someone-else")),
    ),
    modern(
        "progress-falls",
        "The progress value grows with each notification.",
        "lifecycle-progress-token",
        rpc=_sent(
            "notifications/progress", lambda params: {**params, "progress": 100 - float(str(params["progress"]))}
        ),
    ),
    modern(
        "listen-unacknowledged",
        "A subscription is acknowledged.",
        "lifecycle-subscriptions-listen",
        rpc=_sent(_ACKNOWLEDGED, lambda params: None),
    ),
    modern(
        "listen-acknowledged-late",
        "A subscription is acknowledged before anything else is sent in it.",
        "lifecycle-subscriptions-listen",
        rpc=_early,
    ),
    modern(
        "subscription-id-changed",
        "A subscription carries the id of the request that opened it.",
        "lifecycle-subscriptions-listen",
        rpc=_sent(_ACKNOWLEDGED, _as_text),
    ),
    modern(
        "listen-filter-missing",
        "The acknowledgment says what of the filter is honoured.",
        "lifecycle-subscriptions-listen",
        _WIRE,
        rpc=_sent(_ACKNOWLEDGED, without("notifications")),
    ),
)
