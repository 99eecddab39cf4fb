"""With rules side by side a run comes to what it comes to one by one: values, verdicts, warnings, events, sessions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import trio

from mcp_compliance.exchange.exchange import Exchange, Http
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, ToolConsent
from mcp_compliance.model.result import Report, Result
from mcp_compliance.suite.run import run_suite
from tests.aio import run
from tests.suite.scripted import ENDPOINT, ScriptedTarget, TwistedWire, catalogue, grade, rule, verdicts

DRAWN = (
    "  - {name: one, call: ping, meta: {rule: NAME, drawn: {make: uuid}, like: {make: like, of: \"'aaaaaaaaaaaa'\"}},"
    " credentials: unknown, check: [{get: one.outcome, is: answered}]}"
)
LISTS = "  - {name: one, call: ping, check: [{get: tools.outcome, is: answered}]}"
NOTES = "  - {name: one, call: ping, check: [{get: one.outcome, is: refused, verdict: warn, else: NAME is odd}]}"


def graded(target: ScriptedTarget, rules: Path, **options: Any) -> Report:
    return run(lambda: grade(target, rules, **options), at_most=1000.0)


def meta_of(sending: Sending) -> dict[str, JSON]:
    params = (sending.message or {}).get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def drawn_values(rules: Path, **options: Any) -> dict[JSON, tuple[JSON, JSON, str | None]]:
    target = ScriptedTarget("http", pause=1.0)
    graded(target, rules, **options)
    return {
        meta["rule"]: (meta["drawn"], meta["like"], dict(sending.headers).get("Authorization"))
        for sending in target.log
        if "rule" in (meta := meta_of(sending))
    }


def test_a_seed_draws_the_same_values_whatever_runs_beside_or_before(tmp_path: Path) -> None:
    names = ("a", "b", "c", "d", "e")
    rules = catalogue(tmp_path, *(rule(name, DRAWN.replace("NAME", name)) for name in names))
    alone = drawn_values(rules)
    assert drawn_values(rules, concurrency=8) == alone
    assert drawn_values(rules, only=("d",)) == {"d": alone["d"]}
    assert len({values[0] for values in alone.values()}) == len(names)
    assert len({values[2] for values in alone.values()}) == 1
    assert drawn_values(rules, seed=2) != alone


def test_ids_are_never_used_twice(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, *(rule(name, DRAWN.replace("NAME", name)) for name in "abcdefgh"))
    target = ScriptedTarget("http", pause=1.0)
    graded(target, rules, concurrency=8)
    ids = [sending.id for sending in target.log if sending.has_id]
    assert max(Counter(map(repr, ids)).values()) == 1


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_shared_answer_is_fetched_once(tmp_path: Path, concurrency: int) -> None:
    rules = catalogue(tmp_path, *(rule(name, LISTS, more="uses: [tools]") for name in "abcdef"))
    target = ScriptedTarget("http", pause=1.0)
    report = graded(target, rules, concurrency=concurrency)
    assert set(verdicts(report).values()) == {"pass"}
    assert target.methods().count("tools/list") == 1


@pytest.mark.parametrize("status", [429, 503])
def test_what_fails_in_a_crowd_is_measured_again_alone(tmp_path: Path, status: int) -> None:
    def turns_away(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method == "ping" and target.busy > 0:
            return Exchange(sending, "answered", http=Http(status, ENDPOINT, ()))
        return None

    steps = "  - {name: one, call: ping, check: [{get: one.http.status, is: 200}]}"
    rules = catalogue(tmp_path, *(rule(name, steps) for name in "abcdef"))
    target = ScriptedTarget("http", twists=(turns_away,), pause=1.0)
    report = graded(target, rules, concurrency=8)
    assert target.most_busy > 1
    assert set(verdicts(report).values()) == {"pass"}


@pytest.mark.parametrize("concurrency", [1, 8])
def test_warnings_of_rules_come_in_their_order(tmp_path: Path, concurrency: int) -> None:
    rules = catalogue(tmp_path, *(rule(name, NOTES.replace("NAME", name)) for name in ("c", "a", "b")))
    report = graded(ScriptedTarget("http", pause=1.0), rules, concurrency=concurrency)
    assert report.warnings == ("c: c is odd", "a: a is odd", "b: b is odd")


def test_only_the_warnings_of_the_attempt_that_counts_are_kept(tmp_path: Path) -> None:
    def improves(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method == "ping" and wire._target.methods().count("ping") == 1:
            return Exchange(sending, "answered", http=Http(500, ENDPOINT, ()))
        return None

    steps = """
  - name: one
    call: ping
    check:
      - {get: one.http.status, below: 500, verdict: warn, else: a bad start}
      - {get: one.http.status, is: 200}
"""
    rules = catalogue(tmp_path, rule("one", steps))
    report = graded(ScriptedTarget("http", twists=(improves,)), rules, retries=1)
    assert verdicts(report) == {"one": "pass"}
    assert report.warnings == ()


def test_listeners_hear_each_result_once_and_as_it_stands_in_the_report(tmp_path: Path) -> None:
    class Heard(Silence):
        def __init__(self) -> None:
            self.results: list[Result] = []

        def finished(self, result: Result) -> None:
            self.results.append(result)

    ends = "at_end: [{get: recording.sent, empty: true, else: something was sent}]"
    rules = catalogue(tmp_path, rule("looks", LISTS, more=f"uses: [tools]\n{ends}"), rule("plain", NOTES))
    heard, target = Heard(), ScriptedTarget("http")
    options = RunOptions(HttpTarget(ENDPOINT), seed=1)
    report = run(lambda: run_suite(options, heard, connect=target.connect, rules=rules), at_most=1000.0)
    assert verdicts(report) == {"looks": "fail", "plain": "pass"}
    assert sorted((result.id, result.verdict) for result in heard.results) == [("looks", "fail"), ("plain", "pass")]


OPENS = """
  - {name: own, open: session}
  - {name: asked, on: own, call: ping, check: [{get: asked.outcome, is: answered}]}
  - {name: again, call: initialize, session: none, params: {from: own.sent.params}}
"""


def ended(target: ScriptedTarget) -> list[str | None]:
    return sorted(
        str(dict(sending.headers).get("MCP-Session-Id")) for sending in target.log if sending.http_method == "DELETE"
    )


def numbering(log: list[str]) -> Any:
    """A server that gives each handshake a session of its own."""

    def number(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method != "initialize":
            return None
        log.append(f"session-{len(log)}")
        result: JSON = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": {"name": "s", "version": "1"},
        }
        message = {"jsonrpc": "2.0", "id": sending.id, "result": result}
        return Exchange(sending, "answered", message=message, http=Http(200, ENDPOINT, (("Mcp-Session-Id", log[-1]),)))

    return number


@pytest.mark.parametrize("concurrency", [1, 8])
def test_every_session_that_was_handed_out_is_ended(tmp_path: Path, concurrency: int) -> None:
    opened: list[str] = []
    rules = catalogue(tmp_path, *(rule(name, OPENS) for name in "abc"))
    target = ScriptedTarget("http", twists=(numbering(opened),), pause=1.0)
    graded(target, rules, concurrency=concurrency)
    assert len(opened) == 7
    assert ended(target) == sorted(opened)


def test_sessions_of_rules_are_ended_when_the_caller_gives_up(tmp_path: Path) -> None:
    opened: list[str] = []
    rules = catalogue(tmp_path, rule("waits", OPENS + "  - {name: looked, watch: own, within: 100s}\n"))
    target = ScriptedTarget("http", twists=(numbering(opened),), pause=1.0)

    async def gives_up() -> None:
        with trio.move_on_after(6.5):
            await grade(target, rules)

    run(gives_up, at_most=1000.0)
    assert len(opened) >= 2
    assert ended(target) == sorted(opened)


def test_the_tools_passed_over_are_named_in_one_order(tmp_path: Path) -> None:
    def lists(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method != "tools/list":
            return None
        tools: list[JSON] = [
            {"name": name, "inputSchema": {}, "annotations": {"destructiveHint": True}} for name in ("z", "y", "x")
        ]
        message = {"jsonrpc": "2.0", "id": sending.id, "result": {"tools": tools}}
        return Exchange(sending, "answered", message=message, http=Http(200, ENDPOINT, ()))

    steps = "  - {name: one, let: {tool: {pick: tool}}, call: tools/call, params: {name: {from: tool.name}}}"
    rules = catalogue(tmp_path, rule("calls", steps, more="uses: [tools]"))
    report = graded(ScriptedTarget("http", twists=(lists,)), rules, tools=ToolConsent())
    assert [warning for warning in report.warnings if "x (destructive), y (destructive), z" in warning]
