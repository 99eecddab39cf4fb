"""The schemas of documents: single errors in authors' words, closed mappings, a description on every key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.catalog.document_schema import Kind, schema_of, schema_problems
from mcp_compliance.catalog.positions import parse_document

KINDS: tuple[Kind, ...] = ("rule", "revision", "model", "anchors", "requirements")
HEAD = """\
format: 1
id: a-rule
title: T
level: optional
spec: [{at: basic#x, force: MUST}]
why: w
fix: f
pass: p
cases: [{name: a, verdict: pass}]
"""


def problems(text: str) -> list[tuple[int, int, str, str | None]]:
    document = parse_document((HEAD + text).encode(), Path("a-rule.yaml"))
    return [
        (found.line - 9, found.column, found.message, found.suggestion) for found in schema_problems(document, "rule")
    ]


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for member in schema.values():
            yield from schemas_in(member)
    elif isinstance(schema, list):
        for member in schema:
            yield from schemas_in(member)


@pytest.mark.parametrize("kind", KINDS)
def test_each_schema_is_sound(kind: Kind) -> None:
    Draft202012Validator.check_schema(schema_of(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_described(kind: Kind) -> None:
    schema = schema_of(kind)
    definitions: Any = schema["$defs"]
    for found in schemas_in(schema):
        for key, value in found.get("properties", {}).items() if "description" in found else ():
            if not isinstance(value, dict):
                continue
            target = definitions[value["$ref"].removeprefix("#/$defs/")] if "$ref" in value else value
            assert value.get("description") or target.get("description"), key


@pytest.mark.parametrize("kind", KINDS)
def test_every_mapping_with_named_keys_is_closed(kind: Kind) -> None:
    for found in schemas_in(schema_of(kind)):
        if found.get("type") == "object" and "properties" in found and "required" not in found.get("if", {}):
            assert found.get("additionalProperties") is False, found.get("description")


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "suggestion"),
    [
        ("steps: [{name: a, cal: ping, params: {}}]", 1, 19, "unknown key 'cal'", "did you mean 'call'?"),
        (
            "steps: [{name: a, call: x, stream: y, until: headers}]",
            1,
            28,
            "'call' and 'stream' cannot stand together",
            "keep one of them",
        ),
        ("steps: [{name: a, call: x, until: headers}]", 1, 28, "'until' has no meaning beside 'call'", "remove it"),
        ("steps: [{name: a, params: {}}]", 1, 19, "'params' has no meaning in a step that sends nothing", "add a verb"),
        (
            "steps: [{call: x}]",
            1,
            9,
            "this step lacks the key 'name'",
            "add name: The name under which later expressions find what came back.",
        ),
        ("steps: [{name: a}]", 1, 9, "the step 'a' needs one of let or check", None),
        ("steps: [{name: A-b, call: x}]", 1, 16, "'name' is \"A-b\"; expected is lower case letters", None),
        ("steps: [{name: a, call: x, within: 2 s}]", 1, 36, "'within' is \"2 s\"; expected is a time such as 2s", None),
        ("steps: [{name: a, call: x, credit: {mod: off}}]", 1, 37, "unknown key 'mod'", "did you mean 'mode'?"),
        ("steps: [{name: a, call: x, omit: [header]}]", 1, 35, "an item of 'omit' is \"header\"", None),
        ("steps: [{name: a, call: x, let: {A: 1}}]", 1, 34, "'A' cannot be a key here", None),
        ("steps: [{name: a, together: [{call: x}], times: 200}]", 1, 49, "'times' is 200, more than 100", None),
        ("steps: [{name: a, open: session, opening: none}]", 1, 25, "'open' is \"session\"; it can only be", None),
        ("check: [{get: a}]", 1, 9, "this check lacks a predicate beside get: is, is_not", None),
        ("check: [{get: a, is: 1, is_not: 2}]", 1, 25, "'is' and 'is_not' cannot stand together", "keep one of them"),
        ("check: [{is: 1}]", 1, 9, "this check needs one of get, that, all, any, each or stop", None),
        (
            "check: [{get: a, type: strin}]",
            1,
            24,
            "'type' is \"strin\"; one of null, boolean",
            "did you mean 'string'?",
        ),
        ("check: [{get: a, count: many}]", 1, 25, "'count' is \"many\", a text, where a whole number", None),
        ("check: [{get: a, is: {from: f(a, b)}}]", 1, 34, "unknown key 'b)'", "needs quotes inside {...}"),
        ("check: [{stop: skip, if: a, unless: b, say: x}]", 1, 22, "'if' has no meaning beside 'unless'", "remove it"),
        ("check: [{each: a, as: b, check: []}]", 1, 33, "'check' is an empty list", None),
        ("check:", 1, 7, "'check' is empty; a list is expected", None),
        ("check: {get: a, is: 1}", 1, 8, "a mapping, where a list is expected", None),
        ("check: [{get: a, is: 1, params: {}}]", 1, 25, "unknown key 'params'", "it is a key of a step"),
        (
            "touches: [tools]\ncheck: [{that: a}]",
            1,
            11,
            "an item of 'touches' is \"tools\"",
            "did you mean 'tool-calls'?",
        ),
        ("touches: [load, load]\ncheck: [{that: a}]", 1, 10, "'touches' names \"load\" twice", None),
        ("transports: http\ncheck: [{that: a}]", 1, 13, "a text, where a list is expected", "write [http]"),
        ("since: 0.1\ncheck: [{that: a}]", 1, 8, "a number, where a text is expected", 'quote it: "0.1"'),
        ("", -8, 1, "the rule needs one of steps, check or at_end", None),
    ],
)
def test_one_mistake_is_one_problem_in_the_words_of_authors(
    text: str, line: int, column: int, message: str, suggestion: str | None
) -> None:
    ((at_line, at_column, words, hint),) = problems(text)
    assert (at_line, at_column) == (line, column)
    assert message in words
    assert (hint is None) if suggestion is None else (hint is not None and suggestion in hint)


@pytest.mark.parametrize(
    "text",
    [
        "check: [{get: a, type: [string, null], verdict: warn, else: e, only: http, if: b, force: SHOULD}]",
        "check: [{any: [{get: a, is: 1}, {that: b}], else: neither}]",
        "check: [{each: a, as: b, label: b.name, or_absent: true, check: [{get: b, exists: true}]}]",
        "check: [{stop: pass, unless: a, say: s}]",
        "at_end: [{get: recording.received, empty: false}]",
        "steps: [{let: {a: {pick: tool, must: [read-only, named echo]}}, check: [{that: a}]}]",
        "steps: [{name: a, http: {method: GET, headers: {Accept: x}}}]",
        "steps: [{name: a, stream: {method: GET}, until: {that: a.messages}, within: 2s, close: rule}]",
        "steps: [{name: a, call: {from: m}, for_each: {in: [x, y], as: m, most: 5}}]",
        "steps: [{name: a, raw: '{', answers: any, credit: pre_rpc, omit: [header.Accept]}]",
        "steps: [{name: a, call: x, params: {t: {make: text, bytes: 9}, l: {literal: {from: b, c: 1}}}}]",
        "steps: [{name: a, run: inject, with: {payloads: shell}, always: true}]",
        "x-mine: {any: thing}\ncheck: [{that: a, x-note: 1}]",
    ],
)
def test_what_the_language_has_is_valid(text: str) -> None:
    assert problems(text) == []


def test_required_if_declared_names_a_capability() -> None:
    text = HEAD.replace("level: optional", "level: required-if-declared") + "check: [{that: a}]\n"
    document = parse_document(text.encode(), Path("a-rule.yaml"))
    (problem,) = schema_problems(document, "rule")
    assert problem.message == "the rule lacks the key 'capability', which level: required-if-declared needs"


def test_a_later_format_is_named() -> None:
    text = HEAD.replace("format: 1", "format: 2") + "check: [{that: a}]\n"
    (problem,) = schema_problems(parse_document(text.encode(), Path("a-rule.yaml")), "rule")
    assert problem.message == "'format' is 2; this version reads format 1"


def test_the_schema_files_are_written_as_json() -> None:
    folder = Path(__file__).parents[2] / "engine" / "catalog" / "schema"
    assert {path.name.removesuffix(".schema.json") for path in folder.glob("*.json")} == set(KINDS)
    for path in folder.glob("*.json"):
        assert json.loads(path.read_text(encoding="utf-8"))["$schema"].endswith("2020-12/schema")
