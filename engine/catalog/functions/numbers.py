"""Arithmetic, as far as rules need it. What is no number gives null."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from itertools import pairwise

from mcp_compliance.catalog.functions.canonical import finite, number
from mcp_compliance.catalog.functions.declare import Shelf
from mcp_compliance.jsontypes import JSON

shelf = Shelf("numbers")

_NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,4})?")


def _reckon(action: Callable[[int | float, int | float], int | float], a: JSON, b: JSON) -> JSON:
    left, right = number(a), number(b)
    if left is None or right is None:
        return None
    try:
        return finite(action(left, right))
    except ArithmeticError:
        return None


@shelf(
    {"a": "number", "b": "number"},
    "number or null",
    [([5, 3], 2), ([1.5, 1], 0.5), ([None, 1], None), (["5", 3], None), ([True, 1], None)],
)
def minus(a: JSON, b: JSON) -> JSON:
    """The difference of two numbers."""
    return _reckon(operator.sub, a, b)


@shelf(
    {"a": "number", "b": "number"},
    "number or null",
    [([2, 3], 6), ([2, 0.5], 1), ([2, None], None), ([1e308, 10], None)],
)
def times(a: JSON, b: JSON) -> JSON:
    """The product of two numbers."""
    return _reckon(operator.mul, a, b)


@shelf(
    {"a": "number", "b": "number"},
    "number or null",
    [([1, 4], 0.25), ([4, 2], 2), ([1, 0], None), ([None, 2], None)],
)
def ratio(a: JSON, b: JSON) -> JSON:
    """The first number divided by the second; null when the second is 0."""
    return _reckon(operator.truediv, a, b)


@shelf({"x": "any"}, "boolean", [([1], True), ([1.0], True), ([1.5], False), ([True], False), (["1"], False)])
def is_integer(x: JSON) -> JSON:
    """Whether the value is a number without fraction."""
    value = number(x)
    return value is not None and (isinstance(value, int) or value.is_integer())


@shelf(
    {"s": "string or number or null"},
    "number or null",
    [
        (["12"], 12),
        ([" 1.50 "], 1.5),
        (["1e3"], 1000),
        (["12 s"], None),
        (["0x10"], None),
        ([7], 7),
        ([None], None),
    ],
)
def as_number(s: JSON) -> JSON:
    """The decimal number that a text spells, space around it ignored; a number stays as it is."""
    if not isinstance(s, str):
        return number(s)
    text = s.strip() if len(s) <= 2000 else ""
    if not text.isascii() or not _NUMBER.fullmatch(text):
        return None
    return int(text) if text.lstrip("+-").isdigit() else finite(float(text))


@shelf(
    {"list": "array"},
    "boolean",
    [
        ([[1, 2, 2.5]], True),
        ([[1, 1]], False),
        ([[2, 1]], False),
        ([[1, "2"]], False),
        ([[1]], True),
        ([[]], True),
        ([None], False),
    ],
)
def rising(items: JSON) -> JSON:
    """Whether the list holds numbers only, each larger than the one before."""
    if not isinstance(items, list):
        return False
    values = [value for value in map(number, items) if value is not None]
    return len(values) == len(items) and all(a < b for a, b in pairwise(values))
