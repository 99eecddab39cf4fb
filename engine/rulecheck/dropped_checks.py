"""R9, the slow half: without any one of its checks a rule no longer gets through its own cases."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from mcp_compliance.catalog.rule import Case, Check, Each, Rule, Several, Step
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.interpreter.cases import play_case
from mcp_compliance.rulecheck.cases import Run
from mcp_compliance.rulecheck.checks_in import checks_of
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.subjects import RuleSubject


def check_by_dropping(subject: RuleSubject, runs: Sequence[Run]) -> Iterator[Finding]:
    """Takes out each check, exit and part of all or any alone, and wants some case to notice."""
    rule, revision = subject.rule, subject.revision.revision
    for check in checks_of(rule):
        if subject.source.at((*check.at, "untested")) is not None:
            continue
        rest = without(rule, check.at)
        if not any(play_case(rest, case, revision).problems for case in _concerned(check.at, runs)):
            message = "without this check every case still gives what it says"
            yield subject.source.finding("R9", check.at, message, "add a case that only this check decides")


def _concerned(at: Pointer, runs: Sequence[Run]) -> list[Case]:
    """Cases that got to a check, those first in which it decided: they are the ones to notice."""
    reached = [
        (run.case, run.outcome) for run in runs if run.outcome is not None and _within(at, run.outcome.evaluated)
    ]
    reached.sort(key=lambda pair: not _within(at, {*pair[1].noted, pair[1].decided or ()}))
    return [case for case, _ in reached]


def _within(at: Pointer, pointers: Collection[Pointer]) -> bool:
    return any(other[: len(at)] == at for other in pointers)


def without(rule: Rule, at: Pointer) -> Rule:
    """The rule without the check at a pointer."""
    return replace(
        rule,
        steps=tuple(_step(step, at) for step in rule.steps),
        checks=_kept(rule.checks, at),
        at_end=_kept(rule.at_end, at),
    )


def _step(step: Step, at: Pointer) -> Step:
    return replace(step, checks=_kept(step.checks, at)) if at[: len(step.at)] == step.at else step


def _kept(checks: Sequence[Check], at: Pointer) -> tuple[Check, ...]:
    kept: list[Check] = []
    for check in checks:
        if check.at == at:
            continue
        inside = at[: len(check.at)] == check.at
        if inside and isinstance(check, (Each, Several)):
            check = replace(check, checks=_kept(check.checks, at))
        kept.append(check)
    return tuple(kept)
