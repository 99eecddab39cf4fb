"""Measures how fast a server answers one request: first contact as in a graded run, then nothing but that request."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import trio

from mcp_compliance import __version__
from mcp_compliance.attribution.sentences import exit_words, unusable
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.result import Detection
from mcp_compliance.suite.downgrade import downgrade
from mcp_compliance.suite.latency import Latency, latency
from mcp_compliance.suite.load import Failure, Load
from mcp_compliance.suite.notices import notices, run_warnings, stray_words
from mcp_compliance.suite.own_headers import header_warnings
from mcp_compliance.suite.recognise import Greeter, Met
from mcp_compliance.suite.report import display, limited
from mcp_compliance.suite.run import UNCHECKED
from mcp_compliance.suite.setup import Setup, Side, set_up, within_bounds
from mcp_compliance.suite.starters import Connect, connect
from mcp_compliance.wire.errors import StartError

RECORDED = 1_000
"""Items that are kept of what is sent and received: for warnings, since nothing is judged."""


@dataclass(frozen=True)
class BenchmarkOptions:
    """``method`` is sent without parameters; None stands for the plain request that the revision compares others with:
    it asks the least of a server.
    """

    requests: int = 200
    concurrency: int = 4
    method: str | None = None


@dataclass(frozen=True)
class Benchmark:
    """What came out. ``latency`` is of the requests that drew a result, None where none did. Times in milliseconds.

    ``error`` is set when nothing was measured, ``stopped`` when fewer requests were sent than asked for: one line.
    """

    spec_version: str
    url: str
    transport: Literal["http", "stdio"]
    timestamp: str
    """ISO 8601, UTC."""
    method: str
    requests: int
    concurrency: int
    sent: int = 0
    succeeded: int = 0
    warm_up: int = 0
    """Requests before the first that counts, in no figure."""
    elapsed_ms: float = 0.0
    startup_ms: float = 0.0
    """From the start of the server, or of the first connection, to the answer of the first contact."""
    latency: Latency | None = None
    failures: tuple[Failure, ...] = ()
    detection: Detection | None = None
    warnings: tuple[str, ...] = ()
    stopped: str | None = None
    error: str | None = None
    tool_version: str = __version__

    @property
    def per_second(self) -> float:
        """Requests that drew a result, by the second."""
        return self.succeeded / (self.elapsed_ms / 1000) if self.elapsed_ms else 0.0


async def run_benchmark(
    options: RunOptions,
    wanted: BenchmarkOptions,
    listener: Listener,
    *,
    connect: Connect = connect,
    rules: Path | None = None,
) -> Benchmark:
    """Measure one server. Never raises for what the server does or is; cancellation passes through, cleaned up.

    Raises what ``set_up`` raises.
    """
    async with set_up(options, listener, connect, rules) as setup:
        setup.recorder.most = RECORDED
        run = _Run(setup, wanted)
        try:
            found = await run.measured()
        finally:
            await within_bounds(run.close)
    return found


@dataclass
class _Run:
    setup: Setup
    wanted: BenchmarkOptions
    side: Side | None = None

    async def measured(self) -> Benchmark:
        greeter = Greeter(self.setup, lambda revision: None)
        began = trio.current_time()
        try:
            met = await greeter.meet()
        except StartError as problem:
            return replace(self._empty(greeter.unmet()), error=self.setup.secrets.mask(str(problem)))
        startup = (trio.current_time() - began) * 1000
        self.side = met.side
        found = replace(self._empty(met.side), startup_ms=startup, detection=met.detection)
        if (error := _unserved(met)) is not None:
            error = self.setup.secrets.mask(error)
            return replace(found, error=error, warnings=self._warnings(met, met.warnings))
        load = self._load(met.side, found.method)
        many = f", {found.concurrency} at a time" if found.concurrency > 1 else ""
        self.setup.listener.status(f"Sending {found.method} {found.requests} times{many}")
        await load.run()
        return replace(
            found,
            sent=load.sent,
            succeeded=len(load.seconds),
            warm_up=load.warm_up,
            elapsed_ms=load.elapsed * 1000,
            latency=latency(load.seconds),
            failures=load.failures,
            stopped=None if load.stopped is None else self.setup.secrets.mask(load.stopped),
            warnings=self._warnings(met, met.warnings),
        )

    def _empty(self, side: Side) -> Benchmark:
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        return Benchmark(
            spec_version=side.revision.revision,
            url=display(self.setup.options, self.setup.secrets),
            transport=self.setup.options.target.transport,
            timestamp=now.replace("+00:00", "Z"),
            method=self.wanted.method or side.revision.fixtures[side.revision.credit.default.twin].call,
            requests=self.wanted.requests,
            concurrency=min(self.wanted.concurrency, self.wanted.requests),
        )

    def _load(self, side: Side, method: str) -> Load:
        main = side.context.main
        if main is None:
            raise RuntimeError("the server has been met, so it has a peer")
        plain = side.opener.fixture_draft(side.revision.fixtures[side.revision.credit.default.twin], step="benchmark")
        draft = Draft("benchmark", method=method) if self.wanted.method is not None else plain
        draft = replace(draft, within=side.context.timeout)
        return Load(side.sender, main, draft, self.wanted.requests, self.wanted.concurrency)

    def _warnings(self, met: Met, said: Sequence[str]) -> tuple[str, ...]:
        options, context = self.setup.options, met.side.context
        configured = options.target.headers if isinstance(options.target, HttpTarget) else ()
        return limited(
            [
                *((UNCHECKED,) if options.network.insecure else ()),
                *header_warnings(configured, met.side.revision),
                *said,
                *notices(context, caveats=False),
                *run_warnings(context),
                *context.warnings,
            ]
        )

    async def close(self) -> None:
        """End the session and everything that was started."""
        side = self.side
        try:
            if side is not None and side.context.main is not None and side.lifeline.gone is None:
                await side.opener.close(side.context.main)
        finally:
            await self.setup.starter.aclose()


def _unserved(met: Met) -> str | None:
    """Why there is nothing to measure: the server cannot be reached, or refuses to be met."""
    context, opening = met.side.context, met.opening
    gone = met.side.lifeline.gone or downgrade(opening)
    if gone is not None:
        return f"the server cannot be reached: {gone}{stray_words(context)}"
    if opening is None:
        return "the server was not met"
    if opening.outcome == "died":
        return f"the server exited before it answered: {exit_words(opening)}{stray_words(context)}"
    return unusable(opening)
