"""A case that moves its endpoint sees all facts about the new address."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSONObject
from tests.interpreter.made import play

RULE: JSONObject = {
    "check": [{"get": "[target.url.scheme, target.url.host, target.url.loopback, target.local]", "is": 1}]
}


def seen(url: JSONObject) -> str:
    return play(RULE, {"verdict": "fail", "root": {"target": {"url": url}}}).message.replace(" ", "")


def test_facts_of_an_address_follow_from_its_text() -> None:
    assert '["http","127.0.0.1",true,true]' in seen({"text": "http://127.0.0.1:8000/mcp"})


def test_a_fact_can_be_given_beside_the_text() -> None:
    assert '["http","server.lan",false,true]' in seen({"text": "http://10.0.0.5/mcp", "host": "server.lan"})
