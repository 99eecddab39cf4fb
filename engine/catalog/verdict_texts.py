"""Every text by which a rule can end, in the order of its document: what may be said, and with which verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mcp_compliance.catalog.rule import Check, CheckVerdict, Each, Exit, Predicate, Rule, Several, Step, Transport
from mcp_compliance.catalog.values import Literal as Fixed
from mcp_compliance.catalog.values import Located, Text
from mcp_compliance.model.result import Force

Ending: TypeAlias = CheckVerdict | Literal["pass"]
HOLE = "…"


@dataclass(frozen=True)
class VerdictText:
    """``says`` is the text as the rule has it, with expressions in braces; ``shown`` the same for readers, with a
    hole in place of each. ``force`` is given for what fails. ``only`` names the one transport, ``item`` what
    the check is repeated for: messages put its name and its place in its list before the text."""

    verdict: Ending
    says: str
    shown: str
    force: Force | None = None
    only: Transport | None = None
    item: str | None = None


def verdict_texts(rule: Rule) -> tuple[VerdictText, ...]:
    """Those of the conditions before any step, of the steps, and of the checks; what the engine says by itself (no
    answer, a refusal that cannot be credited) is not among them."""
    found = [_text("skip", condition.say) for condition in rule.skip_unless]
    found += _of_steps(rule.steps, rule.force)
    found += _of_checks((*rule.checks, *rule.at_end), rule.force, None)
    return tuple(dict.fromkeys(found))


def _of_steps(steps: Iterable[Step], force: Force) -> Iterator[VerdictText]:
    for step in steps:
        yield from _of_steps(step.members, force)
        yield from _of_checks(step.checks, force, step.only)


def _of_checks(
    checks: Iterable[Check], force: Force, only: Transport | None, item: str | None = None
) -> Iterator[VerdictText]:
    for check in checks:
        where = check.only or only
        if isinstance(check, Exit):
            yield _text(check.verdict, check.say, None, where, item)
        elif isinstance(check, Each):
            yield from _of_checks(check.checks, force, where, check.name)
        elif isinstance(check, Several) and check.otherwise is None:
            yield from _of_checks(check.checks, check.force or force, where, item)
        else:
            own = (check.force or force) if check.verdict == "fail" else None
            if check.otherwise is not None:
                yield _text(check.verdict, check.otherwise, own, where, item)
            elif isinstance(check, Predicate):
                says = f"{check.subject.text} does not meet: {check.name} {_expected(check)}"
                yield VerdictText(check.verdict, says, says, own, where, item)


def _text(
    verdict: Ending, text: Text, force: Force | None = None, only: Transport | None = None, item: str | None = None
) -> VerdictText:
    return VerdictText(verdict, text.source, shown(text), force, only, item)


def shown(text: Text) -> str:
    """The text with a hole in place of each expression, or of several that follow each
    other with at most a full stop between them."""
    whole = "".join(HOLE if isinstance(part, Located) else part for part in text.parts)
    return re.sub(rf"{HOLE}(?:\.?{HOLE})+", HOLE, whole)


def _expected(check: Predicate) -> str:
    value = check.expected
    return json.dumps(value.value, ensure_ascii=False) if isinstance(value, Fixed) else HOLE
