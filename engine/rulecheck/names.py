"""R5: every name at the beginning of an expression is known where it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mcp_compliance.catalog.expression_lint import CONSTANTS
from mcp_compliance.catalog.rule import Check, Each, Rule, Several, Step
from mcp_compliance.catalog.values import Located, Pointer
from mcp_compliance.rulecheck.expression_uses import Use, uses_in
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.nearest import known_or_nearest
from mcp_compliance.rulecheck.shapes import Shape, exchange_shape, root_shapes, unknown_key
from mcp_compliance.rulecheck.subjects import RuleSubject

CODE = "R5"
RESERVED = {"twin": "the name under which cases give a twin's reply"}


@dataclass(frozen=True)
class _Known:
    """Names known at one place of a rule, with the shape of what they hold."""

    shapes: dict[str, Shape]

    def plus(self, name: str, shape: Shape = None) -> _Known:
        return _Known({**self.shapes, name: shape})


@dataclass
class NameCheck:
    """Walks a rule as it runs. ``findings`` in the order met; ``read`` holds every name that something reads."""

    subject: RuleSubject
    findings: list[Finding] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    _taken: dict[str, str] = field(default_factory=dict)
    _lets: list[tuple[str, Pointer]] = field(default_factory=list)

    def run(self) -> list[Finding]:
        rule = self.subject.rule
        roots = dict(root_shapes())
        recording = roots.pop("recording")
        known = _Known({**dict.fromkeys((*rule.uses, *rule.judges), exchange_shape()), **roots})
        if rule.phase == "after":
            known = known.plus("recording", recording)
        self._taken |= RESERVED | dict.fromkeys(root_shapes(), "a root name")
        self._taken |= dict.fromkeys(self.subject.revision.revision.fixtures, "a fixture of the revision")
        self._look(known, rule.skip_unless)
        for step in rule.steps:
            known = self._step(step, known)
        self._checks(known, rule.checks)
        self._look(known, rule.passes)
        self._checks(known.plus("recording", recording), rule.at_end)
        for name, at in self._lets:
            if name not in self.read:
                self._note(at, f"{name} is set and never read", "read it, or remove it", key=True, unread=name)
        return self.findings

    def _step(self, step: Step, known: _Known) -> _Known:
        """The names known after the step. Its condition is read before its own names are set."""
        if self.subject.source.at((*step.at, "name")) is not None:
            self._take(step.name, (*step.at, "name"))
        self._look(known, step.condition)
        if step.for_each is not None:
            self._look(known, step.for_each.items)
            known = known.plus(step.for_each.name)
            if self.subject.source.at((*step.at, "for_each", "as")) is not None:
                self._lets.append((step.for_each.name, (*step.at, "for_each", "as")))
        for name, value in step.let:
            self._take(name, (*step.at, "let", name), key=True)
            self._look(known, value)
            known = known.plus(name)
            self._lets.append((name, (*step.at, "let", name)))
        own = self._shape(step)
        if step.for_each is not None:
            self._look(known.plus("round", exchange_shape()), step.for_each.until)
        if isinstance(step.until, Located):
            self._look(known.plus(step.name, own), step.until)
        sent = (step.target, step.http, step.members, step.arguments, step.params, step.meta, step.headers)
        self._look(known, *sent, step.query, step.id)
        if step.verb != "none":
            known = known.plus(step.name, own)
        self._checks(known, step.checks)
        return known

    def _shape(self, step: Step) -> Shape:
        """Shape of what a step's name holds; for lists that of an item, which paths mark anyway."""
        return None if step.verb == "run" else exchange_shape()

    def _checks(self, known: _Known, checks: Sequence[Check]) -> None:
        for check in checks:
            if isinstance(check, Each):
                self._look(known, check.items, check.condition)
                inner = known.plus(check.name)
                self._look(inner, check.label)
                self._checks(inner, check.checks)
            elif isinstance(check, Several):
                self._look(known, check.condition, check.otherwise)
                self._checks(known, check.checks)
            else:
                self._look(known, check)

    def _look(self, known: _Known, *parts: object) -> None:
        for use in uses_in(*parts):
            for name in use.expression.names:
                self.read.add(name.text)
                # Bare true, false and null are reported as what they are by the lint of expressions.
                if name.text not in known.shapes and name.text not in CONSTANTS:
                    self._unknown(use, name.text, name.column, known)
            self._keys(use, known)

    def _unknown(self, use: Use, name: str, column: int, known: _Known) -> None:
        message = f"unknown name '{name}'"
        hint = known_or_nearest(name, known.shapes)
        if name == "recording":
            message, hint = "the recording is only complete in `at_end` and in rules of phase after", ""
        elif name in self.subject.names:
            message, hint = f"'{name}' is the name of a step that has not been run here", ""
        elif name in self.subject.revision.revision.fixtures:
            message, hint = f"the fixture '{name}' is not fetched by this rule", f"write uses: [{name}]"
        place = self.subject.source.finding_within(CODE, use.at, use.offset + column, len(name), message, hint or None)
        self.findings.append(replace(place, unknown=name))

    def _keys(self, use: Use, known: _Known) -> None:
        """Keys that an exchange or a root name never has."""
        said = set()
        for path in use.expression.paths:
            root, _, rest = path.text.partition(".")
            root = root.removesuffix("[]")
            wrong = unknown_key(rest, known.shapes.get(root)) if rest else None
            if wrong is None:
                continue
            before, key, keys = wrong
            full = f"{root}.{before}" if before else root
            if (full, key) in said:
                continue
            said.add((full, key))
            hint = known_or_nearest(key, keys, f"{full} has")
            offset = use.offset + _column_of(use, key, path.column)
            message = f"{full} never has '{key}'"
            self.findings.append(self.subject.source.finding_within(CODE, use.at, offset, len(key), message, hint))

    def _take(self, name: str, at: Pointer, *, key: bool = False) -> None:
        if name in self._taken:
            self._note(at, f"the name {name} is taken: it is {self._taken[name]}", "choose another", key=key)
        self._taken.setdefault(name, "the name of an earlier step or value")

    def _note(self, at: Pointer, message: str, hint: str, *, key: bool = False, unread: str = "") -> None:
        self.findings.append(replace(self.subject.source.finding(CODE, at, message, hint, key=key), unread=unread))


def _column_of(use: Use, key: str, fallback: int) -> int:
    """Column of the first path that ends in the key: the one that names it."""
    return next(
        (path.column for path in use.expression.paths if path.text.rpartition(".")[2].rstrip("[]{}") == key),
        fallback,
    )


def names_read(rule: Rule) -> frozenset[str]:
    """First names of all expressions of the rule."""
    return frozenset(name.text for use in uses_in(rule) for name in use.expression.names)
