"""Children of either era, or of both, and what the first request does to them."""

from __future__ import annotations

import pytest

from tests.hostile.grading import Graded, brisk, command, grade, hasty, patient

RULES = "lifecycle,tools,errors"
LEGACY, MODERN = ("--spec-version", "2025-11-25"), ("--spec-version", "2026-07-28")
OLD_NOTE = "server/discover: no response, legacy"


@pytest.fixture(scope="module")
def modern() -> Graded:
    """The run of a modern child without a twist."""
    graded = grade(*patient("--only", RULES), *command("none", "", "modern"), within=3)
    assert graded.spec_version == "2026-07-28"
    assert graded.detection == ("detected", "server/discover: supportedVersions [2026-07-28]")
    assert "tools-list" in graded.ids("pass")
    return graded


def test_a_child_that_is_silent_before_the_handshake_costs_the_startup_time_and_people_are_told_why() -> None:
    words = ("--timeout", "700", "--startup-timeout", "2500", "--only", "lifecycle-init,tools-list")
    graded = grade(*words, *command("silent before the handshake"), within=2.5, form="terminal")
    assert graded.code == 0
    assert "MCP 2025-11-25 (auto-detected from server/discover: no response, legacy)" in " ".join(graded.out.split())
    assert "100/100" in graded.out
    assert graded.err.splitlines() == [
        "Waiting for the server's answer to server/discover; --spec-version 2025-11-25 skips this question"
    ]


@pytest.mark.parametrize("words", [(), ("--concurrency", "8")], ids=["", "8 at once"])
def test_a_child_that_dies_of_the_question_is_started_anew_and_graded(words: tuple[str, ...]) -> None:
    rules = ("--only", "lifecycle-init,lifecycle-ping,tools-list,stdio-unknown-method-recovers")
    graded = grade(*patient(*rules, *words), *command("dies before the handshake"), within=3)
    assert graded.code == 0
    assert graded.detection == ("detected", OLD_NOTE)
    assert set(graded.verdicts.values()) == {"pass"}
    assert graded.report is not None
    assert graded.report["warnings"][1] == (
        "The server exited on the server/discover probe (exit code 3; stderr: Error: expected initialize request), "
        "so a fresh instance was started and graded as 2025-11-25. A server should survive a request that it does not "
        "know; --spec-version 2025-11-25 skips the probe."
    )


def test_a_child_that_answers_the_question_and_exits_is_started_anew_too() -> None:
    graded = grade(*patient("--only", "lifecycle-init"), *command("answers and exits", 1), within=3)
    assert graded.detection == ("detected", "server/discover: JSON-RPC error -32601, legacy")
    said = "answered the server/discover probe and then exited (exit code 4), so a fresh instance was started"
    assert said in graded.warnings
    # the handshake is the first request of the fresh one, after whose answer it exits as well
    assert graded.verdicts["lifecycle-init"] == "pass"


def test_a_child_that_exits_whatever_it_is_asked_is_not_sent_to_a_pin() -> None:
    graded = grade(*patient(), *command("exits"), within=1)
    assert graded.code == 2
    assert graded.tests == []
    assert graded.detection == ("undetermined", OLD_NOTE)
    assert (
        "The server exits at startup with or without the server/discover probe (exit code 7; stderr: no configuration "
        "found). Check the command, its arguments and its environment." in graded.warnings
    )
    assert "skips the probe" not in graded.warnings


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_an_answer_to_the_question_that_comes_in_the_handshake_is_taken_for_nothing_else(era: str) -> None:
    rules = ("--only", "lifecycle-init,lifecycle-id-match,tools-list")
    words = ("--timeout", "5000", "--startup-timeout", "600", *rules)
    graded = grade(*words, *command("answers late", era), within=0.6)
    assert graded.detection == ("detected", OLD_NOTE)
    assert set(graded.verdicts.values()) == {"pass"}
    assert ("answered server/discover after the wait for it was over" in graded.warnings) == (era == "modern")


def test_a_process_of_both_eras_is_graded_in_the_newer_one_and_the_other_is_named() -> None:
    graded = grade(*patient("--only", "lifecycle,tools"), *command("none", "", "dual"), within=4)
    assert graded.spec_version == "2026-07-28"
    assert graded.verdicts["lifecycle-dual-era"] == "pass"
    assert (
        "Server is dual-era: it is graded as 2026-07-28. To grade its other side too, run again with "
        "--spec-version 2025-11-25." in graded.warnings
    )
    other = grade(*patient("--only", "lifecycle-init,tools-list", *LEGACY), *command("none", "", "dual"), within=3)
    assert set(other.verdicts.values()) == {"pass"}
    assert other.warnings == ""


def test_a_child_that_starts_slowly_is_waited_for(modern: Graded) -> None:
    graded = grade(
        *brisk("--only", "lifecycle-discover,tools-list"), *command("starts slowly", "1.5", "modern"), within=2
    )
    assert graded.spec_version == "2026-07-28"
    assert set(graded.verdicts.values()) == {"pass"}


@pytest.mark.parametrize("more", [(), ("--retries", "1"), ("--concurrency", "8")], ids=["", "retries", "8 at once"])
def test_a_list_that_kills_fails_its_rule_and_no_other(more: tuple[str, ...], modern: Graded) -> None:
    """The first of the requests by which a process is settled: it is left out of the settling from then on."""
    graded = grade(*patient("--only", RULES, *more), *command("dies on", "tools/list", "modern"), within=15)
    assert graded.code == 0
    assert graded.verdicts["tools-list"] == "fail"
    assert "signal 9" in graded.details("tools-list")
    assert "The server exited on tools/list (signal 9); it was started again" in graded.warnings
    alone = {"lifecycle-discover", "lifecycle-id-match", "lifecycle-string-id", "lifecycle-meta-required"}
    assert alone <= graded.ids("pass")
    for rule in graded.ids("fail", "not-evaluable") - modern.ids("fail", "not-evaluable"):
        assert "tools/list" in graded.details(rule), graded.details(rule)


@pytest.mark.parametrize("more", [(), ("--retries", "1")], ids=["", "retries"])
def test_a_call_that_kills_is_charged_to_each_rule_that_makes_it(more: tuple[str, ...], modern: Graded) -> None:
    rules = "stdio-unicode,tools-call,lifecycle-discover,lifecycle-id-match,security-oversized-input"
    graded = grade(*patient("--only", rules, *more), *command("dies on", "tools/call", "modern"), within=15)
    assert graded.code == 0
    assert graded.ids("fail") == {"stdio-unicode", "tools-call", "security-oversized-input"}
    assert graded.ids("pass") == {"lifecycle-discover", "lifecycle-id-match"}
    assert "exited during stdio-unicode (signal 9); it was started again" in graded.warnings


def test_a_child_that_exits_after_each_first_answer_is_no_modern_one_that_a_pin_would_help() -> None:
    rules = ("--only", "lifecycle-discover,lifecycle-id-match")
    graded = grade(*patient(*rules), *command("answers and exits", 1, "modern"), within=12)
    assert graded.spec_version == "2026-07-28"
    assert graded.verdicts["lifecycle-discover"] == "pass"
    assert "exit code 4" in graded.warnings
    assert "skips the probe" not in graded.warnings


@pytest.mark.parametrize("twist", ["dies before the handshake", "silent before the handshake"])
def test_an_older_child_pinned_to_the_newer_revision_is_pointed_to_the_other_pin(twist: str) -> None:
    graded = grade(*hasty(*MODERN), *command(twist), within=1)
    assert graded.code == 2
    assert "re-run with --spec-version 2025-11-25 (or auto)" in graded.warnings
    assert not graded.ids("pass")
