"""Runs checks and exits top to bottom; the first that fires decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.catalog.rule import Check, Each, Exit, Predicate, Several, That
from mcp_compliance.catalog.values import Located, Pointer, Value
from mcp_compliance.interpreter.predicates import PREDICATES
from mcp_compliance.interpreter.render import Renderer
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Resolver, Unbuildable
from mcp_compliance.jsontypes import JSON
from mcp_compliance.model.result import Force, Verdict

MOST_ITEMS = 10_000
"""Items of one ``each`` that are judged."""
MOST_NAMED = 10
"""Further items that a failed ``each`` names beside the first."""

Sentence: TypeAlias = Callable[[], str]
"""Written out only where somebody reads it: nearly all checks are met."""


@dataclass(frozen=True)
class Decision:
    """A verdict with its sentence. ``at`` is the check or exit that decided, None when the engine did; ``seq`` the
    number of the item of the recording that it was decided on, None when it was none, or none that is known.
    """

    verdict: Verdict
    message: str
    at: Pointer | None = None
    force: Force | None = None
    seq: int | None = None


def recorded(value: JSON) -> int | None:
    """The number of an item of the recording, as expressions see it; None when the value is something else."""
    if not isinstance(value, dict) or not {"seq", "kind", "payload"} <= value.keys():
        return None
    seq = value["seq"]
    return seq if isinstance(seq, int) and not isinstance(seq, bool) else None


@dataclass
class Judge:
    """Evaluates the checks of one rule. ``measured`` once a check was evaluated on something."""

    renderer: Renderer
    resolver: Resolver
    transport: str
    force: Force
    measured: bool = False
    warnings: list[str] = field(default_factory=list)
    evaluated: set[Pointer] = field(default_factory=set)
    noted: set[Pointer] = field(default_factory=set)
    """Checks with ``verdict: warn`` that were not met: they decided a warning."""

    def run(self, checks: Sequence[Check], scope: Scope) -> Decision | None:
        """The decision of the first check that is not met or exit that fires, else None."""
        for check in checks:
            decision = self._one(check, scope)
            if decision is not None:
                return decision
        return None

    def unjudgeable(self, raised: ExpressionRaised, at: Pointer) -> Decision:
        """An answer on which an expression cannot be evaluated must not be able to buy a skip."""
        return Decision("fail", f"the answer cannot be judged: {raised.reason}", at, self.force)

    def _one(self, check: Check, scope: Scope) -> Decision | None:
        if check.only not in (None, self.transport):
            return None
        if isinstance(check, Exit):
            return self._exit(check, scope)
        try:
            if check.condition is not None and not is_true(scope.evaluate(check.condition)):
                return None
        except ExpressionRaised as raised:
            return self.unjudgeable(raised, check.at)
        if isinstance(check, Each):
            return self._each(check, scope)
        self.measured = True
        self.evaluated.add(check.at)
        unmet = self._unmet(check, scope)
        if unmet is None:
            return None
        message = unmet() if check.otherwise is None else self.renderer.text(check.otherwise, scope)
        if check.verdict == "warn":
            self.warnings.append(message)
            self.noted.add(check.at)
            return None
        return Decision(check.verdict, message, check.at, check.force or self.force, self._judged_item(check, scope))

    def _judged_item(self, check: Predicate | That | Several, scope: Scope) -> int | None:
        """Where a list of recorded items was to be empty, the first of them."""
        if not isinstance(check, Predicate):
            return None
        try:
            value = scope.evaluate(check.subject)
        except ExpressionRaised:
            return None
        return recorded(value[0] if isinstance(value, list) and value else value)

    def _exit(self, check: Exit, scope: Scope) -> Decision | None:
        self.evaluated.add(check.at)
        try:
            held = check.expression is None or is_true(scope.evaluate(check.expression))
        except ExpressionRaised as raised:
            return self.unjudgeable(raised, check.at)
        if held is check.unless:
            return None
        return Decision(check.verdict, self.renderer.text(check.say, scope), check.at)

    def _each(self, check: Each, scope: Scope) -> Decision | None:
        self.evaluated.add(check.at)
        try:
            items = scope.evaluate(check.items)
        except ExpressionRaised as raised:
            return self.unjudgeable(raised, check.at)
        if items is None and check.or_absent:
            return None
        if not isinstance(items, list):
            self.measured = True
            return Decision(
                "fail",
                f"{check.items.text} is {self.renderer.value(items)}, not a list",
                check.at,
                self.force,
            )
        before, self.warnings = self.warnings, []
        decision = self._each_of(check, items[:MOST_ITEMS], scope)
        said, self.warnings = self.warnings, before
        self.warnings += said[:MOST_NAMED]
        if len(said) > MOST_NAMED:
            self.warnings.append(f"{check.items.text}: {len(said) - MOST_NAMED} more warnings like these")
        if len(items) > MOST_ITEMS:
            self.warnings.append(f"{check.items.text}: {len(items) - MOST_ITEMS} of {len(items)} items were not judged")
        return decision

    def _each_of(self, check: Each, items: list[JSON], scope: Scope) -> Decision | None:
        for index, item in enumerate(items):
            inner = scope.child({check.name: item})
            warned = len(self.warnings)
            decision = self.run(check.checks, inner)
            if decision is None and len(self.warnings) == warned:
                continue
            place = self._place(check, index, inner)
            self.warnings[warned:] = [f"{place}: {warning}" for warning in self.warnings[warned:]]
            if decision is not None:
                likewise = self._likewise(check, items[index + 1 :], index + 1, decision, scope)
                seq = recorded(item) if decision.seq is None else decision.seq
                message = f"{place}: {decision.message}{likewise}"
                return Decision(decision.verdict, message, decision.at, decision.force, seq)
        return None

    def _likewise(self, check: Each, rest: list[JSON], start: int, first: Decision, scope: Scope) -> str:
        """Names the later items that do not meet the very check that decided: one finding, and the whole extent of
        it. Nothing else that they would say counts.
        """
        if first.verdict not in ("fail", "not-evaluable"):
            return ""
        silent = replace(self, warnings=[], evaluated=set(), noted=set())
        places: list[str] = []
        more = 0
        for index, item in enumerate(rest, start):
            inner = scope.child({check.name: item})
            decision = silent.run(check.checks, inner)
            if decision is None or decision.at != first.at or decision.verdict != first.verdict:
                continue
            if len(places) < MOST_NAMED:
                places.append(self._place(check, index, inner))
            else:
                more += 1
        if not places:
            return ""
        return f"; likewise {', '.join(places)}" + (f" and {more} more" if more else "")

    def _place(self, check: Each, index: int, inner: Scope) -> str:
        name = (
            check.items.text.rsplit(".", 1)[-1]
            if check.items.text.replace(".", "").replace("_", "").isalnum()
            else check.name
        )
        place = f"{name}[{index}]"
        if check.label is None:
            return place
        try:
            label = inner.evaluate(check.label)
        except ExpressionRaised:
            return place
        return place if label is None else f"{place} ({self.renderer.value(label)})"

    def _unmet(self, check: Predicate | That | Several, scope: Scope) -> Sentence | None:
        """What makes the engine's own sentence when the check is not met, None when it is."""
        if isinstance(check, Several):
            return self._unmet_parts(check, scope)
        if isinstance(check, That):
            try:
                value = scope.evaluate(check.expression)
            except ExpressionRaised as raised:
                return partial(_unevaluable, check.expression, raised)
            text = check.expression.text
            return None if is_true(value) else lambda: f"`{text}` is {self.renderer.value(value)}"
        try:
            actual = scope.evaluate(check.subject)
            expected = self._expected(check.expected, scope)
        except ExpressionRaised as raised:
            return partial(_unevaluable, check.subject, raised)
        except Unbuildable as problem:
            return partial(str, problem)
        if PREDICATES[check.name](actual, expected, scope.library):
            return None
        name, subject = check.name.replace("_", " "), check.subject.text
        return lambda: f"`{subject}` is {self.renderer.value(actual)}, expected {name} {self.renderer.value(expected)}"

    def _unmet_parts(self, check: Several, scope: Scope) -> Sentence | None:
        parts = [part for part in check.checks if isinstance(part, (Predicate, That, Several))]
        self.evaluated.update(part.at for part in parts)
        unmet = [(part, sentence) for part in parts if (sentence := self._unmet(part, scope)) is not None]
        if not unmet if check.kind == "all" else len(unmet) < len(parts):
            return None
        return lambda: "; ".join(
            sentence() if part.otherwise is None else self.renderer.text(part.otherwise, scope)
            for part, sentence in unmet
        )

    def _expected(self, value: Value, scope: Scope) -> JSON:
        """Plain references may be null here: a comparison with null is a comparison."""
        return self.resolver.comparable(value, scope)


def _unevaluable(located: Located, raised: ExpressionRaised) -> str:
    return f"`{located.text}` cannot be evaluated: {raised.reason}"
