"""Checks: what each predicate holds true, and what a check that is not met, or cannot be evaluated, comes to."""

from __future__ import annotations

import json

import pytest

from mcp_compliance.interpreter.cases import Played
from mcp_compliance.jsontypes import JSON
from tests.interpreter.made import play, played


def judged(value: JSON, **check: JSON) -> Played:
    """One check on ``value``, which stands in the result of a ping."""
    step: JSON = {"name": "asked", "call": "ping", "check": [{"get": "asked.result.it", **check}]}
    return play({"steps": [step]}, {"replies": {"asked": {"result": {"it": value}}}})


RAISES = '"target.transport < `1`"'
PREDICATES: list[tuple[str, JSON, list[JSON], list[JSON]]] = [
    ("is", 1, [1, 1.0], [True, "1", 2, None, [1]]),
    ("is", False, [False], [0, None, "", []]),
    ("is", {"a": 1, "b": [0]}, [{"b": [0], "a": 1.0}], [{"a": 1}, {"a": 1, "b": [False]}]),
    ("is", None, [None], [0, "", False, []]),
    ("is_not", 1, [True, "1", 2, None], [1, 1.0]),
    ("in", [1, "a", None], [1, "a", None, 1.0], [True, "1", "", []]),
    ("not_in", [1, "a"], [True, "1", None, ""], [1, "a"]),
    ("type", "integer", [0, 3, 2.0, -1], [True, "0", 2.5, None]),
    ("type", "number", [0, 2.5, 2.0], [True, "2.5", None]),
    ("type", "boolean", [True, False], [0, 1, "true", None]),
    ("type", "string", ["", "a"], [0, None, []]),
    ("type", "array", [[]], [{}, "", None]),
    ("type", "object", [{}], [[], None]),
    ("type", ["string", None], ["", None], [0, []]),
    ("type", ["string", "null"], ["", None], [0, []]),
    ("exists", True, [0, "", [], {}, False], [None]),
    ("exists", False, [None], [0, "", [], {}, False]),
    ("empty", True, [None, "", [], {}], [0, False, " ", [None], {"a": None}]),
    ("empty", False, [0, False, " ", [None]], [None, "", [], {}]),
    ("count", 0, [[], "", {}, 0], [None, False, [0]]),
    ("count", 2, [["a", "b"], "ab", {"a": 1, "b": 2}, 2], [None, True, "a", []]),
    ("at_least", 1, [1, 2.5, "a", [0]], [0, "", [], None, True]),
    ("at_most", 1, [1, 0, -2, "", []], [2, "ab", None, True]),
    ("below", 1, [0, 0.5, "", []], [1, "a", None, False]),
    ("matches", "^b+$", ["b", "bb"], ["", "abc", None, 7, ["b"]]),
    ("matches_none", "^b+$", ["", "abc", None], ["b", "bb"]),
    ("contains", "b", ["abc", "b", ["b"]], ["", "ac", [["b"]], None, {"b": 1}]),
    ("contains", 1, [[1], [1.0]], [[True], ["1"], [], "1", None]),
    ("unique", True, [[], [1, True, "1"], [{"a": 1}, {"a": 2}]], [[1, 1.0], [{"a": 1}, {"a": 1}], None, "ab"]),
    ("conforms_to", {"from": '`{"type": "integer"}`'}, [1, 0], ["1", None, True]),
]


@pytest.mark.parametrize(
    ("predicate", "expected", "value", "met"),
    [
        pytest.param(name, expected, value, met, id=f"{name} {json.dumps(expected)}: {json.dumps(value)}")
        for name, expected, good, bad in PREDICATES
        for met, values in ((True, good), (False, bad))
        for value in values
    ],
)
def test_predicates(predicate: str, expected: JSON, value: JSON, met: bool) -> None:
    assert judged(value, **{predicate: expected}).verdict == ("pass" if met else "fail")


def test_that_holds_for_all_but_null_false_and_what_is_empty() -> None:
    for value in (0, "0", [0], {"a": None}, True):
        assert play(that(value)).verdict == "pass", value
    for value in (None, False, "", [], {}):
        assert play(that(value)).verdict == "fail", value


def that(value: JSON) -> dict[str, JSON]:
    return {"steps": [{"name": "asked", "call": "ping", "check": [{"that": f"`{json.dumps(value)}`"}]}]}


def test_a_failure_without_words_shows_both_sides() -> None:
    assert judged(7, **{"is": 8}).message == "MUST: `asked.result.it` is 7, expected is 8"
    assert judged(None, at_least=1).message == "MUST: `asked.result.it` is null, expected at least 1"


def test_what_a_server_sent_is_cut_and_made_printable() -> None:
    words = judged("a\n\u202e" + "b" * 300, **{"is": 1, "else": "it is {asked.result.it}"}).message
    assert words.startswith("MUST: it is a\\n\\u202ebbb")
    assert words.endswith("...")
    assert len(words) == len("MUST: it is ") + 200


def test_an_expression_that_raises_on_an_answer_is_a_check_not_met() -> None:
    found = played(f"steps: [{{name: asked, call: ping, check: [{{that: {RAISES}}}]}}]")
    assert (found.verdict, found.message) == (
        "fail",
        "MUST: `target.transport < `1`` cannot be evaluated: two values that have no order were compared, such as a "
        "number and a text",
    )


@pytest.mark.parametrize(
    "line",
    [
        "{stop: skip, if: RAISES, say: nothing}",
        "{stop: pass, unless: RAISES, say: nothing}",
        "{get: asked.result, exists: true, if: RAISES}",
        "{each: RAISES, as: item, check: [{that: item}]}",
    ],
)
def test_an_answer_cannot_buy_a_skip_by_making_an_expression_raise(line: str) -> None:
    found = played(f"steps: [{{name: asked, call: ping, check: [{line.replace('RAISES', RAISES)}]}}]")
    assert (found.verdict, "cannot be judged" in found.message) == ("fail", True)


def test_a_guard_or_the_condition_of_a_step_that_raises_buys_no_skip_either() -> None:
    guarded = played(f"skip_unless: [{{that: {RAISES}, say: nothing}}]\ncheck: [{{that: target}}]")
    assert (guarded.verdict, "cannot be judged" in guarded.message) == ("fail", True)
    step = f"{{name: asked, call: ping, if: {RAISES}, check: [{{that: asked}}]}}"
    conditional = played(f"steps: [{step}, {{name: end, check: [{{that: target}}]}}]")
    assert (conditional.verdict, "cannot be judged" in conditional.message) == ("fail", True)


def test_the_first_check_that_is_not_met_decides() -> None:
    rule = """
steps:
  - name: asked
    call: ping
    check:
      - {get: asked.result, exists: true, else: first}
      - {get: asked.outcome, is: odd, else: second}
      - {get: asked.outcome, is: odd, else: third}
"""
    found = played(rule)
    assert (found.message, found.decided) == ("MUST: second", ("steps", 0, "check", 1))
    assert ("steps", 0, "check", 2) not in found.evaluated


@pytest.mark.parametrize(
    ("verdict", "message"),
    [("fail", "MUST: no"), ("skip", "no"), ("not-evaluable", "not evaluable: no")],
)
def test_a_check_that_is_not_met_gives_its_own_verdict(verdict: str, message: str) -> None:
    found = judged(1, **{"is": 2, "else": "no", "verdict": verdict})
    assert (found.verdict, found.message) == (verdict, message)


def test_a_warning_is_no_verdict() -> None:
    found = judged(1, **{"is": 2, "else": "odd", "verdict": "warn"})
    assert (found.verdict, found.warnings) == ("pass", ("odd",))


def test_a_check_may_have_a_force_of_its_own() -> None:
    assert judged(1, **{"is": 2, "else": "no", "force": "SHOULD"}).message == "SHOULD: no"
    assert judged(1, **{"is": 2, "else": "no", "force": "none"}).message == "advisory: no"


def test_only_and_if_take_a_check_out() -> None:
    assert judged(1, **{"is": 2, "only": "stdio"}).verdict == "skip"
    assert judged(1, **{"is": 2, "only": "http"}).verdict == "fail"
    assert judged(1, **{"is": 2, "if": "asked.error"}).verdict == "skip"
    assert judged(1, **{"is": 2, "if": "asked.result"}).verdict == "fail"


EXITS = """
steps:
  - name: asked
    call: ping
    check: [{get: asked.outcome, is: answered}, {stop: EXIT, WHEN: asked.result.done, say: "done {asked.result.done}"}]
  - {name: more, call: ping, check: [{get: more.outcome, is: odd}]}
"""


@pytest.mark.parametrize("verdict", ["pass", "skip"])
@pytest.mark.parametrize(("when", "done", "fires"), [("if", 1, True), ("if", None, False), ("unless", 1, False)])
def test_an_exit_ends_the_rule_when_it_fires(verdict: str, when: str, done: JSON, fires: bool) -> None:
    reply = f"replies: {{asked: {{result: {{done: {json.dumps(done)}}}}}}}"
    found = played(EXITS.replace("EXIT", verdict).replace("WHEN", when), reply)
    assert found.verdict == (verdict if fires else "fail")
    assert found.sends == (("asked",) if fires else ("asked", "more"))
    assert not fires or found.message == "done 1"


@pytest.mark.parametrize(
    "check",
    [
        "{stop: skip, if: asked.error, say: no}",
        "{stop: pass, if: asked.result, say: yes}",
        "{each: asked.result.items, as: item, check: [{that: item}]}",
        "{each: asked.result.absent, as: item, or_absent: true, check: [{that: item}]}",
        "{get: asked.result, is: 1, only: stdio}",
    ],
)
def test_nothing_measured_is_never_a_pass(check: str) -> None:
    found = played(f"steps: [{{name: asked, call: ping, check: [{check}]}}]", "replies: {asked: {result: {items: []}}}")
    assert (found.verdict, found.message) == ("skip", "nothing was measured")


EACH = """
steps:
  - name: asked
    call: ping
    check:
      - each: asked.result.items
        as: item
        label: item.name
        check:
          - {get: item.n, type: integer, else: "n is {item.n}"}
          - {get: item.n, below: 5, verdict: warn, else: "n is large"}
"""


def test_each_names_the_item_that_fails_and_those_like_it() -> None:
    items = "[{name: a, n: 1}, {name: b, n: x}, {name: c, n: 9}, {name: d, n: y}]"
    found = played(EACH, f"replies: {{asked: {{result: {{items: {items}}}}}}}")
    assert found.message == "MUST: items[1] (b): n is x; likewise items[3] (d)"


def test_each_warns_item_by_item_and_sums_up_what_is_too_much() -> None:
    items = json.dumps([{"name": str(n), "n": 9} for n in range(14)])
    found = played(EACH, f"replies: {{asked: {{result: {{items: {items}}}}}}}")
    assert found.verdict == "pass"
    assert found.warnings[0] == "items[0] (0): n is large"
    assert found.warnings[-1] == "asked.result.items: 4 more warnings like these"
    assert len(found.warnings) == 11


def test_a_list_that_is_missing_fails_unless_it_may_be_absent() -> None:
    assert played(EACH, "replies: {asked: {result: {}}}").message == "MUST: asked.result.items is null, not a list"
    assert played(EACH, "replies: {asked: {result: {items: {}}}}").verdict == "fail"
    lenient = EACH.replace("as: item", "as: item\n        or_absent: true")
    assert played(lenient, "replies: {asked: {result: {}}}").verdict == "skip"
    assert played(lenient, "replies: {asked: {result: {items: 7}}}").verdict == "fail"


SEVERAL = """
steps:
  - name: asked
    call: ping
    check:
      - KIND:
          - {get: asked.result.a, is: 1, else: "a is {asked.result.a}"}
          - {get: asked.result.b, is: 1, else: "b is {asked.result.b}"}
"""


@pytest.mark.parametrize(
    ("kind", "a", "b", "message"),
    [
        ("all", 1, 1, "met"), ("all", 1, 2, "MUST: b is 2"), ("all", 2, 2, "MUST: a is 2; b is 2"),
        ("any", 1, 2, "met"), ("any", 2, 1, "met"), ("any", 2, 2, "MUST: a is 2; b is 2"),
    ],
)  # fmt: skip
def test_all_and_any(kind: str, a: int, b: int, message: str) -> None:
    rule = SEVERAL.replace("KIND", kind)
    assert played(rule, f"replies: {{asked: {{result: {{a: {a}, b: {b}}}}}}}").message == message


def test_many_items_are_told_apart_in_time() -> None:
    names: list[JSON] = [{"name": f"tool-{number}"} for number in range(20_000)]
    assert judged(names, unique=True).verdict == "pass"
    assert judged([*names, names[0]], unique=True).verdict == "fail"
