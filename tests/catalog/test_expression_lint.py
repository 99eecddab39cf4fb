"""Each mistake is found at its column, and what is right is left alone."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.expression_lint import Finding, lint_expression
from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.patterns import PatternSet

LIBRARY = Library({"stack-traces": PatternSet("stack-traces", "what programs print when they fail", {})})

FIELD = "without backticks is the name of a field"
FIRST_NAME = "`!` binds to the first name only, so this is always null"
TYPES = "null, boolean, number, string, array, object"
KINDS = "request, notification, response, error, batch, stray"
UNCLOSED = "does not compile: missing ), unterminated subpattern at position 0"


@pytest.mark.parametrize(
    ("text", "column", "message", "suggestion"),
    [
        ("list.result && cuont(list)", 15, "unknown function cuont()", "did you mean count()?"),
        ("count(a, b)", 0, "count() takes 1 argument, not 2", "it is count(x)"),
        ("merge()", 0, "merge() takes at least 1 arguments, not 0", "it is merge(object, ...)"),
        ("has(a, `1`)", 7, "`key` of has() is a string, not an integer", ""),
        ("minus(a, '1')", 9, "`b` of minus() is a number, not a string", ""),
        ("header(a, `null`)", 10, "`name` of header() is a string, not null", ""),
        ("a == true", 5, f"true {FIELD}", "write `true`"),
        ("x[?a == null]", 8, f"null {FIELD}", "write `null`"),
        ("!a.b", 0, FIRST_NAME, "write !(a.b), or `unless:`"),
        ("x && !a[?b]", 5, FIRST_NAME, "write !(a.b), or `unless:`"),
        ("!a == b", 0, "`!` binds stronger than ==", "write a != b"),
        ("length(a) > `1`", 0, "length() is kept for JMESPath's sake", "write count(), which reads the same"),
        ("count(a) && b", 0, "count() gives a number, and 0 counts as true", "write count(...) > `0`"),
        ("a[?count(b)]", 3, "count() gives a number, and 0 counts as true", "write count(...) > `0`"),
        ("a > '2025-01-01'", 4, "> orders numbers; this is a string", "for dates use before(a, b)"),
        ("type(a) == 'integer'", 11, f"type() never gives 'integer', only {TYPES}", "write is_integer(x)"),
        ("kind(a) != 'reply'", 11, f"kind() never gives 'reply', only {KINDS}", ""),
        ("count(a) == '1'", 12, "count() gives number, so it never equals a string", ""),
        ("sort_by(a, name)", 11, "`by` of sort_by() is an expression", "write & before it"),
        ("found(a, '(a+)+$')", 9, "the pattern of found() has a quantifier inside a quantifier", ""),
        ("found(a, '(')", 9, f"the pattern of found() {UNCLOSED}", ""),
        (
            "pattern_hits(a, 'stak-traces')",
            16,
            "unknown pattern set 'stak-traces'",
            "did you mean stack-traces?",
        ),
        ("a[::0]", 0, "a slice with step 0 selects nothing and raises", ""),
        ("a = b", 2, "equality is written ==", ""),
    ],
)
def test_mistake(text: str, column: int, message: str, suggestion: str) -> None:
    assert lint_expression(text, LIBRARY) == [Finding(column, message, suggestion)]


@pytest.mark.parametrize(
    "text",
    [
        "a == `true`",
        "a.true",
        "a > `1`",
        "`1` < a",
        "!(a.b)",
        "!a",
        "!a && b.c",
        "!has(a, 'b')",
        "count(a) > `0`",
        "count(a) == count(b[?c == `200`])",
        "type(a) == 'number'",
        "auth_reading(a) == 'required'",
        "auth_reading(a) == `null`",
        "map(&lower(@), a)",
        "sort_by(a, &name)[0].name",
        "contains(`[-32020, -32021]`, probe.error.code)",
        "meta(feed.messages[0].payload.params, 'subscriptionId')",
        "found(a, '^[a-z]+$')",
        "pattern_hits(a, 'stack-traces')",
        "where(a, 'name', `null`)",
        "recording.received[?payload.method == 'notifications/message' && !(in_flight.meta.logLevel)]",
    ],
)
def test_what_is_right_has_no_finding(text: str) -> None:
    assert lint_expression(text, LIBRARY) == []


def test_all_findings_come_at_once_in_the_order_of_the_text() -> None:
    findings = lint_expression("cuont(a) > `0` && b == true && length(c) > `0`")
    assert [finding.column for finding in findings] == [0, 23, 31]


def test_a_function_without_its_part_of_the_library_is_found() -> None:
    (finding,) = lint_expression("wire_check(recording.received).judged", LIBRARY)
    assert (finding.column, finding.message) == (
        0,
        "wire_check() needs a wire schema, and this revision has no _wire.schema.json",
    )


def test_pattern_sets_are_not_judged_when_they_are_not_known() -> None:
    assert lint_expression("pattern_hits(a, 'anything')") == []
