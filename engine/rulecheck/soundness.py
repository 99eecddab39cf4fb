"""R7: the rule can fail, a refusal that it hopes for is the server's own, and force fits level."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_compliance.catalog.rule import Check, Exit, Predicate, Rule, Several, Step, That
from mcp_compliance.jsontypes import JSON
from mcp_compliance.rulecheck.checks_in import all_judged
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.fixed_values import fixed
from mcp_compliance.rulecheck.subjects import RuleSubject

CODE = "R7"
BINDING = ("MUST", "MUST NOT", "REQUIRED")
CREDITABLE = ("call", "notify", "raw", "bytes", "http", "repeat", "stream")


def check_soundness(subject: RuleSubject) -> Iterator[Finding]:
    rule = subject.rule
    if not can_fail(rule):
        yield subject.source.finding(
            CODE, ("id",), "no check can make this rule fail", "a rule that cannot fail measures nothing"
        )
    yield from _forces(subject)
    yield from _credits(subject)


def can_fail(rule: Rule) -> bool:
    """Whether some check or some refusal can end the rule as anything but a pass or a skip."""
    if any(step.credit is not None and step.credit.unattributed == "fail" for step in rule.steps):
        return True
    return any(
        not isinstance(check, Exit) and getattr(check, "verdict", "fail") in ("fail", "not-evaluable")
        for _, check in all_judged(rule)
    )


def _forces(subject: RuleSubject) -> Iterator[Finding]:
    """Forces of checks are cited, and a rule that can become required only fails on binding sentences."""
    rule = subject.rule
    cited = {reference.force for reference in rule.spec}
    failing = [
        check
        for _, check in all_judged(rule)
        if isinstance(check, (Predicate, That, Several)) and check.verdict == "fail"
    ]
    for _, check in all_judged(rule):
        force = getattr(check, "force", None)
        if force not in (None, "none") and force not in cited:
            message = f"no sentence in `spec` has the force {force}"
            yield subject.source.finding(CODE, (*check.at, "force"), message)
    if rule.level == "optional":
        return
    if rule.force not in BINDING and (not failing or any(check.force is None for check in failing)):
        message = f"a rule that is {rule.level} fails on a sentence with force {rule.force}"
        yield subject.source.finding(
            CODE, ("spec", 0, "force"), message, "cite the binding sentence first, or make the level optional"
        )
    for check in failing:
        if check.force is not None and check.force not in BINDING:
            message = f"a check with force {check.force} can fail a rule that is {rule.level}"
            yield subject.source.finding(CODE, (*check.at, "force"), message, "warn, or make the level optional")


def _credits(subject: RuleSubject) -> Iterator[Finding]:
    """Steps that pass on an error and do not say whose error it is."""
    steps = {step.name: step for step in subject.rule.steps if step.verb in CREDITABLE and step.credit is None}
    said = set()
    for _, check in all_judged(subject.rule):
        for name in _refusals_hoped_for(check):
            step = steps.get(name)
            if step is not None and name not in said:
                said.add(name)
                yield _demand(subject, step, check)


def _demand(subject: RuleSubject, step: Step, check: Check) -> Finding:
    message = f"this is met when the step {step.name} is refused, and the step does not say whose refusal counts"
    key = next(key for key in ("get", "that", "all", "any", "if", "unless", "stop") if _has(subject, check, key))
    hint = "give the step a credit: (credit: off when every refusal counts)"
    return subject.source.finding(CODE, (*check.at, key), message, hint)


def _has(subject: RuleSubject, check: Check, key: str) -> bool:
    return subject.source.at((*check.at, key)) is not None


def _refusals_hoped_for(check: Check) -> Iterator[str]:
    """Names of steps that have to be refused for the check to be met."""
    if isinstance(check, Exit):
        if check.verdict == "pass" and not check.unless and check.expression is not None:
            yield from _in_condition(check.expression.text)
    elif isinstance(check, Several):
        for part in check.checks:
            yield from _refusals_hoped_for(part)
    elif isinstance(check, That):
        if check.verdict != "warn":
            yield from _in_condition(check.expression.text)
    elif isinstance(check, Predicate) and check.verdict != "warn":
        name = _by_predicate(check)
        if name is not None:
            yield name


def _in_condition(text: str) -> Iterator[str]:
    """``is_error(step)`` and ``step.error`` as a whole condition."""
    for pattern in (r"is_error\((\w+)\)", r"(\w+)\.error(?:\.code)?"):
        found = re.fullmatch(pattern, text.strip())
        if found:
            yield found[1]


def _by_predicate(check: Predicate) -> str | None:
    subject = check.subject.text.strip()
    whole = re.fullmatch(r"(\w+)\.(error|error\.code|http\.status|result)|is_error\((\w+)\)", subject)
    if whole is None:
        return None
    name, member, called = whole.groups()
    known = fixed(check.expected)
    expected = None if known is None else known[0]
    if called is not None:
        return called if (check.name, expected) == ("is", True) else None
    if member == "result":
        return name if (check.name, expected) in (("exists", False), ("type", "null")) else None
    if member == "http.status":
        return name if _demands_error_status(check.name, expected) else None
    wanted = check.name in ("is", "in") and expected is not None
    return (
        name if wanted or (check.name, expected) in (("exists", True), ("empty", False), ("type", "object")) else None
    )


def _demands_error_status(predicate: str, expected: JSON) -> bool:
    statuses = expected if isinstance(expected, list) else [expected]
    numbers = [status for status in statuses if isinstance(status, (int, float))]
    if predicate in ("is", "in"):
        return any(status >= 400 for status in numbers)
    return predicate == "at_least" and any(status >= 300 for status in numbers)
