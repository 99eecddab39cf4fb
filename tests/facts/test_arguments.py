"""The smallest arguments that a schema accepts: every row of the placeholder table, and schemas made to hurt."""

from __future__ import annotations

import json
import time

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.facts.arguments import MOST_ITEMS, MOST_LENGTH, MOST_WEIGHT, arguments_for, placeholder
from mcp_compliance.jsontypes import JSON, JSONObject


def filled(schema: JSON) -> JSON:
    """The placeholder of one required property ``a``."""
    tool: JSONObject = {"inputSchema": {"type": "object", "properties": {"a": schema}, "required": ["a"]}}
    return arguments_for(tool)["a"]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 7, "enum": [1], "default": 2, "examples": [3]}, 7),
        ({"enum": ["first", "second"], "default": "second", "examples": ["third"]}, "first"),
        ({"type": "string", "default": "usual", "examples": ["other"]}, "usual"),
        ({"type": "string", "examples": ["shown", "other"]}, "shown"),
        ({"const": None}, None),
        ({"default": False, "type": "boolean"}, False),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, "a"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 1),
        ({"type": "string", "oneOf": [{"const": "red", "title": "Red"}]}, "red"),
        ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, 5),
        ({"type": ["null", "integer"]}, 1),
        ({"type": "null"}, None),
        ({"type": "boolean"}, False),
        ({"type": "string"}, "test"),
        ({}, "test"),
        (True, "test"),
        ({"properties": {"b": {}}}, {}),
        ({"items": {}}, []),
        ({"type": "array", "minItems": 2, "items": {"type": "integer"}}, [1, 1]),
        ({"type": "array", "minItems": 1}, ["test"]),
        ({"type": "object", "properties": {"b": {"type": "boolean"}, "c": {}}, "required": ["b"]}, {"b": False}),
        ({"type": "object", "required": ["unlisted"]}, {"unlisted": "test"}),
    ],
)
def test_value_that_a_schema_offers_then_its_first_branch_then_its_type(schema: JSON, value: JSON) -> None:
    assert filled(schema) == value


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 1),
        ({"type": "integer", "minimum": 10}, 10),
        ({"type": "integer", "minimum": 1.5}, 2),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "exclusiveMinimum": 1}, 2),
        ({"type": "integer", "exclusiveMaximum": 1}, 0),
        ({"type": "integer", "multipleOf": 5}, 5),
        ({"type": "integer", "maximum": -5, "multipleOf": 3}, -6),
        ({"type": "number", "minimum": 2.5}, 2.5),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.2}, 0.1),
        ({"type": "number", "maximum": 0.25}, 0.25),
    ],
)
def test_number_one_is_moved_inside_the_bounds(schema: JSONObject, value: JSON) -> None:
    made = filled(schema)
    assert made == value
    assert isinstance(made, int) is isinstance(value, int)
    assert Draft202012Validator(schema).is_valid(made)


@pytest.mark.parametrize(
    "form",
    ["email", "uri", "hostname", "ipv4", "ipv6", "uuid", "date", "time", "date-time", "duration"],
)
def test_string_of_a_format_has_that_format(form: str) -> None:
    from mcp_compliance.facts.arguments import FORMATS

    assert filled({"type": "string", "format": form}) == FORMATS[form]
    assert FORMATS[form] != "test"


def test_string_is_stretched_and_cut_to_its_length() -> None:
    assert filled({"type": "string", "minLength": 6}) == "testaa"
    assert filled({"type": "string", "maxLength": 2}) == "te"
    assert filled({"type": "string", "maxLength": 0}) == ""
    assert filled({"type": "string", "minLength": 6.0}) == "testaa"
    assert filled({"type": "string", "minLength": -1, "maxLength": -1}) == "test"


def test_reference_within_the_document_is_followed() -> None:
    tool: JSONObject = {
        "inputSchema": {
            "$defs": {
                "Colour": {"enum": ["red"]},
                "Box": {"properties": {"n": {"type": "integer"}}, "required": ["n"]},
            },
            "properties": {"colour": {"$ref": "#/$defs/Colour"}, "box": {"$ref": "#/$defs/Box"}},
            "required": ["colour", "box"],
        }
    }
    assert arguments_for(tool) == {"colour": "red", "box": {"n": 1}}


@pytest.mark.parametrize("reference", ["https://example.com/schema", "#/nowhere", "#", "#/$defs/Loop"])
def test_reference_that_leads_nowhere_or_in_a_circle_gives_a_plain_value(reference: str) -> None:
    schema: JSONObject = {"$defs": {"Loop": {"$ref": "#/$defs/Loop"}}, "$ref": reference}
    assert placeholder(schema) == "test"


def test_nesting_ends_at_a_plain_text() -> None:
    schema: JSONObject = {"type": "string"}
    for _ in range(20):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    assert arguments_for({"inputSchema": schema}) == {"in": {"in": {"in": {"in": {"in": "test"}}}}}


def test_only_required_arguments_are_filled() -> None:
    assert arguments_for({"inputSchema": {"properties": {"a": {}, "b": {}}, "required": ["b", 7]}}) == {"b": "test"}
    assert arguments_for({"inputSchema": {"properties": {"a": {}}}}) == {}
    assert arguments_for({"inputSchema": "none"}) == {}
    assert arguments_for(None) == {}


def test_prompt_is_filled_by_its_list_of_arguments() -> None:
    arguments: JSON = [{"name": "city", "required": True}, {"name": "country"}, {"required": True}, "odd"]
    assert arguments_for({"name": "greet", "arguments": arguments}) == {"city": "1"}


def arrays(depth: int, inner: JSON) -> JSONObject:
    return {"type": "array", "minItems": 10**9, "items": inner if depth == 0 else arrays(depth - 1, inner)}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 10**12},
        {"type": "string", "minLength": 10**400},
        {"type": "array", "minItems": 10**12},
        arrays(3, {"type": "string", "minLength": 10**9}),
        arrays(3, {"default": "x" * 50_000}),
        {"enum": ["x" * 10_000_000]},
        {"type": "number", "multipleOf": 5e-324},
        {"type": "integer", "minimum": 10**400, "maximum": -(10**400)},
        {"type": "number", "minimum": float("nan")},
        {"allOf": [{"allOf": [{"allOf": [{}] * 1000}] * 1000}] * 1000},
    ],
)
def test_hostile_schema_costs_neither_memory_nor_time(schema: JSON) -> None:
    began = time.monotonic()
    made = json.dumps(filled(schema))
    assert len(made) < 3 * MOST_WEIGHT
    assert time.monotonic() - began < 2


def test_bounds_are_those_that_the_module_names() -> None:
    assert len(str(filled({"type": "string", "minLength": 10**6}))) == MOST_LENGTH
    items = filled({"type": "array", "minItems": 10**6})
    assert isinstance(items, list)
    assert len(items) == MOST_ITEMS
