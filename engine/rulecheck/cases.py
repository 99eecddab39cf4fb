"""R8, R9 and R10: cases give what they say, prove every check, and every message is whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcp_compliance.catalog.rule import Case
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.interpreter.cases import Played, play_cases
from mcp_compliance.interpreter.rule_run import NOTHING_MEASURED
from mcp_compliance.rulecheck.checks_in import all_judged
from mcp_compliance.rulecheck.expression_uses import texts_in
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.soundness import can_fail
from mcp_compliance.rulecheck.subjects import RuleSubject


@dataclass(frozen=True)
class Run:
    """A case and what it came to; ``outcome`` is None, with a ``problem``, when the engine could not play it."""

    case: Case
    outcome: Played | None
    problem: str = ""


def play_all(subject: RuleSubject) -> list[Run]:
    """All cases of a rule. A rule that the engine cannot play must not hide the findings of all others."""
    cases = subject.rule.cases
    runs = []
    for case, played in zip(cases, play_cases(subject.rule, cases, subject.revision.revision), strict=True):
        if isinstance(played, Exception):
            reason = " ".join(str(played).split())[:200]
            runs.append(Run(case, None, f"the case cannot be played: {type(played).__name__}: {reason}"))
        else:
            runs.append(Run(case, played))
    return runs


def check_cases(subject: RuleSubject, runs: Sequence[Run]) -> Iterator[Finding]:
    played = [run.outcome for run in runs if run.outcome is not None]
    found: list[Finding] = []
    for run in runs:
        if run.outcome is None:
            found.append(subject.source.finding("R8", (*run.case.at, "name"), run.problem))
        else:
            found += _outcome(subject, run.case, run.outcome)
    yield from found
    if not found:
        # A case that ends elsewhere than it says leaves checks undecided, which is no second mistake.
        yield from _proof(subject, played)
    yield from _braces(subject)


def _outcome(subject: RuleSubject, case: Case, outcome: Played) -> Iterator[Finding]:
    if case.verdict == "pass" and outcome.message == NOTHING_MEASURED:
        at = outcome.decided if outcome.decided is not None else (*case.at, "name")
        message = f"case '{case.name}' would pass although no check was evaluated, which is a skip"
        yield subject.source.finding("R7", at, message, "judge something first, or skip")
        return
    for problem in outcome.problems:
        yield subject.source.finding("R8", (*case.at, "name"), f"case '{case.name}': {problem}")
    for text in dict.fromkeys(outcome.unrendered):
        at = next((found.at for found in texts_in(subject.rule) if found.source == text), case.at)
        message = f"case '{case.name}' prints a ? here: an expression of this text cannot be evaluated"
        yield subject.source.finding("R10", at, message)


def _proof(subject: RuleSubject, played: Sequence[Played]) -> Iterator[Finding]:
    verdicts = {case.verdict for case in subject.rule.cases}
    if "pass" not in verdicts:
        yield subject.source.finding("R9", ("cases",), "no case passes", key=True)
    if not verdicts & {"fail", "not-evaluable"} and can_fail(subject.rule):
        yield subject.source.finding("R9", ("cases",), "no case fails or is not evaluable", key=True)
    decided = {at for outcome in played for at in (outcome.decided, *outcome.noted) if at is not None}
    for at, shown in _provable(subject):
        reason = subject.source.at((*at, "untested"))
        holder = at
        if reason is None and shown not in decided:
            yield subject.source.finding("R9", holder, "no case is decided here", "add one, or say untested: <why>")
        elif reason is not None and shown in decided:
            pointer = (*holder, "untested")
            yield subject.source.finding("R9", pointer, "a case is decided here", "remove untested", key=True)


def _provable(subject: RuleSubject) -> Iterator[tuple[Pointer, Pointer]]:
    """Places of all that can decide, with the pointers under which the interpreter reports them."""
    for guard in subject.rule.skip_unless:
        yield guard.expression.at[:-1], guard.expression.at
    for _, check in all_judged(subject.rule):
        yield check.at, check.at


def _braces(subject: RuleSubject) -> Iterator[Finding]:
    for text in texts_in(subject.rule):
        rest = "".join(part for part in text.parts if isinstance(part, str))
        if "{" in rest or "}" in rest:
            message = "a brace is left over: {...} holds an expression, and an expression holds no brace"
            yield subject.source.finding("R10", text.at, message, "name the value with let:")
