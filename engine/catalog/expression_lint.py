"""What is wrong with an expression although it parses: rulecheck's R4, as far as expressions go."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from mcp_compliance.catalog.expression_syntax import TAKES_EXPRESSION, ExpressionError, Node, parse
from mcp_compliance.catalog.functions.declare import Function
from mcp_compliance.catalog.functions.regex import pattern_problems
from mcp_compliance.catalog.functions.table import FUNCTIONS
from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.wire_schema import FILE as WIRE_SCHEMA_FILE
from mcp_compliance.jsontypes import JSON, type_name

ORDERING = ("lt", "lte", "gt", "gte")
SIGNS: Mapping[str, str] = {"eq": "==", "ne": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
CONSTANTS = ("true", "false", "null")


@dataclass(frozen=True)
class Finding:
    """One mistake. ``column`` counts from 0; ``suggestion`` is empty where there is none."""

    column: int
    message: str
    suggestion: str = ""


def lint_expression(text: str, library: Library | None = None) -> list[Finding]:
    """All findings, in the order of the text; a text that does not parse gives exactly one.

    With a library, names of pattern sets are looked up, and functions that need a part it lacks are reported.
    """
    try:
        tree = parse(text)
    except ExpressionError as error:
        return [Finding(error.column, error.message)]
    findings = _Lint(library).visit(tree, first=True)
    return sorted(dict.fromkeys(findings), key=lambda finding: finding.column)


class _Lint:
    """``first`` tells a name that is looked up by itself from one behind a dot."""

    def __init__(self, library: Library | None) -> None:
        self.library = library

    def visit(self, node: Node, first: bool) -> Iterator[Finding]:
        kind = node["type"]
        if kind == "field" and first and node["value"] in CONSTANTS:
            name = node["value"]
            yield Finding(node["column"], f"{name} without backticks is the name of a field", f"write `{name}`")
        elif kind == "function_expression":
            yield from self._function(node)
        elif kind == "comparator":
            yield from self._comparator(node)
        elif kind in ("or_expression", "and_expression", "not_expression"):
            for child in node["children"]:
                yield from self._condition(child)
        elif kind == "filter_projection":
            yield from self._condition(node["children"][2])
            yield from self._negated(node)
        elif kind in ("subexpression", "projection", "value_projection"):
            yield from self._negated(node)
        elif kind == "slice" and 0 in node["children"][2:]:
            yield Finding(0, "a slice with step 0 selects nothing and raises")
        for index, child in enumerate(node.get("children", ())):
            if isinstance(child, dict):
                yield from self.visit(child, first=not (kind == "subexpression" and index > 0))

    def _negated(self, node: Node) -> Iterator[Finding]:
        """`!a.b` is read as `(!a).b`, which is always null."""
        inner: Node = node
        while inner["type"] in (
            "subexpression",
            "projection",
            "value_projection",
            "filter_projection",
            "flatten",
        ):
            inner = inner["children"][0]
        if inner["type"] == "not_expression":
            yield Finding(
                inner["column"],
                "`!` binds to the first name only, so this is always null",
                "write !(a.b), or `unless:`",
            )

    def _condition(self, node: Node) -> Iterator[Finding]:
        """A number that is used as a condition: 0 counts as true."""
        function = _called(node)
        if function is not None and function.returns == "number":
            yield Finding(
                _column(node),
                f"{function.name}() gives a number, and 0 counts as true",
                f"write {function.name}(...) > `0`",
            )

    def _comparator(self, node: Node) -> Iterator[Finding]:
        left, right = node["children"]
        sign = SIGNS[node["value"]]
        if left["type"] == "not_expression":
            yield Finding(
                left["column"],
                f"`!` binds stronger than {sign}",
                "write a != b" if node["value"] == "eq" else f"write !(a {sign} b)",
            )
        for this, other in ((left, right), (right, left)):
            if node["value"] in ORDERING and this["type"] == "literal" and type_name(this["value"]) not in _NUMBERS:
                yield Finding(
                    this["column"],
                    f"{sign} orders numbers; this is {_article(type_name(this['value']))}",
                    "for dates use before(a, b)" if isinstance(this["value"], str) else "",
                )
            function = _called(other)
            if this["type"] != "literal" or function is None or node["value"] in ORDERING:
                continue
            yield from _impossible(this, function)

    def _function(self, node: Node) -> Iterator[Finding]:
        name, arguments = str(node["value"]), node["children"]
        function = FUNCTIONS.get(name)
        if function is None:
            yield Finding(node["column"], f"unknown function {name}()", _similar(name, FUNCTIONS, "()"))
            return
        if name == "length":
            yield Finding(node["column"], "length() is kept for JMESPath's sake", "write count(), which reads the same")
        if not function.fits(len(arguments)):
            wanted = f"{'at least ' if function.variadic else ''}{len(function.arguments)}"
            plural = "argument" if wanted == "1" else "arguments"
            yield Finding(
                node["column"],
                f"{name}() takes {wanted} {plural}, not {len(arguments)}",
                f"it is {function.signature}",
            )
            return
        if self.library is not None and function.reads == "wire" and self.library.wire is None:
            yield Finding(node["column"], f"{name}() needs a wire schema, and this revision has no {WIRE_SCHEMA_FILE}")
        for index, argument in enumerate(arguments):
            yield from self._argument(function, index, argument)

    def _argument(self, function: Function, index: int, node: Node) -> Iterator[Finding]:
        wanted = function.argument_at(index)
        if wanted is None:
            return
        name = function.name
        if index in TAKES_EXPRESSION.get(name, ()):
            if node["type"] != "expref":
                yield Finding(_column(node), f"`{wanted.name}` of {name}() is an expression", "write & before it")
            return
        if node["type"] != "literal":
            return
        value: JSON = node["value"]
        if not wanted.takes(type_name(value)):
            yield Finding(
                node["column"],
                f"`{wanted.name}` of {name}() is {_article(wanted.words)}, not {_article(type_name(value))}",
            )
        elif wanted.name == "pattern" and isinstance(value, str):
            for problem in pattern_problems(value):
                yield Finding(node["column"], f"the pattern of {name}() {_problem(problem)}")
        elif wanted.name == "set" and isinstance(value, str):
            yield from self._pattern_set(value, node["column"])

    def _pattern_set(self, name: str, column: int) -> Iterator[Finding]:
        if self.library is not None and name not in self.library.patterns:
            yield Finding(column, f"unknown pattern set '{name}'", _similar(name, self.library.patterns, ""))


_NUMBERS = ("integer", "number")


def _called(node: Node) -> Function | None:
    return FUNCTIONS.get(str(node["value"])) if node["type"] == "function_expression" else None


def _impossible(constant: Node, function: Function) -> Iterator[Finding]:
    """A constant that the function beside it can never give."""
    value: JSON = constant["value"]
    kind = "number" if type_name(value) == "integer" else type_name(value)
    allowed = function.returns.split(" or ")
    if "any" not in allowed and kind not in allowed:
        yield Finding(
            constant["column"],
            f"{function.name}() gives {function.returns}, so it never equals {_article(kind)}",
        )
    elif isinstance(value, str) and function.one_of and value not in function.one_of:
        hint = "write is_integer(x)" if (function.name, value) == ("type", "integer") else ""
        yield Finding(
            constant["column"],
            f"{function.name}() never gives '{value}', only {', '.join(function.one_of)}",
            hint or _similar(value, function.one_of, ""),
        )


def _column(node: Node) -> int:
    """Where a node begins: the smallest column known inside it."""
    columns = [node["column"]] if "column" in node else []
    columns += [_column(child) for child in node.get("children", ()) if isinstance(child, dict)]
    return min(columns, default=0)


def _similar(name: str, known: Collection[str], after: str) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]}{after}?" if close else ""


def _article(words: str) -> str:
    if words == "null":
        return words
    return f"{'an' if words[0] in 'aeio' else 'a'} {words}"


def _problem(problem: str) -> str:
    return problem if problem.startswith("does not") else f"has {problem}"
