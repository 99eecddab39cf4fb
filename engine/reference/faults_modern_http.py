"""Faults of MCP 2026-07-28: the exchange over HTTP, and what is written to stdout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.fault_model import (
    HTTP,
    STDIO,
    Respond,
    because,
    crash_on,
    is_method,
    is_post,
    modern,
    relabelled,
)
from mcp_compliance.reference.fault_rules import ON_CREDIT, ON_DISCOVER
from mcp_compliance.reference.faults_errors import DeafAfterUnknown
from mcp_compliance.reference.faults_transport import MixedIds
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import INVALID_REQUEST, JSONObject, RpcError
from mcp_compliance.reference.modern import METHODS, is_handshake
from mcp_compliance.reference.session import Answer, Session

DISCOVER = "server/discover"


def is_unknown(message: JSONObject) -> bool:
    """Whether ``message`` is a request of a method that the server does not have."""
    return "id" in message and jsonrpc.method_of(message) not in METHODS


def _status_400(respond: Respond, request: Request) -> Response:
    response = respond(request)
    served = is_post(request, DISCOVER) and response.status == 200
    return replace(response, status=400) if served else response


def _mislabelled(respond: Respond, request: Request) -> Response:
    response = respond(request)
    return relabelled(response, "Content-Type", "text/json") if is_post(request, DISCOVER) else response


def _asks(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    params = jsonrpc.params_of(message)
    if is_method("tools/call")(message) and params.get("name") == "survey":
        question: JSONObject = {
            "message": "Which berth?",
            "requestedSchema": {"type": "object", "properties": {"berth": {"type": "string"}}},
        }
        yield {
            "jsonrpc": "2.0",
            "id": f"ask-{message.get('id')}",
            "method": "elicitation/create",
            "params": question,
        }
    yield from answer(session, message)


def _answers_cancellation(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    yield from answer(session, message)
    if is_method("notifications/cancelled")(message):
        yield jsonrpc.error(None, RpcError(INVALID_REQUEST, "Invalid request: no such request is in progress"))


FAULTS = (
    modern(
        "discover-400",
        "A request that is served is answered with a status of success.",
        "transport-post",
        transports=HTTP,
        http=_status_400,
        allows={
            **because("it wants its server/discover served", *ON_DISCOVER),
            **because("nothing is credited to a server that does not serve", *ON_CREDIT),
        },
    ),
    modern(
        "json-mislabelled",
        "A request is answered as application/json or as text/event-stream.",
        "transport-content-type",
        transports=HTTP,
        http=_mislabelled,
    ),
    modern(
        "parallel-ids-mixed",
        "Every response carries the id of its own request, however many are in progress.",
        "transport-concurrent",
        transports=HTTP,
        rpc=MixedIds(DISCOVER),
    ),
    modern(
        "asks-by-request",
        "The server sends no requests; what it wants to know it asks in a result.",
        "transport-no-server-requests",
        rpc=_asks,
    ),
    modern(
        "deaf-after-unknown-method",
        "After an unknown method the server goes on answering.",
        "stdio-unknown-method-recovers",
        transports=STDIO,
        rpc=DeafAfterUnknown(is_unknown, DISCOVER),
        allows=because("overhears the next server/discover, whatever it is for", *ON_DISCOVER),
    ),
    modern(
        "cancellation-answered",
        "A notification is never answered.",
        "stdio-cancellation",
        transports=STDIO,
        rpc=_answers_cancellation,
        allows={"error-id-echo": "an answer to a notification may be taken for one to the request after it"},
    ),
    modern(
        "cancellation-kills",
        "A cancellation of a request that there is not is ignored.",
        "stdio-cancellation",
        transports=STDIO,
        rpc=crash_on(is_method("notifications/cancelled")).rpc,
    ),
    modern(
        "dies-on-initialize",
        "A client that opens with initialize is told which versions are served.",
        "lifecycle-dual-era",
        transports=STDIO,
        rpc=crash_on(is_handshake).rpc,
        needs="alone",
    ),
)
