"""A small index in place of the shipped one, and a scripted suite in place of the real one."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from mcp_compliance.catalog import index
from mcp_compliance.cli.main import main
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import RunOptions
from mcp_compliance.model.result import Report, Result

BOTH = ("http", "stdio")


def entry(rule: str, category: str, transports: tuple[str, ...] = BOTH, level: str = "optional") -> dict[str, object]:
    return {
        "id": rule,
        "title": f"Does {rule}",
        "category": category,
        "level": level,
        "capability": category if level == "required-if-declared" else None,
        "transports": list(transports),
        "spec": f"https://example.com/#{rule}",
    }


ENTRIES = [
    entry("transport-post", "transport", ("http",), "required"),
    entry("stdio-framing", "transport", ("stdio",), "required"),
    entry("lifecycle-init", "lifecycle", level="required"),
    entry("lifecycle-ping", "lifecycle"),
    entry("tools-list", "tools", level="required-if-declared"),
    entry("errors-code", "errors", ("http",)),
]


def write_index(root: Path, revision: str, entries: list[dict[str, object]]) -> None:
    folder = root / revision
    folder.mkdir(parents=True)
    (folder / "_revision.yaml").write_text("", encoding="utf-8")
    (folder / "_index.json").write_text(json.dumps({"revision": revision, "entries": entries}), encoding="utf-8")


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rules folder with one small revision, seen as the installed one."""
    root = tmp_path / "rules"
    write_index(root, "2025-11-25", ENTRIES)
    (root / "shared").mkdir()
    monkeypatch.setattr(index, "rules_root", lambda: root)
    return root


@dataclass
class ScriptedSuite:
    """Stands in for the suite: keeps the options it was called with, plays ``script``, returns ``report``."""

    report: Report
    seen: list[RunOptions] = field(default_factory=list)
    script: Callable[[Listener], None] = lambda listener: None

    async def run_suite(self, options: RunOptions, listener: Listener) -> Report:
        self.seen.append(options)
        self.script(listener)
        return self.report


def result(verdict: str = "pass", *, required: bool = False, force: str | None = None, rule: str = "a") -> Result:
    message = f"{verdict} it is"
    return Result(rule, "Does a", "tools", verdict, message, required, 5, force=force)  # type: ignore[arg-type]


def report(*results: Result, error: str | None = None) -> Report:
    return Report(
        spec_version="2025-11-25",
        tool_version="0.1.0",
        url="http://127.0.0.1:9/mcp",
        transport="http",
        timestamp="2026-01-02T03:04:05Z",
        results=results,
        error=error,
    )


@pytest.fixture
def suite(rules: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedSuite:
    scripted = ScriptedSuite(report(result()))
    module = ModuleType("mcp_compliance.suite.run")
    module.run_suite = scripted.run_suite  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mcp_compliance.suite.run", module)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return scripted


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Runs the command line in this process."""

    def call(*words: str) -> Ended:
        capfd.readouterr()
        code = main(words)
        return Ended(code, *capfd.readouterr())

    return call
