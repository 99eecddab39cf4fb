"""One run: target, catalogue, plan, rules, report."""

from __future__ import annotations

import secrets as randomness
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from mcp_compliance import __version__
from mcp_compliance.attribution.sentences import exit_words
from mcp_compliance.catalog.functions.schemas import warm_up
from mcp_compliance.catalog.index import IndexEntry, load_index
from mcp_compliance.catalog.kept import Stamp, kept_revision, kept_rules, stamp_of
from mcp_compliance.catalog.load import known_folders
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.values import Generator
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.result import Detection, Report, Result
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.suite.attempts import Attempts
from mcp_compliance.suite.downgrade import downgrade
from mcp_compliance.suite.filters import Selection, select
from mcp_compliance.suite.lifeline import Lifeline
from mcp_compliance.suite.notices import notices, run_warnings, stray_words
from mcp_compliance.suite.plan import ordered
from mcp_compliance.suite.report import build_report
from mcp_compliance.suite.schedule import Schedule
from mcp_compliance.suite.starters import Connect, connect
from mcp_compliance.wire.errors import StartError

CLOSING = 10.0
"""Seconds for ending the session and the child at the end of a run, Ctrl+C included."""


async def run_suite(
    options: RunOptions, listener: Listener, *, connect: Connect = connect, rules: Path | None = None
) -> Report:
    """Grade one server. Never raises for what the server does or is; cancellation passes through, cleaned up.

    ``connect`` makes the way to the target, ``rules`` is the folder of the revisions (default: the shipped ones);
    tests put their own in the place of both.
    """
    folders = known_folders(rules)
    revision = options.spec_version or list(folders)[-1]
    index = load_index(revision, rules)
    stamp = stamp_of(folders[revision])
    selection = select(index.entries, options.only, options.skip, options.target.transport)
    async with trio.open_nursery() as nursery:
        run = _Run(options, listener, kept_revision(folders[revision], stamp), stamp, selection, nursery, connect)
        try:
            report = await run.report()
        finally:
            with trio.move_on_after(CLOSING, shield=True):
                await run.close()
        nursery.cancel_scope.cancel()
    return report


@dataclass
class _Run:
    options: RunOptions
    listener: Listener
    revision: Revision
    stamp: Stamp
    selection: Selection[IndexEntry]
    nursery: trio.Nursery
    connect: Connect

    def __post_init__(self) -> None:
        options, revision = self.options, self.revision
        target = options.target
        headers = target.headers if isinstance(target, HttpTarget) else ()
        env = {} if isinstance(target, HttpTarget) else target.env
        recorder = Recorder()
        secrets = Secrets.of(headers, env, target.url if isinstance(target, HttpTarget) else "")

        def forward(line: str) -> None:
            self.listener.server_stderr(secrets.mask(line))

        self.starter = self.connect(
            target, revision, recorder, self.nursery, forward if options.forward_stderr else None
        )
        seed = options.seed if options.seed is not None else randomness.randbelow(2**31)
        self.context = Context(
            revision=revision,
            transport=target.transport,
            starter=self.starter,
            recorder=recorder,
            generator=Generator(seed, revision.envelope.first_id),
            secrets=secrets,
            timeout=options.request_seconds,
            startup=options.startup_seconds,
            preflight=options.preflight_seconds,
            version=__version__,
            endpoint=target.url if isinstance(target, HttpTarget) else None,
            headers=headers,
            consent=options.tools,
            pinned=options.spec_version is not None,
            planned=frozenset(entry.id for entry in self.selection.kept),
            on_wait=self.listener.status,
        )
        self.sender = Sender(self.context)
        self.opener = Opener(self.context, self.sender)
        self.lifeline = Lifeline(self.context, self.sender, self.opener)
        self.began = time.monotonic()

    async def report(self) -> Report:
        try:
            await self.lifeline.start()
            # A child boots while the rules are read and what they will use is loaded.
            warm_up()
            rules = kept_rules(self.revision.folder, self.stamp, tuple(entry.id for entry in self.selection.kept))
            opening = await self.lifeline.first_contact()
        except StartError as problem:
            return self._finished(error=str(problem))
        if opening is not None and opening.outcome == "died":
            words = exit_words(opening) + stray_words(self.context)
            return self._finished(error=f"the server exited before it answered: {words}")
        first_answer = time.monotonic()
        self.listener.planned(len(rules), self.revision.revision)
        attempts = Attempts(
            self.context,
            Fixtures(self.context, self.sender, self.opener),
            self.lifeline,
            self.options.retries,
        )
        schedule = Schedule(attempts, self.listener, self.options.concurrency)
        await schedule.run(ordered(rules, self.context.transport))
        results = schedule.end(rules)
        said = [warning for result in results for warning in attempts.warnings.get(result.id, ())]
        gone = self.lifeline.gone or downgrade(opening)
        error = None if gone is None else f"the server cannot be reached: {gone}"
        if error is not None and opening is not None and opening.message is None:
            error += stray_words(self.context)
        return self._finished(results, said, error=error, startup=round((first_answer - self.began) * 1000))

    def _finished(
        self, results: Sequence[Result] = (), said: Sequence[str] = (), *, error: str | None, startup: int = 0
    ) -> Report:
        """The report. ``said`` are the warnings of the rules, in their order."""
        durations = {
            "total": round((time.monotonic() - self.began) * 1000),
            "startup": startup,
            "waiting": self.sender.waited_ms,
        }
        warnings = [
            *notices(self.context),
            *self.selection.warnings,
            *run_warnings(self.context),
            *self.context.warnings,
            *said,
        ]
        pinned = self.options.spec_version is not None
        detection = Detection("pinned", f"pinned to {self.revision.revision}") if pinned else None
        return build_report(
            self.options,
            self.context,
            results,
            warnings,
            error=error,
            detection=detection,
            durations=durations,
        )

    async def close(self) -> None:
        """End the run's session and everything that was started."""
        try:
            if self.context.main is not None and self.lifeline.gone is None:
                await self.opener.close(self.context.main)
        finally:
            await self.starter.aclose()
