"""Values of the rule language: literals, references and generators, typed; what is sent is never a text template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mcp_compliance.catalog.expressions import Expression
from mcp_compliance.jsontypes import JSON

Pointer: TypeAlias = tuple[str | int, ...]
"""Where something stands in its document: keys and indexes from the top."""


class NotGiven:
    """Marks an option that the document leaves out, where null would mean something."""


NOT_GIVEN = NotGiven()


@dataclass(frozen=True)
class Located:
    """An expression and where it stands."""

    expression: Expression
    at: Pointer

    @property
    def text(self) -> str:
        return self.expression.text


@dataclass(frozen=True)
class Literal:
    value: JSON


@dataclass(frozen=True)
class Reference:
    """``{from: <expression>, or: <value>}``: keeps its JSON type; null without ``or`` ends the rule."""

    source: Located
    otherwise: Value | NotGiven


@dataclass(frozen=True)
class Make:
    """``{make: uuid | counter | text | like | arguments, ...}``; options by name."""

    kind: str
    options: dict[str, Value]
    at: Pointer


@dataclass(frozen=True)
class Secret:
    """``{secret: token}``: the configured credential, masked wherever it would be shown."""

    name: str


@dataclass(frozen=True)
class Pick:
    """``{pick: tool, must: [...], prefer: [...], most: n, or: <value>}``: one item of a list, or the best ``most`` of
    them; when none fits the rule skips, unless ``or`` says what to take."""

    kind: str
    must: tuple[str, ...]
    prefer: tuple[str, ...]
    most: int | None
    at: Pointer
    otherwise: Value | NotGiven = NOT_GIVEN


@dataclass(frozen=True)
class ObjectValue:
    members: dict[str, Value]


@dataclass(frozen=True)
class ArrayValue:
    items: tuple[Value, ...]


Value: TypeAlias = Literal | Reference | Make | Secret | Pick | ObjectValue | ArrayValue


@dataclass(frozen=True)
class Text:
    """A text for people. ``parts`` alternates between literal strings and expressions, in order."""

    source: str
    parts: tuple[str | Located, ...]
    at: Pointer
