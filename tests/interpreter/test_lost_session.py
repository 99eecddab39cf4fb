"""A server forgets the run's session: it is opened anew once, and what drew 404 is sent again."""

from __future__ import annotations

import pytest

from mcp_compliance.interpreter.cases import Played
from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play

GONE: JSONObject = {"status": 404}
STREAM: JSONObject = {"status": 200, "headers": {"Content-Type": "text/event-stream"}}
STEPS: dict[str, tuple[JSONObject, JSONObject]] = {
    "request": ({"call": "tools/list"}, {"result": {"tools": []}}),
    "group": ({"together": [{"call": "ping"}], "times": 3}, {"result": {}}),
    "stream": ({"stream": {"method": "GET"}, "until": "headers"}, STREAM),
    "bare": ({"http": {"method": "GET"}}, {"status": 200}),
}


def probe(verb: JSONObject, replies: list[JSON], twin: JSON, **more: JSON) -> Played:
    step: JSONObject = {"name": "probe", **verb, "check": [{"get": "to_array(probe)[].http.status", "is": [200]}]}
    if "together" in verb:
        step["check"] = [{"get": "distinct(probe[].http.status)", "is": [200]}]
    return play({"steps": [step]}, {"replies": {"probe": replies, "twin": twin, **more}})


@pytest.mark.parametrize(("verb", "answer"), STEPS.values(), ids=STEPS.keys())
def test_it_is_sent_again_in_a_new_session(verb: JSONObject, answer: JSONObject) -> None:
    size = 3 if "together" in verb else 1
    played = probe(verb, [GONE] * size + [answer] * size, GONE)
    assert played.verdict == "pass", played.message
    assert sum("lost a session that worked (HTTP 404" in warning for warning in played.warnings) == 1


@pytest.mark.parametrize(("verb", "answer"), STEPS.values(), ids=STEPS.keys())
def test_a_404_beside_a_served_request_is_the_answer(verb: JSONObject, answer: JSONObject) -> None:
    size = 3 if "together" in verb else 1
    played = probe(verb, [GONE] * size + [answer] * size, {"result": {}})
    assert (played.verdict, played.warnings) == ("fail", ())


def test_a_part_of_a_group_that_was_lost_has_the_whole_group_sent_again() -> None:
    verb, answer = STEPS["group"]
    assert probe(verb, [answer, GONE, GONE, answer, answer, answer], GONE).verdict == "pass"


def test_a_session_that_cannot_be_opened_anew_leaves_the_answer_as_it_was() -> None:
    verb, answer = STEPS["request"]
    opened: JSONObject = {
        "headers": {"MCP-Session-Id": "first"},
        "result": {"protocolVersion": "2025-11-25", "capabilities": {}},
    }
    played = probe(verb, [GONE, answer], GONE, init=[opened, {"status": 503}])
    assert played.verdict == "fail"
    assert any("lost a session" in warning for warning in played.warnings)


def test_a_session_id_that_the_rule_put_there_itself_is_not_the_run_s() -> None:
    verb: JSONObject = {"call": "ping", "headers": {"MCP-Session-Id": "made-up"}}
    played = probe(verb, [GONE, {"result": {}}], GONE)
    assert (played.verdict, played.warnings) == ("fail", ())
