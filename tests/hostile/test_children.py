"""Commands that speak, and worse, on stdio: verdicts for what they do, none for what they only threaten."""

from __future__ import annotations

import pytest

from tests.hostile.grading import Graded, command, grade, grade_installed, hasty, patient

SOME = ("--only", "lifecycle,tools,transport")
STOPPING = 4.0
"""Closing stdin and SIGTERM are given 2 s each."""


@pytest.fixture(scope="module")
def clean() -> Graded:
    """The run of the same child without a twist."""
    return grade(*patient(*SOME), *command("none"), within=3)


@pytest.mark.parametrize("twist", ["banner", "garbage"])
def test_lines_that_are_no_messages_spoil_the_framing_and_nothing_else(twist: str, clean: Graded) -> None:
    graded = grade(*patient(*SOME), *command(twist), within=3)
    assert graded.code == 0
    changed = {rule for rule, verdict in graded.verdicts.items() if verdict != clean.verdicts[rule]}
    assert changed <= {"stdio-framing", "lifecycle-jsonrpc"}
    assert graded.verdicts["stdio-framing"] == "fail"


@pytest.mark.parametrize("twist", ["invalid utf-8", "deep"])
def test_an_answer_that_cannot_be_read_is_no_answer(twist: str) -> None:
    graded = grade(*hasty(), *command(twist), within=1)
    assert graded.code == 2
    assert graded.causes == {"unreachable"}
    assert "is no JSON-RPC message" in graded.error


def test_a_line_of_a_hundred_megabytes() -> None:
    graded = grade(*patient(*SOME, "--concurrency", "8"), *command("long line", 4), within=5)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-ping"] == "pass"
    assert graded.verdicts["stdio-framing"] == "fail"


@pytest.mark.parametrize("twist", ["endless line", "endless lines"])
def test_stdout_without_end(twist: str) -> None:
    graded = grade(*hasty(), *command(twist), within=1 + STOPPING + 3)
    assert graded.code == 2
    assert graded.causes == {"unreachable"}


def test_a_stdout_that_is_closed() -> None:
    graded = grade(*patient(), *command("closes stdout"), within=1 + STOPPING)
    assert graded.code == 2
    assert "closed its stdout" in graded.error


def test_a_child_that_ignores_every_request_to_end() -> None:
    graded = grade(*patient("--only", "tools-list"), *command("ignores SIGTERM"), within=2 * STOPPING)
    assert graded.code == 0
    assert graded.seconds > STOPPING


def test_grandchildren_that_hold_the_pipe() -> None:
    graded = grade(*patient("--only", "lifecycle-ping,tools-list"), *command("grandchildren"), within=2)
    assert graded.code == 0
    assert graded.verdicts["tools-list"] == "pass"


def test_a_flood_of_notifications_and_requests() -> None:
    graded = grade(*patient("--only", "lifecycle-ping,tools-list"), *command("flood"), within=8)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-ping"] == "pass"
    assert graded.verdicts["tools-list"] == "pass"


@pytest.mark.parametrize("form", ["json", "terminal"])
def test_names_and_errors_of_a_megabyte_are_quoted_by_their_beginning(form: str) -> None:
    words = patient("--only", "lifecycle,tools,errors", "--verbose")
    graded = grade(*words, *command("huge texts"), within=10, form=form)
    assert graded.code == 0
    assert len(graded.out) < 300_000
    assert not set(graded.out + graded.err) & {"\x07"}


def test_a_flood_on_stderr() -> None:
    graded = grade_installed(*patient("--only", "lifecycle"), *command("stderr flood"), within=3)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-ping"] == "pass"


def test_answers_that_drip_byte_by_byte() -> None:
    graded = grade(
        *patient("--only", "lifecycle-init,lifecycle-ping,lifecycle-capabilities"), *command("drip"), within=3
    )
    assert graded.code == 0
    assert set(graded.verdicts.values()) == {"pass"}


def test_ids_that_no_request_had_are_judged_and_cost_a_second_at_most() -> None:
    graded = grade(
        *patient("--only", "lifecycle-ping,lifecycle-id-match,tools-list"), *command("garbage ids"), within=8
    )
    assert graded.code == 0
    assert graded.verdicts["lifecycle-id-match"] == "fail"
    assert "broken" not in graded.counts
