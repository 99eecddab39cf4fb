"""Where a keyword stands in a schema: schema positions only, the way there, and the types that are named."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.functions.schema_places import annotated
from mcp_compliance.jsontypes import JSON, JSONObject

KEY = "x-mcp-header"


def places(schema: JSON) -> dict[str, bool]:
    """Where the keyword stands, and whether each place is reached through ``properties`` alone."""
    return {str(one["at"]): bool(one["static"]) for one in annotated(schema, KEY) if isinstance(one, dict)}


def types(of: JSONObject, **around: JSON) -> JSON:
    (one,) = annotated({"properties": {"a": {KEY: "A", **of}}, **around}, KEY)
    assert isinstance(one, dict)
    return one["types"]


def test_properties_of_properties_are_reached_statically() -> None:
    inner: JSON = {"properties": {"c": {KEY: "C"}}}
    assert places({"properties": {"a": {KEY: "A"}, "b": inner}}) == {
        "properties.a": True,
        "properties.b.properties.c": True,
    }


@pytest.mark.parametrize(
    ("schema", "at"),
    [
        ({KEY: "A"}, ""),
        ({"properties": {"a": {"items": {KEY: "A"}}}}, "properties.a.items"),
        ({"properties": {"a": {"items": [{}, {KEY: "A"}]}}}, "properties.a.items[1]"),
        ({"properties": {"a": {"prefixItems": [{KEY: "A"}]}}}, "properties.a.prefixItems[0]"),
        ({"anyOf": [{"properties": {"a": {KEY: "A"}}}]}, "anyOf[0].properties.a"),
        ({"oneOf": [True, {KEY: "A"}]}, "oneOf[1]"),
        ({"allOf": [{KEY: "A"}]}, "allOf[0]"),
        ({"not": {KEY: "A"}}, "not"),
        ({"if": {"properties": {"a": {KEY: "A"}}}}, "if.properties.a"),
        ({"then": {KEY: "A"}}, "then"),
        ({"else": {KEY: "A"}}, "else"),
        ({"additionalProperties": {KEY: "A"}}, "additionalProperties"),
        ({"patternProperties": {"^a": {KEY: "A"}}}, "patternProperties.^a"),
        ({"$defs": {"a": {KEY: "A"}}}, "$defs.a"),
        ({"definitions": {"a": {"properties": {"b": {KEY: "A"}}}}}, "definitions.a.properties.b"),
        ({"dependentSchemas": {"a": {KEY: "A"}}}, "dependentSchemas.a"),
    ],
)
def test_every_other_way_is_not_static(schema: JSON, at: str) -> None:
    assert places(schema) == {at: False}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"default": {KEY: "A"}}}},
        {"properties": {"a": {"const": {KEY: "A"}, "enum": [{KEY: "A"}], "examples": [{KEY: "A"}]}}},
        {"properties": {KEY: {"type": "string"}}},
        {"x-other": {KEY: "A"}},
        {"properties": [{KEY: "A"}]},
        True,
        None,
    ],
)
def test_data_and_names_are_no_annotations(schema: JSON) -> None:
    assert places(schema) == {}


@pytest.mark.parametrize(
    ("of", "named"),
    [
        ({"type": "integer"}, ["integer"]),
        ({"type": ["string", "null"]}, ["string", "null"]),
        ({"enum": ["a", "b"]}, ["string"]),
        ({"enum": [1, 2.5, None]}, ["integer", "number", "null"]),
        ({"const": True}, ["boolean"]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ["string", "null"]),
        ({"allOf": [{"minLength": 1}, {"$ref": "#/$defs/colour"}]}, ["string"]),
        ({"allOf": [{"minLength": 1}, True]}, None),
        ({"oneOf": [{"type": "string"}, {}]}, None),
        ({"$ref": "#/$defs/colour"}, ["string"]),
        ({"$ref": "#/$defs/none"}, None),
        ({"$ref": "https://a.example/a.json"}, None),
        ({"$ref": "#/properties/a"}, None),
        ({"description": "anything"}, None),
        ({"type": 7}, None),
    ],
)
def test_types_are_read_through_references_and_branches(of: JSONObject, named: JSON) -> None:
    assert types(of, **{"$defs": {"colour": {"type": "string"}}}) == named


@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
def test_branches_without_end_cost_no_time(keyword: str) -> None:
    loop: JSON = {keyword: [{"$ref": "#/$defs/loop"}] * 200}
    assert types({"$ref": "#/$defs/loop"}, **{"$defs": {"loop": loop}}) is None


def test_a_deep_schema_is_walked_without_recursion() -> None:
    schema: JSONObject = {KEY: "A"}
    for _ in range(3000):
        schema = {"properties": {"a": schema}}
    assert list(places(schema).values()) == [True]
