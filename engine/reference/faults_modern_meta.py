"""Faults of MCP 2026-07-28: what a request has to say of itself, and what it gets when it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.eras import MODERN
from mcp_compliance.reference.fault_edits import without
from mcp_compliance.reference.fault_model import HTTP, Respond, RpcHook, error_with, instead, is_method, modern
from mcp_compliance.reference.fault_rules import ON_META
from mcp_compliance.reference.faults_errors import recode
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, JSONObject, RpcError
from mcp_compliance.reference.modern import UNSUPPORTED_PROTOCOL_VERSION
from mcp_compliance.reference.modern_meta import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    PROTOCOL_VERSION,
    is_well_formed,
    meta_of,
)
from mcp_compliance.reference.session import Answer, Session

_KNOWN = {"progressToken", "traceparent", "tracestate", "baggage"}


def _with_meta(message: JSONObject, meta: JSONObject) -> JSONObject:
    return {**message, "params": {**jsonrpc.params_of(message), "_meta": meta}}


def _assumed(applies: Callable[[JSONObject], bool], assumed: JSONObject) -> RpcHook:
    """Fill in what a request does not say, if ``applies(_meta)``."""

    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        meta = meta_of(message)
        silent = "id" in message and applies(meta)
        yield from answer(session, _with_meta(message, {**assumed, **meta}) if silent else message)

    return hook


def _lacks(key: str, other: str) -> Callable[[JSONObject], bool]:
    return lambda meta: other in meta and key not in meta


_VERSION: JSONObject = {PROTOCOL_VERSION: MODERN}
_NOTHING: JSONObject = {CLIENT_CAPABILITIES: {}}


def _any_version(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    meta = meta_of(message)
    named = PROTOCOL_VERSION in meta
    yield from answer(session, _with_meta(message, {**meta, **_VERSION}) if named else message)


def _malformed_200(respond: Respond, request: Request) -> Response:
    response = respond(request)
    malformed = request.verb == "POST" and response.status == 400 and not is_well_formed(request.message)
    return replace(response, status=200) if malformed and b"-32602" in response.body else response


def _unsupported_200(respond: Respond, request: Request) -> Response:
    response = respond(request)
    return replace(response, status=200) if b'"code":-32022' in response.body else response


def _is_anonymous(message: JSONObject) -> bool:
    return CLIENT_INFO not in meta_of(message) and is_well_formed(message)


def _has_strange_key(message: JSONObject) -> bool:
    strange = [key for key in meta_of(message) if not key.startswith("io.modelcontextprotocol/") and key not in _KNOWN]
    return bool(strange)


def _says(text: str) -> Callable[[jsonrpc.RequestId, JSONObject], JSONObject]:
    return lambda id_, params: jsonrpc.error(id_, RpcError(INVALID_PARAMS, f"Invalid params: {text}"))


FAULTS = (
    modern(
        "meta-optional",
        "A request without _meta is refused.",
        "lifecycle-meta-required",
        rpc=_assumed(lambda meta: not meta, {**_VERSION, **_NOTHING}),
    ),
    modern(
        "meta-version-optional",
        "A request that names no protocol version is refused.",
        "lifecycle-meta-protocol-version-required",
        rpc=_assumed(_lacks(PROTOCOL_VERSION, CLIENT_CAPABILITIES), _VERSION),
    ),
    modern(
        "meta-capabilities-optional",
        "A request that does not declare the capabilities of the client is refused.",
        "lifecycle-meta-client-capabilities-required",
        rpc=_assumed(_lacks(CLIENT_CAPABILITIES, PROTOCOL_VERSION), _NOTHING),
    ),
    modern(
        "meta-missing-other-code",
        "The error for a request that is malformed in its _meta has the code -32602.",
        *ON_META,
        rpc=error_with(INVALID_PARAMS, recode(INVALID_REQUEST), lambda message: not is_well_formed(message)),
    ),
    modern(
        "meta-missing-200",
        "A request that is malformed in its _meta is answered 400.",
        *ON_META,
        transports=HTTP,
        http=_malformed_200,
    ),
    modern(
        "client-info-demanded",
        "A client need not say who it is.",
        "lifecycle-meta-client-info-optional",
        rpc=instead(_is_anonymous, _says("clientInfo is missing")),
    ),
    modern(
        "meta-refused",
        "Members of _meta that a receiver does not know do no harm.",
        "lifecycle-meta-tolerance",
        rpc=instead(_has_strange_key, _says("unknown member of _meta")),
    ),
    modern(
        "any-version-served",
        "A request of a version that the server does not speak is refused.",
        "lifecycle-version-unsupported",
        rpc=_any_version,
    ),
    modern(
        "version-error-without-data",
        "The error for a version that the server does not speak lists those that it speaks.",
        "lifecycle-version-unsupported",
        "schema-wire-valid",
        rpc=error_with(UNSUPPORTED_PROTOCOL_VERSION, without("data"), lambda message: True),
    ),
    modern(
        "version-unsupported-200",
        "A version that the server does not speak is answered 400.",
        "lifecycle-version-unsupported",
        transports=HTTP,
        http=_unsupported_200,
    ),
    modern(
        "ping-served",
        "Methods of earlier revisions are unknown.",
        "lifecycle-removed-methods",
        rpc=instead(is_method("ping"), lambda id_, params: jsonrpc.result(id_, {"resultType": "complete"})),
    ),
)
