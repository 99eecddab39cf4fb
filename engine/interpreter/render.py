"""Texts for people: expressions filled in, cut, escaped, masked."""

from __future__ import annotations

import json

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.values import Text
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON
from mcp_compliance.model.secrets import Secrets

LONGEST = 200
"""Characters of one filled-in value."""
UNKNOWN = "?"


class Renderer:
    """Renders texts and values. ``unrendered`` collects texts with an expression that raised."""

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self.unrendered: list[str] = []

    def text(self, text: Text, scope: Scope) -> str:
        words = []
        for part in text.parts:
            if isinstance(part, str):
                words.append(part)
                continue
            try:
                words.append(self.value(scope.evaluate(part)))
            except ExpressionRaised:
                self.unrendered.append(text.source)
                words.append(UNKNOWN)
        return "".join(words)

    def value(self, value: JSON) -> str:
        """A string as it is, anything else as JSON; at most 200 characters, printable, masked."""
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return shorten(printable(self.secrets.mask(words)), LONGEST)


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
