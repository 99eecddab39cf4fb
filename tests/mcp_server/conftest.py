"""A client in the same process, in either era, and a scripted suite in place of the real one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest
import trio
from mcp import Client

from mcp_compliance.api import single_run
from mcp_compliance.mcp_server.server import make_server
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import RunOptions
from mcp_compliance.model.result import Report, Result, ServerInfo, Verdict

T = TypeVar("T")
MODES = {"2025-11-25": "legacy", "2026-07-28": "auto"}
ERAS = pytest.mark.parametrize("era", MODES)
TEST, EXPLAIN = "mcp_compliance_test", "mcp_compliance_explain"
URL = "http://127.0.0.1:9/mcp"


def result(
    rule: str, verdict: Verdict, *, required: bool = False, cause: str | None = None, message: str = ""
) -> Result:
    return Result(
        *(rule, f"Does {rule}", "tools", verdict, message or f"{rule} is {verdict}", required, 5),
        spec_ref=f"https://example.com/#{rule}",
        fix=f"Mend {rule}.\nAt once.",
        cause=cause,
    )


REPORT = Report(
    *("2026-07-28", "0.1.0", URL, "http", "2026-01-02T03:04:05Z"),
    (
        result("one", "pass", required=True),
        result("two", "fail", required=True, message="MUST two: \x1b[31mred"),
        result("three", "not-evaluable", cause="two"),
        result("four", "skip"),
        result("five", "broken"),
    ),
    warnings=("careful",),
    server=ServerInfo(name="orchard", version="1"),
)


@dataclass
class ScriptedSuite:
    """``report`` is what a run gives, after ``script``; an endless one waits until it is cancelled."""

    report: Report = REPORT
    seen: list[RunOptions] = field(default_factory=list)
    endless: bool = False
    begun: trio.Event = field(default_factory=trio.Event)
    cleaned_up: trio.Event = field(default_factory=trio.Event)

    async def run_suite(self, options: RunOptions, listener: Listener) -> Report:
        self.seen.append(options)
        self.begun.set()
        listener.planned(len(self.report.results), self.report.spec_version)
        try:
            for each in self.report.results:
                listener.finished(each)
                await trio.lowlevel.checkpoint()
            if self.endless:
                await trio.sleep_forever()
        finally:
            self.cleaned_up.set()
        return self.report

    def gives(self, **changes: Any) -> None:
        self.report = replace(self.report, **changes)


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> ScriptedSuite:
    scripted = ScriptedSuite()
    monkeypatch.setattr(single_run, "run_suite", scripted.run_suite)
    return scripted


@asynccontextmanager
async def connected(era: str) -> AsyncIterator[Client]:
    async with Client(make_server(), mode=MODES[era]) as client:
        yield client


def with_client(era: str, test: Callable[[Client], Awaitable[T]]) -> T:
    """What ``test`` makes of a client that speaks this era."""

    async def main() -> T:
        with trio.fail_after(20):
            async with connected(era) as client:
                return await test(client)

    return trio.run(main)
