"""The wire schema of a revision: what every message of a server has to look like, and what is wrong with one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from mcp_compliance.jsontypes import JSON, JSONObject, type_name

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

FILE = "_wire.schema.json"
TABLES = "x-messages"
OTHERS = "*"
NOTHING = "nothing"
"""What was found where a member is missing, beside the JSON types."""

VALUES = 50_000
"""Values of a message that are looked at; a larger one is not judged."""
ERRORS = 200
"""Errors of one message that are looked at."""
KEPT = 2000
"""Messages whose violations are remembered: servers repeat themselves."""
SHOWN = 60
"""Characters of a value, or of a name, that are quoted."""

Place: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong with a message: ``problem`` follows the path of the value in a sentence, ``found`` is its
    JSON type or ``nothing``, ``rule`` what it should have been."""

    place: Place
    problem: str
    found: str
    rule: str

    @property
    def path(self) -> str:
        """JSON pointer from the top of the message."""
        return pointer(self.place)


def pointer(place: Place) -> str:
    """A JSON pointer (RFC 6901), names shortened."""
    return "".join(f"/{str(part)[:SHOWN].replace('~', '~0').replace('/', '~1')}" for part in place)


@dataclass(eq=False)
class WireSchema:
    """The file of a revision, read when the first message is judged. Its ``x-messages`` maps a kind of message, as the
    recording names it, and then a method, or ``*``, to the definition that it is held against."""

    file: Path
    _validators: dict[str, Validator] = field(default_factory=dict)
    _known: dict[bytes, tuple[Violation, ...]] = field(default_factory=dict)

    def violations(self, kind: str, method: str | None, payload: JSONObject) -> tuple[Violation, ...] | None:
        """What is wrong with a message, at most one for each place; None when the schema says nothing about its kind,
        or when it is too large. ``method`` is the one that it carries or answers."""
        table = self._tables.get(kind)
        if not isinstance(table, dict):
            return None
        name = str(table[method] if method in table else table[OTHERS])
        if _larger_than(payload, VALUES):
            return None
        key = _key(name, payload)
        known = self._known.get(key) if key is not None else None
        if known is None:
            known = tuple(_violations(self._validator(name).iter_errors(payload)))
            if key is not None and len(self._known) < KEPT:
                self._known[key] = known
        return known

    @cached_property
    def _document(self) -> JSONObject:
        document: JSONObject = json.loads(self.file.read_text(encoding="utf-8"))
        return document

    @property
    def _tables(self) -> Mapping[str, JSON]:
        tables = self._document[TABLES]
        return tables if isinstance(tables, dict) else {}

    def _validator(self, name: str) -> Validator:
        validator = self._validators.get(name)
        if validator is None:
            # Deferred: the library takes a tenth of a second to load.
            from jsonschema import Draft202012Validator

            schema = {"$ref": f"#/$defs/{name}", "$defs": self._document["$defs"]}
            validator = self._validators[name] = Draft202012Validator(schema)
        return validator


def _key(name: str, payload: JSONObject) -> bytes | None:
    """One key for messages that are alike but for a sound id; None for what is nested too deeply."""
    same = {**payload, "id": 0} if type_name(payload.get("id")) in ("string", "integer") else payload
    try:
        text = json.dumps(same, sort_keys=True)
    except (RecursionError, ValueError):
        return None
    return blake2b(f"{name} {text}".encode(), digest_size=16).digest()


def _violations(errors: Iterator[ValidationError]) -> Iterator[Violation]:
    """One violation for each place: where two keywords object to one value, the outer one says what is meant."""
    first: dict[Place, tuple[int, Violation]] = {}
    for error in islice(errors, ERRORS):
        depth = len(error.absolute_schema_path)
        for violation in _worded(error):
            known = first.get(violation.place)
            if known is None or depth < known[0]:
                first[violation.place] = depth, violation
    yield from (violation for _, violation in first.values())


def _worded(error: ValidationError) -> Iterator[Violation]:
    value, wanted = cast(JSON, error.instance), cast(JSON, error.validator_value)
    place: Place = tuple(error.absolute_path)
    keyword = str(error.validator)
    listed = wanted if isinstance(wanted, list) else [wanted]
    if keyword == "required" and isinstance(value, dict):
        for name in listed:
            if str(name) not in value:
                yield Violation((*place, str(name)), "is missing", NOTHING, keyword)
        return
    problem = {
        "type": f"is {shown(value)}, not {' or '.join(_a_type(str(kind)) for kind in listed)}",
        "const": f"is {shown(value)}, not {shown(wanted)}",
        "enum": f"is {shown(value)}, none of {', '.join(map(shown, listed))}",
        "minimum": f"is {shown(value)}, below {shown(wanted)}",
        "maximum": f"is {shown(value)}, above {shown(wanted)}",
        "maxItems": f"has {len(value) if isinstance(value, list) else 0} items, more than {shown(wanted)}",
    }.get(keyword, f"breaks {keyword}")
    yield Violation(place, problem, type_name(value), f"{keyword} {json.dumps(wanted, sort_keys=True)}")


def _a_type(kind: str) -> str:
    return f"{'an' if kind[0] in 'aio' else 'a'} {kind}"


def shown(value: JSON) -> str:
    """A value in a sentence: short ones as JSON, the others by their type."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    if isinstance(value, str) and len(value) > SHOWN:
        value = value[:SHOWN] + "..."
    return json.dumps(value, ensure_ascii=False)[: 2 * SHOWN]


def _larger_than(payload: JSON, most: int) -> bool:
    waiting: list[JSON] = [payload]
    seen = 0
    while waiting:
        item = waiting.pop()
        seen += 1
        if seen > most:
            return True
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return False
