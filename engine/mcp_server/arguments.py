"""Arguments of a call, checked. Messages name the argument and never show a value: it may be a credential."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.jsontypes import JSON, JSONObject

_URL = re.compile(r"https?://", re.IGNORECASE)
_KINDS: dict[str, str] = {
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "array": "a list of strings",
    "object": "an object of strings",
}


class ArgumentError(Exception):
    """An argument is wrong. One line for the caller: what is wrong, and what to do."""


def checked(arguments: Mapping[str, JSON], schema: JSONObject) -> dict[str, JSON]:
    """The arguments, if they have the names and types of ``schema``. Raises ``ArgumentError``.

    Ranges and choices are left to what uses the values; it says what they are.
    """
    known = _object(schema["properties"])
    for name, value in arguments.items():
        if name not in known:
            hint = suggestion(name, known) or f"; the arguments are {', '.join(known)}"
            raise ArgumentError(f"unknown argument {_short(name)}{hint}")
        kind = str(_object(known[name])["type"])
        if not _is(value, kind):
            raise ArgumentError(f"{name}: expected {_KINDS[kind]}")
    required = schema["required"]
    for wanted in required if isinstance(required, list) else ():
        if wanted not in arguments:
            raise ArgumentError(f"{wanted} is required")
    return dict(arguments)


def url_of(text: str) -> str:
    """``text``, if it is a URL. Raises ``ArgumentError`` for anything else, a command above all."""
    if _URL.match(text.strip()):
        return text.strip()
    if "://" in text or not text.strip():
        raise ArgumentError("url: expected a URL that begins with http:// or https://")
    raise ArgumentError(
        "url: expected a URL that begins with http:// or https://. stdio targets are CLI-only: a server that is "
        "started by a command is tested in a terminal, with mcp-compliance test COMMAND"
    )


def _is(value: JSON, kind: str) -> bool:
    if kind == "integer":
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return whole and not isinstance(value, bool)
    if kind == "array":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "object":
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    return isinstance(value, bool if kind == "boolean" else str)


def _object(value: JSON) -> JSONObject:
    assert isinstance(value, dict)
    return value


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:40]}..."
