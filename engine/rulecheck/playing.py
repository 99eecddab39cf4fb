"""Plays cases for people: verdict and message, and with more words each exchange and each check's value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Case, Check, Each, Exit, Predicate, Rule, Several, That
from mcp_compliance.catalog.values import Located, Reference, Value
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.cases import Played, play_case
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON
from mcp_compliance.rulecheck.fixed_values import fixed

MOST_ITEMS = 3
"""Items of an ``each`` whose checks are printed."""
LONGEST = 160


def play(rule: Rule, cases: Sequence[Case], revision: Revision, *, verbose: bool) -> tuple[str, bool]:
    """What to print, and whether every case gave what it says."""
    lines: list[str] = []
    right = True
    for case in cases:
        played = play_case(rule, case, revision)
        right = right and not played.problems
        lines += _case(rule, case, played, revision, verbose=verbose)
    return "".join(f"{line}\n" for line in lines), right


def _case(rule: Rule, case: Case, played: Played, revision: Revision, *, verbose: bool) -> Iterator[str]:
    mark = "ok" if not played.problems else "WRONG"
    yield f"{mark:<5} {case.name} ({case.on}): {played.verdict}: {played.message}"
    for warning in played.warnings:
        yield f"      warning: {warning}"
    for problem in played.problems:
        yield f"      {problem}"
    if not verbose:
        return
    for exchange in played.exchanges:
        yield from _exchange(exchange)
    scope = Scope(revision.library, played.names)
    for step in rule.steps:
        yield from _checks(step.checks, scope, played, "      ")
    yield from _checks((*rule.checks, *rule.at_end), scope, played, "      ")


def _exchange(exchange: Exchange) -> Iterator[str]:
    sending = exchange.sending
    sent = sending.message if sending.message is not None else {"method": sending.http_method, "url": sending.url}
    yield f"      {sending.step} -> {_short(sent)}"
    drawn: dict[str, JSON] = {"outcome": exchange.outcome}
    if exchange.http is not None:
        drawn["status"] = exchange.http.status
    if exchange.message is not None:
        drawn["message"] = exchange.message
    elif exchange.http is not None and exchange.http.body:
        drawn["body"] = exchange.http.body
    yield f"      {' ' * len(sending.step)} <- {_short(drawn)}"


def _checks(checks: Sequence[Check], scope: Scope, played: Played, indent: str) -> Iterator[str]:
    for check in checks:
        if check.at not in played.evaluated:
            continue
        mark = "!" if check.at == played.decided else "~" if check.at in played.noted else " "
        yield f"{indent}{mark} {_shown(check, scope)}"
        if isinstance(check, Each):
            items = _evaluate(check.items, scope)
            for item in (items if isinstance(items, list) else [])[:MOST_ITEMS]:
                yield from _checks(check.checks, scope.child({check.name: item}), played, indent + "  ")
        elif isinstance(check, Several):
            yield from _checks(check.checks, scope, played, indent + "  ")


def _shown(check: Check, scope: Scope) -> str:
    if isinstance(check, Predicate):
        expected = _expected(check.expected, scope)
        return f"{check.subject.text} = {_short(_evaluate(check.subject, scope))}  {check.name} {_short(expected)}"
    if isinstance(check, That):
        return f"that {check.expression.text} = {_short(_evaluate(check.expression, scope))}"
    if isinstance(check, Each):
        return f"each {check.items.text} as {check.name}"
    if isinstance(check, Exit):
        word = "unless" if check.unless else "if"
        if check.expression is None:
            return f"stop {check.verdict}"
        value = _short(_evaluate(check.expression, scope))
        return f"stop {check.verdict} {word} {check.expression.text} = {value}"
    return f"{check.kind} of"


def _evaluate(located: Located, scope: Scope) -> JSON:
    try:
        return scope.evaluate(located)
    except ExpressionRaised as raised:
        return f"(raises: {raised.reason})"


def _expected(value: Value, scope: Scope) -> JSON:
    known = fixed(value)
    if known is not None:
        return known[0]
    return _evaluate(value.source, scope) if isinstance(value, Reference) else "(made in the run)"


def _short(value: object) -> str:
    words = json.dumps(value, ensure_ascii=False, default=str)
    return words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."
