"""Runs one rule against a live server and keeps what every step of it drew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import trio

from mcp_compliance.catalog.compile_rule import compile_rule
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.index import IndexFileError
from mcp_compliance.catalog.load import LoadedRule
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.exchange import Exchange, Process
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.interpreter.cases import play_case
from mcp_compliance.interpreter.peers import Starter
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, Target
from mcp_compliance.model.result import Report
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.rulecheck.errors import CannotError
from mcp_compliance.rulecheck.recorded_case import case_of, replies_of
from mcp_compliance.suite.run import run_suite
from mcp_compliance.suite.starters import Connect, connect
from mcp_compliance.wire.wire import Stream, Wire


@dataclass
class _TappedWire:
    """A wire that notes every exchange as it ends."""

    wire: Wire
    exchanges: list[Exchange]

    @property
    def transport(self) -> Literal["http", "stdio"]:
        return self.wire.transport

    @property
    def process(self) -> Process | None:
        return self.wire.process

    async def exchange(self, sending: Sending) -> Exchange:
        found = await self.wire.exchange(sending)
        self.exchanges.append(found)
        return found

    async def stream(self, sending: Sending, until: Until) -> Stream:
        found = await self.wire.stream(sending, until)
        self.exchanges.append(found.exchange)
        return found

    async def watch(self, seconds: float) -> Process | None:
        return await self.wire.watch(seconds)

    async def aclose(self) -> None:
        await self.wire.aclose()


@dataclass
class _TappedStarter:
    starter: Starter
    exchanges: list[Exchange]
    wires: dict[int, Wire] = field(default_factory=dict)

    async def start(self, peer: str) -> Wire:
        wire = await self.starter.start(peer)
        tapped = _TappedWire(wire, self.exchanges)
        self.wires[id(tapped)] = wire
        return tapped

    async def release(self, wire: Wire) -> None:
        await self.starter.release(self.wires.pop(id(wire), wire))

    def speak(self, revision: Revision) -> None:
        self.starter.speak(revision)

    async def aclose(self) -> None:
        await self.starter.aclose()

    @property
    def redirected_to(self) -> str | None:
        return self.starter.redirected_to


@dataclass(frozen=True)
class Recorded:
    """The case, the verdict that it gets when it is played, and what it says then."""

    case: JSONObject
    replayed: str
    message: str


def record(loaded: LoadedRule, revision: Revision, target: Target, *, connect: Connect = connect) -> Recorded:
    """Raises ``CannotError`` when the server cannot be reached or the rule did not run."""
    rule = loaded.rule
    exchanges: list[Exchange] = []

    def tapped(
        asked: RunOptions,
        of: Revision,
        recorder: Recorder,
        nursery: trio.Nursery,
        forward_stderr: Callable[[str], None] | None,
    ) -> Starter:
        return _TappedStarter(connect(asked, of, recorder, nursery, forward_stderr), exchanges)

    options = RunOptions(target, spec_version=revision.revision, only=(rule.id,))

    async def graded() -> Report:
        return await run_suite(options, Silence(), connect=tapped, rules=revision.folder.parent)

    try:
        report = trio.run(graded)
    except IndexFileError as error:
        raise CannotError(f"{error}; rulecheck index writes it") from error
    if report.error is not None:
        raise CannotError(report.error)
    result = next((result for result in report.results if result.id == rule.id), None)
    if result is None:
        raise CannotError(f"{rule.id} did not run; rulecheck index makes a new rule known")
    headers = target.headers if isinstance(target, HttpTarget) else ()
    secrets = Secrets.of_target(target)
    credential = any(name.lower() == "authorization" for name, _ in headers)
    replies = replies_of(rule, revision, exchanges, secrets)
    name = secrets.mask(f"recorded from {report.server.name or 'a server'}")
    case = case_of(name, target.transport, replies, result.verdict, result.message, credential=credential)
    document = loaded.document.value if isinstance(loaded.document.value, dict) else {}
    compiled = compile_rule(Compiler(), {**document, "cases": [case]}, revision, rule.category, rule.path)
    played = play_case(replace(rule, cases=compiled.cases), compiled.cases[0], revision)
    return Recorded(case, played.verdict, played.message)
