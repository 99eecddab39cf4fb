"""Runs the rules of a plan, phase by phase, side by side where what they touch allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import trio

from mcp_compliance.catalog.rule import Phase, Rule
from mcp_compliance.interpreter.rule_run import Outcome
from mcp_compliance.model.events import Listener
from mcp_compliance.model.result import Result
from mcp_compliance.suite.attempts import Attempts, is_doubtful, is_uncertain
from mcp_compliance.suite.plan import may_run_beside

PARALLEL_PHASE = "main"


@dataclass
class Schedule:
    """One run of a plan. ``results`` fills by rule id; those that checks over the whole recording still have to decide
    are only told to the listener by ``end``."""

    attempts: Attempts
    listener: Listener
    concurrency: int
    results: dict[str, Result] = field(default_factory=dict)
    _running: dict[str, frozenset[str]] = field(default_factory=dict)
    _crowded: set[str] = field(default_factory=set)
    _room: trio.Event = field(default_factory=trio.Event)

    async def run(self, phases: Sequence[tuple[Phase, tuple[Rule, ...]]]) -> None:
        for phase, rules in phases:
            if phase == PARALLEL_PHASE and self.concurrency > 1:
                await self._side_by_side(rules)
            else:
                for rule in rules:
                    self._finish(rule, await self._one(rule))

    def end(self, rules: Sequence[Rule]) -> list[Result]:
        """All results in the order given, once nothing more is sent."""
        for rule in rules:
            before = self.results.get(rule.id)
            if before is not None and self.attempts.awaits_end(rule, before):
                self.results[rule.id] = self.attempts.at_end(rule, before)
                self.listener.finished(self.results[rule.id])
        return [self.results[rule.id] for rule in rules if rule.id in self.results]

    async def _side_by_side(self, rules: Sequence[Rule]) -> None:
        """Start in order what may run beside what is running; measure anew, alone, what a neighbour may have hurt."""
        waiting = list(rules)
        again: list[Rule] = []

        async def work(rule: Rule) -> None:
            result, outcome = await self._one(rule)
            crowded = rule.id in self._crowded
            del self._running[rule.id]
            if crowded and is_doubtful(outcome):
                again.append(rule)
            else:
                self._finish(rule, (result, outcome))
            self._room.set()

        async with trio.open_nursery() as nursery:
            while waiting or self._running:
                rule = self._next(waiting)
                if rule is None:
                    self._room = trio.Event()
                    await self._room.wait()
                    continue
                waiting.remove(rule)
                self._running[rule.id] = rule.touches
                if len(self._running) > 1:
                    self._crowded.update(self._running)
                nursery.start_soon(work, rule)
        if again:
            self.attempts.fixtures.forget(is_uncertain)
        for rule in again:
            self._finish(rule, await self._one(rule))

    def _next(self, waiting: Sequence[Rule]) -> Rule | None:
        if len(self._running) >= self.concurrency:
            return None
        conflicts = self.attempts.context.revision.conflicts
        others = list(self._running.values())
        return next((rule for rule in waiting if may_run_beside(rule.touches, others, conflicts)), None)

    async def _one(self, rule: Rule) -> tuple[Result, Outcome]:
        self.listener.started(rule.id)
        return await self.attempts.run(rule)

    def _finish(self, rule: Rule, done: tuple[Result, Outcome]) -> None:
        result, _ = done
        self.results[rule.id] = result
        if not self.attempts.awaits_end(rule, result):
            self.listener.finished(result)
