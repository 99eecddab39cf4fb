"""Headers that the user configured: which of them are credentials, and where they go."""

from __future__ import annotations

import pytest

from mcp_compliance.interpreter.credentials import is_credential
from mcp_compliance.jsontypes import JSONObject
from tests.interpreter.made import play


@pytest.mark.parametrize(
    "name",
    [
        "Authorization", "proxy-authorization", "Cookie", "X-Api-Key", "apikey", "X-Auth", "X-Auth-Email",
        "X-Amz-Security-Token", "X-Client-Secret", "X-Api-Credentials", "X_Auth_Token",
    ],
)  # fmt: skip
def test_names_of_credentials(name: str) -> None:
    assert is_credential(name)


@pytest.mark.parametrize("name", ["X-Tenant", "User-Agent", "Accept-Language", "X-Author", "Traceparent", "Origin"])
def test_names_of_other_headers(name: str) -> None:
    assert not is_credential(name)


def authorization_sent_to(url: str) -> object:
    """What a bare GET with the configured credential carries to an address."""
    step: JSONObject = {"name": "get", "http": {"method": "GET", "url": url}, "credentials": "configured"}
    case: JSONObject = {"verdict": "skip", "root": {"target": {"credentials": "configured"}}}
    played = play({"steps": [step]}, case)
    (sent,) = [exchange.sending for exchange in played.exchanges if exchange.sending.step == "get"]
    return dict(sent.headers).get("Authorization")


def test_they_go_to_the_endpoint_alone() -> None:
    # the endpoint of a case is https://server.example/mcp
    assert authorization_sent_to("https://server.example/.well-known/x") == "Bearer configured-token"
    assert authorization_sent_to("https://SERVER.example:443/x") == "Bearer configured-token"
    assert authorization_sent_to("https://server.example:8443/x") is None
    assert authorization_sent_to("http://server.example/mcp") is None
    assert authorization_sent_to("https://other.example/mcp") is None
