"""``--format ndjson``: events while the run goes on, and a stream that is complete however it ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.event_stream import EventStream
from mcp_compliance.model.events import Listener, Silence
from mcp_compliance.model.result import Result

from .conftest import Ended, ScriptedSuite, report, result

Run = Callable[..., Ended]
URL = "http://127.0.0.1:9/mcp"
NDJSON = ("test", URL, "--format", "ndjson")


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def play(listener: Listener) -> None:
    listener.status("waiting")
    listener.planned(2, "2025-11-25")
    for rule in ("one", "two"):
        listener.started(rule)
        listener.finished(result("fail", rule=rule))
    listener.server_stderr("a line of the server's")


def test_each_event_is_a_line_and_the_report_the_last(run: Run, suite: ScriptedSuite) -> None:
    suite.script = play
    suite.report = report(result("fail", rule="one"), result("fail", rule="two"))
    ended = run(*NDJSON)
    assert ended.code == 0
    found = events(ended.out)
    assert [event["event"] for event in found] == ["status", "begin", "test", "test", "end"]
    assert found[1]["total"] == 2
    assert [event["test"]["id"] for event in found[2:4]] == ["one", "two"]
    assert [test["id"] for test in found[4]["report"]["tests"]] == ["one", "two"]


def test_a_line_is_written_when_its_rule_ends(
    run: Run, suite: ScriptedSuite, capfd: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []

    def watch(listener: Listener) -> None:
        listener.finished(result(rule="one"))
        seen.append(capfd.readouterr().out)

    suite.script = watch
    ended = run(*NDJSON)
    assert [event["test"]["id"] for event in events(seen[0])] == ["one"]
    assert [event["event"] for event in events(ended.out)] == ["end"]


def test_a_run_that_cannot_be_done_ends_its_stream(run: Run, suite: ScriptedSuite) -> None:
    suite.report = report(error="nope: command not found")
    ended = run(*NDJSON)
    [end] = events(ended.out)
    assert (ended.code, end["event"], end["report"]["error"]) == (2, "end", "nope: command not found")


def test_a_fault_of_the_tool_ends_the_stream_too(run: Run, suite: ScriptedSuite) -> None:
    def fail(listener: Listener) -> None:
        play(listener)
        raise RuntimeError("boom")

    suite.script = fail
    ended = run(*NDJSON)
    assert ended.code == 2
    assert "RuntimeError: boom" in events(ended.out)[-1]["report"]["error"]


def test_an_interrupted_run_ends_its_stream(run: Run, suite: ScriptedSuite) -> None:
    def interrupt(listener: Listener) -> None:
        listener.finished(result(rule="one"))
        raise KeyboardInterrupt

    suite.script = interrupt
    ended = run(*NDJSON)
    assert (ended.code, ended.err) == (130, "Interrupted.\n")
    assert [event["event"] for event in events(ended.out)] == ["test", "end"]
    assert events(ended.out)[-1] == {"schemaVersion": "1", "event": "end", "error": "interrupted"}


def test_a_run_that_the_user_has_to_put_right_ends_its_stream(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError), EventStream(Silence()):
        raise UserError("--auth-command: it failed")
    [end] = events(capfd.readouterr().out)
    assert end["error"] == "--auth-command: it failed"


def test_a_reader_that_goes_away_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        stream = EventStream(Silence())
        for _ in range(3):
            stream.finished(result())


def test_everything_is_passed_on() -> None:
    told: list[object] = []

    class Keeping(Silence):
        def planned(self, total: int, spec_version: str) -> None:
            told.append((total, spec_version))

        def started(self, rule_id: str) -> None:
            told.append(rule_id)

        def finished(self, result: Result) -> None:
            told.append(result.id)

        def status(self, message: str) -> None:
            told.append(message)

        def server_stderr(self, line: str) -> None:
            told.append(line)

    play(EventStream(Keeping()))
    assert told == ["waiting", (2, "2025-11-25"), "one", "one", "two", "two", "a line of the server's"]
