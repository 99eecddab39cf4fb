"""Faults of the handshake, of ping, and of the utilities that come with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.dispatch import CAPABILITIES, SUPPORTED
from mcp_compliance.reference.fault_model import (
    HTTP,
    STDIO,
    Fault,
    Respond,
    RpcHook,
    because,
    crash_on,
    instead,
    is_method,
    result_of,
    with_header,
)
from mcp_compliance.reference.fault_rules import EVERY_CAPABILITY, ON_PING
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, METHOD_NOT_FOUND, JSONObject, RpcError
from mcp_compliance.reference.session import Answer, Session

VERSION = "mcp-protocol-version"
ODD_VERSION = "2025.11.25"


def _in_initialize(key: str, value: JSON) -> RpcHook:
    return result_of("initialize", lambda result, params: {**result, key: value})


def _version(value: str) -> RpcHook:
    # left alone for versions that the server does not speak: what it says then is another rule's matter
    return result_of(
        "initialize",
        lambda result, params: (
            {**result, "protocolVersion": value} if params.get("protocolVersion") in SUPPORTED else result
        ),
    )


def _odd_version_taken(respond: Respond, request: Request) -> Response:
    odd = request.header(VERSION) == ODD_VERSION
    return respond(with_header(request, VERSION, SUPPORTED[0]) if odd else request)


def _without_capabilities(result: JSONObject, params: JSONObject) -> JSON:
    return {key: value for key, value in result.items() if key != "capabilities"}


def _without_jsonrpc(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    for out in answer(session, message):
        if is_method("initialize")(message) and "result" in out:
            out = {key: value for key, value in out.items() if key != "jsonrpc"}
        yield out


def _other_ids(kind: type, change: Callable[[JSON], JSON]) -> RpcHook:
    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            wrong = is_method("ping")(message) and isinstance(message.get("id"), kind)
            yield {**out, "id": change(out.get("id"))} if wrong else out

    return hook


def _says(code: int, text: str) -> Callable[[jsonrpc.RequestId, JSONObject], JSONObject]:
    return lambda id_, params: jsonrpc.error(id_, RpcError(code, text))


def _has_strange_meta(message: JSONObject) -> bool:
    meta = jsonrpc.as_object(jsonrpc.params_of(message).get("_meta"))
    return is_method("ping")(message) and bool(meta.keys() - {"progressToken"})


def _is_list_changed(message: JSONObject) -> bool:
    return "id" not in message and jsonrpc.method_of(message).endswith("list_changed")


_list_changed_crash = crash_on(_is_list_changed)


def _asks(method: str, params: JSONObject) -> RpcHook:
    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        if is_method("tools/call")(message) and jsonrpc.params_of(message).get("name") == "survey":
            yield {"jsonrpc": "2.0", "id": f"ask-{message.get('id')}", "method": method, "params": params}
        yield from answer(session, message)

    return hook


def _progress(change: Callable[[JSONObject], JSONObject]) -> RpcHook:
    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            if is_method("notifications/progress")(out):
                out = {**out, "params": change(jsonrpc.params_of(out))}
            yield out

    return hook


def _client_capability(name: str, method: str, params: JSONObject) -> tuple[Fault, Fault]:
    rule = f"lifecycle-{name}-capability"
    return (
        Fault(
            f"lists-{name}",
            f"{name} is a capability of clients; a server does not list it among its own.",
            (rule,),
            rpc=_in_initialize("capabilities", {**CAPABILITIES, name: {}}),
        ),
        Fault(
            f"asks-{name}",
            f"A server does not send {method} to a client that has not declared {name}.",
            (rule,),
            rpc=_asks(method, params),
        ),
    )


_TEXT: JSONObject = {"type": "text", "text": "Which berth is free?"}

FAULTS = (
    Fault(
        "version-empty",
        "The result of initialize names a protocol version.",
        ("lifecycle-init", "lifecycle-proto-version"),
        rpc=_version(""),
    ),
    Fault(
        "version-not-a-date",
        "A protocol version is a date, written YYYY-MM-DD.",
        ("lifecycle-proto-version",),
        rpc=_version(ODD_VERSION),
        http=_odd_version_taken,
    ),
    Fault(
        "version-echoed",
        "A version that the server does not speak is answered with one that it speaks.",
        ("lifecycle-version-negotiate",),
        rpc=result_of(
            "initialize",
            lambda result, params: {**result, "protocolVersion": params["protocolVersion"]},
        ),
    ),
    Fault(
        "server-info-without-name",
        "serverInfo names the implementation.",
        ("lifecycle-server-info",),
        rpc=_in_initialize("serverInfo", {"version": "1.0.0"}),
    ),
    Fault(
        "capabilities-missing",
        "The result of initialize has an object of capabilities.",
        ("lifecycle-capabilities",),
        rpc=result_of("initialize", _without_capabilities),
        allows=because("nothing is declared, so nothing of it is tried", *EVERY_CAPABILITY),
    ),
    Fault(
        "initialize-without-jsonrpc",
        'Every message says "jsonrpc": "2.0".',
        ("lifecycle-jsonrpc",),
        rpc=_without_jsonrpc,
    ),
    Fault(
        "instructions-not-text",
        "instructions is a string.",
        ("lifecycle-instructions",),
        rpc=_in_initialize("instructions", ["Notes are resources."]),
    ),
    Fault(
        "ping-not-an-object",
        "ping is answered with an empty object.",
        ("lifecycle-ping", "lifecycle-jsonrpc"),
        rpc=result_of("ping", lambda result, params: "pong"),
    ),
    Fault(
        "number-id-as-text",
        "A response carries the id of the request, in the same JSON type: a number stays one.",
        ("lifecycle-id-match", "transport-concurrent"),
        rpc=_other_ids(int, str),
        allows=because("the answer to a ping that it sends does not arrive", *ON_PING),
    ),
    Fault(
        "text-id-lost",
        "A response carries the id of the request, in the same JSON type: a string stays one.",
        ("lifecycle-string-id",),
        HTTP,
        rpc=_other_ids(str, lambda id_: len(str(id_))),
    ),
    Fault(
        "meta-refused",
        "Members of _meta that a receiver does not know do no harm.",
        ("lifecycle-meta-tolerance",),
        rpc=instead(_has_strange_meta, _says(INVALID_PARAMS, "Invalid params: unknown member of _meta")),
    ),
    Fault(
        "set-level-refused",
        "A server that declares logging lets the client set the level.",
        ("lifecycle-logging",),
        rpc=instead(is_method("logging/setLevel"), _says(METHOD_NOT_FOUND, "Method not found")),
    ),
    Fault(
        "completion-without-values",
        "A completion is an array of values.",
        ("lifecycle-completions",),
        rpc=result_of("completion/complete", lambda result, params: {"completion": {"total": 0}}),
    ),
    Fault(
        "list-changed-500",
        "A notification about a changed list does no harm.",
        ("lifecycle-list-changed",),
        HTTP,
        http=_list_changed_crash.http,
    ),
    Fault(
        "list-changed-kills",
        "A notification about a changed list does no harm.",
        ("lifecycle-list-changed",),
        STDIO,
        rpc=_list_changed_crash.rpc,
    ),
    Fault(
        "progress-token-foreign",
        "Progress carries the token of its request.",
        ("lifecycle-progress-token",),
        HTTP,
        rpc=_progress(lambda params: {**params, "progressToken": "someone-else"}),
    ),
    Fault(
        "progress-falls",
        "The progress value grows with each notification.",
        ("lifecycle-progress-token",),
        HTTP,
        rpc=_progress(lambda params: {**params, "progress": 100 - float(str(params["progress"]))}),
    ),
    *_client_capability(
        "sampling",
        "sampling/createMessage",
        {"messages": [{"role": "user", "content": _TEXT}], "maxTokens": 20},
    ),
    *_client_capability("roots", "roots/list", {}),
    *_client_capability(
        "elicitation",
        "elicitation/create",
        {"message": "Which berth?", "requestedSchema": {"type": "object", "properties": {}}},
    ),
)
