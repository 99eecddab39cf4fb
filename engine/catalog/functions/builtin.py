"""The functions that JMESPath itself has, made total: what raises there gives null, false or nothing here."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from mcp_compliance.catalog.functions.canonical import finite, key_of, number
from mcp_compliance.catalog.functions.declare import LIST_LIMIT, Shelf
from mcp_compliance.catalog.functions.numbers import as_number
from mcp_compliance.catalog.functions.presence import count
from mcp_compliance.jsontypes import JSON, same_json, type_name

shelf = Shelf("built in")


def _on_each(inner: object) -> Callable[[JSON], JSON] | None:
    """``&name`` arrives as something to call on an item; nothing in JSON can be called."""
    return inner if callable(inner) else None


def _numbers(items: JSON) -> list[int | float]:
    found = [number(item) for item in items] if isinstance(items, list) else []
    return [item for item in found if item is not None]


def _ordered(items: JSON) -> list[JSON]:
    """The numbers of a list in rising order, else its texts in code point order; other items are left out."""
    numeric: list[JSON] = sorted(_numbers(items))  # type: ignore[assignment]
    if numeric or not isinstance(items, list):
        return numeric
    return sorted(item for item in items if isinstance(item, str))  # type: ignore[return-value]


def _keyed(items: JSON, inner: object) -> list[JSON]:
    """The items whose value is a number, in rising order; where there is none, those whose value is a
    text."""
    evaluate = _on_each(inner)
    if evaluate is None or not isinstance(items, list):
        return []
    valued = [(evaluate(item), item) for item in items]
    numeric = [(value, item) for value, item in valued if number(value) is not None]
    if numeric:
        return [item for _, item in sorted(numeric, key=lambda pair: number(pair[0]) or 0)]
    texts = [(value, item) for value, item in valued if isinstance(value, str)]
    return [item for _, item in sorted(texts, key=lambda pair: pair[0])]


@shelf({"x": "number"}, "number or null", [([-2], 2), ([None], None)], name="abs")
def absolute(x: JSON) -> JSON:
    """The number without its sign."""
    value = number(x)
    return None if value is None else abs(value)


@shelf({"list": "array"}, "number or null", [([[1, 2]], 1.5), ([[]], None), ([None], None)])
def avg(items: JSON) -> JSON:
    """The average of the numbers of a list; other items are left out."""
    values = _numbers(items)
    try:
        return finite(sum(values) / len(values)) if values else None
    except OverflowError:
        return None


@shelf({"x": "number"}, "number or null", [([1.2], 2), ([None], None)])
def ceil(x: JSON) -> JSON:
    """The smallest integer that is not below the number."""
    value = number(x)
    return None if value is None else math.ceil(value)


@shelf({"x": "number"}, "number or null", [([1.8], 1), (["1"], None)])
def floor(x: JSON) -> JSON:
    """The largest integer that is not above the number."""
    value = number(x)
    return None if value is None else math.floor(value)


@shelf(
    {"subject": "array or string or null", "search": "any"},
    "boolean",
    [
        ([[1, "a"], 1.0], True),
        ([[1], True], False),
        ([[[1]], [True]], False),
        ([[{"a": 1}], {"a": 1.0}], True),
        (["text", "ex"], True),
        (["text", 1], False),
        ([None, 1], False),
    ],
)
def contains(subject: JSON, search: JSON) -> JSON:
    """Whether the text has this part, or the list this item (equal as JSON)."""
    if isinstance(subject, str):
        return isinstance(search, str) and search in subject
    if not isinstance(subject, list):
        return False
    if not isinstance(search, (list, dict)):
        return any(same_json(item, search) for item in subject if not isinstance(item, (list, dict)))
    wanted = key_of(search)
    return any(type(item) is type(search) and key_of(item) == wanted for item in subject)


@shelf(
    {"s": "string", "suffix": "string"},
    "boolean",
    [(["a.md", ".md"], True), ([None, "a"], False), ([1, 1], False)],
)
def ends_with(s: JSON, suffix: JSON) -> JSON:
    """Whether the text ends so."""
    return isinstance(s, str) and isinstance(suffix, str) and s.endswith(suffix)


@shelf(
    {"s": "string", "prefix": "string"},
    "boolean",
    [(["abc", "ab"], True), ([None, "a"], False), (["a", None], False)],
)
def starts_with(s: JSON, prefix: JSON) -> JSON:
    """Whether the text begins so."""
    return isinstance(s, str) and isinstance(prefix, str) and s.startswith(prefix)


@shelf(
    {"separator": "string", "list": "array"},
    "string",
    [
        ([", ", ["a", "b"]], "a, b"),
        ([", ", ["a", 1, None]], "a, 1, null"),
        ([", ", None], ""),
        ([None, ["a", "b"]], "ab"),
    ],
)
def join(separator: JSON, items: JSON) -> JSON:
    """The items as one text, with the separator between them; an item that is no text stands as its JSON."""
    if not isinstance(items, list):
        return ""
    between = separator if isinstance(separator, str) else ""
    return between.join(str(to_string(item)) for item in items[:LIST_LIMIT])


@shelf({"object": "object"}, "array", [([{"a": 1, "b": None}], ["a", "b"]), ([None], []), ([["a"]], [])])
def keys(value: JSON) -> JSON:
    """The names of an object's members, in their order."""
    return list(value) if isinstance(value, dict) else []


@shelf({"object": "object"}, "array", [([{"a": 1, "b": None}], [1, None]), ([None], [])])
def values(value: JSON) -> JSON:
    """The values of an object's members, in their order."""
    return list(value.values()) if isinstance(value, dict) else []


@shelf({"x": "array or object or string"}, "number", [([[1, 2]], 2), (["abc"], 3), ([None], 0), ([7], 0)])
def length(x: JSON) -> JSON:
    """The same as `count`, which is the name to prefer."""
    return count(x)


@shelf(
    {"each": "expression", "list": "array"},
    "array",
    [(["&name", [{"name": "a"}, {}]], ["a", None]), (["&name", None], [])],
    name="map",
)
def mapped(inner: JSON, items: JSON) -> JSON:
    """The value of the expression on each item; unlike a projection it keeps nulls."""
    evaluate = _on_each(inner)
    return [evaluate(item) for item in items] if evaluate is not None and isinstance(items, list) else []


@shelf(
    {"list": "array"},
    "any",
    [([[1, 3, 2]], 3), ([["a", "b"]], "b"), ([[]], None), ([None], None)],
    name="max",
)
def largest(items: JSON) -> JSON:
    """The largest number of a list; of a list without numbers the last text in code point order."""
    ordered = _ordered(items)
    return ordered[-1] if ordered else None


@shelf({"list": "array"}, "any", [([[3, 1, 2]], 1), ([["b", "a"]], "a"), ([None], None)], name="min")
def smallest(items: JSON) -> JSON:
    """The smallest number of a list; of a list without numbers the first text in code point order."""
    ordered = _ordered(items)
    return ordered[0] if ordered else None


@shelf(
    {"list": "array", "by": "expression"},
    "any",
    [([[{"n": 1}, {"n": 2}, {}], "&n"], {"n": 2}), ([None, "&n"], None)],
)
def max_by(items: JSON, inner: JSON) -> JSON:
    """The item with the largest value; items without number or text there are left out."""
    ordered = _keyed(items, inner)
    return ordered[-1] if ordered else None


@shelf(
    {"list": "array", "by": "expression"},
    "any",
    [([[{"n": 2}, {"n": 1}], "&n"], {"n": 1}), ([None, "&n"], None)],
)
def min_by(items: JSON, inner: JSON) -> JSON:
    """The item with the smallest value; items without number or text there are left out."""
    ordered = _keyed(items, inner)
    return ordered[0] if ordered else None


@shelf(
    {"list": "array", "by": "expression"},
    "array",
    [([[{"n": 2}, {"n": 1}, {}], "&n"], [{"n": 1}, {"n": 2}]), ([None, "&n"], [])],
)
def sort_by(items: JSON, inner: JSON) -> JSON:
    """The items in the order of their value; items without number or text there are left out."""
    return _keyed(items, inner)


@shelf({"list": "array"}, "array", [([[3, 1]], [1, 3]), ([["b", "a"]], ["a", "b"]), ([None], [])])
def sort(items: JSON) -> JSON:
    """The numbers of a list in rising order; of a list without numbers the texts in code point order."""
    return _ordered(items)


@shelf(
    {"object": "object or null"},
    "object",
    [([{"a": 1}, {"b": 2}], {"a": 1, "b": 2}), ([{"a": 1}, None], {"a": 1})],
    variadic=True,
)
def merge(*objects: JSON) -> JSON:
    """One object with the members of all; a later one wins, and what is no object is left out."""
    merged: dict[str, JSON] = {}
    for item in objects:
        if isinstance(item, dict):
            merged.update(item)
    return merged


@shelf({"x": "any"}, "any", [([None, 0, 1], 0), ([None], None)], variadic=True)
def not_null(*candidates: JSON) -> JSON:
    """The first of the values that is not null."""
    return next((item for item in candidates if item is not None), None)


@shelf({"x": "array or string"}, "array or string or null", [([[1, 2]], [2, 1]), (["ab"], "ba"), ([None], None)])
def reverse(x: JSON) -> JSON:
    """The list or the text backwards."""
    return x[::-1] if isinstance(x, (list, str)) else None


@shelf({"list": "array"}, "number", [([[1, 2.5]], 3.5), ([[1, "2"]], 1), ([None], 0)], name="sum")
def total(items: JSON) -> JSON:
    """The sum of the numbers of a list; other items are left out."""
    try:
        return finite(sum(_numbers(items)))
    except OverflowError:
        return None


@shelf({"x": "any"}, "array", [([1], [1]), ([[1]], [1]), ([None], [])])
def to_array(x: JSON) -> JSON:
    """The list itself; anything else as a list of one; null as an empty list."""
    return x if isinstance(x, list) else [] if x is None else [x]


@shelf({"x": "any"}, "string", [(["a"], "a"), ([{"a": [1, True]}], '{"a":[1,true]}'), ([None], "null")])
def to_string(x: JSON) -> JSON:
    """The text itself; anything else as compact JSON."""
    if isinstance(x, str):
        return x
    try:
        return json.dumps(x, separators=(",", ":"), ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return ""


@shelf({"x": "any"}, "number or null", [(["12"], 12), ([1.5], 1.5), (["x"], None), ([True], None)])
def to_number(x: JSON) -> JSON:
    """The same as `as_number`."""
    return as_number(x)


@shelf(
    {"x": "any"},
    "string",
    [([1], "number"), ([True], "boolean"), ([None], "null"), ([[]], "array")],
    name="type",
    one_of=("null", "boolean", "number", "string", "array", "object"),
)
def type_of(x: JSON) -> JSON:
    """The JSON type; an integer is a `number` here (see `is_integer`)."""
    kind = type_name(x)
    return "number" if kind == "integer" else kind
