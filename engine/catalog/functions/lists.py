"""Functions over lists and over the members of objects. Equality is JSON's."""

from __future__ import annotations

from mcp_compliance.catalog.functions.canonical import key_of
from mcp_compliance.catalog.functions.declare import LIST_LIMIT, Shelf
from mcp_compliance.jsontypes import JSON

shelf = Shelf("lists")


def _items(value: JSON) -> list[JSON]:
    return value[:LIST_LIMIT] if isinstance(value, list) else []


@shelf(
    {"list": "array or null", "key": "string", "value": "any"},
    "array",
    [
        ([[{"n": "a", "v": 1}, {"n": "b"}], "n", "a"], [{"n": "a", "v": 1}]),
        ([[{"n": 1.0}, {"n": True}], "n", 1], [{"n": 1.0}]),
        ([[{"n": None}, {}], "n", None], [{"n": None}]),
        ([None, "n", 1], []),
    ],
)
def where(items: JSON, key: JSON, value: JSON) -> JSON:
    """The objects of the list whose member of this name equals the value; unlike in a filter the value may
    come from anywhere."""
    wanted = key_of(value)
    return [
        item
        for item in _items(items)
        if isinstance(item, dict) and isinstance(key, str) and key in item and key_of(item[key]) == wanted
    ]


@shelf({"list": "array or null"}, "array", [([[1, "a", 1.0, "a", True]], [1, "a", True]), ([None], [])])
def distinct(items: JSON) -> JSON:
    """The items without repetition, in the order of their first appearance."""
    return _first(items, 1)


@shelf({"list": "array or null"}, "array", [([["a", "b", "a", "a"]], ["a"]), ([[1, True]], []), ([None], [])])
def duplicates(items: JSON) -> JSON:
    """The items that stand in the list more than once, each once."""
    return _first(items, 2)


def _first(items: JSON, occurrence: int) -> list[JSON]:
    """The items at their nth occurrence."""
    seen: dict[str, int] = {}
    kept: list[JSON] = []
    for item in _items(items):
        key = key_of(item)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == occurrence:
            kept.append(item)
    return kept


@shelf(
    {"a": "array or null", "b": "array or null"},
    "array",
    [([["a", "b"], ["b"]], ["a"]), ([["a"], None], ["a"]), ([None, ["a"]], [])],
)
def difference(a: JSON, b: JSON) -> JSON:
    """The items of the first list that are not in the second."""
    without = {key_of(item) for item in _items(b)}
    return [item for item in _items(a) if key_of(item) not in without]


@shelf(
    {"a": "array or null", "b": "array or null"},
    "boolean",
    [
        ([["a", "b", "c"], ["a", "c"]], True),
        ([["a", "b"], ["b", "a"]], False),
        ([["a"], ["b"]], True),
        ([["a", "a", "b"], ["a", "b", "a"]], False),
        ([None, ["a"]], False),
    ],
)
def same_order(a: JSON, b: JSON) -> JSON:
    """Whether the items that both lists have stand in the same order in both."""
    if not isinstance(a, list) or not isinstance(b, list):
        return False
    left, right = [key_of(item) for item in _items(a)], [key_of(item) for item in _items(b)]
    shared = set(left) & set(right)
    return [key for key in left if key in shared] == [key for key in right if key in shared]


@shelf(
    {"object": "object or null"},
    "array",
    [
        ([{"a": 1, "b": None}], [{"key": "a", "value": 1}, {"key": "b", "value": None}]),
        ([None], []),
        ([[1]], []),
    ],
)
def pairs(value: JSON) -> JSON:
    """The members of an object as a list of key and value, in their order."""
    return [{"key": key, "value": item} for key, item in value.items()] if isinstance(value, dict) else []


@shelf(
    {"a": "array or null", "b": "array or null", "key": "string"},
    "object",
    [
        (
            [[{"name": "x", "v": 1}, {"name": "y"}], [{"name": "z"}, {"v": 2, "name": "x"}], "name"],
            {"added": ["z"], "removed": ["y"], "altered": ["x"]},
        ),
        ([[{"name": "x"}], [{"name": "x"}], "name"], {"added": [], "removed": [], "altered": []}),
        ([None, [{"name": "x"}], "name"], {"added": ["x"], "removed": [], "altered": []}),
        (
            [[{"name": "x"}], [{"name": "x"}, {"name": "x"}], "name"],
            {"added": [], "removed": [], "altered": ["x"]},
        ),
    ],
)
def changes(a: JSON, b: JSON, key: JSON) -> JSON:
    """What became of the objects of a list, told apart by the member of this name: the names that were
    added, removed and altered. Order and the order of keys do not count; a name that appears more or fewer
    times is altered."""
    before, after = _by_name(a, key), _by_name(b, key)
    return {
        "added": [name for name in after if name not in before],
        "removed": [name for name in before if name not in after],
        "altered": [name for name in before if name in after and sorted(before[name]) != sorted(after[name])],
    }


def _by_name(items: JSON, key: JSON) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for item in _items(items):
        name = item.get(key) if isinstance(item, dict) and isinstance(key, str) else None
        if isinstance(name, str):
            named.setdefault(name, []).append(key_of(item))
    return named
