"""Turns values of the rule language into JSON: references, generators, picks. Nothing half-filled ever leaves."""

from __future__ import annotations

import itertools
import random
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.values import (
    ArrayValue,
    Literal,
    Make,
    NotGiven,
    ObjectValue,
    Pick,
    Reference,
    Secret,
    Value,
)
from mcp_compliance.facts.arguments import arguments_for
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON, JSONObject

MOST_TEXT = 4 * 1024 * 1024


class Unbuildable(Exception):
    """A value is missing that a step needs; the rule ends as not evaluable with this reason."""


class NothingToPick(Exception):
    """No item fits a pick; the rule skips with this reason."""


@dataclass
class Generator:
    """Values of the run's own making, so that a run can be repeated.

    They are drawn from the run's seed and a purpose such as the id of a rule: what else runs, and in which order, does
    not change them. Ids alone count through the whole run, whatever the purpose.
    """

    seed: int
    first_id: int
    purpose: str = ""
    ids: Iterator[int] | None = None

    def __post_init__(self) -> None:
        self.ids = self.ids or itertools.count(self.first_id)

    @cached_property
    def random(self) -> random.Random:
        """Most purposes draw nothing, and seeding takes time."""
        return random.Random(f"{self.seed} {self.purpose}")

    def apart(self, purpose: str) -> Self:
        """A generator of the same run for one purpose."""
        return replace(self, purpose=purpose)

    def next_id(self) -> int:
        assert self.ids is not None
        return next(self.ids)

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def like(self, model: str) -> str:
        """Same length and alphabet, a few characters changed."""
        if not model:
            return "0"
        places = [index for index, char in enumerate(model) if char.isalnum()] or list(range(len(model)))
        chars = list(model)
        for index in self.random.sample(places, min(4, len(places))):
            chars[index] = self._other(chars[index])
        return "".join(chars)

    def _other(self, char: str) -> str:
        for alphabet in (string.digits, "abcdef", string.ascii_lowercase, "ABCDEF", string.ascii_uppercase):
            if char in alphabet:
                return self.random.choice([other for other in alphabet if other != char])
        return self.random.choice("0123456789")


@dataclass
class Resolver:
    """Resolves the values of one rule. ``credential`` is the configured token, None when there is none."""

    generator: Generator
    picker: Picker
    credential: str | None = None

    def resolve(self, value: Value, scope: Scope) -> JSON:
        """Raises ``Unbuildable`` when a reference gives null, ``NothingToPick`` when nothing fits."""
        return self._resolve(value, scope, nullable=False)

    def comparable(self, value: Value, scope: Scope) -> JSON:
        """Like ``resolve``, but references may be null: expected values of checks."""
        return self._resolve(value, scope, nullable=True)

    def named(self, value: Value, scope: Scope) -> JSON:
        """What ``let`` names: null where a reference gives null, but nothing that is half filled."""
        return self._resolve(value, scope, nullable=isinstance(value, Reference))

    def _resolve(self, value: Value, scope: Scope, *, nullable: bool) -> JSON:
        if isinstance(value, Literal):
            return value.value
        if isinstance(value, ObjectValue):
            return {key: self._resolve(member, scope, nullable=nullable) for key, member in value.members.items()}
        if isinstance(value, ArrayValue):
            return [self._resolve(item, scope, nullable=nullable) for item in value.items]
        if isinstance(value, Reference):
            return self._reference(value, scope, nullable=nullable)
        if isinstance(value, Pick):
            return self._pick(value, scope, nullable=nullable)
        if isinstance(value, Secret):
            if self.credential is None:
                raise Unbuildable("no credential is configured")
            return self.credential
        return self._make(value, scope)

    def _reference(self, value: Reference, scope: Scope, *, nullable: bool) -> JSON:
        try:
            found = scope.evaluate(value.source)
        except ExpressionRaised as raised:
            raise Unbuildable(f"{value.source.text}: {raised.reason}") from raised
        if found is not None:
            return found
        if not isinstance(value.otherwise, NotGiven):
            return self._resolve(value.otherwise, scope, nullable=nullable)
        if nullable:
            return None
        raise Unbuildable(f"{value.source.text} is null")

    def _pick(self, value: Pick, scope: Scope, *, nullable: bool) -> JSON:
        picked = self.picker.pick(value, scope)
        if picked:
            return picked if value.most is not None else picked[0]
        if isinstance(value.otherwise, NotGiven):
            raise NothingToPick(self.picker.reason(value, scope))
        return self._resolve(value.otherwise, scope, nullable=nullable)

    def _make(self, value: Make, scope: Scope) -> JSON:
        options = {key: self._resolve(option, scope, nullable=False) for key, option in value.options.items()}
        makers: dict[str, Callable[[dict[str, JSON]], JSON]] = {
            "uuid": lambda _: self.generator.uuid(),
            "counter": lambda _: self.generator.next_id(),
            "text": _text,
            "like": lambda given: self.generator.like(str(given["of"])),
            "arguments": _arguments,
        }
        return makers[value.kind](options)


def filled(reply: Value, scope: Scope) -> JSON:
    """A reply of the model with the values that its references give; null where they give none and have no ``or``.
    Raises ``ExpressionRaised``."""
    if isinstance(reply, ObjectValue):
        return {key: filled(member, scope) for key, member in reply.members.items()}
    if isinstance(reply, ArrayValue):
        return [filled(item, scope) for item in reply.items]
    if isinstance(reply, Reference):
        found = scope.evaluate(reply.source)
        return filled(reply.otherwise, scope) if found is None and not isinstance(reply.otherwise, NotGiven) else found
    return cast(Literal, reply).value


def _text(options: dict[str, JSON]) -> str:
    length = options.get("bytes")
    return "A" * min(length if isinstance(length, int) else 1, MOST_TEXT)


def _arguments(options: dict[str, JSON]) -> JSON:
    """``for`` is a tool (its inputSchema counts) or a prompt (its list of arguments counts); ``plus`` adds members,
    ``set`` names one member that gets the value of ``to``."""
    more = options.get("plus")
    made: JSONObject = {**arguments_for(options.get("for")), **(more if isinstance(more, dict) else {})}
    return {**made, str(options["set"]): options["to"]} if "set" in options else made
