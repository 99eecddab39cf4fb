"""Texts of others, made fit for a line that people read."""

from __future__ import annotations

import json

from mcp_compliance.jsontypes import JSON

LOOKED_AT = 4096
"""Characters of a JSON value that are written out at all: how large it is, a server decides."""
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def printable(text: str) -> str:
    """Control characters, unpaired surrogates and invisible format characters as escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if short is not None:
        return short
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def brief(text: str, longest: int) -> str:
    """The same as printing and then shortening, without looking at more of a huge text than is shown."""
    return shorten(printable(text[: longest + 1]), longest)


def beginning(value: JSON) -> str:
    """The value as JSON; of a large one only the first 4096 characters, and no more work than they need."""
    if _is_small(value):
        return _ENCODER.encode(value)[:LOOKED_AT]
    text = ""
    for piece in _ENCODER.iterencode(value):
        text += piece[:LOOKED_AT]
        if len(text) >= LOOKED_AT:
            break
    return text[:LOOKED_AT]


def _is_small(value: JSON) -> bool:
    """Whether so little is in the value that writing it piece by piece would only be slower."""
    left, items = LOOKED_AT, [value]
    while items and left > 0:
        item = items.pop()
        left -= 1
        if isinstance(item, str):
            left -= len(item)
        elif isinstance(item, list):
            left -= len(item)
            items += item[: left + 1]
        elif isinstance(item, dict):
            left -= sum(map(len, item)) + len(item)
            if left > 0:
                items += item.values()
    return left > 0
