"""Requests of the modern era as a careful client sends them, and the headers that go with them."""

from __future__ import annotations

from typing import Any

REVISION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
VERSION, CAPABILITIES, CLIENT = PREFIX + "protocolVersion", PREFIX + "clientCapabilities", PREFIX + "clientInfo"
LOG_LEVEL, SUBSCRIPTION, SERVER = PREFIX + "logLevel", PREFIX + "subscriptionId", PREFIX + "serverInfo"

META: dict[str, Any] = {
    VERSION: REVISION,
    CAPABILITIES: {"elicitation": {}},
    CLIENT: {"name": "test", "version": "1"},
}


def request(method: str, id_: Any = 1, meta: Any = None, **params: Any) -> dict[str, Any]:
    """A request with the usual ``_meta``, unless another one is given."""
    return {
        "jsonrpc": "2.0",
        "id": id_,
        "method": method,
        "params": {**params, "_meta": META if meta is None else meta},
    }


def headers_for(message: dict[str, Any]) -> dict[str, str]:
    """The standard headers, in lower case; those of single arguments are up to the test."""
    params = message.get("params", {})
    headers = {"mcp-protocol-version": REVISION, "mcp-method": message.get("method", "server/discover")}
    if message.get("method") in ("tools/call", "prompts/get", "resources/read"):
        name = params.get("name", params.get("uri"))
        headers |= {"mcp-name": name} if isinstance(name, str) else {}
    return headers


def without(*keys: str) -> dict[str, Any]:
    """The usual ``_meta`` without these keys."""
    return {key: value for key, value in META.items() if key not in keys}
