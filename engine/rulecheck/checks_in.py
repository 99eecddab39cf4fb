"""All checks and exits of a rule, at any depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_compliance.catalog.rule import Check, Each, Rule, Several, Step


def checks_of(rule: Rule) -> Iterator[Check]:
    """Every check and exit, in the order of the document; those within ``each``, ``all`` and ``any`` too."""
    for step in rule.steps:
        yield from flat(step.checks)
    yield from flat(rule.checks)
    yield from flat(rule.at_end)


def flat(checks: Sequence[Check]) -> Iterator[Check]:
    for check in checks:
        yield check
        if isinstance(check, (Each, Several)):
            yield from flat(check.checks)


def judged(checks: Sequence[Check]) -> Iterator[Check]:
    """The checks that give a decision of their own: not ``each``, which only hands out, nor parts of all and any."""
    for check in checks:
        if isinstance(check, Each):
            yield from judged(check.checks)
        else:
            yield check


def all_judged(rule: Rule) -> Iterator[tuple[Step | None, Check]]:
    """Deciding checks and exits of the rule, with their step; None for those of the rule as a whole."""
    for step in rule.steps:
        for check in judged(step.checks):
            yield step, check
    for check in (*judged(rule.checks), *judged(rule.at_end)):
        yield None, check
