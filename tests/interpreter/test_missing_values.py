"""What a step does without a value that it needs: ``or:``, null in ``let``, and what is cleaned up all the same."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play


def _named(value: JSON) -> JSONObject:
    return {
        "steps": [
            {"name": "asked", "call": "ping", "let": {"named": value}},
            {"name": "end", "check": [{"get": "named", "is": 7, "else": "named is {named}"}]},
        ]
    }


def test_let_takes_what_or_says_in_the_place_of_null() -> None:
    assert play(_named({"from": "target.nothing", "or": 7})).verdict == "pass"
    assert play(_named({"from": "`7`", "or": 8})).verdict == "pass"


def test_let_may_name_null() -> None:
    assert play(_named({"from": "target.nothing"})).message == "MUST: named is null"


def test_a_round_over_null_takes_the_list_that_or_names() -> None:
    items: JSONObject = {"from": "target.nothing", "or": ["ping"]}
    steps: list[JSON] = [
        {
            "name": "asked",
            "for_each": {"in": items, "as": "method"},
            "call": {"from": "method"},
            "check": [{"get": "asked", "count": 1}],
        }
    ]
    assert play({"steps": steps}).verdict == "pass"


CLEANED_UP: JSON = {"name": "tidy", "call": "ping", "always": True, "check": [{"get": "tidy.result", "is": "never"}]}


def test_what_is_always_sent_follows_a_reference_to_null() -> None:
    sent: JSON = {"name": "asked", "call": "ping", "params": {"x": {"from": "target.nothing"}}}
    played = play({"steps": [sent, CLEANED_UP]})
    assert (played.verdict, played.message) == (
        "not-evaluable",
        "not evaluable: cannot build step 'asked': target.nothing is null",
    )
    assert played.sends == ("tidy",)


def test_what_is_always_sent_follows_a_pick_without_a_candidate() -> None:
    picked: JSON = {"name": "asked", "call": "ping", "let": {"tool": {"pick": "tool", "must": ["output-schema"]}}}
    played = play({"uses": ["tools"], "steps": [picked, CLEANED_UP]})
    assert (played.verdict, played.sends) == ("skip", ("tidy",))
