"""``run: inject`` within a rule: what reaches the server, whose death is seen, what stands as evidence."""

from __future__ import annotations

from typing import cast

from mcp_compliance.interpreter.cases import Played
from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play

RULE: JSONObject = {
    "capability": "tools",
    "uses": ["tools"],
    "steps": [
        {
            "name": "attack",
            "run": "inject",
            "with": {"payloads": "shell", "argument": ["text-argument"]},
            "check": [{"get": "attack.target", "exists": True}],
        }
    ],
}
FINE: JSONObject = {"result": {"content": [{"type": "text", "text": "fine"}]}}


def played(replies: list[JSON], on: str = "stdio", **more: JSON) -> Played:
    return play(RULE, {"on": on, "replies": {"attack": replies, **more}})


def outcomes(played: Played) -> list[JSON]:
    attack = cast(JSONObject, played.names["attack"])
    return [attempt["outcome"] for attempt in cast("list[JSONObject]", attack["attempts"])]


def test_the_harmless_value_and_every_payload_are_called_with() -> None:
    found = played([FINE] * 20)
    assert outcomes(found) == ["inert"] * 6
    sent = [cast(JSONObject, exchange.view["sent"]) for exchange in found.exchanges]
    assert [one["method"] for one in sent] == ["tools/call"] * 7
    assert sent[0]["params"] == {"name": "echo", "arguments": {"text": "harbour"}}


def test_a_child_that_dies_is_seen_and_ends_the_attempts() -> None:
    found = played([FINE, FINE, {"died": 134, "stderr": "Aborted"}])
    assert outcomes(found) == ["inert", "died"]
    assert "exit code 134; stderr: Aborted" in str(found.names["attack"])
    assert found.exchanges[-1].outcome == "died"


def test_a_call_that_a_rate_limit_turned_away_is_made_once_more() -> None:
    found = played([FINE, {"status": 429}, FINE, {"status": 429}, {"status": 429}, *[FINE] * 9], "http")
    assert outcomes(found) == ["inert", "unreached", *["inert"] * 4]


def test_a_closed_connection_is_a_death_only_if_nothing_answers_afterwards() -> None:
    assert outcomes(played([FINE, {"drop": True}, *[FINE] * 9], "http")) == ["unreached", *["inert"] * 5]
    gone: JSONObject = {"drop": True, "after": {"unreachable": True}}
    assert outcomes(play(RULE, {"on": "http", "replies": {"attack": gone}})) == ["died"]
    walled: JSONObject = {"drop": True, "after": {"status": 401}}
    assert outcomes(play(RULE, {"on": "http", "replies": {"attack": walled}})) == ["unreached"]


def test_what_shows_the_finding_stands_last() -> None:
    found = played([FINE, {"died": 1}])
    assert found.exchanges[-1].outcome == "died"
    assert len(found.exchanges) == 2
