"""The primitive ``inject``: each outcome that its result can have, which argument it probes, and what it never does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

import pytest

from mcp_compliance.catalog.functions.schemas import schema_violations
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import ToolConsent
from mcp_compliance.primitives.inject import INJECT
from mcp_compliance.primitives.payloads import PayloadError, read_payload_set
from tests.aio import run
from tests.primitives.tool_server import (
    PAYLOADS,
    Asks,
    Gate,
    Handler,
    Refuses,
    Reply,
    Says,
    Silence,
    ToolServer,
    tool,
)

ONE_TEXT = tool("notes", "text")


def probed(server: ToolServer, payloads: str = "shell", *, jump: bool = True, **arguments: JSON) -> JSONObject:
    """The result, which must fit the schema that the primitive declares. ``jump``: no handler uses a socket."""
    given: JSONObject = {"payloads": payloads, "argument": ["text-argument"], **arguments}
    assert schema_violations(given, INJECT.arguments) == []
    result = run(INJECT.run, server, given, jump=jump)
    assert schema_violations(result, INJECT.result) == []
    return cast(JSONObject, result)


def one(handler: Handler, listed: JSONObject = ONE_TEXT, payloads: str = "shell", **server: object) -> JSONObject:
    return probed(ToolServer([listed], {str(listed["name"]): handler}, **server), payloads)  # type: ignore[arg-type]


def outcomes(result: JSONObject) -> list[JSON]:
    return [attempt["outcome"] for attempt in cast("list[JSONObject]", result["attempts"])]


def value_of(arguments: JSONObject) -> str:
    return str(arguments["text"])


def plain_or(reply: Reply) -> Callable[[JSONObject], Reply]:
    """Answers the harmless value, and everything else with this reply."""
    return lambda arguments: "fine" if value_of(arguments) == "harbour" else reply


def computes(arguments: JSONObject) -> Reply:
    """Works out a product between $(( and )), as a shell does, and nothing else."""
    head, opened, rest = value_of(arguments).partition("$((")
    product, closed, tail = rest.partition("))")
    if not (opened and closed):
        return value_of(arguments)
    left, right = product.split("*")
    return f"{head}{int(left) * int(right)}{tail}"


OUTCOMES: dict[str, Callable[[JSONObject], Reply]] = {
    "hit": computes,
    "rejected": plain_or(Says("characters like these are not allowed", flagged=True)),
    "inert": lambda arguments: f"you said {value_of(arguments)}",
    "unreached": plain_or(Silence("timeout")),
    "died": plain_or(Silence("died")),
}


def test_every_outcome_of_the_schema_has_a_server_here() -> None:
    attempts = cast(JSONObject, cast(JSONObject, INJECT.result["properties"])["attempts"])
    outcome = cast(JSONObject, cast(JSONObject, cast(JSONObject, attempts["items"])["properties"])["outcome"])
    assert set(cast("list[str]", outcome["enum"])) == set(OUTCOMES)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_each_outcome_is_told_from_the_others(outcome: str) -> None:
    assert set(outcomes(one(OUTCOMES[outcome]))) == {outcome}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Refuses("unknown characters"), "rejected"),
        (Says("no such file or directory"), "rejected"),
        (Says("something went wrong", flagged=True), "rejected"),
        (Says("nothing found"), "inert"),
        (Gate(403), "unreached"),
        (Gate(429), "unreached"),
        (Gate(502), "unreached"),
        (Asks("Run this?"), "unreached"),
        (Asks("", kind="task"), "unreached"),
        (Silence("dropped"), "unreached"),
        (Silence("unparsable"), "unreached"),
    ],
)
def test_what_a_server_that_lives_says_to_a_payload(reply: Reply, outcome: str) -> None:
    assert set(outcomes(one(plain_or(reply)))) == {outcome}


@pytest.mark.parametrize("reply", [Silence("dropped"), Silence("unreachable"), Gate(502)])
def test_a_server_that_answers_nothing_after_a_payload_has_died(reply: Reply) -> None:
    assert outcomes(one(plain_or(reply), alive=False)) == ["died"]


def test_a_timeout_is_no_death() -> None:
    assert set(outcomes(one(plain_or(Silence("timeout")), alive=False))) == {"unreached"}


def test_a_dead_child_ends_the_attempts() -> None:
    server = ToolServer([ONE_TEXT], {"notes": plain_or(Silence("died"))})
    result = probed(server)
    assert outcomes(result) == ["died"]
    assert len(server.calls) == 2
    assert "exit code 3; stderr: boom" in str(result["attempts"])


def test_the_harmless_value_may_kill_it_too() -> None:
    assert outcomes(one(lambda _: Silence("died"))) == ["died"]


def test_two_time_outs_in_a_row_end_the_attempts() -> None:
    server = ToolServer([ONE_TEXT], {"notes": plain_or(Silence("timeout"))})
    assert outcomes(probed(server)) == ["unreached", "unreached"]
    assert len(server.calls) == 3


def test_one_error_for_every_value_means_that_nothing_got_through() -> None:
    result = one(lambda _: Says("the API key is missing", flagged=True))
    assert set(outcomes(result)) == {"unreached"}
    assert "every value draws the same error" in str(result["attempts"])


def test_an_error_that_quotes_the_value_is_the_same_error() -> None:
    assert set(outcomes(one(lambda arguments: Says(f"{value_of(arguments)}: no key", flagged=True)))) == {"unreached"}


@pytest.mark.parametrize("words", ["access denied", "note not found", "there is no page at this address"])
def test_a_tool_that_looked_and_refused_every_value_was_reached(words: str) -> None:
    assert set(outcomes(one(lambda _: Says(words, flagged=True)))) == {"rejected"}


def test_a_tool_that_never_answers_is_left_for_the_next() -> None:
    server = ToolServer(
        [tool("deaf", "text"), tool("strict", "text"), ONE_TEXT],
        {"deaf": lambda _: Silence(), "strict": lambda _: Refuses("no"), "notes": OUTCOMES["inert"]},
    )
    result = probed(server)
    assert cast(JSONObject, result["target"])["tool"] == "notes"
    assert [name for name, _ in server.calls[:2]] == ["deaf", "strict"]


def test_a_tool_that_always_asks_first_is_left_for_the_next() -> None:
    server = ToolServer([tool("shy", "text"), ONE_TEXT], {"shy": lambda _: Asks("Really?"), "notes": OUTCOMES["inert"]})
    result = probed(server)
    assert cast(JSONObject, result["target"])["tool"] == "notes"
    assert [name for name, _ in server.calls].count("shy") == 1


def test_asking_first_is_said_and_is_not_waited_out() -> None:
    server = ToolServer([ONE_TEXT], {"notes": plain_or(Asks("Run this?"))})
    result = probed(server)
    assert "asked for more before it did anything (resultType input_required)" in str(result["attempts"])
    assert len(outcomes(result)) > 2


def test_a_question_that_shows_the_effect_is_a_hit() -> None:
    def shell(arguments: JSONObject) -> Reply:
        return Asks(str(computes(arguments))) if "$((" in value_of(arguments) else "fine"

    assert outcomes(one(shell)) == ["hit"]


def test_three_arguments_are_tried_at_most() -> None:
    tools = [tool(f"deaf{index}", "text") for index in range(5)]
    server = ToolServer(tools, {str(listed["name"]): lambda _: Refuses("no such order") for listed in tools})
    result = probed(server)
    assert len(server.calls) == 3
    assert outcomes(result) == ["unreached"]
    assert "no such order" in str(result["attempts"])


def test_a_hit_ends_the_attempts_and_stands_as_the_evidence() -> None:
    server = ToolServer([ONE_TEXT], {"notes": computes})
    result = probed(server)
    assert outcomes(result) == ["hit"]
    (attempt,) = cast("list[JSONObject]", result["attempts"])
    number = int(str(attempt["evidence"]).rpartition(" ")[2])
    assert str(number) not in str(attempt["payload"])
    assert str(number) in str(server.shown[-1].message)


def test_a_tool_that_runs_commands_on_purpose_is_by_design() -> None:
    def shell(arguments: JSONObject) -> Reply:
        words = value_of(arguments).split(" ")
        if words[0] == "expr":
            return str(int(words[1]) * int(words[3]))
        return computes(arguments)

    result = one(shell)
    assert str(result["by_design"]).startswith("expr ")
    assert one(computes)["by_design"] is None


@pytest.mark.parametrize("before", ["set /a ", ""])
def test_other_shells_by_trade_are_known_too(before: str) -> None:
    def shell(arguments: JSONObject) -> Reply:
        left, times, right = value_of(arguments).removeprefix(before).partition("*")
        both = bool(times) and left.isdigit() and right.isdigit()
        return str(int(left) * int(right)) if both else computes(arguments)

    assert re.match(rf"{before}\d+\*\d+ alone: ", str(one(shell)["by_design"]))


def test_another_argument_is_probed_when_the_first_is_by_design() -> None:
    def shell(arguments: JSONObject) -> Reply:
        left, _, right = value_of(arguments).removeprefix("expr ").partition(" '*' ")
        return computes(arguments) if "$((" in value_of(arguments) else str(int(left or 0) * int(right or 0))

    def runs(arguments: JSONObject) -> Reply:
        return "harbour" if value_of(arguments) == "harbour" else shell(arguments)

    server = ToolServer([tool("sh", "text"), ONE_TEXT], {"sh": runs, "notes": OUTCOMES["inert"]})
    result = probed(server)
    assert cast(JSONObject, result["target"])["tool"] == "notes"
    assert result["by_design"] is None


def test_no_text_argument_is_no_target() -> None:
    result = probed(ToolServer([tool("now")], {}))
    assert (result["target"], result["attempts"]) == (None, [])
    assert result["reason"] == "no argument that takes a text is listed"


def test_a_dry_run_calls_nothing() -> None:
    server = ToolServer([ONE_TEXT], {}, consent=ToolConsent(dry_run=True))
    assert probed(server)["reason"] == "dry run: would call notes"
    assert server.calls == []


def test_destructive_tools_are_passed_over_and_named() -> None:
    listed = tool("wipe", "text", read_only=False)
    listed["annotations"] = {"destructiveHint": True}
    server = ToolServer([listed], {})
    result = probed(server)
    assert result["target"] is None
    assert result["passed_over"] == ["wipe"]
    assert server.calls == []


def test_a_safe_tool_is_probed_before_one_with_the_better_name() -> None:
    server = ToolServer(
        [tool("save", "path", read_only=None), ONE_TEXT],
        {"save": OUTCOMES["inert"], "notes": OUTCOMES["inert"]},
    )
    result = probed(server, "path", prefer=["path-argument"])
    assert result["target"] == {"tool": "notes", "argument": "text", "safety": "read-only", "filled": []}


def test_the_name_decides_among_equally_safe_tools() -> None:
    server = ToolServer(
        [ONE_TEXT, tool("read", "path")],
        {"notes": OUTCOMES["inert"], "read": lambda arguments: f"read {arguments['path']}"},
    )
    result = probed(server, "path", prefer=["path-argument"])
    assert cast(JSONObject, result["target"])["argument"] == "path"


def test_other_required_arguments_are_filled() -> None:
    listed = tool("notes", "text", count={"type": "integer", "minimum": 3}, mode={"enum": ["a", "b"]})
    server = ToolServer([listed], {"notes": OUTCOMES["inert"]})
    result = probed(server)
    assert cast(JSONObject, result["target"])["filled"] == ["count", "mode"]
    assert all((arguments["count"], arguments["mode"]) == (3, "a") for _, arguments in server.calls)


def test_a_value_that_the_schema_offers_is_the_harmless_one() -> None:
    listed = tool("notes", text={"type": "string", "examples": ["High water"]})
    server = ToolServer([listed], {"notes": OUTCOMES["inert"]})
    probed(server)
    assert server.calls[0][1] == {"text": "High water"}


@pytest.mark.parametrize("payloads", ["shell", "sql", "path"])
def test_a_hostile_schema_breaks_nothing(payloads: str) -> None:
    schema: JSONObject = {"type": ["string", "null"], "default": "\ud800'\x00", "minLength": 10**9, "enum": []}
    server = ToolServer(
        [tool("notes", text=schema, more={"type": "array", "minItems": 10**9})], {"notes": lambda _: "a"}
    )
    assert set(outcomes(probed(server, payloads))) == {"inert"}


def test_no_or_condition_is_sent_to_a_tool_that_may_write() -> None:
    for read_only, sent in ((True, True), (None, False)):
        server = ToolServer([tool("notes", "text", read_only=read_only)], {"notes": OUTCOMES["inert"]})
        probed(server, "sql")
        assert any(" OR " in value_of(arguments) for _, arguments in server.calls) is sent


def test_nothing_is_written_deleted_or_cut_off() -> None:
    server = ToolServer([ONE_TEXT], {"notes": OUTCOMES["inert"]})
    for payloads in ("shell", "sql", "path"):
        probed(server, payloads)
    for _, arguments in server.calls:
        words = value_of(arguments).lower()
        assert not any(bad in words for bad in ("drop", "delete", "insert", "update", "--", " rm ", "sleep", "; --"))


def test_the_same_seed_sends_the_same_values() -> None:
    first, second = (ToolServer([ONE_TEXT], {"notes": OUTCOMES["inert"]}) for _ in range(2))
    assert (probed(first), first.calls) == (probed(second), second.calls)


def test_a_payload_set_that_is_wrong_says_so() -> None:
    with pytest.raises(PayloadError, match="payload set shell: "):
        read_payload_set({"about": "a", "plain": "p", "values": [{"computes": {}}]}, "shell")


def test_the_shipped_sets_can_be_read() -> None:
    assert isinstance(PAYLOADS, dict)
    names = [name for name, data in PAYLOADS.items() if isinstance(data, dict)]
    assert names == ["shell", "sql", "path", "internal-url"]
    for name in names:
        assert read_payload_set(PAYLOADS[name], name).payloads
