"""pytest in pytest, with a scripted suite behind the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from mcp_compliance.api import single_run
from mcp_compliance.catalog.index import IndexEntry, load_index
from mcp_compliance.interpreter.gates import UNREACHABLE
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import RunOptions
from mcp_compliance.model.result import EvidenceLine, Report, Result, Verdict
from mcp_compliance.suite.filters import select

URL = "http://127.0.0.1:9/mcp"
NEWEST = "2026-07-28"


@dataclass
class ScriptedSuite:
    """Every rule passes, but for ``verdicts``. With an ``error`` there is no server, from the rule ``gone_from`` on."""

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    error: str | None = None
    gone_from: str | None = None
    startable: bool = True
    seen: list[RunOptions] = field(default_factory=list)
    finished: list[int] = field(default_factory=list)

    async def run_suite(self, options: RunOptions, listener: Listener) -> Report:
        self.seen.append(options)
        revision = options.spec_version or NEWEST
        kept = select(load_index(revision).entries, options.only, options.skip, options.target.transport).kept
        results: list[Result] = []
        if self.startable:
            listener.planned(len(kept), revision)
            gone = self.error is not None and self.gone_from is None
            for entry in kept:
                gone = gone or entry.id == self.gone_from
                results.append(self._result(entry, gone=gone))
                listener.finished(results[-1])
                await single_run.trio.lowlevel.checkpoint()
        self.finished.append(len(results))
        return Report(
            *(revision, "0.1.0", options.target.display, options.target.transport, "2026-01-02T03:04:05Z"),
            tuple(results),
            warnings=("careful: --spec-version settles it",),
            error=self.error,
        )

    def _result(self, entry: IndexEntry, *, gone: bool) -> Result:
        verdict: Verdict = "fail" if gone else self.verdicts.get(entry.id, "pass")
        return Result(
            *(
                entry.id,
                entry.title,
                entry.category,
                verdict,
                f"{entry.id}: it is {verdict}",
                entry.level == "required",
            ),
            duration_ms=250,
            spec_ref=entry.spec,
            why="It matters.",
            fix="Mend\nit.",
            cause=UNREACHABLE if gone else None,
            evidence=(EvidenceLine("probe", "ping", "\x1b[31mpong"),),
        )


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> ScriptedSuite:
    scripted = ScriptedSuite()
    monkeypatch.setattr(single_run, "run_suite", scripted.run_suite)
    return scripted


@pytest.fixture
def inner(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with one test of its own, beside which the rules stand."""
    pytester.makepyfile(test_own="def test_own():\n    pass\n")
    return pytester
