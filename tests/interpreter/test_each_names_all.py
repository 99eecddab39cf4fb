"""``each``: the first item that fails decides, and the others that fail alike are named beside it."""

from __future__ import annotations

import pytest

from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play

BY_NAME: JSONObject = {
    "uses": ["tools"],
    "check": [
        {
            "each": "tools.items",
            "as": "tool",
            "label": "tool.name",
            "check": [
                {"get": "tool.title", "exists": True, "verdict": "warn", "else": "no title"},
                {"get": "tool.kind", "is": "a", "else": "kind is {tool.kind}"},
                {"get": "tool.size", "below": 5, "else": "size is {tool.size}"},
            ],
        }
    ],
}


def _tools(*kinds: tuple[JSON, JSON]) -> JSONObject:
    tools: list[JSON] = [{"name": f"t{n}", "kind": kind, "size": size} for n, (kind, size) in enumerate(kinds)]
    return {"replies": {"tools": {"result": {"tools": tools}}}}


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ([("a", 1), ("a", 2)], "met"),
        ([("a", 1), ("b", 1)], "MUST: items[1] (t1): kind is b"),
        (
            [("b", 1), ("a", 1), ("c", 1), ("b", 9)],
            "MUST: items[0] (t0): kind is b; likewise items[2] (t2), items[3] (t3)",
        ),
        # t1 fails another check, which is another finding
        ([("b", 1), ("a", 9)], "MUST: items[0] (t0): kind is b"),
    ],
)
def test_message(kinds: list[tuple[JSON, JSON]], message: str) -> None:
    assert play(BY_NAME, _tools(*kinds)).message == message


def test_at_most_ten_further_items_are_named() -> None:
    message = play(BY_NAME, _tools(*[("b", 1)] * 13)).message
    assert message.endswith("items[9] (t9), items[10] (t10) and 2 more")


def test_items_after_the_first_that_fails_warn_of_nothing() -> None:
    assert play(BY_NAME, _tools(("b", 1), ("b", 1))).warnings == ("items[0] (t0): no title",)


def test_an_exit_names_no_other_item() -> None:
    rule: JSONObject = {
        "uses": ["tools"],
        "check": [
            {"get": "tools.items", "type": "array"},
            {
                "each": "tools.items",
                "as": "tool",
                "check": [{"stop": "skip", "if": "tool.kind == 'b'", "say": "of kind {tool.kind}"}],
            },
        ],
    }
    played = play(rule, _tools(("b", 1), ("b", 1)))
    assert (played.verdict, played.message) == ("skip", "items[0]: of kind b")
