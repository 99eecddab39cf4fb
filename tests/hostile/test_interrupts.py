"""Ctrl+C and SIGTERM at any moment: exit 130, one word, nothing on stdout, nobody left."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.hostile import hosts
from tests.hostile.grading import Graded, command, grade_http, grade_installed, patient
from tests.wire.scripted_http import Connection, Request

AT_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000): pass  # the interpreter sees signals between two steps
sys.meta_path.insert(0, Finder())
"""
ENDING = 4.0


def was_interrupted(graded: Graded) -> None:
    assert graded.code == 130
    assert graded.out == ""
    assert graded.err == "Interrupted.\n"


@pytest.mark.parametrize("name", ["mcp_compliance.cli.main", "typer", "trio"])
def test_while_the_program_is_loaded(tmp_path: Path, name: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(name=name))
    was_interrupted(grade_installed(*patient(), *command("none"), within=ENDING, env={"PYTHONPATH": str(tmp_path)}))


@pytest.mark.parametrize("number", [1, 12])
def test_in_the_handshake_and_in_rules(number: int) -> None:
    was_interrupted(grade_installed("--timeout", "60000", *command("interrupt", number), within=ENDING))


def test_in_rules_side_by_side() -> None:
    was_interrupted(
        grade_installed("--timeout", "60000", "--concurrency", "8", *command("interrupt", 12), within=ENDING)
    )


def test_twice_with_a_child_that_has_to_be_killed() -> None:
    was_interrupted(grade_installed("--timeout", "60000", *command("interrupt twice", 6), within=ENDING))


def test_sigterm_where_ctrl_c_is_ignored(tmp_path: Path) -> None:
    """As in a script that starts the tool with ``&``."""
    (tmp_path / "sitecustomize.py").write_text("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n")
    env = {"PYTHONPATH": str(tmp_path)}
    was_interrupted(grade_installed("--timeout", "60000", *command("terminate", 5), within=ENDING, env=env))


def test_sigterm() -> None:
    was_interrupted(grade_installed("--timeout", "60000", *command("terminate", 5), within=ENDING))


@pytest.mark.parametrize(
    ("method", "number"),
    [
        ("initialize", signal.SIGINT),
        ("tools/call", signal.SIGINT),
        ("tools/call", signal.SIGTERM),
        ("tools/call", signal.SIGHUP),
        ("DELETE", signal.SIGINT),
    ],
)
def test_over_http_at_the_start_in_a_burst_and_at_the_end(method: str, number: signal.Signals) -> None:
    tool: list[int] = []
    calls = 0

    async def interrupts(connection: Connection, request: Request, message: dict[str, Any], count: int) -> bool:
        nonlocal calls
        calls += message["method"] == method
        if message["method"] == method and (method == "initialize" or calls > 20):
            if tool:
                os.kill(tool.pop(), number)
            await connection.closed_by_client()
            return True
        return False

    if method == "DELETE":

        async def script(connection: Connection) -> None:
            while (request := await connection.request()) is not None:
                if request.method == "DELETE" and tool:
                    os.kill(tool.pop(), number)
                    await connection.closed_by_client()
                    return
                right = hosts.conforming(request)[0]
                await connection.send(right.replace(b"\r\n", b"\r\nMCP-Session-Id: s\r\n", 1))
    else:
        script = hosts.twisted(interrupts)
    only = {"initialize": "lifecycle-init", "tools/call": "security-rate-limiting", "DELETE": "lifecycle-init"}[method]
    words = ("--timeout", "60000", "--only", only)
    graded, _ = grade_http(script, *words, within=ENDING, by=grade_installed, started=tool.append)
    was_interrupted(graded)
