"""The headers of a POST that mirror its body (basic/transports/streamable-http, request metadata)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from decimal import Decimal

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.http_messages import Request
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, RpcError, as_object
from mcp_compliance.reference.modern_meta import PROTOCOL_VERSION, REVISION, meta_of
from mcp_compliance.reference.modern_tools import MODERN_TOOLS

HEADER_MISMATCH = -32020

_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN = re.compile(r"[\t\x20-\x7e]*")
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")
_NUMBER = re.compile(r"-?\d{1,20}(\.\d{1,20})?")


def check_headers(request: Request, message: JSONObject) -> None:
    """Raises -32020 when a header of ``request`` is missing, unreadable, or says something else than ``message``.

    A notification needs no headers, which this revision does not define for it; the ones that it has must be
    right. Where the body lacks what a header mirrors, and where it is of another revision, nothing is compared:
    that is refused for what it is.
    """
    version, is_request = meta_of(message).get(PROTOCOL_VERSION), "id" in message
    header = request.header("mcp-protocol-version")
    if header is None and is_request:
        raise _mismatch("MCP-Protocol-Version is missing")
    if header is not None and isinstance(version, str) and header != version:
        raise _mismatch("MCP-Protocol-Version and the version in _meta differ")
    if version is not None and version != REVISION:
        return
    method = request.header("mcp-method")
    if method is None and is_request:
        raise _mismatch("Mcp-Method is missing")
    if method is not None and method != jsonrpc.method_of(message):
        raise _mismatch("Mcp-Method and the method differ")
    _check_name(request, message)
    for name, value in _arguments(message):
        _compare(request, f"Mcp-Param-{name}", value)


def _check_name(request: Request, message: JSONObject) -> None:
    source = _NAMES.get(jsonrpc.method_of(message))
    if source is not None:
        named = jsonrpc.params_of(message).get(source)
        _compare(request, "Mcp-Name", named if isinstance(named, str) else None)


def _compare(request: Request, name: str, value: JSON) -> None:
    """``value`` is what the header mirrors; None: the body has nothing that a header could mirror."""
    header = request.header(name.lower())
    if header is None and value is not None:
        raise _mismatch(f"{name} is missing")
    if header is not None and not _says(header, value):
        raise _mismatch(f"{name} and the body differ")


def _says(header: str, value: JSON) -> bool:
    text = decoded(header)
    if text is None or value is None:
        return False
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int):
        # 42.0 and 42 are the same number
        return _NUMBER.fullmatch(text) is not None and Decimal(text) == value
    return text == value


def decoded(header: str) -> str | None:
    """The text that a header value stands for; None when it has characters that no header may have, or is
    Base64 of something that is no text.
    """
    if not _PLAIN.fullmatch(header):
        return None
    sealed = _SENTINEL.fullmatch(header)
    if sealed is None:
        return header
    try:
        return base64.b64decode(sealed[1], validate=True).decode("utf-8")
    except (ValueError, binascii.Error):
        return None


def _arguments(message: JSONObject) -> Iterator[tuple[str, JSON]]:
    """Each header name that the schema of the called tool gives to an argument, and the argument, else None."""
    params = jsonrpc.params_of(message)
    tool = MODERN_TOOLS.get(str(params.get("name"))) if jsonrpc.method_of(message) == "tools/call" else None
    if tool is None:
        return
    arguments = as_object(params.get("arguments"))
    for name, schema in tool.properties.items():
        header, value = as_object(schema).get("x-mcp-header"), arguments.get(name)
        if isinstance(header, str):
            yield header, value if isinstance(value, (str, int)) else None


def _mismatch(what: str) -> RpcError:
    return RpcError(HEADER_MISMATCH, f"Header mismatch: {what}")
