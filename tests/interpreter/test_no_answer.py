"""``credit: {no_answer: ...}``: what becomes of a step that draws no answer."""

from __future__ import annotations

import pytest

from mcp_compliance.jsontypes import JSONObject
from tests.interpreter.made import play


def _asking(no_answer: str) -> JSONObject:
    return {
        "steps": [
            {
                "name": "asked",
                "call": "ping",
                "credit": {"no_answer": no_answer, "unattributed": "skip"},
                "check": [{"get": "asked.result", "exists": True, "else": "{asked.outcome}"}],
            }
        ]
    }


@pytest.mark.parametrize("on", ["http", "stdio"])
@pytest.mark.parametrize(
    ("no_answer", "verdict", "message"),
    [
        ("fail", "not-evaluable", "not evaluable: no answer to ping"),
        ("skip", "skip", "no answer to ping"),
        ("judge", "fail", "MUST: timeout"),
    ],
)
def test_silence(on: str, no_answer: str, verdict: str, message: str) -> None:
    played = play(_asking(no_answer), {"on": on, "replies": {"asked": {"timeout": True}}})
    assert played.verdict == verdict
    assert played.message.startswith(message)


def test_judge_covers_a_connection_that_is_closed() -> None:
    played = play(_asking("judge"), {"on": "http", "replies": {"asked": {"drop": True}}})
    assert (played.verdict, played.message) == ("fail", "MUST: dropped")


def test_judge_leaves_gateways_to_attribution() -> None:
    played = play(_asking("judge"), {"on": "http", "replies": {"asked": {"status": 401}}})
    assert played.verdict == "skip"
