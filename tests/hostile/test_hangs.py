"""Servers that die or stop answering in mid-run: the time is that of the budgets, the verdicts those of each rule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hostile import hosts
from tests.hostile.grading import Graded, brisk, command, grade, grade_http, grade_installed, hasty, patient
from tests.wire.scripted_http import Connection, Request, Script

ONLY = ("--only", "lifecycle,tools")
LOST = 3 * 0.7
"""A request that draws no answer, and the two probes after it."""
HANG = 0.7 + 0.7 + 4.0
"""On stdio: the request, the probe, and ending a child that ignores everything but SIGKILL."""


@pytest.mark.parametrize(
    ("script", "more"),
    [
        (hosts.silent_from(6), ()),
        (hosts.dead_from(6), ("--concurrency", "8", "--only", "lifecycle,tools")),
        (hosts.silent_from(7), ("--retries", "2", "--only", "lifecycle,tools")),
    ],
    ids=["silent", "accepts only, 8 at once", "silent, retries"],
)
def test_an_http_server_that_stops_answering_is_asked_no_more(script: Script, more: tuple[str, ...]) -> None:
    graded, server = grade_http(script, *brisk(*more), within=8 * LOST)
    assert graded.code == 2
    assert "stopped answering" in graded.error
    assert graded.verdicts["lifecycle-init"] == "pass"
    assert "unreachable" in graded.causes
    assert len(server.requests) < 40


async def greets_only(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
    if message["method"] == "initialize":
        return False
    await connection.closed_by_client()
    return True


def test_a_server_that_answers_handshakes_only_is_given_up_too() -> None:
    words = ("--only", "lifecycle,errors", "--preflight-timeout", "700", "--spec-version", "2025-11-25")
    graded, _ = grade_http(hosts.twisted(greets_only), *brisk(*words), within=13 * LOST)
    assert graded.code == 2
    assert "stopped answering" in graded.error
    assert graded.verdicts["lifecycle-init"] == "pass"


def test_a_child_that_answers_handshakes_only_is_given_up_too() -> None:
    graded = grade(*brisk("--only", "lifecycle,errors"), *command("only the handshake"), within=25)
    assert graded.code == 2
    assert "stopped answering 3 times" in graded.error
    assert graded.verdicts["lifecycle-init"] == "pass"


def test_a_silent_child() -> None:
    graded = grade_installed(*hasty("--only", "lifecycle"), *command("silent"), within=1)
    assert graded.code == 2
    assert graded.causes == {"unreachable"}
    assert "--startup-timeout" in graded.error


def test_a_child_that_drips_without_end() -> None:
    graded = grade(*hasty("--only", "lifecycle"), *command("drips for ever"), within=1 + 4)
    assert graded.code == 2
    assert graded.causes == {"unreachable"}


def test_a_wedged_child_is_started_again_for_the_rules_after_it() -> None:
    rules = "lifecycle-init,lifecycle-ping,error-unknown-method,error-method-code,tools-list,tools-call-unknown"
    graded = grade(*brisk("--only", rules), *command("wedged", 4), within=3 * HANG)
    assert graded.code == 0
    assert "started again" in graded.warnings
    assert graded.verdicts["lifecycle-ping"] == "pass"
    assert graded.counts["pass"] >= 4


def test_a_child_that_wedges_again_and_again_is_given_up_at_last() -> None:
    graded = grade("--timeout", "200", "--startup-timeout", "8000", *command("silent", 4), within=30)
    assert graded.code == 2
    assert "stopped answering 8 times" in graded.error
    assert None in graded.causes


def test_a_child_that_dies_on_every_request() -> None:
    graded = grade(*patient("--only", "lifecycle,tools"), *command("dies"), within=8)
    assert graded.code == 0
    assert graded.error == ""
    assert "exit code 3; stderr: out of luck" in graded.details("lifecycle-ping")
    assert graded.verdicts["lifecycle-init"] == "pass"
    assert "broken" not in graded.counts


@pytest.fixture(scope="module")
def clean() -> Graded:
    """The run of the same child without a twist."""
    return grade(*patient(*ONLY), *command("none"), within=3)


@pytest.mark.parametrize("more", [(), ("--concurrency", "8"), ("--retries", "1")], ids=["", "8 at once", "retries"])
def test_a_death_in_one_rule_changes_no_other_verdict(more: tuple[str, ...], clean: Graded) -> None:
    graded = grade(*patient(*ONLY, *more), *command("dies on", "ping"), within=10)
    assert graded.code == 0
    assert "signal 9" in graded.details("lifecycle-ping")
    assert "exit code None" not in graded.warnings
    ping = {
        test["id"]
        for test in graded.tests
        if test["verdict"] != clean.verdicts[test["id"]] and test.get("cause") != "lifecycle-ping"
    }
    for rule in ping:  # each of them sends a ping of its own, and says so
        assert any(word in graded.details(rule) for word in ("ping", "signal 9", "exited")), graded.details(rule)
    assert graded.verdicts["tools-list"] == clean.verdicts["tools-list"] == "pass"
