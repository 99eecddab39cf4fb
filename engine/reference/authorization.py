"""Bearer tokens and the metadata that leads a client to them (basic/authorization, RFC 6750, RFC 9728)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence

from mcp_compliance.reference.http_messages import Request, Response

WELL_KNOWN = "/.well-known/oauth-protected-resource"
SCOPE = "harbour"
# a name that can never exist (RFC 2606): the tokens are given on the command line, nobody issues them
AUTHORIZATION_SERVER = "https://login.harbour.example"


class Authorization:
    """Who may use the endpoint at ``url``: everybody without ``tokens``, else whoever sends one of them.

    A token counts in the Authorization header only, never in the query.
    """

    def __init__(self, url: str, tokens: Sequence[str] = ()) -> None:
        self._url = url
        base, _, path = url.removeprefix("http://").partition("/")
        self._metadata_url = f"http://{base}{WELL_KNOWN}/{path}"
        self._places = (WELL_KNOWN, f"{WELL_KNOWN}/{path}")
        self._tokens = [token.encode() for token in tokens]

    def challenge(self, request: Request) -> Response | None:
        """The 401 that ``request`` deserves, or None when it may pass."""
        if not self._tokens:
            return None
        header = request.header("authorization")
        scheme, _, token = (header or "").partition(" ")
        if scheme.lower() == "bearer" and self._knows(token.strip()):
            return None
        wrong = "" if header is None else 'error="invalid_token", '
        value = f'Bearer {wrong}resource_metadata="{self._metadata_url}", scope="{SCOPE}"'
        body = json.dumps({"error": "unauthorized" if header is None else "invalid_token"})
        return Response(401, (("Content-Type", "application/json"), ("WWW-Authenticate", value)), body.encode())

    def metadata(self, request: Request) -> Response | None:
        """The protected resource metadata, when it is asked for and there is something to protect."""
        if not self._tokens or request.verb != "GET" or request.path not in self._places:
            return None
        document = {
            "resource": self._url,
            "authorization_servers": [AUTHORIZATION_SERVER],
            "scopes_supported": [SCOPE],
            "bearer_methods_supported": ["header"],
        }
        return Response(200, (("Content-Type", "application/json"),), json.dumps(document).encode())

    def owner(self, request: Request) -> str | None:
        """A name for the credential of a request that passed: sessions belong to the one that opened them."""
        header = request.header("authorization")
        return hashlib.sha256(header.encode()).hexdigest() if self._tokens and header else None

    def _knows(self, token: str) -> bool:
        sent = token.encode("utf-8", "replace")
        # all of them are compared, in constant time each, so that the time tells nothing
        return sum(hmac.compare_digest(sent, known) for known in self._tokens) > 0
