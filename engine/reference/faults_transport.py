"""Faults of the HTTP exchange: what is posted, what media types it has, what GET and DELETE do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.endpoint import PATH
from mcp_compliance.reference.fault_model import (
    HTTP,
    Fault,
    Respond,
    because,
    is_post,
    relabelled,
    with_header,
)
from mcp_compliance.reference.http_messages import Event, Request, Response, json_response, refusal
from mcp_compliance.reference.jsonrpc import JSON, JSONObject
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.session import Answer, Session


def _post_405(respond: Respond, request: Request) -> Response:
    if request.verb != "POST" or "mcp-session-id" in request.headers or is_post(request, "initialize"):
        return respond(request)
    response = respond(request)
    return Response(405, (("Allow", "GET, DELETE"),)) if response.status == 400 else response


def _mislabelled(respond: Respond, request: Request) -> Response:
    response = respond(request)
    outside = request.verb == "POST" and "mcp-session-id" not in request.headers and response.status < 401
    return relabelled(response, "Content-Type", "application/json-rpc") if outside else response


def _notification_200(respond: Respond, request: Request) -> Response:
    response = respond(request)
    return replace(response, status=200) if response.status == 202 else response


def _plain_text_taken(respond: Respond, request: Request) -> Response:
    plain = (request.header("content-type") or "").startswith("text/plain")
    return respond(with_header(request, "content-type", "application/json") if plain else request)


def _get_json(respond: Respond, request: Request) -> Response:
    response = respond(request)
    opens = response.feed is not None or response.status in (400, 404)
    if request.verb != "GET" or request.path != PATH or not opens:
        return response
    return json_response(200, {"name": "harbour"})


def _delete_refused(respond: Respond, request: Request) -> Response:
    if request.verb == "DELETE" and "mcp-session-id" in request.headers:
        return refusal(400, "Bad request: sessions cannot be ended")
    return respond(request)


def _batch_served(respond: Respond, request: Request) -> Response:
    try:
        batch = jsonrpc.decode(request.body)
    except jsonrpc.RpcError:
        return respond(request)
    if request.verb != "POST" or not isinstance(batch, list) or not batch:
        return respond(request)
    answers: list[JSON] = []
    for one in batch:
        response = respond(replace(request, body=jsonrpc.encode(one)))
        if response.status >= 400:
            return response
        answers += [jsonrpc.decode(event.data.encode()) for event in response.events or ()]
        answers += [jsonrpc.decode(response.body)] if response.body else []
    return Response(200, (("Content-Type", "application/json"),), jsonrpc.encode(answers))


class MixedIds:
    """Holds each request of ``method`` for a moment; one that comes while another of the same client is held gets
    the id of that other one.
    """

    HELD = 0.1

    def __init__(self, method: str) -> None:
        self._method = method
        self._lock = threading.Lock()
        self._held: dict[Notebook, list[jsonrpc.RequestId]] = {}
        self._never = threading.Event()

    def __call__(self, answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        id_ = jsonrpc.request_id(message)
        if id_ is None or jsonrpc.method_of(message) != self._method:
            yield from answer(session, message)
            return
        with self._lock:
            others = self._held.setdefault(session.notebook, [])
            shown = others[0] if others else id_
            others.append(id_)
        self._never.wait(self.HELD)
        with self._lock:
            others.remove(id_)
        for out in answer(session, message):
            yield {**out, "id": shown}


def _foreign_event(respond: Respond, request: Request) -> Response:
    response = respond(request)
    if response.events is None or not is_post(request, "ping"):
        return response
    params: JSONObject = {"level": "error", "data": "the tide is late"}
    log = jsonrpc.encode(jsonrpc.notification("notifications/message", params)).decode()

    def events(rest: Iterator[Event]) -> Iterator[Event]:
        yield Event(log, name="log")
        yield from rest

    return replace(response, events=events(response.events))


FAULTS = (
    Fault(
        "post-needs-session",
        "The endpoint takes every client message by POST.",
        ("transport-post",),
        HTTP,
        http=_post_405,
    ),
    Fault(
        "json-mislabelled",
        "A posted request is answered as application/json or as text/event-stream.",
        ("transport-content-type", "transport-content-type-init"),
        HTTP,
        http=_mislabelled,
    ),
    Fault(
        "notification-200",
        "An accepted notification is answered with 202.",
        ("transport-notification-202",),
        HTTP,
        http=_notification_200,
        allows=because("202 is also the right answer to a cancellation", "lifecycle-cancellation"),
    ),
    Fault(
        "plain-text-taken",
        "A body is only taken for JSON-RPC when it says that it is JSON.",
        ("transport-content-type-reject",),
        HTTP,
        http=_plain_text_taken,
    ),
    Fault(
        "get-json",
        "A GET opens an event stream, or is answered 405.",
        ("transport-get", "transport-get-stream"),
        HTTP,
        http=_get_json,
    ),
    Fault(
        "delete-refused",
        "A client can end its session with DELETE, unless the server answers 405.",
        ("transport-delete",),
        HTTP,
        http=_delete_refused,
        allows=because("without DELETE there is no ended session to try", "transport-session-invalid"),
    ),
    Fault(
        "batch-served",
        "The body of a POST is a single message, never an array.",
        ("transport-batch-reject",),
        HTTP,
        http=_batch_served,
    ),
    Fault(
        "parallel-ids-mixed",
        "Every response carries the id of its own request, however many are in progress.",
        ("transport-concurrent",),
        HTTP,
        rpc=MixedIds("ping"),
    ),
    Fault(
        "event-named-otherwise",
        "A JSON-RPC message in an event stream is an event of the type message.",
        ("transport-sse-event-field",),
        HTTP,
        http=_foreign_event,
    ),
)
