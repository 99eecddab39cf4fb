"""A rule that uses a shared answer which failed does not judge it again, and says which rule does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_compliance.attribution.sentences import failure, unusable
from mcp_compliance.catalog.revision import Fixture
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.checks import Decision
from mcp_compliance.interpreter.context import Context

UNREACHABLE = "unreachable"
"""Cause of everything that fails because nothing ever answered."""

SESSION_PHASES = ("main", "late", "load")


@dataclass(frozen=True)
class Refusal:
    """A gate that closed: the decision, and the id of the rule (or ``unreachable``) that it follows from."""

    decision: Decision
    cause: str | None


def gate(rule: Rule, used: Mapping[str, Exchange], context: Context) -> Refusal | None:
    """Closed when a used fixture has no result, or when the session of the revision could not be opened."""
    session = _session(rule, context)
    for name in rule.uses:
        fixture = context.revision.fixtures[name]
        if name not in used:
            # without a session nothing is known of what the server declares
            undeclared = Decision("skip", f"{fixture.capability or name} is not declared by the server")
            return session or Refusal(undeclared, None)
        if unusable(used[name]) is not None:
            return _refused(fixture, used[name], context)
    return session


def follows_from(rule: Rule, decision: Decision, context: Context) -> str | None:
    """Id of the rule that judges the setup, when the setup failed and that is why this rule measured nothing: it is not
    evaluable, or was skipped with the setup's failure as the reason. None when nothing hangs on that rule.
    """
    setup = context.revision.credit.setup
    fixture, answer = context.revision.fixtures[setup], context.known_answer(setup)
    reason = None if answer is None else unusable(answer, quote=False)
    if reason is None or fixture.rule == rule.id or fixture.rule not in context.planned:
        return None
    skipped_for_it = decision.verdict == "skip" and context.secrets.mask(reason) in decision.message
    return fixture.rule if skipped_for_it or decision.verdict == "not-evaluable" else None


def _session(rule: Rule, context: Context) -> Refusal | None:
    """Closed when the rule needs the session of the revision and that could not be opened. One that was open and then
    lost for good closes nothing: the rules after it run against what is there.

    Where a revision has no sessions, and for rules of the phase after, closed for rules about something that servers
    declare when the server could not be asked what it declares.
    """
    revision = context.revision
    name = revision.credit.setup if revision.sessions is None else revision.sessions.open
    if rule.phase not in (*SESSION_PHASES, "after") or name in rule.judges:
        return None
    if (revision.sessions is None or rule.phase == "after") and not _needs_declared(rule, context):
        return None
    opening = context.known_answer(name)
    if opening is None or unusable(opening) is None:
        return None
    return _refused(revision.fixtures[name], opening, context)


def _needs_declared(rule: Rule, context: Context) -> bool:
    fixtures = context.revision.fixtures
    return rule.capability is not None or any(fixtures[used].capability is not None for used in rule.uses)


def _refused(fixture: Fixture, answer: Exchange, context: Context) -> Refusal:
    """Skip and point to the fixture's own rule when that is in the run; else fail with the recorded reason."""
    if fixture.rule is not None and fixture.rule in context.planned:
        # what the server said stands once, in the result of that rule
        reason = context.secrets.mask(unusable(answer, quote=False) or "")
        return Refusal(Decision("skip", f"{reason}; see {fixture.rule}"), fixture.rule)
    nothing = f"no {fixture.name} list to validate" if fixture.pages else "nothing can be measured"
    reason = context.secrets.mask(failure(answer))
    return Refusal(Decision("fail", f"{fixture.call} failed ({reason}); {nothing}"), fixture.rule)
