"""Compiles the leaves of documents: expressions, texts, values, times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mcp_compliance.catalog.expressions import ExpressionError, compile_expression
from mcp_compliance.catalog.values import (
    NOT_GIVEN,
    ArrayValue,
    Literal,
    Located,
    Make,
    ObjectValue,
    Pick,
    Pointer,
    Reference,
    Secret,
    Text,
    Value,
)
from mcp_compliance.jsontypes import JSON, JSONObject

TEMPLATE = re.compile(r"\{([^{}]*)\}")
TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")


@dataclass(frozen=True)
class Problem:
    """A mistake found while compiling. ``column`` counts characters into the scalar at ``at``, from 0."""

    at: Pointer
    message: str
    column: int = 0


@dataclass
class Compiler:
    """Compiles the parts of one document and collects its problems instead of stopping at the first."""

    problems: list[Problem] = field(default_factory=list)

    def expression(self, source: JSON, at: Pointer, offset: int = 0) -> Located:
        text = source if isinstance(source, str) else ""
        try:
            return Located(compile_expression(text), at)
        except ExpressionError as error:
            self.problems.append(Problem(at, error.message, offset + error.column))
            return Located(compile_expression("`null`"), at)

    def optional_expression(self, holder: Mapping[str, JSON], key: str, at: Pointer) -> Located | None:
        return self.expression(holder[key], (*at, key)) if key in holder else None

    def text(self, source: JSON, at: Pointer) -> Text:
        words = source if isinstance(source, str) else str(source)
        parts: list[str | Located] = []
        end = 0
        for match in TEMPLATE.finditer(words):
            if match.start() > end:
                parts.append(words[end : match.start()])
            parts.append(self.expression(match[1], at, match.start(1)))
            end = match.end()
        if end < len(words):
            parts.append(words[end:])
        return Text(words, tuple(parts), at)

    def optional_text(self, holder: Mapping[str, JSON], key: str, at: Pointer) -> Text | None:
        return self.text(holder[key], (*at, key)) if key in holder else None

    def value(self, source: JSON, at: Pointer) -> Value:
        if isinstance(source, list):
            return ArrayValue(tuple(self.value(item, (*at, index)) for index, item in enumerate(source)))
        if not isinstance(source, dict):
            return Literal(source)
        if "literal" in source and len(source) == 1:
            return Literal(source["literal"])
        if "from" in source and source.keys() <= {"from", "or"}:
            otherwise = self.value(source["or"], (*at, "or")) if "or" in source else NOT_GIVEN
            return Reference(self.expression(source["from"], (*at, "from")), otherwise)
        if "make" in source:
            return self._make(source, at)
        if "secret" in source and len(source) == 1:
            return Secret(str(source["secret"]))
        if "pick" in source:
            return self._pick(source, at)
        return ObjectValue(self.values(source, at))

    def references(self, source: JSON, at: Pointer) -> Value:
        """A value in which ``{from, or}`` alone is special; whatever else it holds stands as it is."""
        if isinstance(source, dict) and isinstance(source.get("from"), str) and source.keys() <= {"from", "or"}:
            otherwise = self.references(source["or"], (*at, "or")) if "or" in source else NOT_GIVEN
            return Reference(self.expression(source["from"], (*at, "from")), otherwise)
        if isinstance(source, dict):
            members = {key: self.references(member, (*at, key)) for key, member in source.items()}
            return Literal(source) if _all_literal(members.values()) else ObjectValue(members)
        if isinstance(source, list):
            items = tuple(self.references(item, (*at, index)) for index, item in enumerate(source))
            return Literal(source) if _all_literal(items) else ArrayValue(items)
        return Literal(source)

    def values(self, source: JSON, at: Pointer) -> dict[str, Value]:
        members = source if isinstance(source, dict) else {}
        return {key: self.value(member, (*at, key)) for key, member in members.items()}

    def _make(self, source: JSONObject, at: Pointer) -> Value:
        """``of``, ``for`` and ``set`` name a value by expression, so they are read as references."""
        options: dict[str, Value] = {}
        for key, option in source.items():
            if key in ("of", "for", "set") and isinstance(option, str):
                options[key] = Reference(self.expression(option, (*at, key)), NOT_GIVEN)
            elif key != "make":
                options[key] = self.value(option, (*at, key))
        return Make(str(source["make"]), options, at)

    def _pick(self, source: JSONObject, at: Pointer) -> Value:
        most = source.get("most")
        return Pick(
            kind=str(source["pick"]),
            must=tuple(str(word) for word in _items(source.get("must"))),
            prefer=tuple(str(word) for word in _items(source.get("prefer"))),
            most=most if isinstance(most, int) else None,
            at=at,
            otherwise=self.value(source["or"], (*at, "or")) if "or" in source else NOT_GIVEN,
        )


def time_or_name(source: JSON) -> str | float:
    """Seconds for ``2s``, ``250ms`` and numbers; any other text is the name of a budget."""
    if isinstance(source, (int, float)):
        return float(source)
    match = TIME.fullmatch(str(source))
    if match is None:
        return str(source)
    return float(match[1]) / (1000 if match[2] == "ms" else 1)


def seconds(source: JSON) -> float | None:
    """Seconds of a time that may be absent."""
    if source is None:
        return None
    value = time_or_name(source)
    return value if isinstance(value, float) else None


def _all_literal(values: Iterable[Value]) -> bool:
    return all(isinstance(value, Literal) for value in values)


def _items(source: JSON) -> list[JSON]:
    return source if isinstance(source, list) else []
