"""Gates before the first step: capabilities, the handshake, lists that failed, and what a rule asks for itself."""

from __future__ import annotations

import pytest

from tests.interpreter.made import played

NEEDS = "steps: [{name: asked, call: ping, check: [{get: asked.outcome, is: answered}]}]"
REFUSED = "{error: {code: -32603, message: boom}}"


@pytest.mark.parametrize("declared", ["{}", "{tools: null}", "{tools: false}", "null", "[]"])
def test_a_capability_that_is_not_declared_skips_and_sends_nothing(declared: str) -> None:
    found = played(f"capability: tools\n{NEEDS}", f"root: {{server: {{capabilities: {declared}}}}}")
    assert (found.verdict, found.message) == ("skip", "tools is not declared by the server")
    assert found.sends == ()


@pytest.mark.parametrize("declared", ["{tools: {}}", "{tools: true}", "{tools: {listChanged: false}}"])
def test_a_capability_that_is_declared_lets_the_rule_run(declared: str) -> None:
    assert played(f"capability: tools\n{NEEDS}", f"root: {{server: {{capabilities: {declared}}}}}").verdict == "pass"


def test_names_with_dots_go_deeper() -> None:
    rule = f"capability: resources.subscribe\n{NEEDS}"
    assert played(rule, "root: {server: {capabilities: {resources: {subscribe: true}}}}").verdict == "pass"
    for declared in ("{resources: {}}", "{resources: {subscribe: false}}", "{resources: true}"):
        assert played(rule, f"root: {{server: {{capabilities: {declared}}}}}").verdict == "skip"


USES = "uses: [tools]\ncheck: [{get: tools.items, exists: true}]"


@pytest.mark.parametrize(
    "reply", [REFUSED, "{status: 500}", "{timeout: true}", "{drop: true}", "{status: 401}", "{body: text}"]
)
def test_a_list_that_failed_skips_and_points_to_its_own_rule(reply: str) -> None:
    found = played(USES, f"replies: {{tools: {reply}}}")
    assert found.verdict == "skip"
    assert found.message.startswith("tools/list")
    assert found.message.endswith("; see tools-list")


def test_a_rule_that_judges_a_list_can_ask_which_rules_are_in_the_run() -> None:
    asks = "judges: [tools]\ncheck: [{get: run.rules, contains: tools-list}]"
    assert played(asks).verdict == "pass"
    assert played(asks, "filtered: true").verdict == "fail"


def test_in_a_filtered_run_it_fails_with_the_reason() -> None:
    found = played(USES, f"filtered: true\nreplies: {{tools: {REFUSED}}}")
    assert (found.verdict, found.message) == (
        "fail",
        "tools/list failed (JSON-RPC error -32603 (boom)); no tools list to validate",
    )


def test_a_rule_that_judges_the_list_sees_the_failure() -> None:
    rule = "judges: [tools]\ncheck: [{get: tools.error, exists: false, else: '{tools.unusable}'}]"
    found = played(rule, f"replies: {{tools: {REFUSED}}}")
    assert (found.verdict, found.message) == ("fail", "MUST: tools/list was refused: -32603 boom")


@pytest.mark.parametrize("phase", ["main", "late", "load"])
def test_without_a_session_rules_skip_and_point_to_the_handshake(phase: str) -> None:
    found = played(f"phase: {phase}\n{NEEDS}", "replies: {init: {status: 503}}")
    assert (found.verdict, found.sends) == ("skip", ())
    assert found.message.endswith("; see lifecycle-init")
    filtered = played(f"phase: {phase}\n{NEEDS}", "filtered: true\nreplies: {init: {status: 503}}")
    assert (filtered.verdict, filtered.message) == ("fail", "initialize failed (HTTP 503); nothing can be measured")


CREDITED = "phase: opening\nsteps: [{name: probe, raw: '{}', credit: {unattributed: UNATTRIBUTED}}]"
SETUP_LOST = "replies: {init: {error: {code: -32603, message: boom}}, probe: {status: 400}}"


@pytest.mark.parametrize(("unattributed", "said"), [("fail", "not evaluable: "), ("skip", "")])
def test_what_the_lost_handshake_keeps_from_being_measured_points_to_it(unattributed: str, said: str) -> None:
    rule = CREDITED.replace("UNATTRIBUTED", unattributed)
    reason = f"{said}the server rejects the conformant request too: initialize was refused: -32603 boom"
    assert played(rule, SETUP_LOST).message == f"{reason}; see lifecycle-init"
    assert played(rule, f"filtered: true\n{SETUP_LOST}").message == reason


def test_the_checks_of_the_end_point_to_it_as_well() -> None:
    rule = "judges: [init]\nat_end: [{stop: skip, unless: init.result, say: 'nothing served: {init.unserved}'}]"
    assert played(rule, SETUP_LOST).message == "nothing served: initialize was refused: -32603; see lifecycle-init"


def test_a_skip_for_another_reason_does_not_point_to_the_handshake() -> None:
    stop = "{stop: skip, unless: probe.result, say: not for us}"
    rule = f"phase: opening\nsteps: [{{name: probe, raw: '{{}}', check: [{stop}]}}]"
    assert played(rule, SETUP_LOST).message == "not for us"


def test_rules_of_the_opening_and_those_that_judge_the_handshake_run_all_the_same() -> None:
    case = "replies: {init: {status: 503}, asked: {result: {}}}"
    assert played(f"phase: opening\n{NEEDS}", case).verdict == "pass"
    assert played(f"judges: [init]\n{NEEDS}", case).verdict == "pass"


def test_rules_of_the_end_wait_for_what_the_server_declares_alone() -> None:
    """A server that could not be asked has not left its tools undeclared."""
    lost = "replies: {init: {status: 503}}"
    recorded = "check: [{get: recording.sent, empty: false}]"
    found = played(f"phase: after\ncapability: tools\n{recorded}", lost)
    assert (found.verdict, found.message) == (
        "skip",
        "initialize drew HTTP 503 without a JSON-RPC result; see lifecycle-init",
    )
    assert played(f"phase: after\n{recorded}", lost).verdict == "pass"


def test_guards_are_asked_in_order_before_any_step() -> None:
    rule = f"""
skip_unless:
  - {{that: session.id, say: no session}}
  - {{that: target.nothing, say: "nothing on {{target.transport}}"}}
{NEEDS}
"""
    found = played(rule)
    assert (found.verdict, found.message, found.sends) == ("skip", "nothing on http", ())
    assert played(rule, "replies: {init: {session: null}}").message == "no session"


def test_the_recording_is_for_the_end_alone() -> None:
    looks = "check: [{get: recording, exists: false}]"
    assert played(looks).verdict == "pass"
    assert played(f"phase: after\n{looks}").verdict == "fail"
    assert played("at_end: [{get: recording.sent, empty: false}]").verdict == "pass"
    assert played("at_end: [{get: recording.sent, empty: true, else: 'sent {recording.sent[0].method}'}]").message == (
        "MUST: sent initialize"
    )
