"""Runs as a whole: first contact, restarts, retries, side by side, giving up."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from mcp_compliance.exchange.exchange import Exchange, Http
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.result import Report
from tests.aio import run
from tests.suite.scripted import ScriptedTarget, TwistedWire, catalogue, grade, result, rule, verdicts

PING = "  - {name: one, call: ping, check: [{get: one.result, type: object}]}"
TEST_METHOD = "  - {name: one, call: ping, meta: {mark: NAME}, check: [{get: one.outcome, is: answered}]}"


def graded(target: ScriptedTarget, rules: Path, **options: Any) -> Report:
    return run(lambda: grade(target, rules, **options), at_most=1000.0)


def marked(sending: Sending) -> str | None:
    params = (sending.message or {}).get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    mark = meta.get("mark") if isinstance(meta, dict) else None
    return mark if isinstance(mark, str) else None


def marking(name: str, **more: str) -> tuple[str, str]:
    """A rule whose ping carries its own name, so that a server can tell whose request it is."""
    return rule(name, TEST_METHOD.replace("NAME", name), **more)


def test_a_conforming_server_passes_and_its_session_is_ended(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, rule("one", PING), rule("two", PING))
    target = ScriptedTarget("http")
    report = graded(target, rules)
    assert verdicts(report) == {"one": "pass", "two": "pass"}
    assert target.methods() == ["initialize", "notifications/initialized", "ping", "ping", "DELETE"]
    assert report.server.protocol_version == "2025-11-25"
    assert report.error is None


def test_a_child_that_dies_is_started_again_for_the_rules_after_it(tmp_path: Path) -> None:
    def dies(sending: Sending, wire: TwistedWire) -> Exchange | None:
        return wire.died(sending) if marked(sending) == "killer" else None

    rules = catalogue(tmp_path, marking("killer"), marking("after"), marking("last"))
    target = ScriptedTarget(twists=(dies,))
    report = graded(target, rules)
    assert verdicts(report) == {"killer": "fail", "after": "pass", "last": "pass"}
    assert target.started == 2
    assert target.closed == 2
    assert [warning for warning in report.warnings if "killer" in warning and "started again" in warning]


def test_a_child_is_restarted_between_retries_and_each_attempt_meets_a_live_one(tmp_path: Path) -> None:
    def dies(sending: Sending, wire: TwistedWire) -> Exchange | None:
        return wire.died(sending) if marked(sending) == "killer" else None

    rules = catalogue(tmp_path, marking("killer"), marking("after"))
    target = ScriptedTarget(twists=(dies,))
    report = graded(target, rules, retries=2)
    assert verdicts(report) == {"killer": "fail", "after": "pass"}
    assert target.started == 4


def test_a_retry_that_passes_passes(tmp_path: Path) -> None:
    seen: list[str] = []

    def first_time_silent(sending: Sending, wire: TwistedWire) -> Exchange | None:
        mark = marked(sending)
        if mark is None:
            return None
        seen.append(mark)
        return wire.silent(sending) if len(seen) == 1 else None

    rules = catalogue(tmp_path, marking("flaky"))
    assert verdicts(graded(ScriptedTarget(twists=(first_time_silent,)), rules, retries=1)) == {"flaky": "pass"}


def test_a_death_between_rules_is_charged_to_nobody(tmp_path: Path) -> None:
    def dies_after(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if marked(sending) == "first":
            wire.die()
            return Exchange(sending, "answered", message={"jsonrpc": "2.0", "id": sending.id, "result": {}})
        return None

    rules = catalogue(tmp_path, marking("first"), marking("second"))
    report = graded(ScriptedTarget(twists=(dies_after,)), rules)
    assert verdicts(report) == {"first": "pass", "second": "pass"}
    assert len([warning for warning in report.warnings if "exited" in warning]) == 1


def test_a_child_that_exits_before_it_answers_is_an_error_without_results(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, rule("one", PING))
    target = ScriptedTarget(twists=(lambda sending, wire: wire.died(sending),))
    report = graded(target, rules)
    assert report.results == ()
    assert report.error is not None
    assert "exit code 1" in report.error
    assert "it hurts" in report.error


@pytest.mark.parametrize("outcome", ["unreachable", "timeout"])
def test_an_unreachable_server_fails_every_rule_for_one_cause_without_further_requests(
    tmp_path: Path, outcome: str
) -> None:
    def never(sending: Sending, wire: TwistedWire) -> Exchange:
        return Exchange(sending, outcome, problem="nobody there")  # type: ignore[arg-type]

    rules = catalogue(tmp_path, rule("one", PING, level="required"), rule("two", PING))
    target = ScriptedTarget("http", twists=(never,))
    report = graded(target, rules)
    assert verdicts(report) == {"one": "fail", "two": "fail"}
    assert {result.cause for result in report.results} == {"unreachable"}
    assert report.error is not None
    assert "nobody there" in report.error
    assert target.methods() == ["initialize"] * (2 if outcome == "timeout" else 1)


def test_a_server_that_falls_silent_is_given_up_after_the_second_silent_probe(tmp_path: Path) -> None:
    def silent_from(sending: Sending, wire: TwistedWire) -> Exchange | None:
        counted.append(sending)
        return wire.silent(sending) if len(counted) > 3 else None

    counted: list[Sending] = []
    rules = catalogue(tmp_path, *(rule(f"r{number}", PING) for number in range(6)))
    target = ScriptedTarget("http", twists=(silent_from,))
    report = graded(target, rules)
    assert verdicts(report) == {"r0": "pass", **{f"r{number}": "fail" for number in range(1, 6)}}
    # initialize, initialized, the ping of r0 and of r1, two probes; nothing for the rules after it
    assert target.methods() == ["initialize", "notifications/initialized", "ping", "ping", "ping", "initialize"]


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_server_that_answers_handshakes_only_is_given_up_after_three_hangs(
    tmp_path: Path, transport: Literal["http", "stdio"]
) -> None:
    def mute(sending: Sending, wire: TwistedWire) -> Exchange | None:
        return wire.silent(sending) if sending.method == "ping" else None

    rules = catalogue(tmp_path, *(rule(f"r{number}", PING) for number in range(6)))
    target = ScriptedTarget(transport, twists=(mute,))
    report = graded(target, rules)
    assert [found.cause for found in report.results] == [None] * 3 + ["unreachable"] * 3
    assert target.methods().count("ping") == 6  # in three rules, and a probe after each
    assert report.error is not None
    assert "3 times" in report.error


def test_a_child_that_hangs_again_and_again_between_answers_is_given_up(tmp_path: Path) -> None:
    def hangs(sending: Sending, wire: TwistedWire) -> Exchange | None:
        counted.append(sending)
        method = sending.method
        if method == "initialize":
            counted.clear()
        return wire.silent(sending) if method == "ping" and len(counted) > 2 else None

    counted: list[Sending] = []
    rules = catalogue(tmp_path, *(rule(f"r{number}", PING) for number in range(40)))
    report = graded(ScriptedTarget("stdio", twists=(hangs,)), rules)
    failed = [found for found in report.results if found.verdict == "fail"]
    assert len([found for found in failed if found.cause is None]) == 8
    assert report.error is not None


def test_a_rule_ends_in_bounded_time_however_slow_each_answer_is(tmp_path: Path) -> None:
    steps = "\n".join(f"  - {{name: s{number}, call: ping}}" for number in range(20))
    slow = steps + "\n  - {name: one, call: ping, check: [{get: one.outcome, is: answered}]}"
    rules = catalogue(tmp_path, rule("slow", slow), rule("one", PING))
    report = graded(ScriptedTarget("http", pause=14.0), rules)
    assert verdicts(report) == {"slow": "not-evaluable", "one": "pass"}
    assert "120 s" in result(report, "slow").message


def test_readers_run_side_by_side_with_the_same_verdicts(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, *(rule(f"r{number}", PING) for number in range(12)))
    alone, beside = ScriptedTarget("http", pause=1.0), ScriptedTarget("http", pause=1.0)
    one = graded(alone, rules)
    many = graded(beside, rules, concurrency=4)
    assert verdicts(one) == verdicts(many)
    assert [result.id for result in one.results] == [result.id for result in many.results]
    assert alone.most_busy == 1
    assert beside.most_busy == 4


def test_rules_that_may_kill_the_server_run_alone(tmp_path: Path) -> None:
    more = "touches: [process]"
    rules = catalogue(tmp_path, *(rule(f"r{number}", PING, more=more) for number in range(4)))
    target = ScriptedTarget("http", pause=1.0)
    graded(target, rules, concurrency=4)
    assert target.most_busy == 1


def test_a_bystander_of_a_death_is_measured_again_alone(tmp_path: Path) -> None:
    def dies(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if wire.process is not None and not wire.process.alive:
            return wire.died(sending)
        return wire.died(sending) if marked(sending) == "killer" else None

    rules = catalogue(tmp_path, marking("a"), marking("killer"), marking("b"), marking("c"))
    target = ScriptedTarget(twists=(dies,), pause=1.0)
    report = graded(target, rules, concurrency=4)
    assert verdicts(report) == {"a": "pass", "killer": "fail", "b": "pass", "c": "pass"}


def test_a_list_that_a_neighbours_death_cut_off_is_fetched_anew(tmp_path: Path) -> None:
    def dies(sending: Sending, wire: TwistedWire) -> Exchange | None:
        """The list is asked for while the killer runs, and only the second time when it does not."""
        lists.append(sending)
        cut_off = len([one for one in lists if one.method == "tools/list"]) == 1 and sending.method == "tools/list"
        return wire.died(sending) if cut_off or marked(sending) == "killer" else None

    lists: list[Sending] = []
    reader = rule("lists", "  - {name: one, check: [{get: tools.items, type: array}]}", more="uses: [tools]")
    rules = catalogue(tmp_path, marking("killer"), reader)
    report = graded(ScriptedTarget(twists=(dies,), pause=1.0), rules, concurrency=4)
    assert verdicts(report) == {"killer": "fail", "lists": "pass"}


@pytest.mark.parametrize("refused", [False, True])
@pytest.mark.parametrize("retries", [0, 1])
def test_a_list_that_failed_once_is_fetched_anew_for_a_retry(tmp_path: Path, retries: int, refused: bool) -> None:
    def first_time_fails(sending: Sending, wire: TwistedWire) -> Exchange | None:
        asked.append(sending)
        lists = [one for one in asked if one.method == "tools/list"]
        if lists != [sending]:
            return None
        error: JSONObject = {"jsonrpc": "2.0", "id": sending.id, "error": {"code": -32603, "message": "cold"}}
        return Exchange(sending, "answered", message=error) if refused else wire.silent(sending)

    asked: list[Sending] = []
    lists = rule("lists", "  - {name: one, check: [{get: tools.items, type: array}]}", more="uses: [tools]")
    report = graded(ScriptedTarget(twists=(first_time_fails,)), catalogue(tmp_path, lists), retries=retries)
    assert verdicts(report) == {"lists": "pass" if retries else "fail"}


@pytest.mark.parametrize("refused", [False, True])
def test_a_list_whose_second_page_failed_once_is_fetched_anew_for_a_retry(tmp_path: Path, refused: bool) -> None:
    def page(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method != "tools/list" or sending.message is None:
            return None
        asked.append(sending)
        if len(asked) == 2:
            return Exchange(sending, "answered", http=Http(403, "", ())) if refused else wire.silent(sending)
        params = sending.message.get("params")
        last = isinstance(params, dict) and "cursor" in params
        listed: JSONObject = {"tools": [{"name": "b" if last else "a"}], **({} if last else {"nextCursor": "2"})}
        return Exchange(sending, "answered", message={"jsonrpc": "2.0", "id": sending.id, "result": listed})

    asked: list[Sending] = []
    both = rule("both", "  - {name: one, check: [{get: tools.items, count: 2}]}", more="uses: [tools]")
    report = graded(ScriptedTarget(twists=(page,)), catalogue(tmp_path, both), retries=1)
    assert verdicts(report) == {"both": "pass"}


def test_a_broken_rule_is_left_out_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = "  - {name: x, run: inject, with: {}, check: [{get: x, exists: true}]}"
    broken = rule("broken", step, more="touches: [tool-calls, process]")
    rules = catalogue(tmp_path, broken, rule("one", PING))
    monkeypatch.setattr("mcp_compliance.interpreter.primitive_run.PRIMITIVES", {})
    report = graded(ScriptedTarget(), rules)
    assert verdicts(report) == {"broken": "broken", "one": "pass"}


def test_a_session_that_the_server_forgot_is_opened_anew_once_and_noted(tmp_path: Path) -> None:
    lost: list[Sending] = []

    def forgets(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method == "ping" and len(lost) < 2:
            lost.append(sending)
            return Exchange(sending, "answered", http=Http(404, "x", ()))
        return None

    rules = catalogue(tmp_path, rule("one", PING))
    target = ScriptedTarget("http", twists=(forgets,))
    report = graded(target, rules)
    assert verdicts(report) == {"one": "pass"}
    assert target.methods().count("initialize") == 2
    assert [warning for warning in report.warnings if "lost a session" in warning]


def test_a_refused_handshake_gates_the_rules_that_need_a_session(tmp_path: Path) -> None:
    def refuses(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method != "initialize":
            return None
        error = {"code": -32603, "message": "not today"}
        return Exchange(sending, "answered", message={"jsonrpc": "2.0", "id": sending.id, "error": error})

    opens = rule("opens", "  - {name: none, check: [{get: init.result, type: object}]}", more="judges: [init]")
    rules = catalogue(tmp_path, opens, rule("one", PING))
    report = graded(ScriptedTarget(twists=(refuses,)), rules)
    assert verdicts(report) == {"opens": "fail", "one": "skip"}
    assert result(report, "one").message.endswith("see opens")
    assert result(report, "one").cause == "opens"
    filtered = graded(ScriptedTarget(twists=(refuses,)), rules, only=("one",))
    assert verdicts(filtered) == {"one": "fail"}
    assert "-32603 (not today)" in result(filtered, "one").message
