"""A rule that judges the recording shows the message that decided, and what that one answered."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from mcp_compliance.model.result import EvidenceLine
from tests.aio import run
from tests.suite.scripted import ScriptedTarget, catalogue, grade, rule

PING = "  - {name: one, call: ping, check: [{get: one.result, type: object}]}"
EACH = """
  - check:
      - each: "recording.received[?kind == 'response']"
        as: item
        check: [{get: item.payload.result.protocolVersion, exists: true}]
"""
LIST = """
  - let: {answers: {from: "recording.received[?kind == 'response']"}}
    check: [{get: "answers[1:]", empty: true}]
"""
NUMBER = """
  - check: [{get: count(recording.received), is: 0}]
"""
AT_END = PING + "\nat_end:" + EACH.split("check:", 1)[1]


def shown(tmp_path: Path, steps: str, transport: Literal["http", "stdio"], more: str) -> tuple[EvidenceLine, ...]:
    rules = catalogue(tmp_path, rule("one", PING), rule("scan", steps, more=more))
    report = run(lambda: grade(ScriptedTarget(transport), rules), at_most=1000.0)
    (scan,) = (result for result in report.results if result.id == "scan")
    assert scan.verdict == "fail"
    return scan.evidence


@pytest.mark.parametrize(
    ("steps", "more"), [(EACH, "phase: after"), (LIST, "phase: after"), (AT_END, "")], ids=["each", "list", "at end"]
)
def test_the_message_that_decided(tmp_path: Path, steps: str, more: str) -> None:
    (line,) = shown(tmp_path, steps, "stdio", more)
    assert line.step == "one"
    assert line.sent == '{"jsonrpc":"2.0","id":1001,"method":"ping"}'
    assert line.received == '{"jsonrpc": "2.0", "id": 1001, "result": {}}'


def test_status_and_headers_over_http(tmp_path: Path) -> None:
    (line,) = shown(tmp_path, EACH, "http", "phase: after")
    assert line.sent.startswith("POST [")
    assert line.sent.endswith('{"jsonrpc":"2.0","id":1001,"method":"ping"}')
    assert line.received == 'HTTP 200 {"jsonrpc": "2.0", "id": 1001, "result": {}}'


def test_a_value_that_is_no_message_shows_none(tmp_path: Path) -> None:
    assert shown(tmp_path, NUMBER, "stdio", "phase: after") == ()
