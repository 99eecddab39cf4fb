"""Runs one rule as often as it takes: retries, a boundary around what may go wrong, the result."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import trio

from mcp_compliance.catalog.rule import Rule
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.printable import brief, printable
from mcp_compliance.interpreter.checks import Decision
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.declared import is_declared
from mcp_compliance.interpreter.evidence import evidence_of, evidence_of_item
from mcp_compliance.interpreter.exchange_records import ExchangeRecords
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.gates import UNREACHABLE
from mcp_compliance.interpreter.render import LONGEST
from mcp_compliance.interpreter.rule_run import Outcome, RuleRun
from mcp_compliance.interpreter.wording import sentence
from mcp_compliance.model.evidence import ExchangeRecord
from mcp_compliance.model.result import EvidenceLine, Result
from mcp_compliance.suite.lifeline import Lifeline

SILENT = ("timeout", "dropped", "unreachable", "died")
"""Outcomes that another rule running at the same moment may have caused."""
BUSY = (429, 500, 502, 503, 504)
"""Statuses that it may have caused too."""
TIMEOUTS = 8
LEAST_LIMIT = 60.0
"""A rule may take eight time-outs, and at least these seconds, whatever it sends and however slow the answers are."""


@dataclass
class Attempts:
    """Runs rules for one suite. ``ends`` keeps runs whose ``at_end`` checks are still to come, ``warnings`` what the
    attempts that count had to say, by rule. With ``records`` the results hold their exchanges whole."""

    context: Context
    fixtures: Fixtures
    lifeline: Lifeline
    retries: int = 0
    ends: dict[str, tuple[RuleRun, Outcome, int]] = field(default_factory=dict)
    warnings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    records: ExchangeRecords | None = None

    async def run(self, rule: Rule) -> tuple[Result, Outcome]:
        """The rule's result. Any passing attempt passes; attempts after the first wait 1, 2, 3 ... seconds."""
        began = time.monotonic()
        outcome = await self._once(rule, began)
        for attempt in range(1, self.retries + 1):
            if outcome.decision.verdict not in ("fail", "not-evaluable", "broken") or rule.phase == "after":
                break
            if self.lifeline.gone is not None:
                break
            await trio.sleep(attempt)
            self.fixtures.forget(may_change)
            outcome = await self._once(rule, began)
        return self.result(rule, outcome, _ms_since(began)), outcome

    async def _once(self, rule: Rule, began: float) -> Outcome:
        if self.lifeline.gone is not None:
            return Outcome(Decision("fail", f"the server cannot be reached: {self.lifeline.gone}"), cause=UNREACHABLE)
        self.ends.pop(rule.id, None)
        try:
            met = await self.lifeline.ensure()
            run = RuleRun(rule, self.context, self.fixtures)
            outcome = await self._bounded(run)
            if rule.at_end:
                self.ends[rule.id] = (run, outcome, _ms_since(began))
            await self.lifeline.after(rule.id, outcome.all_exchanges, met)
        except Exception as error:
            # One rule's mistake, or the engine's in it, must not end the run: it is named and left out of the score.
            return Outcome(Decision("broken", f"the rule is broken: {_named(error)}"))
        return outcome

    async def _bounded(self, run: RuleRun) -> Outcome:
        limit = max(LEAST_LIMIT, TIMEOUTS * self.context.timeout)
        with trio.move_on_after(limit):
            return await run.run()
        return run.given_up(limit)

    def awaits_end(self, rule: Rule, result: Result) -> bool:
        """Whether checks over the whole recording are still to decide."""
        return rule.id in self.ends and result.verdict == "pass"

    def at_end(self, rule: Rule, result: Result) -> Result:
        """The result after the checks over the whole recording, for a rule that has some."""
        if not self.awaits_end(rule, result):
            return result
        run, outcome, spent = self.ends[rule.id]
        try:
            decision = run.at_end() or outcome.decision
        except Exception as error:
            return self.result(rule, Outcome(Decision("broken", f"the rule is broken: {_named(error)}")), spent)
        changed = replace(outcome, decision=decision, warnings=tuple(run.judge.warnings), cause=run.cause)
        return self.result(rule, changed, spent)

    def result(self, rule: Rule, outcome: Outcome, spent: int) -> Result:
        """Outcome to result: level resolved, texts masked."""
        decision = outcome.decision
        mask = self.context.secrets.mask
        self.warnings[rule.id] = tuple(f"{rule.id}: {mask(warning)}" for warning in outcome.warnings)
        failed = decision.verdict in ("fail", "not-evaluable")
        return Result(
            id=rule.id,
            name=rule.title,
            category=rule.category,
            verdict=decision.verdict,
            message=printable(mask(sentence(decision)).strip()),
            required=self.is_required(rule),
            duration_ms=spent,
            spec_ref=rule.spec[0].url,
            force=decision.force if decision.verdict == "fail" else None,
            requirements=rule.requirements,
            why=rule.why if failed else "",
            fix=rule.fix if failed else "",
            cause=outcome.cause,
            evidence=self._evidence(outcome) if failed else (),
            exchanges=() if self.records is None else self._records(outcome, self.records),
        )

    def _evidence(self, outcome: Outcome) -> tuple[EvidenceLine, ...]:
        """The item of the recording that decided, where one did; else the exchanges behind the verdict."""
        seq = outcome.decision.seq
        found = None if seq is None else self.context.recorder.item(seq)
        if found is not None:
            return (evidence_of_item(*found, self.context),)
        return tuple(evidence_of(exchange, self.context) for exchange in outcome.exchanges)

    def _records(self, outcome: Outcome, records: ExchangeRecords) -> tuple[ExchangeRecord, ...]:
        """Everything that the rule used and sent, and the item of the recording that decided, where one did. Of a
        server that cannot be reached, what was tried.
        """
        seq = outcome.decision.seq
        found = None if seq is None else self.context.recorder.item(seq)
        kept = records.of((*outcome.used, *outcome.all_exchanges))
        if not kept and outcome.cause == UNREACHABLE:
            main = self.context.main
            tried = (self.context.probe, None if main is None else main.opening)
            kept = records.of(exchange for exchange in tried if exchange is not None)
        return kept if found is None else (*kept, records.of_item(*found))

    def is_required(self, rule: Rule) -> bool:
        if rule.level == "required-if-declared" and rule.capability is not None:
            return is_declared(rule.capability, self.context.root())
        return rule.level == "required"


def is_doubtful(outcome: Outcome) -> bool:
    """Whether a rule that ran beside others has to be measured again alone: whatever it holds against the server, and
    everything that it could not measure, may be a neighbour's doing."""
    exchanges = (*outcome.used, *outcome.all_exchanges)
    if outcome.decision.verdict in ("pass", "skip") and outcome.cause is None:
        return any(exchange.outcome == "died" for exchange in exchanges) or (
            outcome.decision.verdict == "skip" and any(map(is_uncertain, exchanges))
        )
    return outcome.decision.verdict != "skip" or any(map(is_uncertain, exchanges))


def is_uncertain(exchange: Exchange) -> bool:
    """Whether a neighbour may be what drew this answer, or one of its pages, or none."""
    return any(
        one.outcome in SILENT or (one.http is not None and one.http.status in BUSY) for one in exchange.together()
    )


def may_change(exchange: Exchange) -> bool:
    """Whether asking again is worth it: nothing came, something failed, or the server said no."""
    return is_uncertain(exchange) or any(
        one.error is not None or (one.http is not None and one.http.status >= 400) for one in exchange.together()
    )


def _ms_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _named(error: Exception) -> str:
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    words = str(error).strip()
    return f"{type(error).__name__}: {brief(words.splitlines()[0] if words else '', LONGEST)}".rstrip(": ")
