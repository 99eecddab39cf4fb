"""The types of JSON, as they arrive and leave. Nothing else lives here."""

from __future__ import annotations

from typing import TypeAlias

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"
JSONObject: TypeAlias = dict[str, JSON]


def type_name(value: JSON) -> str:
    """Name of the JSON type of ``value``: null, boolean, integer, number, string, array or object.

    A number without fraction is an ``integer``; a boolean never is one.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def same_json(left: JSON, right: JSON) -> bool:
    """Equality as JSON has it: 1 equals 1.0, but neither ``true`` nor ``"1"``; key order is ignored."""
    if isinstance(left, str) or left is None:
        return type(left) is type(right) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool) and left == right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    return type(left) is type(right) and left == right
