"""R4: expressions and patterns mean what they say."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator

from mcp_compliance.catalog.compile_values import Problem
from mcp_compliance.catalog.expression_lint import lint_expression
from mcp_compliance.catalog.functions.regex import pattern_problems
from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.rule import Check, Predicate, That
from mcp_compliance.catalog.values import Literal
from mcp_compliance.rulecheck.checks_in import checks_of
from mcp_compliance.rulecheck.expression_uses import uses_in
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.subjects import RuleSubject, Source

CODE = "R4"
_PREDICATE = {"eq": "is", "ne": "is_not", "lt": "below", "lte": "at_most", "gte": "at_least", "gt": "at_least"}


def unreadable(source: Source, problems: list[Problem]) -> Iterator[Finding]:
    """Expressions that do not parse."""
    for problem in problems:
        hint = "write what follows, or close what is open" if problem.message.endswith("ends too early") else None
        yield source.finding_within(CODE, problem.at, problem.column, 1, problem.message, hint)


def check_expressions(source: Source, part: object, library: Library) -> Iterator[Finding]:
    """All expressions inside ``part``, a typed rule or revision."""
    commented = set()
    for use in uses_in(part):
        for found in lint_expression(use.expression.text, library):
            width = _width(use.expression.text, found.column)
            offset = use.offset + found.column
            yield source.finding_within(CODE, use.at, offset, width, found.message, found.suggestion or None)
        comment = source.document.comment_after(use.at)
        if comment is not None and use.at not in commented:
            commented.add(use.at)
            message = "a # after a space ends this unquoted expression; what follows is a comment"
            yield source.finding(CODE, use.at, message, "quote the expression, or put the comment on its own line")


def check_patterns(subject: RuleSubject) -> Iterator[Finding]:
    """Regular expressions of predicates, and comparisons that a predicate says better."""
    sets = subject.revision.revision.library.patterns
    for check in checks_of(subject.rule):
        if isinstance(check, That):
            yield from _comparison(subject.source, check)
        elif isinstance(check, Predicate) and check.name in ("matches", "matches_none"):
            expected = check.expected
            if isinstance(expected, Literal) and isinstance(expected.value, str) and expected.value not in sets:
                yield from _pattern(subject.source, check, expected.value, sets)


def _pattern(source: Source, check: Predicate, pattern: str, sets: Collection[str]) -> Iterator[Finding]:
    pointer = (*check.at, check.name)
    close = difflib.get_close_matches(pattern, list(sets), n=1) if re.fullmatch(r"[a-z-]+", pattern) else []
    if close:
        yield source.finding(CODE, pointer, f"there is no pattern set {pattern}", f"did you mean {close[0]}?")
        return
    try:
        re.compile(pattern)
    except re.error as error:
        message = f"not a regular expression: {error.msg}"
        yield source.finding_within(CODE, pointer, error.pos or 0, 1, message)
        return
    for problem in pattern_problems(pattern):
        words = problem if problem.startswith("does not") else f"has {problem}"
        yield source.finding(CODE, pointer, f"the pattern {words}")


def _comparison(source: Source, check: Check) -> Iterator[Finding]:
    assert isinstance(check, That)
    tree = check.expression.expression.tree
    if tree["type"] == "comparator":
        hint = f"write get: <left>, {_PREDICATE[tree['value']]}: <right>"
        message = "a single comparison is a predicate, which shows what was received when it is not met"
        yield source.finding(CODE, (*check.at, "that"), message, hint, key=True)


def _width(text: str, column: int) -> int:
    """Length of the name, number or sign that begins at a column."""
    found = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|`[^`]*`|'[^']*'|\S").match(text, column)
    return len(found[0]) if found else 1
