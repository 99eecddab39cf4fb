"""The predicates of ``get:`` checks, one function each: actual and expected value in, met or not out."""

from __future__ import annotations

from collections.abc import Callable

from mcp_compliance.catalog.functions.canonical import key_of
from mcp_compliance.catalog.functions.documents import schema_violations
from mcp_compliance.catalog.functions.regex import safe_regex
from mcp_compliance.catalog.library import Library
from mcp_compliance.jsontypes import JSON, same_json, type_name

LONGEST_TEXT = 65_536
"""Characters of a text that patterns look at."""


def length_or_number(value: JSON) -> float | None:
    """The value of a number, the length of a text, list or object; None for the rest."""
    if isinstance(value, bool) or value is None:
        return None
    return value if isinstance(value, (int, float)) else len(value)


def is_of_type(value: JSON, expected: JSON) -> bool:
    """``expected`` is a type name or a list of them; ``null`` may stand bare in a list."""
    actual = type_name(value)
    wanted = expected if isinstance(expected, list) else [expected]
    names = {"null" if name is None else name for name in wanted if name is None or isinstance(name, str)}
    return actual in names or (actual == "integer" and "number" in names)


def is_in(value: JSON, expected: JSON) -> bool:
    return isinstance(expected, list) and any(same_json(value, item) for item in expected)


def contains(value: JSON, expected: JSON) -> bool:
    if isinstance(value, str):
        return isinstance(expected, str) and expected in value
    return isinstance(value, list) and any(same_json(item, expected) for item in value)


def is_unique(value: JSON) -> bool:
    if not isinstance(value, list):
        return False
    return len({key_of(item) for item in value}) == len(value)


def matches(value: JSON, expected: JSON, library: Library) -> bool:
    """A regular expression found in the text, or a hit of the pattern set of that name."""
    if not isinstance(value, str) or not isinstance(expected, str):
        return False
    text = value[:LONGEST_TEXT]
    patterns = library.patterns.get(expected)
    if patterns is not None:
        return patterns.found_in(text)
    pattern = safe_regex(expected)
    return pattern is not None and pattern.search(text) is not None


def _compare(test: Callable[[float, float], bool]) -> Callable[[JSON, JSON, Library], bool]:
    def compare(value: JSON, expected: JSON, library: Library) -> bool:
        left, right = length_or_number(value), length_or_number(expected)
        return left is not None and right is not None and test(left, right)

    return compare


PREDICATES: dict[str, Callable[[JSON, JSON, Library], bool]] = {
    "is": lambda value, expected, _: same_json(value, expected),
    "is_not": lambda value, expected, _: not same_json(value, expected),
    "in": lambda value, expected, _: is_in(value, expected),
    "not_in": lambda value, expected, _: not is_in(value, expected),
    "type": lambda value, expected, _: is_of_type(value, expected),
    "exists": lambda value, expected, _: (value is not None) is bool(expected),
    "empty": lambda value, expected, _: (value is None or value in ("", [], {})) is bool(expected),
    "count": _compare(lambda left, right: left == right),
    "at_least": _compare(lambda left, right: left >= right),
    "at_most": _compare(lambda left, right: left <= right),
    "below": _compare(lambda left, right: left < right),
    "matches": matches,
    "matches_none": lambda value, expected, library: not matches(value, expected, library),
    "contains": lambda value, expected, _: contains(value, expected),
    "unique": lambda value, expected, _: is_unique(value) is bool(expected),
    "conforms_to": lambda value, expected, _: not schema_violations(value, expected),
}
