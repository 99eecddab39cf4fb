"""Steps: what each verb sends and names, loops and groups, and that everything opened is closed."""

from __future__ import annotations

import pytest

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.cases import Played
from mcp_compliance.interpreter.scripted import ScriptedWire
from mcp_compliance.jsontypes import JSON
from tests.interpreter.made import played, sent_by

SESSION = "model-session-4f9a2c71d8e3"
SECOND = "second-7d20c9e5b14fa863"


def names_of(found: Played, name: str) -> JSON:
    return found.names[name]


def headers(found: Played, step: str) -> list[dict[str, str]]:
    return [{name.lower(): value for name, value in sending.headers} for sending in sent_by(found, step)]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Sending]:
    """Everything that left, what closes sessions after the last check included."""
    log: list[Sending] = []
    exchange = ScriptedWire.exchange

    async def logged(self: ScriptedWire, sending: Sending) -> Exchange:
        log.append(sending)
        return await exchange(self, sending)

    monkeypatch.setattr(ScriptedWire, "exchange", logged)
    return log


def ended(sent: list[Sending]) -> list[str]:
    """Ids of the sessions that were ended with DELETE."""
    return sorted(dict(sending.headers)["MCP-Session-Id"] for sending in sent if sending.http_method == "DELETE")


# --- groups


def test_a_group_is_the_list_of_exchanges_in_the_order_sent() -> None:
    rule = """
steps:
  - name: trio
    together: [{call: ping}, {call: tools/list}, {notify: notifications/x}]
    times: 2
    check: [{get: "trio[].sent.method", is: [ping, tools/list, notifications/x, ping, tools/list, notifications/x]}]
"""
    found = played(rule)
    assert found.verdict == "pass", found.message
    ids = [sending.id for sending in sent_by(found, "trio") if sending.has_id]
    assert ids == sorted(set(ids))  # type: ignore[type-var]
    assert len(ids) == 4


def test_a_group_takes_its_replies_one_by_one() -> None:
    statuses = "[200, 200, 200, 429, 429]"
    check = f"{{get: 'burst[].http.status', is: {statuses}}}"
    rule = f"steps: [{{name: burst, together: [{{call: ping}}], times: 5, check: [{check}]}}]"
    case = "replies: {burst: [{result: {}, repeat: 3}, {status: 429, repeat: 2}]}"
    assert played(rule, case).message == "met"


def test_a_member_that_cannot_be_built_sends_nothing_at_all() -> None:
    rule = "steps: [{name: both, together: [{call: ping}, {call: ping, params: {a: {from: target.nothing}}}]}]"
    found = played(rule)
    assert (found.verdict, found.sends) == ("not-evaluable", ())


# --- for_each, until

ROUNDS = """
steps:
  - name: asked
    for_each: {in: [a, b, c, d], as: method, MORE}
    let: {named: {from: method}}
    call: {from: method}
    params: {again: {from: named}}
    check: [{get: "asked[].item", is: ITEMS}]
"""


def rounds(more: str, items: str, case: str = "verdict: pass") -> Played:
    return played(ROUNDS.replace("MORE", more).replace("ITEMS", items), case)


def test_a_step_is_sent_once_for_each_item_and_keeps_it() -> None:
    found = rounds("most: 25", "[a, b, c, d]")
    assert found.message == "met"
    assert [(sending.method, sending.message["params"]) for sending in sent_by(found, "asked") if sending.message] == [
        (name, {"again": name}) for name in "abcd"
    ]


def test_what_is_beyond_the_bound_is_left_out_and_said() -> None:
    found = rounds("most: 3", "[a, b, c]")
    assert (found.message, found.warnings) == ("met", ("asked: 1 of 4 left out",))


def test_until_ends_the_rounds_early() -> None:
    case = "replies: {asked: [{error: {code: -32602, message: no}}, {result: {a: 1}}, {result: {a: 1}}]}"
    assert rounds("until: round.result", "[a, b]", case).message == "met"
    assert rounds('until: "target.transport < `1`"', "[a, b, c, d]", case).message == "met"


@pytest.mark.parametrize("items", ["target.nothing", "target.transport", "target", "`7`"])
def test_what_is_no_list_has_no_rounds(items: str) -> None:
    rule = f"""
steps:
  - {{name: asked, for_each: {{in: "{items}", as: x}}, call: ping, check: [{{get: asked, is: []}}]}}
"""
    found = played(rule)
    assert (found.message, found.sends) == ("met", ())


def test_a_credit_that_ends_the_rule_ends_the_rounds() -> None:
    rule = """
steps:
  - {name: asked, for_each: {in: [a, b], as: x}, call: {from: x}, credit: attributable, check: [{that: asked}]}
"""
    found = played(rule, "replies: {asked: [{status: 401}, {status: 401}]}")
    assert (found.verdict, len(sent_by(found, "asked"))) == ("not-evaluable", 1)


# --- repeat, then_alive, always, only, if


def test_repeat_is_the_same_request_under_a_new_id_with_changes() -> None:
    rule = """
steps:
  - {name: first, call: tools/list, params: {cursor: c}, headers: {X-One: a}, meta: {m: 1}, session: none}
  - {name: second_time, repeat: first, omit: [header.accept], headers: {X-Two: b}, meta: {n: 2}}
"""
    found = played(rule)
    (first,), (second,) = sent_by(found, "first"), sent_by(found, "second_time")
    assert second.message is not None
    assert second.message["params"] == {"cursor": "c", "_meta": {"m": 1, "n": 2}}
    assert (first.id == second.id, second.method) == (False, "tools/list")
    expected = {name: value for name, value in first.headers if name != "Accept"} | {"X-Two": "b"}
    assert dict(second.headers) == expected


def test_what_was_not_sent_cannot_be_repeated() -> None:
    rule = "steps: [{name: first, call: ping, only: stdio}, {name: again, repeat: first}]"
    assert played(rule).verdict == "not-evaluable"


def test_then_alive_sends_a_plain_request_right_after() -> None:
    rule = """
steps:
  - name: odd
    raw: "{"
    then_alive: ping
    check: [{get: odd.after.outcome, is: answered, else: "after: {odd.after.outcome}"}]
"""
    assert played(rule).message == "met"
    assert played(rule, "replies: {odd: {status: 400, after: {timeout: true}}}").message == "MUST: after: timeout"


def test_always_cleans_up_after_a_decision_and_no_longer_counts() -> None:
    rule = """
steps:
  - {name: asked, call: ping, check: [{get: asked.outcome, is: odd, else: decided}]}
  - {name: skipped, call: ping}
  - name: tidy
    call: ping
    always: true
    check: [{get: tidy.outcome, is: odd, verdict: warn, else: not heard}, {get: tidy.outcome, is: odd}]
"""
    found = played(rule)
    assert (found.message, found.sends, found.warnings) == ("MUST: decided", ("asked", "tidy"), ())


def test_a_step_that_is_not_wanted_sends_nothing_and_its_checks_do_not_count() -> None:
    for unless in ("if: target.nothing", "only: stdio"):
        rule = f"""
steps:
  - {{name: asked, {unless}, let: {{named: {{from: target.transport}}}}, call: ping, check: [{{that: asked}}]}}
  - {{name: end, check: [{{get: asked, is: null}}, {{get: named, is: null}}]}}
"""
        found = played(rule)
        assert (found.message, found.sends) == ("met", ())


def test_what_goes_through_a_peer_that_was_not_opened_is_not_wanted_either() -> None:
    rule = """
steps:
  - {name: own, open: session, if: target.nothing}
  - {name: asked, on: own, call: ping, check: [{that: asked}]}
  - {name: looked, watch: own, check: [{that: looked}]}
  - {name: end, check: [{get: own, is: null}, {get: asked, is: null}]}
"""
    found = played(rule)
    assert (found.message, found.sends) == ("met", ())


# --- peers

OWN = """
steps:
  - {name: second, open: session, params: {protocolVersion: "2025-06-18"}}
  - {name: asked, on: second, call: ping, check: [{get: asked.session.id, is: {from: second.session.id}}]}
"""


def test_a_peer_has_a_session_of_its_own() -> None:
    found = played(OWN)
    assert found.message == "met"
    (opened,) = sent_by(found, "second")
    assert opened.message is not None
    params = opened.message["params"]
    assert isinstance(params, dict)
    assert (params["protocolVersion"], params["clientInfo"] is not None) == ("2025-06-18", True)
    assert headers(found, "second")[0].get("mcp-session-id") is None
    assert headers(found, "asked")[0]["mcp-session-id"] == SECOND


def test_a_peer_that_cannot_be_opened_ends_the_rule_unless_it_is_judged() -> None:
    refused = "replies: {second: {status: 503}}"
    assert played(OWN, refused).verdict == "not-evaluable"
    judged = "steps: [{name: second, open: session, check: [{get: second.http.status, is: 503}]}]"
    assert played(judged, refused).message == "met"


def test_a_process_is_for_stdio_alone() -> None:
    rule = """
steps:
  - {name: bare, open: process, opening: none}
  - {name: seen, watch: bare, within: 2s}
  - {name: end, check: [{get: "[bare.outcome, seen.outcome]", is: EXPECTED}]}
"""
    assert played(rule.replace("EXPECTED", "[quiet, quiet]"), "on: stdio").message == "met"
    assert played(rule.replace("EXPECTED", "[null, null]"), "on: http").message == "met"
    died = played(rule.replace("EXPECTED", "[quiet, died]"), "on: stdio\nreplies: {watch: {died: 3}}")
    assert (died.message, names_of(died, "seen")["process"]["exit_code"]) == ("met", 3)  # type: ignore[index, call-overload]


# --- streams

FEED = """
steps:
  - name: feed
    stream: {method: GET, headers: {Accept: text/event-stream}}
    until: headers
    check: [{get: feed.outcome, in: OUTCOMES}]
"""


def test_a_stream_is_open_once_its_headers_are_in() -> None:
    assert played(FEED.replace("OUTCOMES", "[open]")).message == "met"
    refused = "replies: {feed: {status: 405}}"
    assert played(FEED.replace("OUTCOMES", "[answered]"), refused).message == "met"


@pytest.mark.parametrize("close", ["step", "rule"])
@pytest.mark.parametrize(("until", "outcome"), [("message", "open"), ("{that: feed.messages}", "open")])
def test_a_subscription_on_stdio_is_cancelled_when_it_is_closed(close: str, until: str, outcome: str) -> None:
    rule = f"""
phase: after
steps:
  - name: feed
    stream: events/stream
    until: {until}
    close: {close}
    check: [{{get: feed.outcome, is: {outcome}}}]
at_end:
  - get: "recording.sent[?method == 'notifications/cancelled'].params.requestId"
    is: [{{from: feed.sent.id}}]
"""
    case = "on: stdio\nreplies: {feed: {messages: [{payload: {jsonrpc: '2.0', method: notifications/x}}]}}"
    found = played(rule, case)
    assert found.message == "met"


# --- what is left behind


@pytest.mark.parametrize(
    ("decides", "verdict"),
    [
        ("{get: asked.outcome, is: answered}", "pass"),
        ("{stop: skip, if: asked, say: enough}", "skip"),
        ("{get: asked.outcome, is: odd}", "fail"),
    ],
)
def test_peers_are_closed_whatever_becomes_of_the_rule(sent: list[Sending], decides: str, verdict: str) -> None:
    rule = f"""
steps:
  - {{name: second, open: session}}
  - {{name: third, open: session}}
  - {{name: asked, on: second, call: ping, check: [{decides}]}}
"""
    found = played(rule)
    assert found.verdict == verdict
    assert ended(sent) == [SECOND, "third-c6f3a81e09b7d524"]


def test_a_session_that_a_rule_was_handed_is_ended_with_the_credential_that_opened_it(sent: list[Sending]) -> None:
    rule = """
steps:
  - {name: second, call: initialize, session: none, credentials: none, params: {from: init.sent.params}}
  - {name: end, check: [{get: second.outcome, is: answered}]}
judges: [init]
"""
    assert played(rule, "root: {target: {credentials: configured}}").message == "met"
    assert ended(sent) == [SECOND]
    assert "Authorization" not in dict(sent[-1].headers)
    played(rule.replace("credentials: none, ", ""), "root: {target: {credentials: configured}}")
    assert dict(sent[-1].headers)["Authorization"] == "Bearer configured-token"


def test_the_runs_own_session_is_not_ended_by_a_rule(sent: list[Sending]) -> None:
    rule = "steps: [{name: again, call: initialize, check: [{get: again.outcome, is: answered}]}]"
    reply = f"{{headers: {{MCP-Session-Id: {SESSION}}}, result: {{protocolVersion: '2025-11-25'}}}}"
    assert played(rule, f"replies: {{again: {reply}}}").message == "met"
    assert ended(sent) == []
