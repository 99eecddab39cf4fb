"""Whether something is there, and how much of it."""

from __future__ import annotations

from mcp_compliance.catalog.functions.declare import Shelf
from mcp_compliance.jsontypes import JSON

shelf = Shelf("presence")


@shelf(
    {"object": "object or null", "key": "string"},
    "boolean",
    [([{"a": None}, "a"], True), ([{"a": 1}, "b"], False), ([None, "a"], False), ([["a"], "a"], False)],
)
def has(value: JSON, key: JSON) -> JSON:
    """Whether the object has a member of this name, be it null."""
    return isinstance(value, dict) and isinstance(key, str) and key in value


@shelf(
    {"x": "any"},
    "number",
    [([[1, None]], 2), (["né"], 2), ([{"a": 1}], 1), ([None], 0), ([42], 0), ([True], 0)],
)
def count(x: JSON) -> JSON:
    """How many items a list, members an object or characters a text has; 0 for anything else."""
    return len(x) if isinstance(x, (list, dict, str)) else 0


@shelf(
    {"a": "any", "b": "any"},
    "any",
    [([None, 2], 2), ([False, 2], False), (["", "b"], ""), ([0, 1], 0), ([None, None], None)],
)
def first_of(a: JSON, b: JSON) -> JSON:
    """The first unless it is null, else the second; unlike `||` it keeps false, "", [] and {}."""
    return b if a is None else a


@shelf(
    {"object": "object or null"},
    "object",
    [([{"a": True, "b": False, "c": None, "d": 0}], {"a": True, "d": 0}), ([None], {}), ([[1]], {})],
)
def compact(value: JSON) -> JSON:
    """The object without the members that are null or false."""
    if not isinstance(value, dict):
        return {}
    return {key: item for key, item in value.items() if item is not None and item is not False}
