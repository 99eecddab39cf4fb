"""Faults of MCP 2026-07-28 that are those of the revision before, with what fails of them there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mcp_compliance.reference import (
    faults_auth,
    faults_errors,
    faults_injection,
    faults_schema,
    faults_sessions,
    faults_stdio,
    faults_transport,
    faults_trust,
)
from mcp_compliance.reference.eras import MODERN
from mcp_compliance.reference.fault_edits import changed_item, set_to
from mcp_compliance.reference.fault_model import HTTP, Fault, Respond, modern, with_header
from mcp_compliance.reference.faults_auth import AUTHORIZATION
from mcp_compliance.reference.faults_injection import gives_in, path, shell, sql, url
from mcp_compliance.reference.faults_stdio import Banner
from mcp_compliance.reference.faults_trust import TRACE, Overwhelmed, errors_with
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.modern_meta import complete
from mcp_compliance.reference.tools import said

_MODULES = (
    faults_auth,
    faults_errors,
    faults_injection,
    faults_schema,
    faults_sessions,
    faults_stdio,
    faults_transport,
    faults_trust,
)
_FAULTS: dict[str, Fault] = {fault.name: fault for module in _MODULES for fault in module.FAULTS}
_WIRE = "schema-wire-valid"


def _again(name: str, *more: str, allows: Mapping[str, str] | None = None) -> Fault:
    """The fault of this name, with which ``more`` rules fail than before."""
    fault = _FAULTS[name]
    return replace(
        fault,
        name=f"modern-{name}",
        flips=(*fault.flips, *more),
        allows=fault.allows if allows is None else allows,
        revision=MODERN,
    )


def _called(text: str) -> JSONObject:
    return complete("tools/call", said(text))


class _Lenient:
    """Remembers a credential that was taken, as the server itself must not show it to a fault, and uses it."""

    def __init__(self, *, for_unknown: bool) -> None:
        self._for_unknown = for_unknown
        self._taken: str | None = None

    def __call__(self, respond: Respond, request: Request) -> Response:
        response = respond(request)
        sent = request.header(AUTHORIZATION)
        if response.status != 401:
            self._taken = sent or self._taken
            return response
        wrong = sent is not None and sent.lower().startswith("bearer")
        lets_pass = wrong if self._for_unknown else sent is None and not request.query
        return respond(with_header(request, AUTHORIZATION, self._taken)) if lets_pass and self._taken else response


FAULTS = (
    _again("plain-text-taken"),
    _again("batch-served"),
    _again("notification-200", allows={}),
    replace(_again("stdout-banner"), line=Banner()),
    _again("reads-latin-1"),
    _again("strange-object-taken"),
    _again("broken-json-taken"),
    _again("broken-json-other-code"),
    _again("invalid-request-other-code"),
    _again("tool-without-name", _WIRE),
    _again("tool-without-schema", _WIRE),
    _again("annotation-not-boolean", _WIRE),
    _again("title-not-text", _WIRE),
    modern(
        "output-schema-array",
        "An outputSchema is an object.",
        "tools-output-schema",
        _WIRE,
        rpc=changed_item("tools", "write_note", set_to("outputSchema", ["string"])),
    ),
    _again("argument-without-name", _WIRE),
    _again("resource-uri-relative"),
    _again("any-origin-served"),
    _again("cors-reflected"),
    replace(_again("shell-in-tools"), rpc=gives_in(shell, _called)),
    replace(_again("sql-in-tools"), rpc=gives_in(sql, _called)),
    replace(_again("paths-in-tools"), rpc=gives_in(path, _called)),
    replace(_again("urls-in-tools"), rpc=gives_in(url, _called)),
    _again("long-text-crashes"),
    _again("extra-argument-crashes"),
    _again("tool-shifts"),
    _again("description-hides-text"),
    _again("description-gives-orders"),
    _again("description-steers"),
    # not where an error must have data of its own, which other rules read
    replace(
        _again("errors-show-traces"),
        rpc=errors_with(lambda error: error if "data" in error else {**error, "data": TRACE}),
    ),
    _again("errors-show-addresses"),
    replace(_again("burst-overwhelms"), http=Overwhelmed()),
    modern(
        "anonymous-served",
        "Every request needs the token.",
        "security-auth-required",
        transports=HTTP,
        http=_Lenient(for_unknown=False),
        needs="auth",
        allows={"security-www-authenticate": "no request draws a 401 with a challenge"},
    ),
    modern(
        "any-token-taken",
        "A token that the server does not know is answered 401.",
        "security-auth-malformed",
        transports=HTTP,
        http=_Lenient(for_unknown=True),
        needs="auth",
    ),
    _again("no-challenge"),
    _again("token-in-query"),
    _again("no-authorization-server"),
)
