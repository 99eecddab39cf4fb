"""Where a keyword stands inside a JSON Schema: on which subschemas, of which types, and how they are reached.

Only places that hold a schema are entered. What stands under ``const``, ``enum``, ``default`` and ``examples`` is data,
and a property may have any name, that of the keyword too.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.catalog.functions.declare import LIST_LIMIT
from mcp_compliance.jsontypes import JSON, JSONObject, type_name

REACHING = "properties"
"""The one keyword whose subschemas are at a fixed place in every instance."""
NAMED = frozenset({REACHING, "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
LISTED = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
SINGLE = frozenset(
    {"items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"}
    | {"propertyNames", "contentSchema", "not", "if", "then", "else"}
)
DEEPEST = 8
"""References and branches that are followed one behind the other to find a type."""


@dataclass(frozen=True)
class _Place:
    at: str
    schema: JSON
    static: bool
    """Whether it was reached through ``properties`` alone."""


def annotated(schema: JSON, keyword: str) -> list[JSON]:
    """Every subschema with the keyword, in the order of the document, as ``{at, value, static, types, of}``. ``static``
    says that it describes a property which is reached from the root through ``properties`` alone; ``types`` are the
    JSON types that it names, by itself, through references inside the document or by the branches of anyOf, oneOf
    and allOf (the first that names any), and null where it names none. At most 10 000 places are looked at.
    """
    found: list[JSON] = []
    waiting = [_Place("", schema, static=True)]
    reader = _Types(schema)
    for _ in range(LIST_LIMIT):
        if not waiting:
            break
        place = waiting.pop()
        if not isinstance(place.schema, dict):
            continue
        if keyword in place.schema:
            static = place.static and place.at != ""
            types = reader.of(place.schema, DEEPEST)
            found.append(
                {"at": place.at, "value": place.schema[keyword], "static": static, "types": types, "of": place.schema}
            )
        waiting.extend(reversed(_below(place, place.schema)))
    return found


def _below(place: _Place, schema: JSONObject) -> list[_Place]:
    places: list[_Place] = []
    for keyword, held in schema.items():
        at = f"{place.at}.{keyword}" if place.at else keyword
        if keyword in NAMED and isinstance(held, dict):
            static = place.static and keyword == REACHING
            places += [_Place(f"{at}.{name}", inner, static) for name, inner in held.items()]
        elif keyword in LISTED and isinstance(held, list):
            places += [_Place(f"{at}[{index}]", inner, static=False) for index, inner in enumerate(held[:LIST_LIMIT])]
        elif keyword in SINGLE:
            places.append(_Place(at, held, static=False))
    return places


@dataclass
class _Types:
    """Reads the types that schemas of one document name. ``left`` is how many more schemas are looked at."""

    whole: JSON
    left: int = LIST_LIMIT

    def of(self, schema: JSON, depth: int) -> list[JSON] | None:
        self.left -= 1
        if not isinstance(schema, dict) or depth < 0 or self.left < 0:
            return None
        named = schema.get("type")
        if isinstance(named, (str, list)):
            return [named] if isinstance(named, str) else _distinct([one for one in named if isinstance(one, str)])
        if "const" in schema:
            return [type_name(schema["const"])]
        offered = schema.get("enum")
        if isinstance(offered, list):
            return _distinct([type_name(value) for value in offered[:LIST_LIMIT]])
        if isinstance(schema.get("$ref"), str):
            return self.of(self._target(str(schema["$ref"])), depth - 1)
        for keyword in ("anyOf", "oneOf"):
            branches = schema.get(keyword)
            if isinstance(branches, list) and branches:
                return self._together(branches, depth - 1)
        held = schema.get("allOf")
        named_by = (self.of(branch, depth - 1) for branch in held) if isinstance(held, list) else ()
        return next((types for types in named_by if types is not None), None)

    def _together(self, branches: list[JSON], depth: int) -> list[JSON] | None:
        types: list[JSON] = []
        for branch in branches:
            of_branch = self.of(branch, depth)
            if of_branch is None:
                return None
            types += of_branch
        return _distinct(types)

    def _target(self, reference: str) -> JSON:
        if reference == "#":
            return self.whole
        if not reference.startswith("#/"):
            return None
        found = self.whole
        for name in reference[2:].split("/"):
            found = found.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        return found


def _distinct(names: list[JSON]) -> list[JSON]:
    return list(dict.fromkeys(str(name) for name in names))
