"""Validates documents against their schema: one problem for each mistake, in the words of rule authors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mcp_compliance.catalog.positions import Document, DocumentProblem
from mcp_compliance.catalog.schema_wording import Raised, Steps, worded
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.jsontypes import JSON, JSONObject

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

Kind: TypeAlias = Literal["rule", "revision", "model", "anchors", "requirements"]


@lru_cache(maxsize=8)
def schema_of(kind: Kind) -> JSONObject:
    """The JSON Schema of a kind of document; treat as read-only."""
    path = files("mcp_compliance.catalog") / "schema" / f"{kind}.schema.json"
    schema: JSONObject = json.loads(path.read_text(encoding="utf-8"))
    return schema


def schema_problems(document: Document, kind: Kind) -> list[DocumentProblem]:
    """What keeps the document from its schema, in the order of the text; empty when it is valid."""
    schema = schema_of(kind)
    raised: dict[tuple[Pointer, Steps], Raised] = {}
    for error in _validator(kind).iter_errors(document.value):
        for fault in _raised(error, schema, document.value):
            raised.setdefault((fault.at, fault.steps), fault)
    problems = []
    for fault in _without_consequences(list(raised.values())):
        for at, is_key, message, suggestion in worded(fault, kind, schema):
            place = document.place(at, key=is_key)
            problems.append(DocumentProblem(document.path, place.line, place.column, message, suggestion))
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.line, problem.column))


@lru_cache(maxsize=8)
def _validator(kind: Kind) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema_of(kind))


def _raised(error: ValidationError, schema: JSONObject, document: JSON) -> Iterator[Raised]:
    at, steps = tuple(error.absolute_path), tuple(error.absolute_schema_path)
    trail = tuple(_trail(schema, steps))
    if error.schema is not False:
        wanted, keyword = error.validator_value, str(error.validator)
        yield Raised(at, keyword, wanted, error.instance, error.schema, steps, trail)
        return
    # jsonschema leaves the key out of the path of what a false schema refuses.
    holder: Any = document
    for part in at:
        holder = holder[part]
    for key, allowed in _members(trail).items():
        if allowed is False and key in holder:
            yield Raised((*at, key), "false", False, holder[key], False, (*steps, key), trail)


def _members(trail: tuple[JSON, ...]) -> JSONObject:
    last = trail[-1]
    return last if isinstance(last, dict) else {}


def _trail(schema: JSONObject, steps: Iterable[str | int]) -> Iterator[JSON]:
    """The schemas on the way to the failed keyword; references are followed, as the path leaves them out."""
    node: Any = schema
    yield node
    for step in steps:
        while isinstance(node, dict) and step not in node and "$ref" in node:
            node = schema["$defs"][node["$ref"].removeprefix("#/$defs/")]  # type: ignore[index]
            yield node
        node = node[step]
        yield node


@dataclass(frozen=True)
class _Mapping:
    """What was raised about the keys of one mapping."""

    unknown: bool = False
    verbless: bool = False
    misplaced_kinds: frozenset[str] = frozenset()


def _without_consequences(raised: Sequence[Raised]) -> list[Raised]:
    """Leaves out what only follows from another mistake in the same mapping.

    A misspelt verb is an unknown key; that the step then lacks a verb, and that its other keys have none to go
    with, is not said as well. Two verbs are one mistake, whatever other keys stand beside them.
    """
    mappings: dict[Pointer, _Mapping] = {}
    for fault in raised:
        at = fault.at[:-1] if fault.is_forbidden_key else fault.at
        known = mappings.get(at, _Mapping())
        if fault.keyword == "additionalProperties":
            mappings[at] = replace(known, unknown=True)
        elif fault.is_forbidden_key and fault.rival is None:
            mappings[at] = replace(known, verbless=True)
        elif fault.is_forbidden_key and fault.is_kind:
            mappings[at] = replace(known, misplaced_kinds=known.misplaced_kinds | {fault.key})
    return [fault for fault in raised if not _follows(fault, mappings)]


def _follows(fault: Raised, mappings: dict[Pointer, _Mapping]) -> bool:
    holder = mappings.get(fault.at[:-1] if fault.is_forbidden_key else fault.at)
    if holder is None:
        return False
    if fault.is_forbidden_key:
        kinds = holder.misplaced_kinds
        return holder.unknown or bool(kinds and (fault.key not in kinds or fault.rival in kinds))
    if holder.verbless:
        return fault.keyword == "anyOf"
    return fault.keyword in ("required", "anyOf", "minProperties", "dependentRequired")
