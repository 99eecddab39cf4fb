"""Syntax trees as functions: each node is looked at once, not each time that the expression is evaluated."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from jmespath.exceptions import JMESPathError

from mcp_compliance.catalog.expression_syntax import Node
from mcp_compliance.catalog.functions.table import FUNCTIONS
from mcp_compliance.catalog.library import Library
from mcp_compliance.jsontypes import JSON, same_json

Program: TypeAlias = Callable[[JSON, Library], JSON]
"""The value of a node on the value that it is asked of."""
Truth: TypeAlias = Callable[[JSON, Library], bool]

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "gt": operator.gt,
    "lte": operator.le,
    "gte": operator.ge,
}
_CHAINS = ("subexpression", "index_expression", "pipe")


def is_true(value: JSON) -> bool:
    """Whether a value counts as true: all but null, false, "", [] and {} (so 0 does)."""
    return bool(value) or not (value is None or value is False or isinstance(value, (str, list, dict)))


def program_of(node: Node) -> Program:
    """The node with all below it. What it returns raises whatever the comparison of strange values raises."""
    return _PROGRAMS[node["type"]](node)


def _truth(node: Node) -> Truth:
    """The same as asking whether the value counts as true, without making the value where only that is asked for."""
    kind = node["type"]
    if kind == "comparator" and node["value"] in ("eq", "ne"):
        return cast(Truth, _comparison(node))
    if kind == "not_expression":
        return cast(Truth, _not(node))
    if kind in ("and_expression", "or_expression"):
        left, right = (_truth(child) for child in node["children"])
        if kind == "and_expression":
            return lambda value, library: left(value, library) and right(value, library)
        return lambda value, library: left(value, library) or right(value, library)
    program = program_of(node)
    return lambda value, library: is_true(program(value, library))


def _same(node: Node) -> Program:
    return lambda value, library: value


def _literal(node: Node) -> Program:
    constant: JSON = node["value"]
    return lambda value, library: constant


def _field(node: Node) -> Program:
    name: str = node["value"]
    return lambda value, library: value.get(name) if isinstance(value, dict) else None


def _fields(names: Sequence[str]) -> Program:
    def walk(value: JSON, library: Library) -> JSON:
        for name in names:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    return walk


def _chain(node: Node) -> Program:
    links = list(_links(node))
    if all(link["type"] == "field" for link in links):
        return _fields([link["value"] for link in links])
    first, *others = map(program_of, links)
    if len(others) == 1:
        second = others[0]
        return lambda value, library: second(first(value, library), library)

    def follow(value: JSON, library: Library) -> JSON:
        value = first(value, library)
        for other in others:
            value = other(value, library)
        return value

    return follow


def _links(node: Node) -> list[Node]:
    """What is evaluated one on the value of the other, from the left."""
    if node["type"] not in _CHAINS:
        return [node]
    return [link for child in node["children"] for link in _links(child)]


def _index(node: Node) -> Program:
    place: int = node["value"]

    def item(value: JSON, library: Library) -> JSON:
        return value[place] if isinstance(value, list) and -len(value) <= place < len(value) else None

    return item


def _slice(node: Node) -> Program:
    part = slice(*node["children"])
    return lambda value, library: value[part] if isinstance(value, list) else None


def _flatten(node: Node) -> Program:
    base = program_of(node["children"][0])

    def flat(value: JSON, library: Library) -> JSON:
        found = base(value, library)
        if not isinstance(found, list):
            return None
        merged: list[JSON] = []
        for item in found:
            if isinstance(item, list):
                merged += item
            else:
                merged.append(item)
        return merged

    return flat


def _projection(node: Node) -> Program:
    base, each = map(program_of, node["children"])

    def project(value: JSON, library: Library) -> JSON:
        found = base(value, library)
        if not isinstance(found, list):
            return None
        return [got for item in found if (got := each(item, library)) is not None]

    return project


def _value_projection(node: Node) -> Program:
    base, each = map(program_of, node["children"])

    def project(value: JSON, library: Library) -> JSON:
        found = base(value, library)
        if not isinstance(found, dict):
            return None
        return [got for item in found.values() if (got := each(item, library)) is not None]

    return project


def _filter(node: Node) -> Program:
    base, each, holds = program_of(node["children"][0]), program_of(node["children"][1]), _truth(node["children"][2])

    def keep(value: JSON, library: Library) -> JSON:
        found = base(value, library)
        if not isinstance(found, list):
            return None
        return [got for item in found if holds(item, library) and (got := each(item, library)) is not None]

    return keep


def _comparison(node: Node) -> Program:
    """Equality is JSON's at every depth. Numbers and texts alone have an order; with anything else it is null."""
    left, right = map(program_of, node["children"])
    order = _ORDERS.get(node["value"])
    if order is not None:

        def compare(value: JSON, library: Library) -> JSON:
            one, other = left(value, library), right(value, library)
            return order(one, other) if _has_order(one) and _has_order(other) else None

        return compare
    constant = node["children"][1]
    wanted = node["value"] == "eq"
    if constant["type"] == "literal" and isinstance(constant["value"], str):
        text = constant["value"]
        return lambda value, library: (left(value, library) == text) is wanted
    return lambda value, library: same_json(left(value, library), right(value, library)) is wanted


def _has_order(value: JSON) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


def _or(node: Node) -> Program:
    left, right = map(program_of, node["children"])

    def either(value: JSON, library: Library) -> JSON:
        found = left(value, library)
        return found if is_true(found) else right(value, library)

    return either


def _and(node: Node) -> Program:
    left, right = map(program_of, node["children"])

    def both(value: JSON, library: Library) -> JSON:
        found = left(value, library)
        return right(value, library) if is_true(found) else found

    return both


def _not(node: Node) -> Program:
    holds = _truth(node["children"][0])
    return lambda value, library: not holds(value, library)


def _list(node: Node) -> Program:
    items = [program_of(child) for child in node["children"]]
    return lambda value, library: None if value is None else [item(value, library) for item in items]


def _object(node: Node) -> Program:
    members = [(str(child["value"]), program_of(child["children"][0])) for child in node["children"]]
    return lambda value, library: None if value is None else {name: item(value, library) for name, item in members}


def _expression(node: Node) -> Program:
    """``&name`` arrives in its function as something to call on each item."""
    inner = program_of(node["children"][0])
    return lambda value, library: cast(JSON, lambda item: inner(item, library))


def _call(node: Node) -> Program:
    name, arguments = str(node["value"]), [program_of(child) for child in node["children"]]
    function = FUNCTIONS.get(name)
    if function is None:
        return _failing(f"there is no function {name}()")
    if not function.fits(len(arguments)):
        return _failing(f"{function.signature} was given {len(arguments)} arguments")
    body = function.body
    if function.reads is not None:
        part = operator.attrgetter(function.reads)
        return lambda value, library: body(part(library), *[argument(value, library) for argument in arguments])
    if len(arguments) == 1:
        only = arguments[0]
        return lambda value, library: body(only(value, library))
    if len(arguments) == 2:
        first, second = arguments
        return lambda value, library: body(first(value, library), second(value, library))
    return lambda value, library: body(*[argument(value, library) for argument in arguments])


def _failing(reason: str) -> Program:
    def fail(value: JSON, library: Library) -> JSON:
        raise JMESPathError(reason)

    return fail


_PROGRAMS: Mapping[str, Callable[[Node], Program]] = {
    "current": _same,
    "identity": _same,
    "literal": _literal,
    "field": _field,
    **dict.fromkeys(_CHAINS, _chain),
    "index": _index,
    "slice": _slice,
    "flatten": _flatten,
    "projection": _projection,
    "value_projection": _value_projection,
    "filter_projection": _filter,
    "comparator": _comparison,
    "or_expression": _or,
    "and_expression": _and,
    "not_expression": _not,
    "multi_select_list": _list,
    "multi_select_dict": _object,
    "expref": _expression,
    "function_expression": _call,
}
