"""A run against a scripted server: a small catalogue of its own, no sockets, no processes, a clock that jumps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import trio

import mcp_compliance.rules
from mcp_compliance.catalog.load import load_revision, load_rule
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.exchange import Exchange, Process
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.interpreter.scripted import ENDPOINT, Script, ScriptedStream, ScriptedWire
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.model.result import Report, Result
from mcp_compliance.suite.run import run_suite
from mcp_compliance.wire.wire import Wire
from tests.starters import NothingToEnd

SHIPPED = Path(next(iter(mcp_compliance.rules.__path__))) / "2025-11-25"
MODERN = SHIPPED.parent / "2026-07-28"
RULE = """
format: 1
id: {id}
title: A rule of a test
level: {level}
{more}
spec: [{{at: basic/lifecycle#initialization, force: MUST}}]
why: It is a test.
fix: There is nothing to fix.
steps:
{steps}
pass: fine
cases: []
"""


def rule(rule_id: str, steps: str, *, level: str = "optional", more: str = "") -> tuple[str, str]:
    """Name and text of a rule file. ``steps`` are lines of YAML list items."""
    return rule_id, RULE.format(id=rule_id, level=level, more=more, steps=steps)


def catalogue(folder: Path, *rules: tuple[str, str], name: str = "t1", like: Path = SHIPPED) -> Path:
    """A folder of revisions with one revision of these rules, all in the category ``tools``."""
    revision = folder / name
    (revision / "tools").mkdir(parents=True)
    text = (like / "_revision.yaml").read_text(encoding="utf-8")
    head = text[: text.index("catalogue:")].replace(f'revision: "{like.name}"', f"revision: {name}")
    head = head.replace("rule: lifecycle-init", "rule: opens").replace("rule: lifecycle-ping", "rule: pings")
    head = head.replace('fallback: "2025-11-25"', "fallback: t1")
    ids = ", ".join(name for name, _ in rules)
    (revision / "_revision.yaml").write_text(f"{head}catalogue:\n  tools: [{ids}]\n", encoding="utf-8")
    shutil.copy(like / "_model.yaml", revision)
    loaded = load_revision(revision)
    entries = []
    for name, text in rules:
        path = revision / "tools" / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        made = load_rule(path, loaded).rule
        entries.append(
            {
                "id": made.id,
                "title": made.title,
                "category": "tools",
                "level": made.level,
                "capability": made.capability,
                "transports": list(made.transports),
                "spec": made.spec[0].url,
            }
        )
    index = {"revision": revision.name, "entries": entries}
    (revision / "_index.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


Twist = Callable[[Sending, ScriptedWire], Exchange | None]
"""What a test's server does differently: an exchange of its own, or None for the conforming answer."""


class TwistedWire(ScriptedWire):
    """A conforming scripted server, but for the twist; ``pause`` seconds pass before each answer."""

    def __init__(self, *args: Any, twist: Twist, pause: float, target: ScriptedTarget) -> None:
        super().__init__(*args)
        self._twist = twist
        self._pause = pause
        self._target = target

    async def exchange(self, sending: Sending) -> Exchange:
        self._target.log.append(sending)
        self._target.busy += 1
        self._target.most_busy = max(self._target.most_busy, self._target.busy)
        await trio.sleep(self._pause)
        self._target.busy -= 1
        other = self._twist(sending, self)
        return other if other is not None else await super().exchange(sending)

    async def stream(self, sending: Sending, until: Until) -> ScriptedStream:
        self._target.log.append(sending)
        other = self._twist(sending, self)
        return ScriptedStream(other) if other is not None else await super().stream(sending, until)

    def die(self, code: int = 1) -> None:
        self._process = Process(False, code, None, "it hurts")

    def died(self, sending: Sending) -> Exchange:
        self.die()
        return Exchange(sending, "died", process=self.process, problem="the server exited")

    def silent(self, sending: Sending) -> Exchange:
        return Exchange(sending, "timeout", process=self.process, problem="no answer in time")

    async def aclose(self) -> None:
        self._target.closed += 1


def conforming(sending: Sending, wire: ScriptedWire) -> Exchange | None:
    return None


@dataclass
class ScriptedTarget(NothingToEnd):
    """Counts what happens to it. ``twists`` holds one twist for each process, the last for all after it."""

    transport: Literal["http", "stdio"] = "stdio"
    twists: tuple[Twist, ...] = (conforming,)
    pause: float = 0.0
    started: int = 0
    closed: int = 0
    busy: int = 0
    most_busy: int = 0
    log: list[Sending] = field(default_factory=list)

    def connect(
        self, target: object, revision: Revision, recorder: Recorder, nursery: object, forward: object
    ) -> ScriptedTarget:
        self.revision = revision
        self.recorder = recorder
        return self

    async def start(self, peer: str) -> Wire:
        twist = self.twists[min(self.started, len(self.twists) - 1)]
        self.started += 1
        return TwistedWire(
            self.transport, Script(self.revision, {}), self.recorder, peer, twist=twist, pause=self.pause, target=self
        )

    def methods(self) -> list[str]:
        return [sending.method or sending.http_method for sending in self.log]


async def grade(target: ScriptedTarget, rules: Path, **options: Any) -> Report:
    address = HttpTarget(ENDPOINT) if target.transport == "http" else StdioTarget(("server",))
    asked = replace(RunOptions(address, seed=1), **options)
    return await run_suite(asked, Silence(), connect=target.connect, rules=rules)


def verdicts(report: Report) -> dict[str, str]:
    return {result.id: result.verdict for result in report.results}


def result(report: Report, rule_id: str) -> Result:
    return next(result for result in report.results if result.id == rule_id)
