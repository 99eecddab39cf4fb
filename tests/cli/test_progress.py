"""The bar on standard error: there for people, whatever the format, and for nobody else."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.cli.progress import ProgressListener, Watching
from mcp_compliance.model.events import Listener

from .conftest import Ended, ScriptedSuite, result

SCRIPT = Path(sys.executable).with_name("mcp-compliance")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, watching: Watching, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a run writes to a standard error like ``stream``."""
    monkeypatch.setattr(sys, "stderr", stream)
    with ProgressListener(watching) as listener:
        listener.status("waiting a little")
        listener.planned(2, "2025-11-25")
        listener.started("lifecycle-ping")
        listener.finished(result(rule="lifecycle-ping"))
        listener.started("tools-list")
    return stream.getvalue()


def test_the_bar_names_the_revision_and_the_rule_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", told(Terminal(), Watching(bar=True), monkeypatch))
    last = shown.replace("\r", "\n").rstrip().splitlines()[-1]
    assert re.fullmatch(r"MCP 2025-11-25 \S+ +1/2 0:00:00 tools-list", " ".join(last.split()))
    assert "waiting a little" not in shown


def test_lines_stand_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = told(Terminal(), Watching(bar=True, status=True, verbose=True), monkeypatch)
    assert "waiting a little" in shown
    assert "pass it is (5 ms)" in shown


def test_what_is_no_terminal_sees_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(io.StringIO(), Watching(bar=True), monkeypatch) == ""
    assert told(io.StringIO(), Watching(bar=True, status=True), monkeypatch) == "waiting a little\n"


@pytest.mark.parametrize("form", ["terminal", "json"])
def test_a_bar_for_every_format(
    suite: ScriptedSuite, run: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    seen: list[Watching] = []

    class Watched(ProgressListener):
        def __init__(self, watching: Watching) -> None:
            seen.append(watching)
            super().__init__(watching)

    def script(listener: Listener) -> None:
        listener.planned(1, "2025-11-25")

    suite.script = script
    monkeypatch.setattr("mcp_compliance.cli.running.ProgressListener", Watched)
    run("test", "http://127.0.0.1:9/mcp", "--format", form)
    assert seen == [Watching(bar=True, status=form == "terminal")]


@pytest.mark.skipif(os.name == "nt", reason="pseudo terminals are a matter of POSIX")
def test_the_console_script_keeps_data_and_people_apart() -> None:
    """Standard error is a terminal, standard output is not."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [SCRIPT, "test", "--demo", "--only", "tools-list", "--format", "json"],
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        assert running.stdout is not None
        seen = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
        document = json.loads(running.stdout.read())
    os.close(ours)
    assert running.returncode == 0
    assert [test["id"] for test in document["tests"]] == ["tools-list"]
    assert b"connecting and reading the rules" in seen
    assert b"1/1" in seen
    assert b" tools-list" in seen
