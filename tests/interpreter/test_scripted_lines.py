"""How cases say what arrives before an answer, and the order in which a group leaves."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play

PING: JSONObject = {"name": "probe", "call": "ping", "check": [{"get": "probe.outcome", "exists": True}]}


def arrived(*messages: JSON) -> list[JSONObject]:
    """The items of the exchange before its answer."""
    played = play({"steps": [PING]}, {"on": "stdio", "replies": {"probe": {"result": {}, "messages": list(messages)}}})
    probe = played.names["probe"]
    assert isinstance(probe, dict)
    return probe["messages"][:-1]


def test_a_raw_line_is_read_as_a_wire_would_read_it() -> None:
    banner, log, note = arrived(
        {"raw": "listening"}, {"raw": '{"severity": "info"}'}, {"raw": '{"jsonrpc": "2.0", "method": "x"}'}
    )
    assert (banner["kind"], banner["payload"]) == ("stray", None)
    assert str(banner["problem"]).startswith("not JSON")
    assert (log["kind"], log["problem"]) == ("stray", None)
    assert (note["kind"], note["payload"]) == ("notification", {"jsonrpc": "2.0", "method": "x"})


def test_a_problem_that_a_text_cannot_show_is_given() -> None:
    (line,) = arrived({"raw": "{", "problem": "not UTF-8: byte 0xe9 at offset 1"})
    assert (line["kind"], line["problem"]) == ("stray", "not UTF-8: byte 0xe9 at offset 1")


def test_the_members_of_a_group_leave_in_the_order_written() -> None:
    step: JSONObject = {
        "name": "group",
        "together": [{"call": "ping"}, {"call": "tools/list"}],
        "times": 10,
        "check": [{"get": "group", "count": 20}],
    }
    for _ in range(5):
        played = play({"steps": [step]})
        group = played.names["group"]
        assert isinstance(group, list)
        assert [one["sent"]["method"] for one in group] == ["ping", "tools/list"] * 10
        ids = [one["sent"]["id"] for one in group]
        assert ids == sorted(ids)
