"""What keeps a schema from being checked is told apart from what is wrong with it."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.functions.schemas import examined_schema, examined_value
from mcp_compliance.jsontypes import JSON

SELF: JSON = {"$ref": "#"}


@pytest.mark.parametrize(
    ("schema", "obstacle", "messages"),
    [
        ({"type": "object"}, None, 0),
        ({"type": "text"}, None, 1),
        ({"$schema": 7}, None, 1),
        (None, None, 1),
        ({"$schema": "https://a.example/own", "type": "text"}, "is not known", 0),
        ({"enum": ["a", 1] * 6000}, "was not checked", 0),
    ],
)
def test_of_a_schema(schema: JSON, obstacle: str | None, messages: int) -> None:
    found = examined_schema(schema)
    assert len(found.messages) == messages
    assert found.obstacle is None if obstacle is None else obstacle in (found.obstacle or "")


@pytest.mark.parametrize(
    ("value", "schema", "obstacle", "messages"),
    [
        ({}, {"required": ["a"]}, None, 1),
        ({"a": 1}, {"required": ["a"]}, None, 0),
        ({}, {"$ref": "#/$defs/a"}, "does not exist", 0),
        ({}, {"$ref": "https://a.example/a"}, "is not fetched", 0),
        ({}, {"type": 7}, "is not valid", 0),
        ({}, SELF, "without end", 0),
        (["a"] * 30_000, {"type": "array"}, "the value holds more than", 0),
    ],
)
def test_of_a_value(value: JSON, schema: JSON, obstacle: str | None, messages: int) -> None:
    found = examined_value(value, schema)
    assert len(found.messages) == messages
    assert found.obstacle is None if obstacle is None else obstacle in (found.obstacle or "")


def test_an_obstacle_stands_alone() -> None:
    assert examined_value({}, SELF).all == [examined_value({}, SELF).obstacle]
