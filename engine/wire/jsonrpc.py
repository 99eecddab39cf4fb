"""Strict reading of JSON-RPC text, and the answers to a server's own requests."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire import limits

if TYPE_CHECKING:
    from mcp_compliance.wire.wire import Responder

SHOWN = 16 * 1024
"""Bytes of a text that are decoded for showing: at least 4096 characters."""
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Parsed:
    """A text read as JSON. ``problem`` says in words why it is none, and then ``payload`` is None.

    ``text`` is the beginning of the text for showing, bytes that are not UTF-8 written as ``\\xNN``. ``cost``
    estimates the memory of the payload in bytes.
    """

    payload: JSON
    text: str
    problem: str | None = None
    cost: int = 0


def parse(data: bytes) -> Parsed:
    """Read one JSON text (RFC 8259, strict UTF-8, no byte order mark, no NaN). Never raises.

    Numbers beyond a double become the largest one. A lone surrogate escape becomes U+FFFD, because no output
    could carry it. Deeper nesting than ``limits.NESTING`` and more than ``limits.VALUES`` values are
    problems.
    """
    shown = data[:SHOWN].decode("utf-8", "backslashreplace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Parsed(None, shown, f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}", len(shown))
    problem, values = _measure(text)
    if problem is not None:
        return Parsed(None, shown, problem, len(shown))
    try:
        payload: JSON = json.loads(text, parse_constant=_refuse_constant, parse_int=_read_int, parse_float=_read_float)
    except json.JSONDecodeError as error:
        return Parsed(None, shown, f"not JSON: {error.msg} at offset {error.pos}", len(shown))
    except (ValueError, RecursionError) as error:
        return Parsed(None, shown, f"not JSON: {error}", len(shown))
    if _SURROGATE_ESCAPE.search(text):
        payload = _without_lone_surrogates(payload)
    return Parsed(payload, shown, None, len(data) + 80 * values)


def _measure(text: str) -> tuple[str | None, int]:
    """Why the text must not be given to the JSON reader (or None), and how many values it has at most."""
    if not text.strip(" \t\r\n"):
        return "not JSON: empty", 0
    if text.startswith("\ufeff"):
        return "not JSON: starts with a byte order mark", 0
    opened = text.count("[") + text.count("{")
    values = opened + text.count(",")
    # Characters inside strings are counted too, so this decides most texts without looking at them one by
    # one.
    if opened <= limits.NESTING and values <= limits.VALUES:
        return None, values
    depth = values = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()[0]
        if mark in "[{":
            depth += 1
            values += 1
            if depth > limits.NESTING:
                return f"JSON nested deeper than {limits.NESTING} levels", values
        elif mark in "]}":
            depth -= 1
        elif mark == ",":
            values += 1
        if values > limits.VALUES:
            return f"JSON with more than {limits.VALUES} values", values
    return None, values


def _refuse_constant(name: str) -> JSON:
    raise ValueError(f"{name} is no JSON value")


def _read_int(digits: str) -> int | float:
    if len(digits) <= limits.DIGITS:
        return int(digits)
    return -sys.float_info.max if digits.startswith("-") else sys.float_info.max


def _read_float(digits: str) -> float:
    value = float(digits)
    return max(-sys.float_info.max, min(sys.float_info.max, value))


def _without_lone_surrogates(value: JSON) -> JSON:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_LONE_SURROGATE.sub("\ufffd", key): _without_lone_surrogates(item) for key, item in value.items()}
    return value


def encode(message: JSON) -> bytes:
    """Compact UTF-8 with non-ASCII characters as themselves: servers that cannot read those are to be
    noticed.
    """
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")


def answer_to(request: JSONObject, responder: Responder) -> JSONObject:
    """The complete response to a request of the server. A responder that raises becomes an internal error."""
    try:
        outcome = responder(request)
    except Exception as error:
        outcome = {"error": {"code": -32603, "message": f"the client failed: {type(error).__name__}"}}
    return {"jsonrpc": "2.0", "id": request.get("id"), **outcome}
