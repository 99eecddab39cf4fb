"""The ``_meta`` of requests and results of MCP 2026-07-28 (basic/index, _meta; server/utilities/caching)."""

from __future__ import annotations

from typing import NamedTuple

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.calls import ProgressToken
from mcp_compliance.reference.dispatch import SERVER_INFO
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, JSONObject, RpcError, as_object
from mcp_compliance.reference.session import LOG_LEVELS

REVISION = "2026-07-28"

_PREFIX = "io.modelcontextprotocol/"
PROTOCOL_VERSION = _PREFIX + "protocolVersion"
CLIENT_CAPABILITIES = _PREFIX + "clientCapabilities"
CLIENT_INFO = _PREFIX + "clientInfo"
LOG_LEVEL = _PREFIX + "logLevel"
SUBSCRIPTION_ID = _PREFIX + "subscriptionId"
SERVER_INFO_KEY = _PREFIX + "serverInfo"

HOUR = 3_600_000
# Freshness in ms and scope, by method. What lists of tools, prompts and templates say is the same for everybody;
# notes belong to the client that writes them, and may change at any time.
_CACHING: dict[str, JSONObject] = {
    "server/discover": {"ttlMs": HOUR, "cacheScope": "public"},
    "tools/list": {"ttlMs": HOUR, "cacheScope": "public"},
    "prompts/list": {"ttlMs": HOUR, "cacheScope": "public"},
    "resources/templates/list": {"ttlMs": HOUR, "cacheScope": "public"},
    "resources/list": {"ttlMs": 1_000, "cacheScope": "private"},
    "resources/read": {"ttlMs": 1_000, "cacheScope": "private"},
}


class RequestMeta(NamedTuple):
    """What a request says of itself. ``log_level`` is None when no log messages are wanted."""

    version: str
    capabilities: JSONObject
    log_level: str | None
    progress_token: ProgressToken | None

    def wants_log(self, level: str) -> bool:
        """Whether a log message of this level may be sent for the request."""
        return self.log_level is not None and LOG_LEVELS.index(level) >= LOG_LEVELS.index(self.log_level)


def meta_of(message: JSONObject) -> JSONObject:
    """The ``_meta`` of a request or notification, {} without one."""
    return as_object(jsonrpc.params_of(message).get("_meta"))


def read_meta(message: JSONObject) -> RequestMeta:
    """Raises -32602 for a request that is malformed here. Who the client says it is plays no part."""
    meta = meta_of(message)
    version, capabilities = meta.get(PROTOCOL_VERSION), meta.get(CLIENT_CAPABILITIES)
    if not isinstance(version, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta has no {PROTOCOL_VERSION}")
    if not isinstance(capabilities, dict):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta has no {CLIENT_CAPABILITIES}")
    level = meta.get(LOG_LEVEL)
    if level is not None and level not in LOG_LEVELS:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown log level")
    token = meta.get("progressToken")
    if token is not None and (isinstance(token, bool) or not isinstance(token, (str, int))):
        raise RpcError(INVALID_PARAMS, "Invalid params: the progressToken is neither a string nor an integer")
    return RequestMeta(version, capabilities, str(level) if level is not None else None, token)


def is_well_formed(message: JSONObject) -> bool:
    """Whether :func:`read_meta` takes ``message``."""
    try:
        read_meta(message)
    except RpcError:
        return False
    return True


def complete(method: str, value: JSONObject) -> JSONObject:
    """``value`` as the final result of a request: with its type, with who gives it, and how long it keeps."""
    return result("complete", {**value, **_CACHING.get(method, {})})


def result(kind: str, value: JSONObject, **more: JSON) -> JSONObject:
    """``value`` as a result of this type; ``more`` are further fields of its ``_meta``, without the prefix."""
    meta: JSONObject = {SERVER_INFO_KEY: SERVER_INFO, **{_PREFIX + name: item for name, item in more.items()}}
    return {"resultType": kind, **value, "_meta": meta}
