"""A scripted suite in place of the real one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from mcp_compliance.api import single_run
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import RunOptions
from mcp_compliance.model.result import Report, Result, Verdict


def result(verdict: Verdict = "pass", rule: str = "a") -> Result:
    return Result(rule, f"Does {rule}", "tools", verdict, f"{rule}: {verdict}", True, 5)


REPORT = Report("2025-11-25", "0.1.0", "http://127.0.0.1:9/mcp", "http", "2026-01-02T03:04:05Z", (result(),))


@dataclass
class ScriptedSuite:
    """Keeps what it was asked, lets ``script`` tell the listener, and says whether it was left in order."""

    script: Callable[[Listener], Awaitable[None]]
    seen: list[RunOptions] = field(default_factory=list)
    cleaned_up: bool = False

    async def run_suite(self, options: RunOptions, listener: Listener) -> Report:
        self.seen.append(options)
        try:
            await self.script(listener)
        finally:
            self.cleaned_up = True
        return REPORT


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> ScriptedSuite:
    async def nothing(listener: Listener) -> None:
        return

    scripted = ScriptedSuite(nothing)
    monkeypatch.setattr(single_run, "run_suite", scripted.run_suite)
    return scripted
