"""Picks: safety first, then what must be, then what is preferred, then list order; and the user's consent above all."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.values import Pick
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import ToolConsent
from tests.interpreter.made import revision


def tool(name: str, annotations: JSON = None, /, **properties: JSON) -> JSONObject:
    made: JSONObject = {"name": name, "inputSchema": {"type": "object", "properties": properties}}
    return made if annotations is None else {**made, "annotations": annotations}


READ_ONLY: JSON = {"readOnlyHint": True}
HARMLESS: JSON = {"destructiveHint": False}
DESTRUCTIVE: JSON = {"destructiveHint": True}
TEXT: JSON = {"type": "string"}


def picker(consent: ToolConsent = ToolConsent()) -> Picker:
    compiler = Compiler()
    lists = {"tool": "tools", "argument": "tools", "prompt": "prompts", "resource": "resources"}
    return Picker({kind: compiler.expression(name, ()) for kind, name in lists.items()}, consent)


def names(pick: Pick, tools: list[JSONObject], made: Picker | None = None) -> list[str]:
    """What is picked: names of tools, ``tool.argument`` of arguments."""
    listed: list[JSON] = [*tools]
    scope = Scope(revision().library, {"tools": listed})
    found = []
    for item in (made or picker()).pick(pick, scope):
        assert isinstance(item, dict)
        holder = item.get("tool")
        found.append(f"{holder['name']}.{item['name']}" if isinstance(holder, dict) else str(item["name"]))
    return found


def asking(
    kind: str = "tool", *, must: tuple[str, ...] = (), prefer: tuple[str, ...] = (), most: int | None = 9
) -> Pick:
    return Pick(kind, must, prefer, most, ())


TIERS = [tool("wipe", DESTRUCTIVE), tool("plain"), tool("adds", HARMLESS), tool("reads", READ_ONLY)]


def test_the_safest_tier_that_holds_a_candidate_is_taken_alone() -> None:
    assert names(asking(), TIERS) == ["reads"]
    assert names(asking(), TIERS[:3]) == ["adds"]
    assert names(asking(), TIERS[:2]) == ["plain"]
    assert names(asking(), TIERS[:1]) == []


def test_destructive_tools_take_consent_and_still_come_last() -> None:
    allowed = picker(ToolConsent(allow_destructive=True))
    assert names(asking(), TIERS[:1], allowed) == ["wipe"]
    assert names(asking(), TIERS, allowed) == ["reads"]


@pytest.mark.parametrize("hint", ["true", 1, None, "yes"])
def test_only_true_and_false_are_hints(hint: JSON) -> None:
    assert names(asking(), [tool("odd", {"readOnlyHint": hint}), tool("adds", HARMLESS)]) == ["adds"]
    assert names(asking(), [tool("odd", {"destructiveHint": hint})]) == ["odd"]


def test_must_filters_before_the_tier_is_chosen() -> None:
    tools = [tool("reads", READ_ONLY), tool("takes", None, words=TEXT)]
    assert names(asking(must=("text-argument",)), tools) == ["takes"]
    assert names(asking(must=("read-only",)), tools) == ["reads"]
    assert names(asking(must=("read-only", "text-argument")), tools) == []


def test_prefer_orders_and_never_beats_safety() -> None:
    tools = [tool("b", READ_ONLY), tool("a", READ_ONLY, words=TEXT), tool("named-a", HARMLESS, words=TEXT)]
    assert names(asking(prefer=("text-argument",)), tools) == ["a", "b"]
    assert names(asking(prefer=("named NAMED-A",)), tools) == ["b", "a"]
    assert names(asking(prefer=("named x", "text-argument")), tools) == ["a", "b"]


def test_one_or_at_most_so_many() -> None:
    tools = [tool(name, READ_ONLY) for name in "abcd"]
    assert names(asking(most=None), tools) == ["a"]
    assert names(asking(most=3), tools) == ["a", "b", "c"]


def test_free_texts_of_all_tools_come_before_bound_ones() -> None:
    bound: JSON = {"type": "string", "enum": ["x"]}
    tools = [tool("one", READ_ONLY, mode=bound, name=TEXT), tool("two", READ_ONLY, text=TEXT)]
    assert names(asking("argument"), tools) == ["one.name", "two.text", "one.mode"]


@pytest.mark.parametrize("schema", [{"type": "integer"}, {"type": ["integer", "null"]}, {}, True, None, {"type": None}])
def test_only_texts_are_arguments_to_pick(schema: JSON) -> None:
    assert names(asking("argument"), [tool("one", READ_ONLY, a=schema)]) == []


def test_words_of_arguments() -> None:
    tools = [
        tool("fetch", READ_ONLY, page=TEXT, callback_url=TEXT, target={"type": "string", "format": "uri"}, path=TEXT)
    ]
    assert names(asking("argument", must=("url-argument",)), tools) == ["fetch.callback_url", "fetch.target"]
    assert names(asking("argument", must=("path-argument",)), tools) == ["fetch.path"]
    assert names(asking("argument", must=("named PAGE",)), tools) == ["fetch.page"]
    assert names(asking("argument", must=("free-text",)), tools) == ["fetch.page", "fetch.callback_url", "fetch.path"]


def test_an_argument_that_a_header_repeats_is_told_by_the_keyword_of_the_revision() -> None:
    mirrored: JSON = {"type": "string", "x-mcp-header": "Region"}
    tools = [tool("a", READ_ONLY, region=mirrored), tool("b", READ_ONLY, region=mirrored, text=TEXT)]
    over_http, elsewhere = picker(), picker()
    over_http.mirrors = "x-mcp-header"
    assert names(asking("argument", must=("unmirrored",)), tools, over_http) == ["b.text"]
    assert names(asking(must=("unmirrored",)), tools, over_http) == ["b"]
    assert names(asking(prefer=("unmirrored",)), tools, over_http) == ["b", "a"]
    assert names(asking("argument", must=("unmirrored",)), tools, elsewhere) == ["a.region", "b.region", "b.text"]
    assert names(asking(must=("unmirrored",)), [tool("c", READ_ONLY, count={"type": "integer"})], elsewhere) == []


def test_safe_restricts_every_call_to_read_only_tools() -> None:
    made = picker(ToolConsent(safe=True, allow_destructive=True))
    assert names(asking(), TIERS, made) == ["reads"]
    assert names(asking(), TIERS[:3], made) == []
    assert set(made.passed_over) == {"wipe", "plain", "adds"}


def test_the_user_names_tools_to_call_or_to_leave_alone() -> None:
    assert names(asking(), TIERS, picker(ToolConsent(only=frozenset({"plain"})))) == ["plain"]
    assert names(asking(), TIERS, picker(ToolConsent(skip=frozenset({"reads"})))) == ["adds"]
    assert names(asking(), TIERS, picker(ToolConsent(only=frozenset({"wipe"})))) == []


def test_a_dry_run_calls_nothing_and_says_what_it_would() -> None:
    made = picker(ToolConsent(dry_run=True))
    assert names(asking(), TIERS, made) == []
    listed: list[JSON] = [*TIERS]
    scope = Scope(Library({}), {"tools": listed, "prompts": [{"name": "greet"}]})
    assert made.reason(asking(), scope) == "dry run: would call reads"
    assert made.reason(asking(must=("output-schema",)), scope) == "dry run: no tool would be called"
    assert made.pick(asking("prompt"), scope) == [{"name": "greet"}]


def test_the_reason_names_what_would_have_fitted() -> None:
    listed: list[JSON] = [tool("wipe", DESTRUCTIVE, words=TEXT), tool("clear", DESTRUCTIVE)]
    scope = Scope(Library({}), {"tools": listed})
    said = picker().reason(asking(must=("text-argument",)), scope)
    assert said == "no tool that takes a text may be used (passed over: wipe)"


def test_what_was_passed_over_is_this_rules_alone() -> None:
    one, two = picker(), picker()
    names(asking(), TIERS, one)
    assert one.passed_over == {"wipe": "destructive", "plain": "a safer one was taken", "adds": "a safer one was taken"}
    assert two.passed_over == {}


@pytest.mark.parametrize("listed", [None, "text", {}, [None, 7, "a", {}, {"name": 7}, []]])
def test_a_list_that_is_none_holds_nothing_to_pick(listed: JSON) -> None:
    assert picker().pick(asking(), Scope(Library({}), {"tools": listed})) == []


@pytest.mark.parametrize("schema", [None, "x", [], {"properties": []}, {"properties": {"a": None}, "required": "a"}])
def test_odd_schemas_do_no_harm(schema: JSON) -> None:
    odd: JSONObject = {"name": "odd", "inputSchema": schema, "annotations": [], "execution": 7}
    assert names(asking(), [odd]) == ["odd"]
    assert names(asking("argument"), [odd]) == []
