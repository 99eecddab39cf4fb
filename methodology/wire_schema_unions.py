"""Rewrites ``anyOf`` into a choice: of several shapes exactly one is held against a value, so that one mistake gives
one error, and a kind that nobody knows is one.

Objects are told apart by the member whose constants differ (``type``, ``method``, ``mode``), then by the required
member that only one of them has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"
Schema: TypeAlias = dict[str, JSON]
MemberPath: TypeAlias = tuple[str, ...]

DEEPEST = 2
"""Members of members that are looked at to tell two shapes apart."""


class AmbiguousError(Exception):
    """Shapes that nothing tells apart. One line."""


def chosen(node: JSON, definitions: Mapping[str, Schema]) -> JSON:
    """The schema with every ``anyOf`` inside it made a choice."""
    if isinstance(node, list):
        return [chosen(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    done = {key: chosen(value, definitions) for key, value in node.items() if key != "anyOf" or not _is_union(value)}
    if len(done) == len(node):
        return done
    arms = [arm for arm in as_list(node["anyOf"]) if isinstance(arm, dict)]
    return {**done, **_Chooser(definitions).choice(arms)}


class _Chooser:
    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self.definitions = definitions

    def choice(self, arms: Sequence[Schema]) -> Schema:
        lists = [arm for arm in arms if self.resolved(arm).get("type") == "array"]
        objects = [arm for arm in arms if arm not in lists]
        if len(lists) == 1:
            other = self.choice(objects)
            return {"if": {"type": "array"}, "then": chosen(lists[0], self.definitions), "else": other}
        tag = self._tag(objects)
        return self._by_member(objects) if tag is None else self._by_tag(tag, objects)

    def resolved(self, arm: Schema) -> Schema:
        reference = arm.get("$ref")
        return self.definitions[reference.rpartition("/")[2]] if isinstance(reference, str) else arm

    def _tag(self, arms: Sequence[Schema]) -> str | None:
        """The member that has constants in every shape, and not the same ones in all."""
        for name in members(self.resolved(arms[0])):
            sets = [self._constants(arm, name) for arm in arms]
            if all(sets) and len({tuple(values) for values in sets}) > 1:
                return name
        return None

    def _constants(self, arm: Schema, name: str) -> list[str]:
        member = members(self.resolved(arm)).get(name)
        if not isinstance(member, dict):
            return []
        return [str(value) for value in ([member["const"]] if "const" in member else as_list(member.get("enum")))]

    def _by_tag(self, tag: str, arms: Sequence[Schema]) -> Schema:
        groups: dict[tuple[str, ...], list[Schema]] = {}
        for arm in arms:
            groups.setdefault(tuple(self._constants(arm, tag)), []).append(arm)
        otherwise = next((key for key, group in groups.items() if tag not in required(self.resolved(group[0]))), None)
        chain: Schema = {} if otherwise is None else when({tag: {}}, {}, self._by_member(groups[otherwise]))
        for values, group in reversed(groups.items()):
            chain = when({tag: constant(*values)}, self._by_member(group), chain)
        known = [value for values in groups for value in values]
        made: Schema = {"type": "object", "properties": {tag: constant(*known)}, **chain}
        return made if otherwise is not None else {**made, "required": [tag]}

    def _by_member(self, arms: Sequence[Schema]) -> Schema:
        """What has none of the members is held against the shape that demands none, else against that which demands
        least."""
        arms = [arm for arm in arms if not any(self._covers(other, arm) for other in arms if other is not arm)]
        own = [self._own_demand(arm, [other for other in arms if other is not arm]) for arm in arms]
        if own.count(None) > 1:
            raise AmbiguousError(f"nothing tells {arms} apart")
        fallback = min(range(len(arms)), key=lambda index: (own[index] is not None, len([*self._demands(arms[index])])))
        chain = arms[fallback]
        for index, (arm, path) in reversed(list(enumerate(zip(arms, own, strict=True)))):
            if index != fallback and path is not None:
                chain = when(demand(path), arm, chain)
        return chain

    def _covers(self, arm: Schema, other: Schema) -> bool:
        """Whether a shape differs from another one by further optional members alone."""
        mine, theirs = self.resolved(arm), self.resolved(other)
        return required(mine) == required(theirs) and members(mine).items() > members(theirs).items()

    def _own_demand(self, arm: Schema, others: Sequence[Schema]) -> MemberPath | None:
        taken = {path for other in others for path in self._demands(other)}
        return next((path for path in self._demands(arm) if path not in taken), None) if others else None

    def _demands(self, arm: Schema, depth: int = DEEPEST) -> Iterator[MemberPath]:
        schema = self.resolved(arm)
        for name in required(schema) if depth else ():
            yield (name,)
            member = members(schema).get(name)
            if isinstance(member, dict):
                yield from ((name, *rest) for rest in self._demands(member, depth - 1))


def when(condition: Schema, then: Schema, otherwise: Schema) -> Schema:
    """A choice between two schemas by members: ``condition`` maps names to what their values have to be."""
    made: Schema = {"if": {"required": [*sorted(condition)], "properties": condition}, "then": then}
    return {**made, "else": otherwise} if otherwise else made


def demand(path: MemberPath) -> Schema:
    """A condition that holds where there is such a member."""
    name, *rest = path
    return {name: {"required": [rest[0]], "properties": demand(tuple(rest))} if rest else {}}


def constant(*values: str) -> Schema:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def members(schema: Schema) -> Schema:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def required(schema: Schema) -> list[str]:
    return [str(name) for name in as_list(schema.get("required"))]


def as_list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _is_union(value: JSON) -> bool:
    """``anyOf`` as a keyword, not as the name of a member."""
    return isinstance(value, list)
