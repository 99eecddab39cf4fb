"""Writes JSON values as YAML in one line, quoting only where a reader needs it."""

from __future__ import annotations

import json
import re

from mcp_compliance.jsontypes import JSON

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./ -]*(?<![ -])")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def flow(value: JSON) -> str:
    """The value in flow style; reading it gives the same value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {flow(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())
