"""Values of a message that HTTP headers repeat: how they are written, and which a tool's schema asks for.

Source: the "Value Encoding" and "Schema Extension" sections of the Streamable HTTP transport.
"""

from __future__ import annotations

import base64
import re

from mcp_compliance.jsontypes import JSON

BEFORE, AFTER = "=?base64?", "?="
PLAIN = re.compile(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?")
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
DEEPEST = 16
"""Nesting of ``properties`` that is looked at."""


def encoded(value: str) -> str:
    """The value as a header carries it: as it stands where that is safe, else Base64 of its UTF-8 between sentinels."""
    looks_encoded = value.startswith(BEFORE) and value.endswith(AFTER)
    if not value or (PLAIN.fullmatch(value) and not looks_encoded):
        return value
    return BEFORE + base64.b64encode(value.encode("utf-8", "surrogatepass")).decode("ascii") + AFTER


def mirrored(schema: JSON, arguments: JSON, keyword: str) -> list[tuple[str, str]]:
    """What of a call's arguments is repeated in headers: the name that ``keyword`` gives, and the text of the value.

    Only properties reached through ``properties`` alone count, and only texts, whole numbers and booleans; an argument
    that is absent or null has no header, and neither has one whose name no header could have.
    """
    found: list[tuple[str, str]] = []
    _mirror(schema, arguments, keyword, found, DEEPEST)
    return found


def _mirror(schema: JSON, value: JSON, keyword: str, found: list[tuple[str, str]], depth: int) -> None:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or not isinstance(value, dict) or depth == 0:
        return
    for name, inner in properties.items():
        if not isinstance(inner, dict) or name not in value:
            continue
        wanted, text = inner.get(keyword), _text(value[name])
        if isinstance(wanted, str) and TOKEN.fullmatch(wanted) and text is not None:
            found.append((wanted, text))
        _mirror(inner, value[name], keyword, found, depth - 1)


def _text(value: JSON) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else None
    if isinstance(value, int):
        return str(value)
    return value if isinstance(value, str) else None
