"""The failures of schema validation in the words of whoever writes rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mcp_compliance.catalog.closest_word import closest_word
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.jsontypes import JSON, JSONObject, type_name

Worded: TypeAlias = tuple[Pointer, bool, str, str | None]
"""Where (the key when true, else the value), message, suggestion."""

Steps: TypeAlias = tuple[str | int, ...]

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_LISTED = 16
"""So many known keys are listed."""


@dataclass(frozen=True)
class Raised:
    """A failed keyword: where in the document, what was wanted, and the schemas on the way to it."""

    at: Pointer
    keyword: str
    wanted: Any
    instance: Any
    schema: Any
    steps: Steps
    trail: tuple[JSON, ...]

    @property
    def is_forbidden_key(self) -> bool:
        """A key that cannot stand beside another of the same mapping."""
        return self.schema is False

    @property
    def key(self) -> str:
        return str(self.at[-1]) if self.at else ""

    @property
    def rival(self) -> str | None:
        """The key beside which this one cannot stand; None when it lacks one that it needs."""
        return str(self.steps[-3]) if self.steps[-4:-3] == ("dependentSchemas",) else None

    @property
    def is_kind(self) -> bool:
        """A key, such as a verb, that like its rival decides what may stand beside it."""
        rivals = next((node for node in reversed(self.trail) if isinstance(node, dict) and self.rival in node), {})
        return self.key in rivals


def worded(fault: Raised, kind: str, schema: JSONObject) -> Iterator[Worded]:
    """Places, messages and suggestions for one failed keyword; several when several keys are concerned."""
    if fault.is_forbidden_key:
        yield fault.at, True, *_forbidden(fault)
    elif "propertyNames" in fault.steps:
        name = str(fault.instance)
        message = f"'{name}' cannot be a key here; expected is {_wanted_text(fault)}"
        yield (*fault.at, name), True, message, _nearest(name, _strings(fault.wanted))
    elif fault.keyword == "additionalProperties":
        yield from _unknown_keys(fault, schema)
    elif fault.keyword == "dependentRequired":
        for name, others in fault.wanted.items():
            for other in others if name in fault.instance else ():
                if other not in fault.instance:
                    yield (*fault.at, name), True, f"'{name}' needs '{other}' beside it", None
    elif fault.keyword == "required":
        names = [f"'{name}'" for name in fault.wanted if name not in fault.instance]
        keys = "the key" if len(names) == 1 else "the keys"
        message = f"{_noun(fault, kind)} lacks {keys} {', '.join(names)}{_because(fault)}"
        yield fault.at, bool(fault.at), message, _missing(fault)
    else:
        word = _WORDS.get(fault.keyword)
        message, suggestion = ("is not allowed here", None) if word is None else word(fault)
        if fault.keyword in ("anyOf", "minProperties", "maxProperties"):
            yield fault.at, bool(fault.at), f"{_noun(fault, kind)} {message}", suggestion
        else:
            yield fault.at, False, f"{_name(fault, kind)} {message}", suggestion


def _forbidden(fault: Raised) -> tuple[str, str | None]:
    rival = fault.rival
    if rival is None:
        if fault.steps[-3:-2] == ("else",):
            return f"'{fault.key}' does not belong to this kind of generator", "remove it"
        return f"'{fault.key}' has no meaning in a step that sends nothing", "add a verb such as call"
    if fault.is_kind:
        return f"'{rival}' and '{fault.key}' cannot stand together", "keep one of them"
    return f"'{fault.key}' has no meaning beside '{rival}'", "remove it"


def _because(fault: Raised) -> str:
    """What makes a key necessary, where that is the value of another."""
    for schema in reversed(fault.trail):
        condition = schema.get("if") if isinstance(schema, dict) else None
        if isinstance(condition, dict):
            for name, wanted in (condition.get("properties") or {}).items():  # type: ignore[union-attr]
                return f", which {name}: {wanted['const']} needs"  # type: ignore[index, call-overload]
            return ""
    return ""


def _missing(fault: Raised) -> str | None:
    """What the first missing key is for."""
    name = next(name for name in fault.wanted if name not in fault.instance)
    for schema in reversed(fault.trail):
        properties = schema.get("properties") if isinstance(schema, dict) else None
        own = properties.get(name) if isinstance(properties, dict) else None
        if isinstance(own, dict) and "description" in own:
            return f"add {name}: {own['description']}"
    return f"add {name}:"


def _unknown_keys(fault: Raised, schema: JSONObject) -> Iterator[Worded]:
    known = list(fault.schema.get("properties", {}))
    for name, value in fault.instance.items():
        if name in known or name.startswith("x-"):
            continue
        suggestion = _nearest(name, known)
        if value is None and suggestion is None and re.search(r"[^\w.-]", name):
            # {from: f(a, b)} is two keys to YAML: the comma ends the text.
            suggestion = "a text that holds a comma, bracket or brace needs quotes inside {...}"
        elif suggestion is None and {"from", "make", "pick", "secret", "literal"} & set(known):
            suggestion = "a mapping that is meant as it stands is written {literal: {...}}"
        elif suggestion is None:
            suggestion = _belongs(name, schema) or _listed(known)
        yield (*fault.at, name), True, f"unknown key '{name}'", suggestion


_HOLDERS = {
    "step": "a step",
    "check": "a check",
    "case": "a case",
    "credit": "a credit",
    "spec": "an entry of spec",
    "reply": "a reply",
    "for_each": "for_each",
    "pick": "a pick",
    "generator": "a value with make",
    "bare": "a bare HTTP request",
}
"""Parts of a document by the words for them."""


def _belongs(name: str, schema: JSONObject) -> str | None:
    """The part of a document that has such a key, when just the indentation is wrong."""
    definitions: Any = schema.get("$defs", {})
    parts: list[tuple[str, Any]] = [("the document's top level", schema)]
    parts += [(words, definitions[part]) for part, words in _HOLDERS.items() if part in definitions]
    for title, part in parts:
        if name in part.get("properties", {}):
            return f"it is a key of {title}; mind the indentation"
    return None


def _listed(known: Sequence[str]) -> str | None:
    more = ", ..." if len(known) > _LISTED else ""
    return f"known here: {', '.join(known[:_LISTED])}{more}" if known else None


def _nearest(name: str, known: Sequence[str]) -> str | None:
    close = closest_word(name, known)
    return f"did you mean '{close}'?" if close is not None else None


def _noun(fault: Raised, kind: str) -> str:
    """What the mapping is called: a step or a case with its name, else its key."""
    names = [part for part in fault.at if isinstance(part, str)]
    if not names:
        return f"the {kind}"
    if isinstance(fault.at[-1], str):
        return f"'{names[-1]}'"
    singular = {
        "steps": "step",
        "cases": "case",
        "together": "request",
        "spec": "sentence",
        "replies": "reply",
    }
    what = singular.get(names[-1], "check" if names[-1] in ("check", "at_end", "all", "any") else "entry")
    given = fault.instance.get("name") if isinstance(fault.instance, dict) else None
    return f"the {what} '{given}'" if isinstance(given, str) else f"this {what}"


def _name(fault: Raised, kind: str) -> str:
    """What a value is called: by its key, or as an item of the list that has a key."""
    names = [part for part in fault.at if isinstance(part, str)]
    if not names:
        return f"the {kind}"
    return f"'{names[-1]}'" if isinstance(fault.at[-1], str) else f"an item of '{names[-1]}'"


def _type(fault: Raised) -> tuple[str, str | None]:
    wanted = fault.wanted if isinstance(fault.wanted, list) else [fault.wanted]
    expected = " or ".join(_TYPES[name] for name in wanted)
    if fault.instance is None:
        return f"is empty; {expected} is expected", None
    actual = type_name(fault.instance)
    shown = _shown(fault.instance)
    what = "" if actual == "boolean" else f", {_TYPES[actual]}"
    message = f"is {shown}{what}, where {expected} is expected"
    if "string" in wanted and actual in ("integer", "number", "boolean"):
        return message, f'quote it: "{json.dumps(fault.instance)}"'
    if "array" in wanted and actual != "object":
        return message, f"write [{shown.strip(chr(34))}]"
    return message, None


def _enum(fault: Raised) -> tuple[str, str | None]:
    words = [_word(word) for word in dict.fromkeys(map(_word, fault.wanted))]
    near = _nearest(fault.instance, words) if isinstance(fault.instance, str) else None
    expected = f"one of {', '.join(words)}" if len(words) > 1 else words[0]
    if fault.instance is None and "null" not in words:
        return f"is empty; {expected} is expected", None
    return f"is {_shown(fault.instance)}; {expected} is expected", near


def _const(fault: Raised) -> tuple[str, str | None]:
    if fault.key == "format":
        return f"is {_shown(fault.instance)}; this version reads format {fault.wanted}", None
    return f"is {_shown(fault.instance)}; it can only be {_word(fault.wanted)}", None


def _pattern(fault: Raised) -> tuple[str, str | None]:
    return f"is {_shown(fault.instance)}; expected is {_wanted_text(fault)}", None


def _wanted_text(fault: Raised) -> str:
    if fault.keyword == "enum":
        return f"one of {', '.join(_strings(fault.wanted))}"
    comment = fault.schema.get("$comment") if isinstance(fault.schema, dict) else None
    return comment if isinstance(comment, str) else f"a text that fits {fault.wanted}"


def _any_of(fault: Raised) -> tuple[str, str | None]:
    groups = [" and ".join(part.get("required", ())) for part in fault.wanted]
    rest = f"{', '.join(groups[:-1])} or {groups[-1]}"
    if fault.steps[-3:] == ("dependentSchemas", "get", "anyOf"):
        return f"lacks a predicate beside get: {rest}", None
    return f"needs one of {rest}", None


def _unique(fault: Raised) -> tuple[str, str | None]:
    twice = next(item for index, item in enumerate(fault.instance) if item in fault.instance[:index])
    return f"names {_shown(twice)} twice", None


_WORDS: dict[str, Callable[[Raised], tuple[str, str | None]]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "anyOf": _any_of,
    "uniqueItems": _unique,
    "minLength": lambda fault: ("is an empty text", None),
    "minItems": lambda fault: ("is an empty list", None),
    "minProperties": lambda fault: ("is an empty mapping", None),
    "maxProperties": lambda fault: (f"has more than {fault.wanted} key", None),
    "minimum": lambda fault: (f"is {fault.instance}, less than {fault.wanted}", None),
    "exclusiveMinimum": lambda fault: (f"is {fault.instance}; it has to be more than {fault.wanted}", None),
    "maximum": lambda fault: (f"is {fault.instance}, more than {fault.wanted}", None),
}


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _word(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _shown(value: JSON) -> str:
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= 60 else re.sub(r"\s+", " ", words[:57]) + "..."
