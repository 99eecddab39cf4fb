"""Faults of a server that demands a bearer token; all of them need --auth-token."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import parse_qs

from mcp_compliance.reference.authorization import WELL_KNOWN
from mcp_compliance.reference.fault_model import HTTP, Fault, Respond, with_header
from mcp_compliance.reference.http_messages import Request, Response

AUTHORIZATION = "authorization"


class _Seen:
    """Remembers the credential that opened each session, as the server itself must not show it to a fault."""

    def __init__(self) -> None:
        self._by_session: dict[str, str] = {}

    def accepted(self, respond: Respond, request: Request) -> Response:
        """The response; remembers the credential of a request that was not refused."""
        response = respond(request)
        session = request.header("mcp-session-id")
        credential = request.header(AUTHORIZATION)
        if session is not None and credential is not None and response.status < 400:
            self._by_session[session] = credential
        return response

    def for_session(self, request: Request) -> Request:
        """``request`` with the credential of its session, if that is known."""
        known = self._by_session.get(request.header("mcp-session-id") or "")
        return request if known is None else with_header(request, AUTHORIZATION, known)


class _SessionIsEnough(_Seen):
    def __call__(self, respond: Respond, request: Request) -> Response:
        if AUTHORIZATION in request.headers or request.query:
            return self.accepted(respond, request)
        return respond(self.for_session(request))


class _AnyToken(_Seen):
    def __call__(self, respond: Respond, request: Request) -> Response:
        response = self.accepted(respond, request)
        scheme = (request.header(AUTHORIZATION) or "").partition(" ")[0].lower()
        return respond(self.for_session(request)) if response.status == 401 and scheme == "bearer" else response


def _no_challenge(respond: Respond, request: Request) -> Response:
    response = respond(request)
    kept = tuple((name, value) for name, value in response.headers if name.lower() != "www-authenticate")
    return replace(response, headers=kept)


def _token_in_query(respond: Respond, request: Request) -> Response:
    tokens = parse_qs(request.query).get("access_token", [])
    if AUTHORIZATION in request.headers or not tokens:
        return respond(request)
    return respond(with_header(request, AUTHORIZATION, f"Bearer {tokens[0]}"))


def _no_authorization_server(respond: Respond, request: Request) -> Response:
    response = respond(request)
    if not request.path.startswith(WELL_KNOWN) or response.status != 200:
        return response
    document = {**json.loads(response.body), "authorization_servers": []}
    return replace(response, body=json.dumps(document).encode())


FAULTS = (
    Fault(
        "session-is-enough",
        "Every request needs the token, also within a session.",
        ("security-auth-required", "security-session-not-auth"),
        HTTP,
        http=_SessionIsEnough(),
        needs="auth",
        allows={"security-www-authenticate": "no request in the session draws a 401 with a challenge"},
    ),
    Fault(
        "any-token-taken",
        "A token that the server does not know is answered 401.",
        ("security-auth-malformed",),
        HTTP,
        http=_AnyToken(),
        needs="auth",
    ),
    Fault(
        "no-challenge",
        "A 401 carries a WWW-Authenticate header.",
        ("security-www-authenticate",),
        HTTP,
        http=_no_challenge,
        needs="auth",
    ),
    Fault(
        "token-in-query",
        "A token in the query of the URL is not accepted.",
        ("security-token-in-uri",),
        HTTP,
        http=_token_in_query,
        needs="auth",
    ),
    Fault(
        "no-authorization-server",
        "The protected resource metadata names an authorization server.",
        ("security-oauth-metadata",),
        HTTP,
        http=_no_authorization_server,
        needs="auth",
    ),
)
