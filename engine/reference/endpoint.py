"""The Streamable HTTP transport as a function of one request to one response; no socket is touched here."""

from __future__ import annotations

from urllib.parse import urlsplit

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.authorization import Authorization
from mcp_compliance.reference.eras import MODERN, Eras, posted_modern
from mcp_compliance.reference.http_messages import Request, Response, json_response, media_types, refusal
from mcp_compliance.reference.jsonrpc import RequestId, RpcError
from mcp_compliance.reference.legacy_http import LegacyEndpoint
from mcp_compliance.reference.modern_http import ModernEndpoint

PATH = "/mcp"

# how long streams get to say that they end when the server does, in seconds
PATIENCE = 1.0


class Endpoint:
    """One MCP endpoint. :meth:`respond` may be called from several threads at once."""

    def __init__(self, authorization: Authorization, eras: Eras) -> None:
        self._authorization = authorization
        self._legacy = LegacyEndpoint(authorization, eras.legacy) if eras.legacy else None
        self._modern = ModernEndpoint(eras.modern) if eras.modern else None
        self._verbs = ("GET", "POST", "DELETE") if self._legacy else ("POST",)

    def respond(self, request: Request) -> Response:
        """The response to ``request``. Its events have to be read to the end, or what makes them stops."""
        origin = request.header("origin")
        if origin is not None and not _is_local(origin):
            return refusal(403, "Forbidden: this Origin is not allowed")
        metadata = self._authorization.metadata(request)
        if metadata is not None:
            return metadata
        if request.path != PATH:
            return refusal(404, "Not found")
        if request.verb not in self._verbs:
            return _not_allowed(*self._verbs)
        challenge = self._authorization.challenge(request)
        if challenge is not None:
            return challenge
        return self._post(request) if request.verb == "POST" else self._get_or_delete(request)

    def close(self) -> None:
        """End the streams that are open; returns when their clients have been told, or after a moment."""
        if self._modern is not None:
            self._modern.close(PATIENCE)

    def _get_or_delete(self, request: Request) -> Response:
        # the modern era knows neither; the version header is all that tells which era such a request is of
        modern = self._modern is not None and request.header("mcp-protocol-version") == MODERN
        if self._legacy is None or modern:
            return _not_allowed("POST")
        return self._legacy.get(request) if request.verb == "GET" else self._legacy.delete(request)

    def _post(self, request: Request) -> Response:
        if media_types(request.header("content-type")) != {"application/json"}:
            return refusal(415, "Unsupported media type: send application/json")
        accepted = media_types(request.header("accept"))
        if not (
            accepted & {"application/json", "application/*", "*/*"}
            and accepted & {"text/event-stream", "text/*", "*/*"}
        ):
            return refusal(406, "Not acceptable: accept both application/json and text/event-stream")
        id_: RequestId | None = None
        try:
            decoded = jsonrpc.decode(request.body)
            id_ = jsonrpc.request_id(decoded)
            kind, message = jsonrpc.classify(decoded)
        except RpcError as problem:
            return json_response(400, jsonrpc.error(id_, problem))
        headers = request.header("mcp-protocol-version"), request.header("mcp-session-id")
        if self._modern is not None and (self._legacy is None or posted_modern(*headers, message)):
            return self._modern.post(request, kind, message, self._authorization.owner(request))
        assert self._legacy is not None
        return self._legacy.post(request, kind, message)


def _not_allowed(*verbs: str) -> Response:
    return refusal(405, "Method not allowed", (("Allow", ", ".join(verbs)),))


def _is_local(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.hostname in ("localhost", "127.0.0.1", "::1")
    except ValueError:
        return False
