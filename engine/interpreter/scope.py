"""The one root that every expression of a rule sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.values import Located
from mcp_compliance.jsontypes import JSON


@dataclass
class Scope:
    """Names and their values. Steps and ``let`` add names; ``each`` works in a child."""

    library: Library
    names: dict[str, JSON] = field(default_factory=dict)

    def evaluate(self, located: Located) -> JSON:
        """Raises ``ExpressionRaised`` when the expression raises on the data it meets."""
        return located.expression.evaluate(self.names, self.library)

    def set(self, name: str, value: JSON) -> None:
        self.names[name] = value

    def child(self, more: Mapping[str, JSON]) -> Scope:
        return Scope(self.library, {**self.names, **more})
