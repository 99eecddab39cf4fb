"""What a fault is, and the few ways in which most of them act.

A fault wraps a conforming function and changes what goes into it or comes out of it; the conforming modules
know nothing of faults. State that a fault keeps is that of the process, which serves one endpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.eras import LEGACY, MODERN
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, as_object
from mcp_compliance.reference.session import Answer, Session

HTTP = frozenset({"http"})
STDIO = frozenset({"stdio"})
BOTH = HTTP | STDIO

Respond = Callable[[Request], Response]
Frame = Callable[[JSONObject], bytes]

RpcHook = Callable[[Answer, Session, JSONObject], Iterator[JSONObject]]
HttpHook = Callable[[Respond, Request], Response]
LineHook = Callable[[Frame, JSONObject], bytes]


@dataclass(frozen=True)
class Fault:
    """One broken sentence of the specification.

    ``breaks`` is the sentence as it should be kept. ``flips`` are the rules that must fail with the fault
    (those that do not apply to the transport in use are left aside), ``allows`` those that may change
    otherwise, each with the reason. ``needs`` is "auth" when the fault can only be seen on a server that
    demands a token, "alone" when on one that serves no other revision.
    The hooks act around a JSON-RPC message of the fault's ``revision``, an HTTP request, or a line on stdout.
    """

    name: str
    breaks: str
    flips: tuple[str, ...]
    transports: frozenset[str] = BOTH
    rpc: RpcHook | None = None
    http: HttpHook | None = None
    line: LineHook | None = None
    needs: str | None = None
    allows: Mapping[str, str] = field(default_factory=dict)
    revision: str = LEGACY


def because(reason: str, *ids: str) -> dict[str, str]:
    """An ``allows`` that gives all these rules the same reason."""
    return dict.fromkeys(ids, reason)


def modern(
    name: str,
    breaks: str,
    *flips: str,
    transports: frozenset[str] = BOTH,
    rpc: RpcHook | None = None,
    http: HttpHook | None = None,
    needs: str | None = None,
    allows: Mapping[str, str] | None = None,
) -> Fault:
    """A fault of the modern era, whose name begins with it. Of ``allows``, what is among ``flips`` is left aside."""
    others = {rule: reason for rule, reason in (allows or {}).items() if rule not in flips}
    return Fault(f"modern-{name}", breaks, flips, transports, rpc, http, needs=needs, allows=others, revision=MODERN)


def result_of(method: str, change: Callable[[JSONObject, JSONObject], JSON]) -> RpcHook:
    """Put ``change(result, params)`` in the place of each result of ``method``."""

    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            if jsonrpc.method_of(message) == method and "result" in out:
                out = {**out, "result": change(as_object(out["result"]), jsonrpc.params_of(message))}
            yield out

    return hook


def instead(
    applies: Callable[[JSONObject], bool], reply: Callable[[jsonrpc.RequestId, JSONObject], JSONObject]
) -> RpcHook:
    """Answer a request for which ``applies(message)`` holds with ``reply(id, params)`` alone."""

    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        id_ = jsonrpc.request_id(message)
        if id_ is not None and applies(message):
            yield reply(id_, jsonrpc.params_of(message))
        else:
            yield from answer(session, message)

    return hook


def error_with(code: int, change: Callable[[JSONObject], JSONObject], applies: Callable[[JSONObject], bool]) -> RpcHook:
    """Put ``change(error)`` in the place of errors of this code, in answer to what ``applies`` to."""

    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        for out in answer(session, message):
            problem = as_object(out.get("error"))
            yield ({**out, "error": change(problem)} if problem.get("code") == code and applies(message) else out)

    return hook


@dataclass(frozen=True)
class Crash:
    """The two hooks of a server that breaks on a message: HTTP 500, or the end of the process on stdio."""

    rpc: RpcHook
    http: HttpHook


def crash_on(applies: Callable[[JSONObject], bool]) -> Crash:
    """Break on every message for which ``applies(message)`` holds."""

    def http(respond: Respond, request: Request) -> Response:
        return server_error() if applies(request.message) else respond(request)

    def rpc(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        if applies(message):
            raise SystemExit(70)
        yield from answer(session, message)

    return Crash(rpc, http)


def server_error() -> Response:
    """What an unhandled exception looks like from outside."""
    return Response(500, (("Content-Type", "text/plain"),), b"Internal Server Error")


def is_method(*methods: str) -> Callable[[JSONObject], bool]:
    """Whether a message has one of these methods."""
    return lambda message: jsonrpc.method_of(message) in methods


def is_post(request: Request, *methods: str) -> bool:
    """Whether ``request`` posts a message with one of these methods."""
    return request.verb == "POST" and jsonrpc.method_of(request.message) in methods


def with_header(request: Request, name: str, value: str | None) -> Request:
    """``request`` with this lower-case header set, or left out when ``value`` is None."""
    others = {key: old for key, old in request.headers.items() if key != name}
    return replace(request, headers=others if value is None else {**others, name: value})


def relabelled(response: Response, name: str, value: str) -> Response:
    """``response`` with one header replaced, or added."""
    others = tuple((key, old) for key, old in response.headers if key.lower() != name.lower())
    return replace(response, headers=(*others, (name, value)))


def texts(value: JSON) -> Iterable[str]:
    """Every string in ``value``, keys left aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)
