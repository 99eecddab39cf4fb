"""Functions over whole JSON documents and JSON Schemas. No reference is ever fetched."""

from __future__ import annotations

import json
from typing import NoReturn

from mcp_compliance.catalog.functions import schema_places, schemas
from mcp_compliance.catalog.functions.declare import LIST_LIMIT, Shelf
from mcp_compliance.jsontypes import JSON, same_json

shelf = Shelf("documents")

PARSE_LIMIT = 4 * 1024 * 1024
"""Characters of a text that `parsed` reads; a longer one gives null."""
_REMOTE: JSON = {"type": "object", "properties": {"a": {"$ref": "https://a.example/a.json"}}}


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


@shelf(
    {"s": "string or null"},
    "any",
    [
        (['{"a": [1]}'], {"a": [1]}),
        (["nope"], None),
        (["NaN"], None),
        ([""], None),
        ([None], None),
        ([1], None),
    ],
)
def parsed(s: JSON) -> JSON:
    """The value of a JSON text; null when it is none."""
    if not isinstance(s, str) or len(s) > PARSE_LIMIT:
        return None
    try:
        value: JSON = json.loads(s, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return value


@shelf(
    {"a": "any", "b": "any"},
    "boolean",
    [
        ([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], True),
        ([[1], [True]], False),
        ([1, "1"], False),
        ([None, None], True),
    ],
)
def same(a: JSON, b: JSON) -> JSON:
    """Whether two values are equal as JSON: 1 equals 1.0 but not true, and the order of keys does not
    count."""
    try:
        return same_json(a, b)
    except RecursionError:
        return False


@shelf(
    {"document": "any", "key": "string"},
    "array",
    [
        (
            [{"properties": {"a": {"x-mcp-header": "A"}}}, "x-mcp-header"],
            [{"at": "properties.a", "value": "A", "of": {"x-mcp-header": "A"}}],
        ),
        ([[{"$ref": "#/a"}], "$ref"], [{"at": "[0]", "value": "#/a", "of": {"$ref": "#/a"}}]),
        ([None, "a"], []),
    ],
)
def occurrences(document: JSON, key: JSON) -> JSON:
    """Every object inside a document that has a member of this name: where it stands, the member's value,
    and the object itself (`at`, `value`, `of`). Looks at 10 000 values at most."""
    found: list[JSON] = []
    waiting: list[tuple[str, JSON]] = [("", document)]
    for _ in range(LIST_LIMIT):
        if not waiting or not isinstance(key, str):
            break
        at, item = waiting.pop()
        if isinstance(item, dict):
            if key in item:
                found.append({"at": at, "value": item[key], "of": item})
            waiting.extend((f"{at}.{name}" if at else name, inner) for name, inner in reversed(item.items()))
        elif isinstance(item, list):
            waiting.extend((f"{at}[{index}]", inner) for index, inner in reversed(list(enumerate(item[:LIST_LIMIT]))))
    return found


@shelf(
    {"schema": "any", "keyword": "string"},
    "array",
    [
        (
            [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}, "x-mcp-header"],
            [
                {
                    "at": "properties.a",
                    "value": "A",
                    "static": True,
                    "types": ["string"],
                    "of": {"type": "string", "x-mcp-header": "A"},
                }
            ],
        ),
        (
            [{"items": {"x-a": 1}}, "x-a"],
            [{"at": "items", "value": 1, "static": False, "types": None, "of": {"x-a": 1}}],
        ),
        ([{"default": {"x-a": 1}, "properties": {"x-a": {}}}, "x-a"], []),
        ([None, "x-a"], []),
    ],
)
def annotated(schema: JSON, keyword: JSON) -> JSON:
    """Every subschema of a JSON Schema that carries a keyword: where it stands, the keyword's value, whether it is
    that of a property reached from the root through `properties` alone, the JSON types that it names (null when it
    names none), and the subschema itself (`at`, `value`, `static`, `types`, `of`). Data inside a schema (`const`,
    `enum`, `default`, `examples`) does not count, and neither does a property of that name. Looks at 10 000 places at
    most."""
    return schema_places.annotated(schema, keyword) if isinstance(keyword, str) else []


@shelf(
    {"schema": "any"},
    "array",
    [
        ([{"type": "object", "properties": {"a": {"type": "string"}}}], []),
        ([True], []),
        ([{"type": "text"}], ["type: 'text' is not valid under any of the given schemas"]),
        (
            [{"$schema": "http://json-schema.org/draft-07/schema#", "required": "a"}],
            ["required: 'a' is not of type 'array'"],
        ),
        (
            [{"$schema": "https://a.example/own"}],
            ["$schema: the dialect 'https://a.example/own' is not known"],
        ),
        ([None], ["a schema is an object or a boolean, not null"]),
        ([[1]], ["a schema is an object or a boolean, not array"]),
    ],
)
def schema_errors(schema: JSON) -> JSON:
    """What is wrong with a JSON Schema by the meta-schema of its dialect (`$schema`, else 2020-12); empty
    when it is sound. At most 20 messages, each beginning with the place."""
    return [*schemas.schema_errors(schema)]


@shelf(
    {"value": "any", "schema": "any"},
    "array",
    [
        ([{"a": 1}, {"type": "object", "required": ["a"]}], []),
        ([{"a": 1}, {"properties": {"a": {"type": "string"}}}], ["a: 1 is not of type 'string'"]),
        ([1, False], ["False schema does not allow 1"]),
        ([{"a": 1}, _REMOTE], ["the schema refers to 'https://a.example/a.json', which is not fetched"]),
        ([1, None], ["a schema is an object or a boolean, not null"]),
    ],
)
def schema_violations(value: JSON, schema: JSON) -> JSON:
    """Where a value breaks a schema that the server published; empty when it is valid. At most 20
    messages, each beginning with the place. A reference out of the schema is not fetched and gives one
    message. `pattern`s that could take very long are not judged."""
    return [*schemas.schema_violations(value, schema)]


@shelf(
    {"schema": "any"},
    "string or null",
    [
        ([{"type": "object"}], None),
        ([{"type": "text"}], None),
        ([{"$schema": "https://a.example/own"}], "$schema: the dialect 'https://a.example/own' is not known"),
        ([{"$schema": 7}], None),
        ([None], None),
    ],
)
def schema_obstacle(schema: JSON) -> JSON:
    """Why `schema_errors` could not check a JSON Schema, for a reason that is no mistake of the schema: a dialect
    that is not known, a size beyond the bounds. Null when it could."""
    return schemas.examined_schema(schema).obstacle


@shelf(
    {"value": "any", "schema": "any"},
    "string or null",
    [
        ([{"a": 1}, {"properties": {"a": {"type": "string"}}}], None),
        ([{"a": 1}, _REMOTE], "the schema refers to 'https://a.example/a.json', which is not fetched"),
        ([1, {"$ref": "#/$defs/a"}], "the schema refers to '/$defs/a', which does not exist"),
        ([1, None], None),
    ],
)
def violations_obstacle(value: JSON, schema: JSON) -> JSON:
    """Why `schema_violations` could not hold a value against a schema: an unknown dialect, a reference that leads
    nowhere or out of the schema, a schema that is itself not valid, a size beyond the bounds. Null when it could."""
    return schemas.examined_value(value, schema).obstacle
