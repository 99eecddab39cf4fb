"""Finds every expression in a typed rule or revision, with the place of its text in the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from mcp_compliance.catalog.compile_values import TEMPLATE
from mcp_compliance.catalog.expressions import Expression
from mcp_compliance.catalog.values import Located, Pick, Pointer, Text


@dataclass(frozen=True)
class Use:
    """An expression. ``offset`` is where it starts within the text at ``at``, which may be a text for people."""

    expression: Expression
    at: Pointer
    offset: int = 0


def uses_in(*parts: object) -> Iterator[Use]:
    """Expressions anywhere inside, in the order of the fields."""
    for part in parts:
        for found in _walk(part):
            if isinstance(found, Located):
                yield Use(found.expression, found.at)
            elif isinstance(found, Text):
                yield from _of_text(found)


def texts_in(*parts: object) -> Iterator[Text]:
    for part in parts:
        yield from (found for found in _walk(part) if isinstance(found, Text))


def picks_in(*parts: object) -> Iterator[Pick]:
    for part in parts:
        yield from (found for found in _walk(part) if isinstance(found, Pick))


def _of_text(text: Text) -> Iterator[Use]:
    offsets = [match.start(1) for match in TEMPLATE.finditer(text.source)]
    expressions = [part for part in text.parts if isinstance(part, Located)]
    for offset, located in zip(offsets, expressions, strict=True):
        yield Use(located.expression, located.at, offset)


def _walk(part: object) -> Iterator[object]:
    if isinstance(part, (Located, Text)):
        yield part
    elif isinstance(part, Mapping):
        for member in part.values():
            yield from _walk(member)
    elif isinstance(part, (list, tuple)):
        for member in part:
            yield from _walk(member)
    elif is_dataclass(part) and not isinstance(part, type):
        yield part
        for item in fields(part):
            yield from _walk(getattr(part, item.name))
