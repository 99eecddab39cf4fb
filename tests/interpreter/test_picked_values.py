"""``or:`` of a pick, and arguments of which one is set by a name that is only known at run time."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSONObject
from tests.interpreter.made import play

ECHO: JSONObject = {
    "name": "echo",
    "annotations": {"readOnlyHint": True},
    "inputSchema": {
        "type": "object",
        "properties": {"times": {"type": "integer"}, "words": {"type": "string"}},
        "required": ["times"],
    },
}


def _listed(*tools: JSONObject) -> JSONObject:
    return {"replies": {"tools": {"result": {"tools": list(tools)}}}}


def _picking(**more: object) -> JSONObject:
    return {
        "uses": ["tools"],
        "steps": [
            {"name": "choice", "let": {"chosen": {"pick": "argument", "must": ["text-argument"], **more}}},
            {"name": "end", "check": [{"get": "chosen.name", "is": "words", "else": "chosen is {chosen}"}]},
        ],
    }  # type: ignore[dict-item]


def test_a_pick_without_a_candidate_ends_the_rule_as_skipped() -> None:
    played = play(_picking(), _listed())
    assert (played.verdict, played.message) == ("skip", "no argument that takes a text is listed")


def test_or_says_what_a_pick_gives_when_nothing_fits() -> None:
    assert play(_picking(**{"or": None}), _listed()).message == "MUST: chosen is null"
    assert play(_picking(**{"or": {"name": "words"}}), _listed()).verdict == "pass"


def test_or_does_not_matter_when_something_fits() -> None:
    assert play(_picking(**{"or": None}), _listed(ECHO)).verdict == "pass"


def test_set_gives_one_argument_a_value_beside_those_made() -> None:
    rule: JSONObject = {
        "uses": ["tools"],
        "steps": [
            {"name": "choice", "let": {"chosen": {"pick": "argument", "must": ["text-argument"]}}},
            {
                "name": "called",
                "call": "tools/call",
                "params": {
                    "name": {"from": "chosen.tool.name"},
                    "arguments": {"make": "arguments", "for": "chosen.tool", "set": "chosen.name", "to": "hello"},
                },
                "check": [{"get": "called.result", "exists": True}],
            },
        ],
    }
    case = _listed(ECHO)
    case["sent"] = {"called": {"params": {"name": "echo", "arguments": {"times": 1, "words": "hello"}}}}
    assert play(rule, case).problems == ()


def test_set_wins_over_plus() -> None:
    rule: JSONObject = {
        "uses": ["tools"],
        "steps": [
            {
                "name": "called",
                "let": {"chosen": {"pick": "tool"}},
                "call": "tools/call",
                "params": {
                    "name": "echo",
                    "arguments": {
                        "make": "arguments",
                        "for": "chosen",
                        "plus": {"words": "plus", "more": 1},
                        "set": '`"words"`',
                        "to": "set",
                    },
                },
                "check": [{"get": "called.result", "exists": True}],
            },
        ],
    }
    case = _listed(ECHO)
    case["sent"] = {"called": {"params": {"arguments": {"times": 1, "words": "set", "more": 1}}}}
    assert play(rule, case).problems == ()
