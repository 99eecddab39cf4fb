"""Values: references with their JSON type, what is made and from what, and secrets."""

from __future__ import annotations

import json
import re

import pytest

from mcp_compliance.interpreter.values import Generator
from mcp_compliance.jsontypes import JSON
from tests.interpreter.made import played, sent_by


def params(value: str, case: str = "verdict: pass") -> JSON:
    """What leaves as params of a step that has ``value`` as its member ``it``."""
    found = played(f"uses: [tools]\nsteps: [{{name: asked, call: ping, params: {{it: {value}}}}}]", case)
    (sending,) = sent_by(found, "asked")
    assert sending.body is not None
    message = json.loads(sending.body)
    assert isinstance(message, dict)
    return message["params"]["it"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "value", ["0", "1.5", "false", '""', "[]", "{}", "[1, [null]]", '{"a": {"b": null}}', '"text"']
)
def test_a_reference_keeps_its_json_type(value: str) -> None:
    assert params(f"{{from: '`{value}`'}}") == json.loads(value)
    assert params(f"{{a: [{{from: '`{value}`'}}]}}") == {"a": [json.loads(value)]}


def test_null_that_is_written_is_sent_as_null() -> None:
    assert params("null") is None


def test_a_literal_may_look_like_anything() -> None:
    assert params("{literal: {from: a, make: uuid}}") == {"from": "a", "make": "uuid"}


def test_or_takes_the_place_of_null_alone() -> None:
    assert params("{from: target.nothing, or: 7}") == 7
    assert params("{from: target.nothing, or: {from: target.nothing, or: {a: 1}}}") == {"a": 1}
    assert params("{from: '`0`', or: 7}") == 0
    assert params("{from: '`\"\"`', or: 7}") == ""


@pytest.mark.parametrize("value", ["{from: target.nothing}", "[{from: target.nothing}]", "{a: {from: target.nothing}}"])
def test_nothing_half_filled_is_sent(value: str) -> None:
    found = played(f"steps: [{{name: asked, call: ping, params: {{it: {value}}}}}]")
    assert (found.verdict, found.sends) == ("not-evaluable", ())
    assert found.message == "not evaluable: cannot build step 'asked': target.nothing is null"


def test_a_reference_that_raises_sends_nothing() -> None:
    found = played('steps: [{name: asked, call: ping, params: {it: {from: "target.transport < `1`"}}}]')
    assert (found.verdict, found.sends) == ("not-evaluable", ())


def test_text_has_the_length_asked_for() -> None:
    assert params("{make: text, bytes: 0}") == ""
    assert len(str(params("{make: text, bytes: 1048576}"))) == 1_048_576


def test_counter_goes_on_from_the_ids_of_requests() -> None:
    found = played("steps: [{name: asked, call: ping, params: {it: {make: counter}}}, {name: next, call: ping}]")
    (asked,), (after,) = sent_by(found, "asked"), sent_by(found, "next")
    assert asked.message is not None
    made = asked.message["params"]["it"]  # type: ignore[index, call-overload]
    assert len({made, asked.id, after.id}) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "model", ["7f3a9c1e-0b52-4d81-9e6f-a1b2c3d4e5f6", "ABCDEF0123456789", "0", "Zz", "----", "tok_9F.x~y"]
)
def test_like_has_the_same_length_and_alphabet_and_differs(model: str) -> None:
    for seed in range(50):
        made = Generator(seed, 1).like(model)
        assert made != model
        assert [shape(char) for char in made] == [shape(char) for char in model] or model == "----"
        assert len(made) == len(model)
        assert sum(a != b for a, b in zip(made, model, strict=True)) <= 4


def shape(char: str) -> str:
    return "digit" if char.isdigit() else "lower" if char.islower() else "upper" if char.isupper() else char


def test_like_stays_hexadecimal() -> None:
    for seed in range(50):
        assert re.fullmatch("[0-9a-f-]+", Generator(seed, 1).like("7f3a9c1e-0b52-4d81"))


def test_like_of_nothing_is_something() -> None:
    assert Generator(1, 1).like("") != ""


def test_uuids_are_version_four_and_follow_from_seed_and_purpose() -> None:
    one, same = Generator(7, 1000).apart("a"), Generator(7, 1).apart("a")
    drawn = [one.uuid() for _ in range(3)]
    assert [same.uuid() for _ in range(3)] == drawn
    assert len(set(drawn)) == 3
    assert all(
        re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", uuid) for uuid in drawn
    )
    assert Generator(8, 1000).apart("a").uuid() != drawn[0]
    assert Generator(7, 1000).apart("b").uuid() != drawn[0]


def test_ids_count_through_all_purposes() -> None:
    whole = Generator(7, 1000)
    one, two = whole.apart("a"), whole.apart("b")
    assert [one.next_id(), two.next_id(), whole.next_id(), one.apart("c").next_id()] == [1000, 1001, 1002, 1003]


TOOL = "{name: echo, inputSchema: {properties: {a: {type: integer}}, required: [a]}}"
ECHO = f"replies: {{tools: {{result: {{tools: [{TOOL}]}}}}}}"


def test_arguments_are_those_of_the_tool_with_what_is_added() -> None:
    assert params('{"make": arguments, "for": "tools.items[0]"}', ECHO) == {"a": 1}
    assert params('{"make": arguments, "for": "tools.items[0]", "plus": {"b": 2}}', ECHO) == {"a": 1, "b": 2}
    assert params('{"make": arguments, "for": "tools.items[0]", "plus": {"a": "x"}}', ECHO) == {"a": "x"}


def test_the_secret_is_the_token_and_never_shown() -> None:
    rule = """
steps:
  - name: leak
    call: ping
    credentials: none
    query: {access_token: {secret: token}}
    check: [{get: leak.sent.method, is: pong, else: "sent {leak.sent} to {leak.http.url}"}]
"""
    found = played(rule, "root: {target: {credentials: configured}}")
    (sending,) = sent_by(found, "leak")
    assert sending.url == "https://server.example/mcp?access_token=configured-token"
    assert "configured-token" not in found.message
    without = played(rule)
    assert (without.verdict, without.sends) == ("not-evaluable", ())
    assert "no credential is configured" in without.message
