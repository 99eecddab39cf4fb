"""A rule that reads a list skips because of the handshake, when that failed, and not as if nothing were declared."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSONObject
from tests.interpreter.made import play

RULE: JSONObject = {"uses": ["tools"], "check": [{"get": "tools.result", "exists": True}]}


def test_a_refused_handshake_is_named() -> None:
    played = play(RULE, {"verdict": "skip", "replies": {"init": {"status": 401}}})
    assert played.message.startswith("initialize drew HTTP 401")
    assert played.message.endswith("see lifecycle-init")


def test_what_an_open_session_does_not_declare_is_named() -> None:
    played = play(RULE, {"verdict": "skip", "root": {"server": {"capabilities": {}}}})
    assert played.message == "tools is not declared by the server"
