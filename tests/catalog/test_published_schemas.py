"""Schemas that servers publish: dialects, references, and schemas made to hang the one who checks them."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from mcp_compliance.catalog.functions.schemas import schema_errors, schema_violations
from mcp_compliance.jsontypes import JSON

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
NOT_A_TYPE = "is not valid under any of the given schemas"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize(
    ("schema", "first"),
    [
        ({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, None),
        ({"$schema": DRAFT_7, "definitions": {"a": {"type": "integer"}}, "$ref": "#/definitions/a"}, None),
        ({"$schema": "https://json-schema.org/draft-07/schema#", "type": "object"}, None),
        ({"$schema": DRAFT_4, "minimum": 1, "exclusiveMinimum": True}, None),
        ({"minimum": 1, "exclusiveMinimum": True}, "exclusiveMinimum: True is not of type 'number'"),
        (
            {"properties": {"a": {"type": "str"}}},
            f"properties.a.type: 'str' {NOT_A_TYPE}",
        ),
        ({"required": ["a", 1]}, "required[1]: 1 is not of type 'string'"),
        ({"$schema": 7}, "$schema: a dialect is named by a URI, not by integer"),
        ({"enum": [1, 2, 3] * 1000}, None),
        ({"required": ["a", "b", "a"]}, "required: ['a', 'b', 'a'] has non-unique elements"),
        ({"enum": ["a", 1] * 6000}, "the schema holds more than 10000 values and was not checked"),
    ],
)
def test_schema_errors(schema: JSON, first: str | None) -> None:
    errors = schema_errors(schema)
    assert (errors[0] if errors else None) == first


def test_what_is_kept_of_one_schema_is_not_said_of_another() -> None:
    for _ in range(2):
        assert schema_errors({"minimum": 1}) == []
        assert schema_errors({"minimum": True}) == ["minimum: True is not of type 'number'"]
        assert schema_errors({"minimum": "1"}) == ["minimum: '1' is not of type 'number'"]


def test_a_mistake_is_named_once() -> None:
    tuple_of_old = {"type": "object", "properties": {"pair": {"items": [{"type": "string"}]}}}
    assert schema_errors(tuple_of_old) == [
        "properties.pair.items: [{'type': 'string'}] is not of type 'object', 'boolean'"
    ]


@pytest.mark.parametrize(
    ("value", "schema", "violations"),
    [
        ({"a": "x"}, {"properties": {"a": {"type": "integer"}}}, ["a: 'x' is not of type 'integer'"]),
        ([{"b": 1}], {"items": {"required": ["a"]}}, ["[0]: 'a' is a required property"]),
        (1.0, {"type": "integer"}, []),
        (True, {"type": "integer"}, ["True is not of type 'integer'"]),
        ([1, 1.0], {"uniqueItems": True}, ["[1, 1.0] has non-unique elements"]),
        ([1, True], {"uniqueItems": True}, []),
        ("ab", {"pattern": "^a+$"}, ["'ab' does not match '^a+$'"]),
        (
            5,
            {"$schema": DRAFT_4, "minimum": 5, "exclusiveMinimum": True},
            ["5 is less than or equal to the minimum of 5"],
        ),
        (1, {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, ["1 is not of type 'string'"]),
        (1, {"$ref": "#/$defs/no"}, ["the schema refers to '/$defs/no', which does not exist"]),
        (
            1,
            {"$ref": "https://a.example"},
            ["the schema refers to 'https://a.example', which is not fetched"],
        ),
        (
            1,
            {"$ref": "file:///a"},
            ["the schema refers to 'file:///a', which is not fetched"],
        ),
        (1, {"$ref": "#"}, ["the schema is nested too deeply or refers to itself without end"]),
        (
            1,
            {"type": "bogus"},
            [f"the schema is not valid: type: 'bogus' {NOT_A_TYPE}"],
        ),
        (1, {"$ref": 5}, ["the schema is not valid: $ref: 5 is not of type 'string'"]),
        (1, {"properties": {"$schema": {"type": "string"}, "pattern": {"type": "string"}}}, []),
        (
            {"pattern": 1},
            {"properties": {"pattern": {"type": "string"}}},
            ["pattern: 1 is not of type 'string'"],
        ),
    ],
)
def test_schema_violations(value: JSON, schema: JSON, violations: list[str]) -> None:
    assert schema_violations(value, schema) == violations


SLOW = "^(a+)+$"
BITE = "a" * 40 + "!"


def doubled(n: int) -> JSON:
    return {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (BITE, {"pattern": SLOW}),
        (BITE, {"allOf": [{"$schema": DRAFT_7, "pattern": SLOW}]}),
        ({BITE: 1}, {"patternProperties": {SLOW: True}, "additionalProperties": False}),
        ({BITE: 1}, {"patternProperties": {SLOW: True}, "unevaluatedProperties": False}),
        ([{"n": n} for n in range(5000)], {"uniqueItems": True}),
        (
            1,
            {
                "$ref": "#/$defs/a0",
                "$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)},
            },
        ),
        (
            {"x": 1},
            {"unevaluatedProperties": False, "allOf": [{"anyOf": [{"properties": {"y": True}}] * 50}] * 50},
        ),
        (["x"] * 15000, {"items": {"type": "string"}}),
        ({f"a{n}": 1 for n in range(9000)}, {"patternProperties": {f"^x{n}": True for n in range(3000)}}),
        ([1] * 15000, {"contains": True, "unevaluatedItems": False}),
    ],
)
def test_hostile_schemas_end(value: JSON, schema: JSON) -> None:
    start = time.process_time()
    schema_errors(schema)
    schema_violations(value, schema)
    assert time.process_time() - start < 5


def test_messages_are_few_and_short() -> None:
    errors = schema_errors({"properties": {f"p{n}": {"type": "x" * 5000} for n in range(100)}})
    assert len(errors) == 20
    assert max(map(len, errors)) <= 303
