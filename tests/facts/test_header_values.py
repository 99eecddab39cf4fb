"""Header values made from a message, by the examples and limits of the transport's "Value Encoding" section."""

from __future__ import annotations

import base64

import pytest

from mcp_compliance.facts.header_values import encoded, mirrored
from mcp_compliance.jsontypes import JSON


@pytest.mark.parametrize(
    ("value", "header"),
    [
        ("us-west1", "us-west1"),
        ("two words\tand a tab", "two words\tand a tab"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("=?base64?half", "=?base64?half"),
        ("\x7f", "=?base64?fw==?="),
        ("", ""),
    ],
)
def test_what_a_header_cannot_carry_is_base64_between_sentinels(value: str, header: str) -> None:
    assert encoded(value) == header
    if header.startswith("=?base64?") and header != value:
        assert base64.b64decode(header[len("=?base64?") : -2]).decode() == value


@pytest.mark.parametrize(
    ("properties", "arguments", "headers"),
    [
        ({"region": {"type": "string", "x-mcp-header": "Region"}}, {"region": "eu"}, [("Region", "eu")]),
        ({"n": {"type": "integer", "x-mcp-header": "N"}}, {"n": -7}, [("N", "-7")]),
        ({"n": {"type": "integer", "x-mcp-header": "N"}}, {"n": 42.0}, [("N", "42")]),
        ({"on": {"type": "boolean", "x-mcp-header": "On"}}, {"on": True}, [("On", "true")]),
        ({"region": {"x-mcp-header": "Region"}}, {"region": None}, []),
        ({"region": {"x-mcp-header": "Region"}}, {}, []),
        ({"region": {"x-mcp-header": "no token"}}, {"region": "eu"}, []),
        ({"region": {"x-mcp-header": ""}}, {"region": "eu"}, []),
        ({"n": {"x-mcp-header": "N"}}, {"n": 1.5}, []),
        (
            {"where": {"type": "object", "properties": {"region": {"x-mcp-header": "Region"}}}},
            {"where": {"region": "eu"}},
            [("Region", "eu")],
        ),
        ({"list": {"type": "array", "items": {"x-mcp-header": "L"}}}, {"list": ["a"]}, []),
        ({"region": True}, {"region": "eu"}, []),
    ],
)
def test_annotated_arguments_are_mirrored(properties: JSON, arguments: JSON, headers: list[tuple[str, str]]) -> None:
    assert mirrored({"type": "object", "properties": properties}, arguments, "x-mcp-header") == headers


@pytest.mark.parametrize("schema", [None, [], {}, {"properties": []}, {"properties": {"a": None}}])
def test_a_schema_of_another_shape_mirrors_nothing(schema: JSON) -> None:
    assert mirrored(schema, {"a": "b"}, "x-mcp-header") == []
