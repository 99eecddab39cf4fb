"""Which revision is graded: what servers of either era, and those in front of them, make of the first request."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSONObject
from tests.suite.eras import PROBE, ServerWire, graded, on_probe, served
from tests.suite.scripted import MODERN, catalogue, rule, verdicts

LEGACY_PING = rule("legacy", "  - {name: one, call: ping, check: [{get: one.result, type: object}]}")
MODERN_LIST = rule("modern", "  - {name: one, call: tools/list, check: [{get: one.result, type: object}]}")
SCAN = rule(
    "scan",
    "  - {name: one, call: server/discover, check: [{get: one.result, type: object}]}\n"
    'at_end: [{get: "recording.other", empty: true}, {get: "recording.received", empty: false}]',
)
LEGACY_SCAN = rule(
    "scan",
    "  - {name: one, call: ping, check: [{get: one.result, type: object}]}\n"
    'at_end: [{get: "recording.other", count: 1}, {get: "recording.received[?payload.error]", empty: true}]',
)
REFUSED: JSONObject = {"status": 404, "error": {"code": -32601, "message": "Method not found"}}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    catalogue(tmp_path, LEGACY_PING, LEGACY_SCAN)
    return catalogue(tmp_path, MODERN_LIST, SCAN, name="t2", like=MODERN)


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_modern_server_is_met_by_one_request_which_is_the_shared_answer_too(
    rules: Path, transport: Literal["http", "stdio"]
) -> None:
    server = served(rules, "t2", transport=transport)
    report = graded(server, rules)
    assert report.spec_version == "t2"
    assert verdicts(report) == {"modern": "pass", "scan": "pass"}
    assert server.log.count(PROBE) == 2  # the probe, and the one that a rule sends itself
    assert report.detection is not None
    assert (report.detection.era, report.detection.reason) == ("detected", f"{PROBE}: supportedVersions [2026-07-28]")
    note = f"Spec version auto-detected as t2 ({PROBE} -> supportedVersions [2026-07-28])."
    assert report.warnings[0] == f"{note} Pin with --spec-version to override."
    assert server.starts == 1


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_legacy_server_goes_on_in_the_same_process_and_the_probe_is_not_its_traffic(
    rules: Path, transport: Literal["http", "stdio"]
) -> None:
    server = served(rules, "t1", transport=transport, answers=(on_probe(REFUSED),))
    report = graded(server, rules)
    assert report.spec_version == "t1"
    assert verdicts(report) == {"legacy": "pass", "scan": "pass"}
    assert server.log[:3] == [PROBE, "initialize", "notifications/initialized"]
    assert server.starts == 1
    assert report.detection is not None
    assert report.detection.reason == f"{PROBE}: JSON-RPC error -32601, legacy"


@pytest.mark.parametrize(("dies", "kept"), [(False, "fail"), (True, "pass")])
def test_a_banner_that_came_before_the_answer_to_the_probe_counts_where_the_process_goes_on(
    tmp_path: Path, dies: bool, kept: str
) -> None:
    check = "{get: \"recording.received[?kind == 'stray'].raw\", empty: true}"
    catalogue(
        tmp_path,
        rule("clean", f"  - {{name: one, call: ping, check: [{{get: one.result, type: object}}]}}\nat_end: [{check}]"),
    )
    rules = catalogue(tmp_path, MODERN_LIST, name="t2", like=MODERN)
    banner: JSONObject = {"error": {"code": -32601, "message": "no"}, "messages": [{"raw": "Server ready."}]}
    last: JSONObject = {"died": 3, "messages": [{"raw": "Server ready."}]}
    answers = (on_probe(last), lambda sending, wire: None) if dies else (on_probe(banner),)
    report = graded(served(rules, "t1", transport="stdio", answers=answers), rules)
    assert report.spec_version == "t1"
    assert verdicts(report) == {"clean": kept}


def test_a_dual_era_server_is_graded_in_the_newer_one(rules: Path) -> None:
    report = graded(served(rules, "t1", "t2"), rules)
    assert report.spec_version == "t2"


@pytest.mark.parametrize(
    ("reply", "headers", "note", "warning"),
    [
        ({"status": 401}, (), "authentication required -- pass --auth", "was given none"),
        (
            {"status": 401, "error": {"code": -32001, "message": "no"}},
            (),
            "authentication required -- pass --auth",
            "--auth",
        ),
        (
            {"status": 401},
            (("Authorization", "Bearer t"),),
            "credential rejected -- check --auth",
            "rejected the credential",
        ),
        (
            {"status": 403, "error": {"code": -32000, "message": "Invalid Host header"}},
            (),
            "forbidden -- Host/Origin validation, a gateway, or missing credentials",
            "Invalid Host header",
        ),
        (
            {"status": 403},
            (("Authorization", "Bearer t"),),
            "forbidden -- Host/Origin validation, a gateway, or token permissions",
            "Host or Origin validation",
        ),
    ],
)
def test_a_wall_leaves_the_era_open_and_that_is_the_first_warning(
    rules: Path, reply: JSONObject, headers: tuple[tuple[str, str], ...], note: str, warning: str
) -> None:
    server = served(rules, "t2", answers=(lambda sending, wire: reply,))
    report = graded(server, rules, headers=headers)
    assert report.spec_version == "t1"
    assert report.detection is not None
    assert report.detection.era == "undetermined"
    assert report.detection.reason == f"{PROBE}: {note}"
    assert warning in report.warnings[0]
    assert "so the grade below is not meaningful" in report.warnings[0]
    assert report.caveats == report.warnings[:1]
    chosen = f"Spec version auto-detected as t1 ({PROBE} -> {note}; the era could not be determined)."
    assert report.warnings[1] == f"{chosen} Pin with --spec-version to override."


def test_a_wall_that_knows_the_era_is_modern(rules: Path) -> None:
    reply: JSONObject = {"status": 403, "error": {"code": -32022, "message": "no", "data": {"supported": []}}}
    assert graded(served(rules, "t2", answers=(on_probe(reply),)), rules).spec_version == "t2"


def test_a_pinned_run_sends_the_probe_over_http_and_says_what_it_showed(rules: Path) -> None:
    server = served(rules, "t1", "t2")
    report = graded(server, rules, spec_version="t1")
    assert report.spec_version == "t1"
    assert verdicts(report) == {"legacy": "pass", "scan": "pass"}
    assert server.log[:2] == [PROBE, "initialize"]
    assert report.detection is not None
    assert report.detection.era == "pinned"
    assert any("with a DiscoverResult" in warning and "pinned to 2025-11-25" in warning for warning in report.warnings)


def test_a_pinned_run_on_stdio_asks_nothing_before(rules: Path) -> None:
    server = served(rules, "t1", "t2", transport="stdio")
    graded(server, rules, spec_version="t1")
    assert PROBE not in server.log
    again = served(rules, "t1", "t2", transport="stdio")
    graded(again, rules, spec_version="t2")
    assert again.log[0] == PROBE
    assert "initialize" not in again.log


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ({"status": 404, "error": {"code": -32601, "message": "no"}}, "with JSON-RPC error -32601"),
        ({"status": 404}, "with HTTP 404"),
        ({"status": 503}, None),
        ({"status": 200, "body": "<html>", "headers": {"Content-Type": "text/html"}}, None),
    ],
)
def test_a_run_pinned_to_the_newer_era_warns_where_the_answer_shows_the_older(
    rules: Path, reply: JSONObject, wanted: str | None
) -> None:
    report = graded(served(rules, "t1", answers=(on_probe(reply),)), rules, spec_version="t2")
    said = [warning for warning in report.warnings if "Re-run with --spec-version 2025-11-25 (or auto)" in warning]
    assert [wanted in warning for warning in said] == ([] if wanted is None else [True])


def test_an_unreachable_server_is_asked_once_and_every_rule_of_the_older_era_fails(rules: Path) -> None:
    server = served(rules, "t1", answers=(lambda sending, wire: {"unreachable": True},))
    report = graded(server, rules)
    assert report.spec_version == "t1"
    assert verdicts(report) == {"legacy": "fail", "scan": "fail"}
    assert server.log == [PROBE]
    assert report.error is not None
    assert "connection refused" in report.error


def test_a_slow_start_over_http_is_waited_for_and_graded_as_what_it_is(rules: Path) -> None:
    def slow(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"timeout": True} if wire._server.log == [PROBE] else None

    server = served(rules, "t2", answers=(slow,))
    report = graded(server, rules)
    assert report.spec_version == "t2"
    assert verdicts(report) == {"modern": "pass", "scan": "pass"}
    assert server.said == ["No answer within 10 s; asking once more, for up to 60 s"]


def test_a_connection_that_is_dropped_is_not_told_as_a_wait(rules: Path) -> None:
    def closing(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"drop": True} if wire._server.log == [PROBE] else None

    server = served(rules, "t2", answers=(closing,))
    assert graded(server, rules).spec_version == "t2"
    assert server.said == ["The connection was dropped; asking once more, for up to 60 s"]


def test_a_server_that_never_answers_over_http_gets_two_requests(rules: Path) -> None:
    server = served(rules, "t1", answers=(lambda sending, wire: {"timeout": True},))
    report = graded(server, rules)
    assert server.log == [PROBE, PROBE]
    assert set(verdicts(report).values()) == {"fail"}
    assert report.error is not None


def test_a_legacy_child_that_stays_silent_costs_the_startup_time_and_a_line_about_it(rules: Path) -> None:
    server = served(rules, "t1", transport="stdio", answers=(on_probe({"timeout": True}),))
    report = graded(server, rules)
    assert report.spec_version == "t1"
    assert verdicts(report) == {"legacy": "pass", "scan": "fail"}  # nothing came that could be set apart
    assert report.detection is not None
    assert report.detection.reason == f"{PROBE}: no response, legacy"
    assert server.said == [f"Waiting for the server's answer to {PROBE}; --spec-version t1 skips this question"]


def test_a_child_that_dies_of_the_probe_is_started_again_and_graded(rules: Path) -> None:
    dies = on_probe({"died": 3, "stderr": "unknown method"})
    server = served(rules, "t1", transport="stdio", answers=(dies, lambda sending, wire: None))
    report = graded(server, rules)
    assert verdicts(report)["legacy"] == "pass"
    assert server.starts == 2
    words = [warning for warning in report.warnings if f"exited on the {PROBE} probe" in warning]
    assert len(words) == 1
    assert "exit code 3" in words[0]
    assert "unknown method" in words[0]
    assert "--spec-version t1 skips the probe" in words[0]


def test_a_child_that_answers_the_probe_and_exits_before_the_next_request_is_started_again(rules: Path) -> None:
    def exits(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"error": {"code": -32601, "message": "no"}} if sending.method == PROBE else {"died": 4}

    server = served(rules, "t1", transport="stdio", answers=(exits, lambda sending, wire: None))
    report = graded(server, rules)
    assert report.error is None
    assert verdicts(report)["legacy"] == "pass"
    assert server.log[:3] == [PROBE, "initialize", "initialize"]
    words = [warning for warning in report.warnings if f"answered the {PROBE} probe and then exited" in warning]
    assert len(words) == 1
    assert "exit code 4" in words[0]
    assert "--spec-version t1 skips the probe" in words[0]


def test_a_modern_child_that_exits_after_the_probe_is_started_again_and_no_pin_is_advised(rules: Path) -> None:
    def exits(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return None if wire._server.log == [PROBE] else {"died": 4}

    server = served(rules, "t2", transport="stdio", answers=(exits, lambda sending, wire: None))
    report = graded(server, rules)
    assert verdicts(report) == {"modern": "pass", "scan": "pass"}
    said = [warning for warning in report.warnings if "The server exited on tools/list (exit code 4" in warning]
    assert len(said) == 1
    assert "started again" in said[0]
    assert not any("skips the probe" in warning for warning in report.warnings)


def test_a_request_that_pins_the_era_and_kills_is_not_sent_to_every_new_process(rules: Path) -> None:
    def dies_of_lists(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"died": 4} if sending.method == "tools/list" else None

    server = served(rules, "t2", transport="stdio", answers=(dies_of_lists,))
    report = graded(server, rules)
    assert verdicts(report) == {"modern": "fail", "scan": "pass"}
    assert server.starts == 3  # the first died of the settling, the second of the rule that lists tools
    assert server.log.count("tools/list") == 2


def test_a_child_that_does_not_come_up_again_is_given_up(rules: Path) -> None:
    def dies_of_lists(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"died": 4} if sending.method == "tools/list" else None

    server = served(rules, "t2", transport="stdio", answers=(dies_of_lists, lambda sending, wire: {"died": 5}))
    report = graded(server, rules)
    assert report.error is not None
    assert "does not come up again" in report.error
    assert server.starts <= 4
    assert any("did not answer server/discover (died)" in warning for warning in report.warnings)


def test_a_child_that_dies_anyway_is_not_blamed_on_the_probe(rules: Path) -> None:
    server = served(rules, "t1", transport="stdio", answers=(lambda sending, wire: {"died": 2, "stderr": "no key"},))
    report = graded(server, rules)
    assert report.results == ()
    assert report.error is not None
    assert "no key" in report.error
    assert any("with or without the" in warning and "command" in warning for warning in report.warnings)
    assert not any("skips the probe" in warning for warning in report.warnings)


def test_a_rate_limited_probe_is_sent_once_more(rules: Path) -> None:
    def limited(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"status": 429, "headers": {"Retry-After": "1"}} if wire._server.log == [PROBE] else None

    server = served(rules, "t2", answers=(limited,))
    assert graded(server, rules).spec_version == "t2"
    assert server.log[:2] == [PROBE, PROBE]


def test_a_pinned_run_meets_a_server_that_is_silent_about_unknown_methods(rules: Path) -> None:
    server = served(rules, "t1", answers=(on_probe({"timeout": True}),))
    report = graded(server, rules, spec_version="t1")
    assert server.log[:2] == [PROBE, "initialize"]
    assert verdicts(report)["legacy"] == "pass"
    assert report.error is None


def test_a_pinned_run_gives_up_after_two_silent_requests(rules: Path) -> None:
    server = served(rules, "t1", answers=(lambda sending, wire: {"timeout": True},))
    report = graded(server, rules, spec_version="t1")
    assert server.log == [PROBE, "initialize"]
    assert set(verdicts(report).values()) == {"fail"}


def test_a_rate_limit_that_stays_says_nothing_of_the_era(rules: Path) -> None:
    server = served(rules, "t2", answers=(lambda sending, wire: {"status": 429},))
    report = graded(server, rules)
    assert report.detection is not None
    assert report.detection.era == "undetermined"
    assert "HTTP 429" in report.warnings[0]
    assert "not meaningful" in report.warnings[0]
    pinned = graded(served(rules, "t2", answers=(lambda sending, wire: {"status": 429},)), rules, spec_version="t2")
    assert not any("Re-run with --spec-version" in warning for warning in pinned.warnings)


def test_a_gateway_that_fails_once_does_not_decide_a_pinned_run(rules: Path) -> None:
    def waking(sending: Sending, wire: ServerWire) -> JSONObject | None:
        return {"status": 503} if wire._server.log == [PROBE] else None

    report = graded(served(rules, "t2", answers=(waking,)), rules, spec_version="t2")
    assert verdicts(report) == {"modern": "pass", "scan": "pass"}


def test_a_server_that_hangs_on_the_question_is_told_of_the_other_one(rules: Path) -> None:
    report = graded(served(rules, "t1", answers=(on_probe({"timeout": True}),)), rules)
    assert report.error is not None
    assert "--startup-timeout waits longer, --spec-version t1 tries initialize" in report.error
