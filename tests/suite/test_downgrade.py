"""An endpoint that leads out of TLS cannot be graded: nothing is sent where it points to."""

from __future__ import annotations

import pytest

from mcp_compliance.exchange.exchange import Exchange, Http
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.suite.downgrade import downgrade

SENDING = Sending(step="init", within=5.0, message={"jsonrpc": "2.0", "id": 1, "method": "initialize"})
SECURE = "https://server.example/mcp"


def answered(status: int, location: str | None, url: str = SECURE) -> Exchange:
    headers = () if location is None else (("Location", location),)
    return Exchange(SENDING, "answered", http=Http(status, url, headers))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", ["http://server.example/mcp/", "HTTP://other.example/"])
def test_both_addresses_are_named(status: int, location: str) -> None:
    words = downgrade(answered(status, location))
    assert words is not None
    assert SECURE in words
    assert location.partition(":")[2] in words
    assert str(status) in words


@pytest.mark.parametrize(
    "opening",
    [
        None,
        Exchange(SENDING, "timeout"),
        answered(200, "http://server.example/mcp/"),
        answered(307, None),
        answered(307, "/mcp/"),
        answered(307, "https://other.example/mcp"),
        answered(307, "http://server.example/mcp/", url="http://server.example/mcp"),
        answered(307, "http://[broken/"),
    ],
)
def test_everything_else_is_judged_as_it_is(opening: Exchange | None) -> None:
    assert downgrade(opening) is None
