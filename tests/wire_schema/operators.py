"""The operators that make a good message bad, and the places to which they are applied.

* drop: a required member is taken out.
* null: a value that has a type becomes null.
* retype: it becomes a value of another type, and the one that lax readers take for it.
* constant: one of the protocol's constants becomes another text; of a union's tag that is an unknown kind.
* range: a number leaves its bounds, a list grows beyond its length.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from jsonschema import Draft202012Validator

from mcp_compliance.jsontypes import JSON, JSONObject, type_name

Path = tuple[str | int, ...]

LAX: dict[str, tuple[JSON, ...]] = {
    "string": (5, ["a"]),
    "integer": ("5", True, 1.5),
    "number": ("0.5", True),
    "boolean": ("yes", 1),
    "array": ({}, "a"),
    "object": ([], "{}"),
}
"""What is put in the place of a value of each type."""


@dataclass
class Place:
    """A member, or item, of a message with all that the schema says of it. ``owners`` are the definitions it stands in,
    as ``Tool.name``."""

    path: Path
    value: JSON
    required: bool = False
    tops: list[JSONObject] = field(default_factory=list)
    parts: list[JSONObject] = field(default_factory=list)
    """``tops``, what they refer to, and what these choose for the value."""
    owners: set[str] = field(default_factory=set)

    def said(self, keyword: str) -> list[JSON]:
        return [schema[keyword] for schema in self.parts if keyword in schema]

    @property
    def types(self) -> set[str]:
        """JSON types that the value may have; empty when it may have any."""
        listed = [{*map(str, kinds if isinstance(kinds, list) else [kinds])} for kinds in self.said("type")]
        listed += [{type_name(value) for value in values} for values in self.constants]
        either = {str(condition.get("type")) for condition in self.said("if") if isinstance(condition, dict)}
        return (set[str].intersection(*listed) | either) - {"None"} if listed else set()

    @property
    def constants(self) -> list[list[JSON]]:
        return [[value] for value in self.said("const")] + [cast("list[JSON]", values) for values in self.said("enum")]


@dataclass(frozen=True)
class Bad:
    """A message made bad. ``path`` is where the finding has to point, with the words it has to have."""

    operator: str
    payload: JSONObject
    path: Path
    problem: str


class Walk:
    """Goes through a message along its schema."""

    def __init__(self, definitions: JSONObject) -> None:
        self.definitions = definitions

    def places(self, payload: JSON, definition: str) -> list[Place]:
        found: dict[Path, Place] = {}
        self._visit(payload, [{"$ref": f"#/$defs/{definition}"}], (), found)
        return list(found.values())

    def _visit(self, value: JSON, schemas: Sequence[JSONObject], path: Path, found: dict[Path, Place]) -> None:
        children: dict[Path, Place] = {}
        for owner, schema in [part for top in schemas for part in self._parts(top, value, "")]:
            for key, inner, required, top in _children(schema, value):
                place = children.setdefault((*path, key), Place((*path, key), inner))
                place.required = place.required or required
                place.owners.add(f"{owner}.{'*' if isinstance(key, int) else key}")
                place.tops.append(top)
                place.parts += [part for _, part in self._parts(top, inner, "")]
        found.update(children)
        for place in children.values():
            self._visit(place.value, place.tops, place.path, found)

    def _parts(self, schema: JSONObject, value: JSON, owner: str) -> Iterator[tuple[str, JSONObject]]:
        """The schema and all that it leads to for this value."""
        yield owner, schema
        reference = schema.get("$ref")
        if isinstance(reference, str):
            name = reference.rpartition("/")[2]
            yield from self._parts(cast(JSONObject, self.definitions[name]), value, name)
        if "if" in schema:
            holds = Draft202012Validator(cast(JSONObject, schema["if"])).is_valid(value)
            branch = schema.get("then" if holds else "else")
            if isinstance(branch, dict):
                yield from self._parts(branch, value, owner)


def _children(schema: JSONObject, value: JSON) -> Iterator[tuple[str | int, JSON, bool, JSONObject]]:
    if isinstance(value, dict):
        named = cast(JSONObject, schema.get("properties", {}))
        for key, inner in value.items():
            member = named.get(key, schema.get("additionalProperties"))
            if isinstance(member, dict):
                yield key, inner, key in cast("list[JSON]", schema.get("required", [])), member
    if isinstance(value, list) and "items" in schema:
        for index, inner in enumerate(value):
            yield index, inner, False, cast(JSONObject, schema["items"])


def bad_messages(payload: JSONObject, place: Place) -> Iterator[Bad]:
    """Every operator that can be applied to this place."""
    path = place.path
    if place.required:
        yield Bad("drop", without(payload, path), path, "is missing")
    types = place.types
    if types and "null" not in types:
        yield Bad("null", replaced(payload, path, None), path, "is null")
    for kind in sorted(types):
        for value in LAX.get(kind, ()):
            if not ({type_name(value), "number" if type_name(value) == "integer" else ""} & types):
                yield Bad("retype", replaced(payload, path, value), path, "is ")
    if place.constants:
        yield Bad("constant", replaced(payload, path, "of nobody"), path, 'is "of nobody"')
    for keyword, step in (("minimum", -1), ("maximum", 1)):
        for bound in place.said(keyword):
            yield Bad("range", replaced(payload, path, cast(int, bound) + step), path, "below" if step < 0 else "above")
    for most in place.said("maxItems"):
        items = cast("list[JSON]", place.value)
        longer: list[JSON] = [*items, *items[:1] * (cast(int, most) + 1 - len(items))]
        yield Bad("range", replaced(payload, path, longer), path, f"more than {most}")


def replaced(payload: JSONObject, path: Path, value: JSON) -> JSONObject:
    bad = _copy(payload)
    _parent(bad, path)[path[-1]] = value
    return bad


def without(payload: JSONObject, path: Path) -> JSONObject:
    bad = _copy(payload)
    del _parent(bad, path)[path[-1]]
    return bad


def _copy(payload: JSONObject) -> JSONObject:
    """Without the parts that the original has twice: they are to be changed in one place only."""
    copied: JSONObject = json.loads(json.dumps(payload))
    return copied


def _parent(payload: JSONObject, path: Path) -> dict[str | int, JSON]:
    parent: JSON = payload
    for part in path[:-1]:
        parent = cast("dict[str | int, JSON]", parent)[part]
    return cast("dict[str | int, JSON]", parent)
