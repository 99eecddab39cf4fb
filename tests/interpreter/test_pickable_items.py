"""What a pick never gives: items that no request could name, and tools that refuse a plain call."""

from __future__ import annotations

import pytest

from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play


def _picking(kind: str, uses: str) -> JSONObject:
    return {
        "uses": [uses],
        "steps": [{"name": "end", "let": {"chosen": {"pick": kind}}, "check": [{"get": "chosen", "is": None}]}],
    }


@pytest.mark.parametrize(
    ("kind", "fixture", "key", "good", "bad"),
    [
        ("tool", "tools", "tools", {"name": "now"}, {"name": 7}),
        ("prompt", "prompts", "prompts", {"name": "greet"}, {"title": "Greet"}),
        ("resource", "resources", "resources", {"uri": "a:b"}, {"name": "no uri"}),
        ("template", "templates", "resourceTemplates", {"uriTemplate": "a:{b}"}, {"uriTemplate": None}),
    ],
)
def test_an_item_without_its_identifier_is_passed_by(kind: str, fixture: str, key: str, good: JSON, bad: JSON) -> None:
    listed: JSONObject = {"replies": {fixture: {"result": {key: [bad, good]}}}}
    played = play(_picking(kind, fixture), listed)
    assert played.names["chosen"] == good
    only_bad: JSONObject = {"replies": {fixture: {"result": {key: [bad]}}}}
    assert play(_picking(kind, fixture), only_bad).message == f"no {kind} is listed"


@pytest.mark.parametrize(
    ("support", "called"), [("required", False), ("optional", True), ("forbidden", True), (7, True)]
)
def test_a_tool_that_wants_to_be_called_as_a_task_is_passed_over(support: JSON, called: bool) -> None:
    tool: JSONObject = {"name": "study", "execution": {"taskSupport": support}}
    played = play(_picking("tool", "tools"), {"replies": {"tools": {"result": {"tools": [tool]}}}})
    if called:
        assert played.names["chosen"] == tool
    else:
        assert (played.verdict, played.message) == ("skip", "no tool may be used (passed over: study)")
