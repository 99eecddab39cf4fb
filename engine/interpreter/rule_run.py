"""One rule against one target: gates, steps, checks, verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import trio

from mcp_compliance.attribution.sentences import unusable
from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.catalog.rule import Rule, Step
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.printable import brief
from mcp_compliance.interpreter.checks import Decision, Judge
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.declared import is_declared
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.gates import follows_from, gate
from mcp_compliance.interpreter.render import LONGEST, Renderer
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.steps import StepRunner
from mcp_compliance.interpreter.values import NothingToPick, Unbuildable
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.errors import StartError

NOTHING_MEASURED = "nothing was measured"
"""The sentence of a rule in which no check was evaluated on anything: that is never a pass."""
CLOSING = 10.0
"""Seconds for closing what a rule opened."""


@dataclass(frozen=True)
class Outcome:
    """What one attempt at a rule came to. ``exchanges`` are those behind the verdict, in order."""

    decision: Decision
    warnings: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    cause: str | None = None
    sends: tuple[str, ...] = ()
    all_exchanges: tuple[Exchange, ...] = ()
    used: tuple[Exchange, ...] = ()
    """The shared answers that it was judged by, fetched by whichever rule came first."""
    evaluated: frozenset[Pointer] = frozenset()
    noted: frozenset[Pointer] = frozenset()
    unrendered: tuple[str, ...] = ()
    names: dict[str, JSON] = field(default_factory=dict, repr=False)


class RuleRun:
    """Runs one rule once. A second attempt needs a second object."""

    def __init__(self, rule: Rule, context: Context, fixtures: Fixtures) -> None:
        self.rule = rule
        self.context = context
        self.fixtures = fixtures
        self.renderer = Renderer(context.secrets)
        self.scope = Scope(context.revision.library, context.root())
        resolver = fixtures.sender.resolver(rule.id)
        self.judge = Judge(self.renderer, resolver, context.transport, rule.force)
        self.runner = StepRunner(rule, context, fixtures, self.scope, resolver, self.judge)
        self.used: dict[str, Exchange] = {}
        self.cause: str | None = None

    async def run(self) -> Outcome:
        """Never raises for what a server does."""
        try:
            decision = await self._decide()
        finally:
            with trio.move_on_after(CLOSING, shield=True):
                await self.runner.close()
        return self._outcome(decision)

    def given_up(self, seconds: float) -> Outcome:
        """What there is of a run that was cancelled because it took so long."""
        return self._outcome(Decision("not-evaluable", f"the rule was not done within {seconds:g} s"))

    async def _decide(self) -> Decision:
        refused = await self._gated()
        if refused is not None:
            return refused
        decision = None
        for step in self.rule.steps:
            if decision is None:
                decision = await self._step(step)
            elif step.always:
                await self._step(replace(step, checks=()))
        if decision is None:
            decision = self.judge.run(self.rule.checks, self.scope)
        if decision is not None and (decision.verdict != "pass" or self.judge.measured):
            return decision
        if not self.judge.measured and not self.rule.at_end:
            return Decision("skip", NOTHING_MEASURED, None if decision is None else decision.at)
        return Decision("pass", self.renderer.text(self.rule.passes, self.scope))

    async def _step(self, step: Step) -> Decision | None:
        """A step without a value for what it sends decides too: what is to be cleaned up after it still is."""
        try:
            return await self.runner.run(step)
        except NothingToPick as missing:
            return Decision("skip", str(missing))
        except Unbuildable as missing:
            return Decision("not-evaluable", f"cannot build step '{step.name}': {brief(str(missing), LONGEST)}")
        except StartError as problem:
            return Decision("not-evaluable", f"the server could not be started: {problem}")

    async def _gated(self) -> Decision | None:
        rule, context, main = self.rule, self.context, self.context.main
        if main is None:
            raise RuntimeError("a rule needs the run's own peer")
        if rule.capability is not None:
            setup = await self.fixtures.get(context.revision.credit.setup, main)
            if setup is not None and unusable(setup) is None and not is_declared(rule.capability, context.root()):
                return Decision("skip", f"{rule.capability} is not declared by the server")
        for name in (*rule.uses, *rule.judges):
            answer = await self.fixtures.get(name, main)
            self.scope.set(name, None if answer is None else answer.view)
            if answer is not None:
                self.used[name] = answer
        refused = gate(rule, self.used, context)
        if refused is not None:
            self.cause = refused.cause
            return refused.decision
        self.scope.set("recording", self._recording())
        for guard in rule.skip_unless:
            try:
                held = is_true(self.scope.evaluate(guard.expression))
            except ExpressionRaised as raised:
                return self.judge.unjudgeable(raised, guard.expression.at)
            if not held:
                return Decision("skip", self.renderer.text(guard.say, self.scope), guard.expression.at)
            self.judge.evaluated.add(guard.expression.at)
        return None

    def _recording(self) -> JSON:
        """The recording is complete only at the end, so only rules of that phase see it."""
        if self.rule.phase != "after" and "recording" not in self.context.root_overrides:
            return None
        return self._whole_recording()

    def _whole_recording(self) -> JSONObject:
        view = self.context.recorder.view()
        given = self.context.root_overrides.get("recording")
        return {**view, **given} if isinstance(given, dict) else view

    def at_end(self) -> Decision | None:
        """What the checks over the whole recording decide, once all other work has drained; None when all are met."""
        scope = self.scope.child({"recording": self._whole_recording()})
        decision = self.judge.run(self.rule.at_end, scope)
        if decision is None and not self.judge.measured:
            return Decision("skip", NOTHING_MEASURED)
        return None if decision is None else self._pointing(decision)

    def _outcome(self, decision: Decision) -> Outcome:
        self.context.passed_over.update(self.judge.resolver.picker.passed_over)
        every = [exchange for drawn in self.runner.exchanges.values() for exchange in drawn]
        decision = self._pointing(decision)
        return Outcome(
            decision=decision,
            warnings=tuple(self.judge.warnings),
            exchanges=tuple(self._behind(decision)),
            cause=self.cause,
            sends=tuple(self.runner.sends),
            all_exchanges=tuple(every),
            used=tuple(self.used.values()),
            evaluated=frozenset(self.judge.evaluated),
            noted=frozenset(self.judge.noted),
            unrendered=tuple(self.renderer.unrendered),
            names=dict(self.scope.names),
        )

    def _pointing(self, decision: Decision) -> Decision:
        """The decision with the rule that it follows from, where it follows from one."""
        if self.cause is None:
            self.cause = follows_from(self.rule, decision, self.context)
            if self.cause is not None:
                return replace(decision, message=f"{decision.message}; see {self.cause}")
        return decision

    def _behind(self, decision: Decision) -> list[Exchange]:
        """The exchanges of the step whose check decided; where it sent nothing itself, the last two of the rule."""
        at = decision.at
        if at is not None and at[0] == "steps":
            drawn = self.runner.exchanges.get(self.rule.steps[int(at[1])].name)
            if drawn:
                return drawn[-2:]
        return [*self.used.values(), *(drawn[-1] for drawn in self.runner.exchanges.values())][-2:]
