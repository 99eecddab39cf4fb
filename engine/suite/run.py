"""One run: target, catalogue, plan, rules, report."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from mcp_compliance.attribution.sentences import exit_words
from mcp_compliance.catalog.functions.schemas import warm_up
from mcp_compliance.catalog.index import IndexEntry, load_index, revisions_with
from mcp_compliance.catalog.kept import kept_rules, stamp_of
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.interpreter.exchange_records import ExchangeRecords
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.result import Report, Result
from mcp_compliance.suite.attempts import Attempts
from mcp_compliance.suite.downgrade import downgrade
from mcp_compliance.suite.filters import Selection, select
from mcp_compliance.suite.notices import notices, run_warnings, stray_words
from mcp_compliance.suite.own_headers import header_warnings
from mcp_compliance.suite.plan import ordered
from mcp_compliance.suite.recognise import Greeter, Met
from mcp_compliance.suite.report import build_report
from mcp_compliance.suite.schedule import Schedule
from mcp_compliance.suite.setup import Setup, Side, set_up, within_bounds
from mcp_compliance.suite.starters import Connect, connect
from mcp_compliance.wire.errors import StartError

UNCHECKED = "Certificates were not checked (--insecure): whoever answered need not be the server that the URL names."


async def run_suite(
    options: RunOptions, listener: Listener, *, connect: Connect = connect, rules: Path | None = None
) -> Report:
    """Grade one server. Never raises for what the server does or is; cancellation passes through, cleaned up.

    ``connect`` makes the way to the target, ``rules`` is the folder of the revisions (default: the shipped ones);
    tests put their own in the place of both. Raises ``CredentialError`` when ``auth_command`` prints no credential,
    before anything is connected, and ``IndexFileError``, ``CatalogueError`` and ``DocumentError`` for rule files that
    cannot be used.
    """
    async with set_up(options, listener, connect, rules) as setup:
        run = _Run(setup, rules)
        try:
            report = await run.report()
        finally:
            await within_bounds(run.close)
    return report


@dataclass
class _Run:
    setup: Setup
    rules: Path | None
    side: Side | None = None
    began: float = field(default_factory=time.monotonic)

    async def report(self) -> Report:
        greeter = Greeter(self.setup, self._prepare)
        try:
            met = await greeter.meet()
        except StartError as problem:
            side = greeter.unmet()
            return self._finished(side, self._selection(side), error=str(problem))
        side, opening = met.side, met.opening
        self.side = side
        selection = self._selection(side)
        side.context.planned = frozenset(entry.id for entry in selection.kept)
        if opening is not None and opening.outcome == "died":
            words = exit_words(opening) + stray_words(side.context)
            return self._finished(side, selection, met, error=f"the server exited before it answered: {words}")
        return await self._graded(side, selection, met)

    async def _graded(self, side: Side, selection: Selection[IndexEntry], met: Met) -> Report:
        options, opening = self.setup.options, met.opening
        first_answer = time.monotonic()
        rules = self._rules(side.revision, selection)
        self.setup.listener.planned(len(rules), side.revision.revision)
        fixtures = Fixtures(side.context, side.sender, side.opener)
        await side.lifeline.settle_in(fixtures)
        records = ExchangeRecords(side.context) if options.keep_exchanges else None
        attempts = Attempts(side.context, fixtures, side.lifeline, options.retries, records=records)
        schedule = Schedule(attempts, self.setup.listener, options.concurrency)
        await schedule.run(ordered(rules, side.context.transport))
        results = schedule.end(rules)
        said = [warning for result in results for warning in attempts.warnings.get(result.id, ())]
        gone = side.lifeline.gone or downgrade(opening)
        error = None if gone is None else f"the server cannot be reached: {gone}"
        if error is not None and opening is not None and opening.message is None:
            error += stray_words(side.context)
        startup = round((first_answer - self.began) * 1000)
        return self._finished(side, selection, met, results, said, error=error, startup=startup)

    def _selection(self, side: Side) -> Selection[IndexEntry]:
        options = self.setup.options
        index = load_index(side.revision.revision, self.rules)
        elsewhere = partial(revisions_with, root=self.rules)
        return select(index.entries, options.only, options.skip, options.target.transport, elsewhere)

    def _prepare(self, revision: Revision) -> None:
        """A child boots while the rules are read and what they will use is loaded."""
        warm_up()
        options = self.setup.options
        index = load_index(revision.revision, self.rules)
        self._rules(revision, select(index.entries, options.only, options.skip, options.target.transport))

    def _rules(self, revision: Revision, selection: Selection[IndexEntry]) -> tuple[Rule, ...]:
        folder = revision.folder
        return kept_rules(folder, stamp_of(folder), tuple(entry.id for entry in selection.kept))

    def _finished(
        self,
        side: Side,
        selection: Selection[IndexEntry],
        met: Met | None = None,
        results: Sequence[Result] = (),
        said: Sequence[str] = (),
        *,
        error: str | None,
        startup: int = 0,
    ) -> Report:
        """The report. ``said`` are the warnings of the rules, in their order."""
        durations = {
            "total": round((time.monotonic() - self.began) * 1000),
            "startup": startup,
            "waiting": side.sender.waited_ms,
        }
        caveats = [*(() if met is None else met.caveats), *notices(side.context, caveats=True)]
        target = self.setup.options.target
        configured = target.headers if isinstance(target, HttpTarget) else ()
        warnings = [
            *((UNCHECKED,) if self.setup.options.network.insecure else ()),
            *header_warnings(configured, side.revision),
            *(() if met is None else met.warnings),
            *notices(side.context, caveats=False),
            *selection.warnings,
            *run_warnings(side.context),
            *side.context.warnings,
            *said,
        ]
        return build_report(
            self.setup.options,
            side.context,
            results,
            warnings,
            caveats=caveats,
            error=error,
            detection=None if met is None else met.detection,
            durations=durations,
        )

    async def close(self) -> None:
        """End the run's session and everything that was started."""
        side = self.side
        try:
            if side is not None and side.context.main is not None and side.lifeline.gone is None:
                await side.opener.close(side.context.main)
        finally:
            await self.setup.starter.aclose()
