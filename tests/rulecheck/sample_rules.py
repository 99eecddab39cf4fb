"""The sample rules, which use every key of the language: where each key stands, and how to change their text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from mcp_compliance.catalog.document_schema import schema_of
from mcp_compliance.catalog.yaml_reader import Node, Place, Reader, child

FOLDER = Path(__file__).parent / "samples" / "2020-01-01"
SCHEMA: Any = schema_of("rule")
PARTS: Any = SCHEMA["$defs"]
Pointer = tuple[str | int, ...]


@dataclass(frozen=True)
class Key:
    """A key in a sample: the part of the language that it belongs to, its mapping, and its schema."""

    part: str
    name: str
    mapping: Pointer
    node: Any = field(compare=False)

    @property
    def pointer(self) -> Pointer:
        return (*self.mapping, self.name)


class Sample:
    """A rule of the samples; ``keys`` are those that the schema knows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.root = Reader(path, self.text.splitlines()).read(self.text)
        self.keys = tuple(_keys_of(SCHEMA, self.root.value, "rule", ()))

    def node(self, pointer: Pointer) -> Node:
        node = self.root
        for part in pointer:
            member = child(node, part)
            assert member is not None, pointer
            node = member
        return node

    def value(self, pointer: Pointer) -> Any:
        return self.node(pointer).value

    def key_place(self, pointer: Pointer) -> Place:
        return self.node(pointer[:-1]).keys[str(pointer[-1])]

    def offset(self, place: Place) -> int:
        return sum(len(row) + 1 for row in self.text.split("\n")[: place.line - 1]) + place.column - 1

    def source(self, pointer: Pointer) -> str:
        """A value as it is written; for a block up to the next one."""
        node = self.node(pointer)
        return self.text[self.offset(node.start) : self.offset(node.end)]

    def spliced(self, place: Place, width: int, by: str) -> str:
        """The text with ``width`` characters from a place replaced."""
        at = self.offset(place)
        return self.text[:at] + by + self.text[at + width :]

    def is_flow(self, pointer: Pointer) -> bool:
        """A scalar on one line or a collection in brackets, whose end is its own."""
        node = self.node(pointer)
        return node.members is None or self.text[self.offset(node.start)] in "{["

    def with_key(self, mapping: Pointer, name: str, value: str) -> tuple[str, Place]:
        """The text with one more key before the others of a mapping, and where it stands."""
        start = self.node(mapping).start
        if self.text[self.offset(start)] == "{":
            place = Place(start.line, start.column + 1)
            return self.spliced(place, 0, f"{name}: {value}, "), place
        return self.spliced(start, 0, f"{name}: {value}\n{' ' * (start.column - 1)}"), start


@cache
def samples() -> tuple[Sample, ...]:
    return tuple(Sample(path) for path in sorted(FOLDER.glob("sample/*.yaml")))


@cache
def first_keys() -> tuple[tuple[Sample, Key], ...]:
    """Each key of the language at one place of the samples."""
    found: dict[tuple[str, str], tuple[Sample, Key]] = {}
    for sample in samples():
        for key in sample.keys:
            found.setdefault((key.part, key.name), (sample, key))
    return tuple(found.values())


def keys_of_language() -> set[tuple[str, str]]:
    """Every key that the schema describes, with its part."""
    found = {key for part, node in PARTS.items() if part != "value" for key in _described(node, part)}
    return found | set(_described(SCHEMA, "rule"))


def _described(node: Any, part: str) -> Iterator[tuple[str, str]]:
    for word in ("then", "else", "items"):
        if isinstance(node.get(word), dict):
            yield from _described(node[word], part)
    for name, own in node.get("properties", {}).items():
        if "description" in own or "$ref" in own:
            yield part, name
            yield from _described(own, f"{part}.{name}")


def _keys_of(node: Any, value: Any, part: str, at: Pointer) -> Iterator[Key]:
    if not isinstance(node, dict):
        return
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        yield from _keys_of(PARTS[name], value, name, at)
    elif "if" in node and isinstance(node.get("else"), dict) and "properties" not in node:
        branch = "then" if Draft202012Validator(node["if"]).is_valid(value) else "else"
        yield from _keys_of(node[branch], value, part, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _keys_of(node.get("items"), item, part, (*at, index))
    elif isinstance(value, dict):
        special = [own for key, own in node.get("dependentSchemas", {}).items() if key in value and "$ref" in own]
        if special:
            yield from _keys_of(special[0], value, part, at)
            return
        known = node.get("properties", {})
        for name, member in value.items():
            own = known.get(name, node.get("additionalProperties"))
            if name in known:
                yield Key(part, name, at, own)
            inner = f"{part}.{name}" if name in known and "$ref" not in own else part
            yield from _keys_of(own, member, inner, (*at, name))
