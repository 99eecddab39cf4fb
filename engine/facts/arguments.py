"""Builds the smallest arguments that an input schema accepts. Bounded: a hostile schema costs no memory."""

from __future__ import annotations

import math

from mcp_compliance.jsontypes import JSON, JSONObject

MOST_DEPTH = 4
MOST_LENGTH = 10_000
MOST_ITEMS = 100
PLAIN = "test"

FORMATS: dict[str, str] = {
    "email": "test@example.invalid",
    "idn-email": "test@example.invalid",
    "uri": "https://example.invalid/",
    "url": "https://example.invalid/",
    "uri-reference": "https://example.invalid/",
    "iri": "https://example.invalid/",
    "hostname": "example.invalid",
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
        return {
            str(argument["name"]): PLAIN
            for argument in listed
            if isinstance(argument, dict) and argument.get("required") is True and "name" in argument
        }
    filled = placeholder(item.get("inputSchema"), MOST_DEPTH)
    return filled if isinstance(filled, dict) else {}


def placeholder(schema: JSON, depth: int = MOST_DEPTH) -> JSON:
    """A value for one schema: const, enum, default, example, first branch, else by type within its bounds."""
    if not isinstance(schema, dict) or depth < 0:
        return PLAIN
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        values = schema.get(key)
        if isinstance(values, list) and values:
            return values[0]
    for key in ("oneOf", "anyOf", "allOf"):
        branches = schema.get(key)
        if isinstance(branches, list) and branches and "type" not in schema and "properties" not in schema:
            return placeholder(branches[0], depth - 1)
    kind = _type(schema)
    if kind == "object":
        return _object(schema, depth)
    if kind == "array":
        return _array(schema, depth)
    if kind in ("number", "integer"):
        return _number(schema, whole=kind == "integer")
    if kind == "boolean":
        return False
    return None if kind == "null" else _string(schema)


def _type(schema: JSONObject) -> str:
    kind = schema.get("type")
    names = [name for name in (kind if isinstance(kind, list) else [kind]) if isinstance(name, str)]
    for name in names:
        if name != "null":
            return name
    if names:
        return "null"
    return "object" if "properties" in schema else "array" if "items" in schema else "string"


def _object(schema: JSONObject, depth: int) -> JSON:
    properties = schema.get("properties")
    members = properties if isinstance(properties, dict) else {}
    names = schema.get("required")
    wanted = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return {name: placeholder(members.get(name), depth - 1) for name in wanted[:MOST_ITEMS]}


def _array(schema: JSONObject, depth: int) -> JSON:
    least = schema.get("minItems")
    count = min(least, MOST_ITEMS) if isinstance(least, int) and not isinstance(least, bool) else 0
    return [placeholder(schema.get("items"), depth - 1) for _ in range(count)]


def _number(schema: JSONObject, *, whole: bool) -> JSON:
    low = _bound(schema, "minimum")
    high = _bound(schema, "maximum")
    above = _bound(schema, "exclusiveMinimum")
    below = _bound(schema, "exclusiveMaximum")
    step = 1.0 if whole else 0.5
    value = 1.0
    if above is not None:
        low = max(above + step, low) if low is not None else above + step
    if below is not None:
        high = min(below - step, high) if high is not None else below - step
    if high is not None:
        value = min(value, high)
    if low is not None:
        value = max(value, low)
    multiple = _bound(schema, "multipleOf")
    if multiple is not None and multiple > 0:
        value = math.ceil(value / multiple) * multiple
    if whole:
        return math.ceil(value)
    return int(value) if value.is_integer() else value


def _bound(schema: JSONObject, key: str) -> float | None:
    value = schema.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1e15 < value < 1e15:
        return None
    return float(value)


def _string(schema: JSONObject) -> str:
    form = schema.get("format")
    text = FORMATS.get(form, PLAIN) if isinstance(form, str) else PLAIN
    least, most = schema.get("minLength"), schema.get("maxLength")
    if isinstance(least, int) and len(text) < least:
        text += "a" * (min(least, MOST_LENGTH) - len(text))
    if isinstance(most, int) and 0 <= most < len(text):
        text = text[:most]
    return text
