"""Compiling and evaluating: values, errors for authors, names with columns, and hostile data."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from mcp_compliance.catalog.expressions import (
    ExpressionError,
    ExpressionRaised,
    Name,
    Path,
    compile_expression,
    is_true,
)
from mcp_compliance.catalog.library import Library
from mcp_compliance.jsontypes import JSON

LIBRARY = Library()


def value(text: str, root: dict[str, JSON] | None = None) -> JSON:
    return compile_expression(text).evaluate(root or {}, LIBRARY)


@pytest.mark.parametrize(
    ("text", "root", "expected"),
    [
        ("a.b", {"a": {"b": 0}}, 0),
        ("a.b.c", {"a": None}, None),
        ("a[?n > `1`].n", {"a": [{"n": 1}, {"n": 2}]}, [2]),
        ("a[?n == 'x'] | [0].v", {"a": [{"n": "x", "v": 7}]}, 7),
        ('a."io.x/y"', {"a": {"io.x/y": 1}}, 1),
        ("a == `1`", {"a": 1.0}, True),
        ("a == `1`", {"a": True}, False),
        ("a == `[1]`", {"a": [True]}, False),
        ('a == `{"x": [1, 2]}`', {"a": {"x": [1.0, 2]}}, True),
        ("a != b", {"a": {"x": 1, "y": 2}, "b": {"y": 2, "x": 1}}, False),
        ("a > b", {"a": {}, "b": 1}, None),
        ("!(a.b)", {"a": {"b": ""}}, True),
        ("!a", {"a": 0}, False),
        ("minus(times(`2`, count(a)), count(b))", {"a": [1], "b": [1, 2, 3]}, -1),
        ("sort_by(a, &n)[].n", {"a": [{"n": 3}, {"n": 1}, {"m": 0}]}, [1, 3]),
        ("map(&lower(@), a)", {"a": ["X", 1]}, ["x", None]),
        ("{x: a, y: keys(b)}", {"a": 1, "b": {"k": 0}}, {"x": 1, "y": ["k"]}),
        ("join(', ', a)", {"a": ["x", 1]}, "x, 1"),
        ("'it\\'s'", {}, "it's"),
    ],
)
def test_value(text: str, root: dict[str, JSON], expected: JSON) -> None:
    result = value(text, root)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 0, "the expression is empty"),
        ("  ", 0, "the expression is empty"),
        ("a ==", 4, "the expression ends too early"),
        ("a.", 2, "the expression ends too early"),
        ("count(a", 7, "the expression ends too early"),
        ("a[", 2, "the expression ends too early"),
        ("{a: b", 5, "the expression ends too early"),
        ("a = b", 2, "equality is written =="),
        ("a == 1", 5, "a number is written between backticks: `1`"),
        ("a && -1", 5, "a number is written between backticks: `-1`"),
        ("x and y", 2, "`and` is written &&"),
        ("x or y", 2, "`or` is written ||"),
        ("a b", 2, "`b` is not expected here"),
        ("a)", 1, "`)` is not expected here"),
        ("a-b", 1, "a hyphen in a name needs double quotes around the name; to subtract use minus(a, b)"),
        ("a/b", 1, 'a slash in a name needs double quotes around the name; see also meta(x, "...")'),
        ("$.a", 0, "there is no $; a name at the beginning is looked up in the root"),
        ("a ~ b", 2, "`~` has no meaning here"),
        ("'open", 0, "the text that begins with ' is not closed"),
        ("a == `1", 5, "the text that begins with ` is not closed"),
        ("`text`", 0, "`text` is not JSON; between backticks stands JSON, and text is written 'text'"),
        ("a['x']", 2, "a value cannot stand here; an operator or a comma is missing before it"),
        ("has(a 'x')", 6, "a comma or `)` is expected before `x`"),
        ("has(a, )", 7, "an argument is missing after the comma"),
        ("&a", 0, "`&` stands only before an argument of map(), sort_by(), min_by(), max_by()"),
        ("count(&a)", 6, "`&` stands only before an argument of map(), sort_by(), min_by(), max_by()"),
        ('"count"(a)', 0, "the name of a function is written without quotes"),
        ("a.b[0](c)", 6, "`(` follows something that is no name of a function"),
        ("(" * 3000, 2000, "the expression is longer than 2000 characters"),
        ("(" * 1900, 0, "the expression is nested too deeply"),
    ],
)
def test_error_for_authors(text: str, column: int, message: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        compile_expression(text)
    assert (raised.value.message, raised.value.column) == (message, column)
    assert str(raised.value) == message


def nested(levels: int) -> JSON:
    made: JSON = "x"
    for _ in range(levels):
        made = [made]
    return made


@pytest.mark.parametrize(
    ("text", "root", "reason"),
    [
        ("nope(a)", {}, "there is no function nope()"),
        ("count(a, b)", {}, "count(x) was given 2 arguments"),
        ("merge()", {}, "merge(object, ...) was given 0 arguments"),
        (
            "a > `1`",
            {"a": "text"},
            "two values that have no order were compared, such as a number and a text",
        ),
        ("a == b", {"a": nested(5000), "b": nested(5000)}, "the value is nested too deeply"),
        ("a[::0]", {"a": [1]}, "ValueError: slice step cannot be zero"),
    ],
)
def test_evaluation_raises_one_thing_only(text: str, root: dict[str, JSON], reason: str) -> None:
    with pytest.raises(ExpressionRaised) as raised:
        value(text, root)
    assert raised.value.reason == reason


def test_functions_answer_on_deep_values() -> None:
    root: dict[str, JSON] = {"a": [nested(5000), nested(5000)], "s": {"not": nested(5000)}}
    for text in (
        "count(distinct(a))",
        "contains(a, s)",
        "to_string(a)",
        "count(occurrences(s, 'not'))",
        "printable(a)",
    ):
        assert value(text, root) is not None
    assert value("same(a[0], a[1])", root) is False
    assert value("changes(a, a, 'name').altered", root) == []
    assert value("count(schema_errors(s))", root) == 1
    assert value("count(schema_violations(a, s))", root) == 1


def test_truth() -> None:
    assert [is_true(item) for item in (None, False, "", [], {})] == [False] * 5
    assert [is_true(item) for item in (0, 0.0, "0", [None], {"a": None}, True)] == [True] * 6


def test_names_are_the_roots_with_their_longest_plain_path() -> None:
    expression = compile_expression("attack.target.tool && contains(server.versions, attack.tools[0].name)")
    assert expression.names == (
        Name("attack", 0, "attack.target.tool"),
        Name("server", 31, "server.versions"),
        Name("attack", 48, "attack.tools"),
    )
    assert expression.roots == {"attack", "server"}


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("`1`", set()),
        ("a[?b == c].d", {"a"}),
        ("a | b", {"a"}),
        ("a[].{x: b, y: c(d)}", {"a"}),
        ("{x: b, y: c(d)}", {"b", "d"}),
        ("sort_by(a, &n)[0].m", {"a"}),
        ("map(&f(@, k), a.b)", {"a"}),
        ("a || !b", {"a", "b"}),
        ("@", set()),
        ("keys(@)", set()),
        ("first_of(a, b).c", {"a", "b"}),
        ('"a-b".c', {"a-b"}),
        ("a.*.b", {"a"}),
        ("[a, b][0]", {"a", "b"}),
    ],
)
def test_roots(text: str, roots: set[str]) -> None:
    assert compile_expression(text).roots == roots


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (
            "attack.attempts[?outcome == 'hit'] | [0].payload",
            [
                ("attack", 0),
                ("attack.attempts", 7),
                ("attack.attempts[].outcome", 17),
                ("attack.attempts[].payload", 41),
            ],
        ),
        ("a[0].b", [("a", 0), ("a[].b", 5)]),
        ("a[].b[].c", [("a", 0), ("a[].b", 4), ("a[].b[].c", 8)]),
        ("a.*.b", [("a", 0), ("a{}.b", 4)]),
        ("sort_by(a.b, &n)", [("a", 8), ("a.b", 10), ("a.b[].n", 14)]),
        ("first_of(a, b).c", [("a", 9), ("b", 12)]),
        ("(a || b).c", [("a", 1), ("b", 6)]),
        ("a[?x].{k: y}", [("a", 0), ("a[].x", 3), ("a[].y", 10)]),
        ("a[1:3].b", [("a", 0), ("a[].b", 7)]),
    ],
)
def test_paths(text: str, paths: list[tuple[str, int]]) -> None:
    assert compile_expression(text).paths == tuple(Path(*path) for path in paths)


def test_compiled_expressions_are_shared_and_evaluation_leaves_the_root_alone() -> None:
    assert compile_expression("a.b") is compile_expression("a.b")
    root: dict[str, JSON] = {"a": [{"n": 2}, {"n": 1}]}
    before = repr(root)
    value("sort_by(a, &n)", root)
    value('merge(a[0], `{"x": 1}`)', root)
    assert repr(root) == before


def test_thousands_of_evaluations_a_second() -> None:
    expression = compile_expression("count(a[?http.status == `429`]) > `0` && starts_with(b.c, 'x')")
    root: dict[str, JSON] = {"a": [{"http": {"status": 429}}] * 10, "b": {"c": "xyz"}}
    start = time.perf_counter()
    for _ in range(1000):
        expression.evaluate(root, LIBRARY)
    assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "distinct(a)",
        "duplicates(a)",
        "difference(a, a)",
        "changes(a, a, 'n')",
        "split(s, '')",
        "split(s, 'a')",
        "text_damage('é 漢字 🎉', s)",
        "found(s, '^(?:a|b)+$')",
        "canonical_uri(s)",
        "template_variables(join('', [s, '{', s]))",
        "is_mime(s)",
        "decoded(s)",
        "entropy_bits(s)",
        "entropy_bits(a[].n)",
        "mentions(s, a)",
        "printable(s)",
        "excerpt(s, `9`)",
        'challenges({http: {headers: {"www-authenticate": s}}})',
        'challenges({http: {headers: {"www-authenticate": q}}})',
        "schema_errors({enum: a})",
        'schema_violations(a, `{"uniqueItems": true}`)',
        "pattern_hits(a, 'none')",
        "parsed(s)",
        "occurrences(a, 'n')",
    ],
)
def test_large_values_take_little_time(text: str) -> None:
    root: dict[str, JSON] = {
        "a": [{"n": f"n{index}", "v": [index]} for index in range(20_000)],
        "s": "a" * 2_000_000,
        "q": 'a="' * 500_000,
    }
    start = time.perf_counter()
    value(text, root)
    assert time.perf_counter() - start < 2


def test_importing_is_light() -> None:
    heavy = ["jsonschema", "referencing", "httpx", "jinja2", "ruamel.yaml", "rich", "trio", "typer"]
    program = (
        "import sys; import mcp_compliance.catalog.expressions, mcp_compliance.catalog.expression_lint; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
