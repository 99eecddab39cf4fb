"""YAML documents with the place of every key and value, and everything that is refused."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import ruamel.yaml

from mcp_compliance.catalog.positions import Document, DocumentError, Place, load_document, parse_document
from mcp_compliance.jsontypes import JSON

PATH = Path("rule.yaml")


def read(text: str) -> Document:
    return parse_document(text.encode(), PATH)


def refused(text: str | bytes) -> list[tuple[int, int, str]]:
    with pytest.raises(DocumentError) as caught:
        parse_document(text.encode() if isinstance(text, str) else text, PATH)
    return [(problem.line, problem.column, problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("yes", "yes"),
        ("on", "on"),
        ("0.2.0", "0.2.0"),
        ("file:///a", "file:///a"),
        ("-", None),
        ('"2025-11-25"', "2025-11-25"),
        ("'it''s'", "it's"),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        ("[1, a, {b: c}]", [1, "a", {"b": "c"}]),
    ],
)
def test_values_are_those_of_json(text: str, value: JSON) -> None:
    if text == "-":
        assert read("a:\n- \n").value == {"a": [None]}
    else:
        read_value = read(f"a: {text}")
        assert read_value.value == {"a": value}
        assert type(read_value.value["a"]) is type(value)  # type: ignore[index, call-overload]


@pytest.mark.parametrize("text", ["2025-11-25", "2001-12-14t21:59:43.10-05:00", "2025-1-2"])
def test_dates_are_refused_with_the_advice_to_quote(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(f"a: {text}")
    (problem,) = caught.value.problems
    assert problem.column == 4
    assert "is a date" in problem.message
    assert problem.suggestion == f'quote it: "{text}"'


@pytest.mark.parametrize("text", ["017", "0o17", "0x1f", "1_000", "+1", ".5", "1.", ".inf", "-.INF", "190:20:30"])
def test_numbers_that_json_does_not_write_so_are_refused(text: str) -> None:
    ((line, column, message),) = refused(f"a: {text}")
    assert (line, column) == (1, 4)
    assert "JSON" in message


def test_places_count_characters_from_one() -> None:
    document = read("é: {漢: [x, 🎉, z]}\nlast:\n  key: value\n")
    assert document.place(("é",), key=True) == Place(1, 1)
    assert document.place(("é", "漢"), key=True) == Place(1, 5)
    assert document.place(("é", "漢", 2)) == Place(1, 15)
    assert document.place(("last", "key"), key=True) == Place(3, 3)
    assert document.place(("last", "key")) == Place(3, 8)


def test_a_place_that_is_not_there_is_that_of_its_nearest_ancestor() -> None:
    document = read("a:\n  b: [1]\n")
    assert document.place(("a", "c")) == document.place(("a",), key=True) == Place(1, 1)
    assert document.place(("a", "b", 4)) == Place(2, 3)
    assert document.place(()) == Place(1, 1)


def test_places_within_quoted_texts_follow_the_text_as_written() -> None:
    document = read("a: \"x\\n\\u1234yz\"\nb: 'it''s z'\nc: plain\n")
    assert document.place_within(("a",), 3) == Place(1, 14)
    assert document.place_within(("b",), 5) == Place(2, 11)
    assert document.place_within(("c",), 2) == Place(3, 6)


def test_aliases_and_merges_share_values_and_point_to_where_they_were_written() -> None:
    document = read("base: &b {x: 1, y: 2}\nuse: *b\nmore: {<<: *b, y: 3}\nlist: {<<: [{x: 9}, *b]}\n")
    assert document.value == {
        "base": {"x": 1, "y": 2},
        "use": {"x": 1, "y": 2},
        "more": {"x": 1, "y": 3},
        "list": {"x": 9, "y": 2},
    }
    assert document.place(("use",)) == Place(2, 6)
    assert document.place(("use", "x"), key=True) == Place(1, 11)
    assert document.place(("more", "x")) == Place(1, 14)
    assert document.place(("more", "y")) == Place(3, 19)


def test_a_quoted_double_less_than_is_a_key_like_any_other() -> None:
    assert read('a: {"<<": 1}').value == {"a": {"<<": 1}}


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, 1, "'a' stands twice in one mapping, first on line 1"),
        ("a: {x: 1, x: 2}", 1, 11, "'x' stands twice"),
        ("a: !!str 5", 1, 4, "tag"),
        ("a: !python/object 5", 1, 4, "tag"),
        ("1: x", 1, 1, "the key 1 is not a text"),
        ("true: x", 1, 1, "the key true is not a text"),
        ("{[a]: 1}", 1, 2, "a key must be a text"),
        ("---\na: 1\n---\nb: 2", 3, 1, "second document"),
        ("", 1, 1, "empty"),
        ("# nothing", 1, 1, "empty"),
        ("a: *none", 1, 4, "no anchor before it"),
        ("a: &x [*x]", 1, 8, "inside its own anchor"),
        ("a: &x 1\nb: {<<: *x}", 2, 9, "merges mappings only"),
        ("a: \x07", 1, 4, "U+0007"),
        # the loader's own errors, reworded
        ("{from: a[0].b}", 1, 9, "quotes inside {...}"),
        ("a: {get: x, is: 'y' z}", 1, 21, "quotes inside {...}"),
        ("a: {u: file:///a}", 1, 12, "quotes inside {...}"),
        ("a: `x`", 1, 4, "cannot start with '`'"),
        ("a: [x\nb: 1", 1, 4, "not closed"),
        ("a: b: c", 1, 5, "a second ': '"),
        ('a: "x" y', 1, 8, "after a text has ended"),
        ("a: 'x", 1, 6, "not closed"),
        ("a:\n\tb: 1", 2, 1, "tab"),
        ("a: 1\nb 2\nc: 3", 2, 1, "neither 'key: value'"),
        ("a:\n  - b: 1\n    c\n  - d", 3, 5, "neither 'key: value'"),
        ("a:\n    b: 1\n   c: 2", 3, 4, "does not belong to the mapping"),
        ("a:\n  - b\n  c: 1", 3, 3, "does not belong to the list"),
        ('a: "\\q"', 1, 5, "escape"),
    ],
)
def test_what_is_no_document_is_refused_at_its_place(text: str, line: int, column: int, words: str) -> None:
    ((at_line, at_column, message),) = refused(text)
    assert (at_line, at_column) == (line, column)
    assert words in message


def test_several_mistakes_are_reported_together_in_order() -> None:
    found = refused("b: 2025-01-01\na: 1\na: 010\nc: !x y\n")
    assert [line for line, _, _ in found] == [1, 3, 3, 4]


def test_bytes_that_are_not_utf8_are_placed() -> None:
    ((line, column, message),) = refused("é: 1\nb: ".encode() + b"\xff\n")
    assert (line, column) == (2, 4)
    assert "0xff is not UTF-8" in message


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read("\ufeffa: 1").value == {"a": 1}


def test_an_alias_bomb_is_stopped() -> None:
    names = "abcdefgh"
    lines = ["a: &a [" + ", ".join(["x"] * 10) + "]"]
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} [{', '.join(['*' + before] * 10)}]")
    ((_, _, message),) = refused("\n".join(lines))
    assert "more than 100000 values" in message


@pytest.mark.parametrize("text", ["[" * 70 + "]" * 70, "- " * 70 + "x", "{a: " * 70 + "1" + "}" * 70])
def test_deep_nesting_is_stopped(text: str) -> None:
    ((_, _, message),) = refused(text)
    assert "nested deeper than 64 levels" in message


def test_nesting_through_aliases_is_stopped() -> None:
    text = "a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 30 + "*a" + "]" * 30
    ((line, _, message),) = refused(text)
    assert line == 2
    assert "nested deeper" in message


def test_nesting_of_a_hundred_thousand_levels_neither_recurses_nor_crashes() -> None:
    ((_, column, _),) = refused("[" * 100_000)
    assert column == 65


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text("a: " + "x" * (1 << 20), encoding="utf-8")
    with pytest.raises(DocumentError, match="at most 1048576 are read"):
        load_document(path)


def test_a_file_that_is_not_there_is_a_problem_and_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="cannot be read: No such file"):
        load_document(tmp_path / "none.yaml")


def test_lines_of_a_key() -> None:
    document = read("a: 1\ncases:\n  - x\n  - y\n\nlast: [1,\n  2]\n")
    assert document.lines_of("cases") == 4
    assert document.lines_of("last") == 2
    assert document.lines_of("a") == 1
    assert document.lines_of("none") == 0


def test_a_comment_behind_an_unquoted_text_is_found() -> None:
    document = read('a: x # one\nb: "x" # two\nc: x#three\nd: {e: x # four\n  }\n')
    assert document.comment_after(("a",)) == Place(1, 6)
    assert document.comment_after(("b",)) is None
    assert document.comment_after(("c",)) is None
    assert document.comment_after(("d", "e")) == Place(4, 10)


def test_without_the_c_library_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class PurePython(ruamel.yaml.YAML):  # type: ignore[misc]
        def __init__(self, **_: object) -> None:
            super().__init__(typ="safe", pure=True)

    monkeypatch.setattr(ruamel.yaml, "YAML", PurePython)
    with pytest.raises(DocumentError, match=r"pip install ruamel\.yaml\.clib"):
        read("a: 1")
