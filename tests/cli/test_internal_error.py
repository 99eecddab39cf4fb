"""What is printed when the tool itself is at fault."""

from __future__ import annotations

import json

import pytest

from mcp_compliance.cli.main import main
from mcp_compliance.model.events import Listener
from mcp_compliance.suite import benchmark

from .conftest import ScriptedSuite


def test_the_fault_is_named_also_when_tasks_were_running(
    suite: ScriptedSuite, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(_: Listener) -> None:
        raise ExceptionGroup("tasks", [ExceptionGroup("inner", [ValueError("rule.yaml:3:1: no such word")])])

    suite.script = break_down
    assert main(["test", "https://example.com/mcp", "--format", "json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error.startswith("internal error, ValueError: rule.yaml:3:1: no such word")


def test_that_of_a_benchmark_is_named_without_a_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def break_down(*_: object) -> None:
        raise ExceptionGroup("tasks", [ValueError("cannot use Bearer hidden-token")])

    monkeypatch.setattr(benchmark, "run_benchmark", break_down)
    assert main(["benchmark", "https://example.com/mcp", "--auth", "Bearer hidden-token"]) == 2
    error = capsys.readouterr().err
    assert "internal error, ValueError: cannot use ***" in error
    assert "hidden" not in error
