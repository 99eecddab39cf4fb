"""Finds every expression in a typed rule or revision, with the place of its text in the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from mcp_compliance.catalog.compile_values import TEMPLATE
from mcp_compliance.catalog.expressions import Expression
from mcp_compliance.catalog.rule import Case
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


_fields: dict[type, tuple[str, ...] | None] = {}


def _parts_of(kind: type) -> tuple[str, ...] | None:
    """Fields of a dataclass that can hold expressions; None for other types. Cases hold none, and much else."""
    if kind not in _fields:
        holds = is_dataclass(kind) and kind is not Case
        _fields[kind] = tuple(item.name for item in fields(kind)) if holds else None
    return _fields[kind]


def _walk(part: object) -> Iterator[object]:
    kind = type(part)
    if kind is Located or kind is Text:
        yield part
    elif kind is tuple or kind is list:
        for member in part:  # type: ignore[attr-defined]
            yield from _walk(member)
    elif isinstance(part, Mapping):
        for member in part.values():
            yield from _walk(member)
    elif (names := _parts_of(kind)) is not None:
        yield part
        for name in names:
            yield from _walk(getattr(part, name))
