"""Texts for people: expressions filled in, cut, escaped, masked."""

from __future__ import annotations

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.values import Text
from mcp_compliance.facts.printable import LOOKED_AT, beginning, brief
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
        words = value[:LOOKED_AT] if isinstance(value, str) else beginning(value)
        return brief(self.secrets.mask(words), LONGEST)
