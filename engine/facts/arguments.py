"""Builds the smallest arguments that an input schema accepts. Bounded: a hostile schema costs no memory and no time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mcp_compliance.jsontypes import JSON, JSONObject

MOST_DEPTH = 4
MOST_LENGTH = 10_000
MOST_ITEMS = 100
MOST_WEIGHT = 100_000
"""Values and characters that one set of arguments may hold; beyond them come plain texts and shorter arrays."""
MOST_BRANCHES = 20
PLAIN = "test"
PROMPT_TEXT = "1"
"""The value of every prompt argument. They are texts without a schema, and the code behind a prompt may want a number:
this one is a text, a number and a yes."""
BRANCHES = ("oneOf", "anyOf", "allOf")

FORMATS: dict[str, str] = {
    "email": "test@example.com",
    "idn-email": "test@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "https://example.com/",
    "iri": "https://example.com/",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "date": "2025-01-01",
    "time": "12:00:00Z",
    "date-time": "2025-01-01T12:00:00Z",
    "duration": "PT1H",
}


def arguments_for(item: JSON) -> JSONObject:
    """Arguments for a tool (by ``inputSchema``) or a prompt (by its list of ``arguments``): the required ones only."""
    if not isinstance(item, dict):
        return {}
    listed = item.get("arguments")
    if isinstance(listed, list):
        required = [
            str(argument["name"])
            for argument in listed
            if isinstance(argument, dict) and argument.get("required") is True and "name" in argument
        ]
        return dict.fromkeys(required[:MOST_ITEMS], PROMPT_TEXT)
    filled = placeholder(item.get("inputSchema"))
    return filled if isinstance(filled, dict) else {}


def placeholder(schema: JSON, whole: JSON = None) -> JSON:
    """A value for one schema: const, enum, default, example, first branch, else by type within its bounds.

    ``whole`` is the document that references within the schema (``#/$defs/...``) point into; the schema itself by
    default. No other reference is followed.
    """
    return _Filler(schema if whole is None else whole).value(schema, MOST_DEPTH)


@dataclass
class _Filler:
    """Fills one schema. ``left`` is how many more values and characters it may make."""

    whole: JSON
    left: int = MOST_WEIGHT

    def value(self, schema: JSON, depth: int) -> JSON:
        if not isinstance(schema, dict) or depth < 0 or self.left <= 0:
            return self._spent(PLAIN)
        for offered in _offered(schema):
            if _weight(offered, self.left) <= self.left:
                return self._spent(offered)
        if isinstance(schema.get("$ref"), str):
            return self.value(_merged(self._target(str(schema["$ref"])), _without(schema, "$ref")), depth - 1)
        for key in BRANCHES:
            branches = [branch for branch in _list(schema.get(key)) if isinstance(branch, dict)][:MOST_BRANCHES]
            if branches:
                chosen = branches if key == "allOf" else branches[:1]
                return self.value(_merged(_without(schema, key), *chosen), depth - 1)
        return self._by_type(schema, depth)

    def _by_type(self, schema: JSONObject, depth: int) -> JSON:
        kind = _type(schema)
        if kind == "object":
            members = schema.get("properties")
            known = members if isinstance(members, dict) else {}
            names = [name for name in _list(schema.get("required")) if isinstance(name, str)][:MOST_ITEMS]
            return {name: self.value(known.get(name), depth - 1) for name in names}
        if kind == "array":
            made: list[JSON] = []
            while len(made) < min(_count(schema, "minItems") or 0, MOST_ITEMS) and self.left > 0:
                made.append(self.value(schema.get("items"), depth - 1))
            return made
        if kind in ("number", "integer"):
            return self._spent(_number(schema, whole=kind == "integer"))
        if kind == "boolean":
            return self._spent(False)
        return self._spent(None if kind == "null" else _string(schema))

    def _spent(self, value: JSON) -> JSON:
        self.left -= _weight(value, self.left)
        return value

    def _target(self, reference: str) -> JSONObject:
        """What a reference into the document points to; an empty schema for any other."""
        if not reference.startswith("#"):
            return {}
        found = self.whole
        for name in reference[1:].strip("/").split("/") if reference != "#" else ():
            found = found.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}


def _offered(schema: JSONObject) -> list[JSON]:
    """The values that a schema names itself, the one to be taken first."""
    values = [schema["const"]] if "const" in schema else []
    values += _list(schema.get("enum"))[:1]
    values += [schema["default"]] if "default" in schema else []
    return values + _list(schema.get("examples"))[:1]


def _merged(*schemas: JSONObject) -> JSONObject:
    """Schemas that hold at the same time, as one; where two say the same keyword, the later one counts."""
    merged: JSONObject = {}
    for schema in schemas:
        before, names = merged.get("properties"), _list(merged.get("required"))
        merged = {**merged, **schema}
        members = schema.get("properties")
        if isinstance(before, dict):
            merged["properties"] = {**before, **(members if isinstance(members, dict) else {})}
        if names:
            merged["required"] = [*names, *(name for name in _list(schema.get("required")) if name not in names)]
    return merged


def _without(schema: JSONObject, key: str) -> JSONObject:
    return {name: value for name, value in schema.items() if name != key}


def _weight(value: JSON, most: int) -> int:
    """How many values and characters it holds; counting stops beyond ``most``."""
    total = 0
    rest = [value]
    while rest and total <= most:
        one = rest.pop()
        total += 1 + (len(one) if isinstance(one, str) else 0)
        rest += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return total


def _type(schema: JSONObject) -> str:
    kind = schema.get("type")
    names = [name for name in (kind if isinstance(kind, list) else [kind]) if isinstance(name, str)]
    for name in names:
        if name != "null":
            return name
    if names:
        return "null"
    return "object" if {"properties", "required"} & schema.keys() else "array" if "items" in schema else "string"


def _number(schema: JSONObject, *, whole: bool) -> JSON:
    """1 where the bounds allow it, else the nearest bound or what lies just inside of it; 1 when nothing fits."""
    low, high = _bound(schema, "minimum"), _bound(schema, "maximum")
    above, below = _bound(schema, "exclusiveMinimum"), _bound(schema, "exclusiveMaximum")
    multiple = _bound(schema, "multipleOf") or 0.0
    step = 1.0 if whole else 0.5
    tried = [1.0]
    tried += [edge for bound in (low, above) if bound is not None for edge in (bound, bound + step, math.ceil(bound))]
    tried += [edge for bound in (high, below) if bound is not None for edge in (bound, bound - step, math.floor(bound))]
    if not whole:
        tried += [
            (up + down) / 2 for up in (high, below) for down in (low, above) if up is not None and down is not None
        ]
    if multiple > 0:
        tried += [
            part * multiple
            for value in list(tried)
            if math.isfinite(value / multiple)
            for part in (math.ceil(value / multiple), math.floor(value / multiple))
        ]

    def fits(value: float) -> bool:
        return (
            (low is None or value >= low)
            and (high is None or value <= high)
            and (above is None or value > above)
            and (below is None or value < below)
            and (not whole or float(value).is_integer())
            and (multiple <= 0 or _is_multiple(value, multiple))
        )

    value = next((value for value in tried if fits(value)), 1.0)
    return int(value) if float(value).is_integer() else value


def _is_multiple(value: float, multiple: float) -> bool:
    parts = value / multiple
    return math.isfinite(parts) and abs(parts - round(parts)) < 1e-9


def _bound(schema: JSONObject, key: str) -> float | None:
    value = schema.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1e15 < value < 1e15:
        return None
    return float(value)


def _count(schema: JSONObject, key: str) -> int | None:
    bound = _bound(schema, key)
    return None if bound is None or bound < 0 else int(bound)


def _string(schema: JSONObject) -> str:
    form = schema.get("format")
    text = FORMATS.get(form, PLAIN) if isinstance(form, str) else PLAIN
    least, most = _count(schema, "minLength"), _count(schema, "maxLength")
    if least is not None:
        text += "a" * (min(least, MOST_LENGTH) - len(text))
    return text if most is None else text[:most]


def _list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []
