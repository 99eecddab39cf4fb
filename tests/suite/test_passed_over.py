"""Which tools a run names as passed over: those that safety left out and that nothing called."""

from __future__ import annotations

from pathlib import Path

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import ToolConsent
from tests.aio import run
from tests.suite.scripted import ScriptedTarget, TwistedWire, catalogue, grade, rule

CALL = """  - {name: one, let: {tool: {pick: tool, must: [MUST]}}, call: tools/call, params: {name: {from: tool.name}}}
  - {name: end, check: [{get: one.outcome, is: answered}]}"""


def _tool(name: str, **annotations: JSON) -> JSON:
    return {"name": name, "annotations": annotations, "inputSchema": {"type": "object"}}


def _warnings(folder: Path, tools: list[JSON], *musts: str, consent: ToolConsent | None = None) -> list[str]:
    rules = [rule(f"r{n}", CALL.replace("MUST", must), more="uses: [tools]") for n, must in enumerate(musts)]

    def lists(sending: Sending, wire: TwistedWire) -> Exchange | None:
        message: JSONObject = {"jsonrpc": "2.0", "id": sending.id, "result": {"tools": tools}}
        return Exchange(sending, "answered", message=message) if sending.method == "tools/list" else None

    target = ScriptedTarget(twists=(lists,))
    more = {} if consent is None else {"tools": consent}
    report = run(lambda: grade(target, catalogue(folder, *rules), **more), at_most=1000.0)
    return [warning for warning in report.warnings if "passed over" in warning or "no such tool" in warning]


SAFE = _tool("look", readOnlyHint=True)
PLAIN = _tool("relabel")
WIPE = _tool("wipe", destructiveHint=True)


def test_a_tool_is_named_that_a_safer_one_was_taken_for(tmp_path: Path) -> None:
    assert _warnings(tmp_path, [SAFE, PLAIN], "no-arguments") == ["Tools passed over: relabel (a safer one was taken)."]


def test_the_option_is_named_where_it_would_help(tmp_path: Path) -> None:
    assert _warnings(tmp_path, [PLAIN, WIPE], "no-arguments") == [
        "Tools passed over: wipe (destructive). --allow-destructive lets destructive ones be called."
    ]


def test_with_consent_a_destructive_tool_still_gives_way_to_a_safer_one(tmp_path: Path) -> None:
    consent = ToolConsent(allow_destructive=True)
    assert _warnings(tmp_path, [PLAIN, WIPE], "no-arguments", consent=consent) == [
        "Tools passed over: wipe (a safer one was taken)."
    ]


def test_what_another_pick_called_was_not_passed_over(tmp_path: Path) -> None:
    assert _warnings(tmp_path, [SAFE, PLAIN], "no-arguments", "named relabel") == []


def test_nothing_is_said_where_nothing_was_left_out(tmp_path: Path) -> None:
    assert _warnings(tmp_path, [SAFE], "no-arguments") == []


def test_a_named_tool_that_is_not_listed_is_a_slip(tmp_path: Path) -> None:
    """Else --skip-tool with a typing error would protect nothing, unseen."""
    consent = ToolConsent(only=frozenset({"look"}), skip=frozenset({"relable", "zzz"}))
    assert _warnings(tmp_path, [SAFE, PLAIN], "no-arguments", consent=consent) == [
        "--skip-tool relable: the server lists no such tool; did you mean relabel?",
        "--skip-tool zzz: the server lists no such tool",
    ]


def test_safe_says_what_a_tool_lacks(tmp_path: Path) -> None:
    assert _warnings(tmp_path, [SAFE, PLAIN], "named relabel", consent=ToolConsent(safe=True)) == [
        "Tools passed over: relabel (not declared read-only)."
    ]
