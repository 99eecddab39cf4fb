"""Why there is no result: with the server's own words for the rule that judges it, without them for all that follow."""

from __future__ import annotations

import pytest

from mcp_compliance.attribution.sentences import unusable
from mcp_compliance.exchange.exchange import Exchange, Http, Process
from mcp_compliance.exchange.sending import Sending

ASKED = Sending(step="init", within=5.0, message={"jsonrpc": "2.0", "id": 1, "method": "initialize"})
REFUSED = Exchange(ASKED, "answered", message={"id": 1, "error": {"code": -32603, "message": "wrong shape"}})
DIED = Exchange(ASKED, "died", process=Process(False, 3, None, "no such module\n"))
WALL = Exchange(ASKED, "answered", http=Http(502, "https://server.example/mcp", (("Content-Type", "text/html"),)))


@pytest.mark.parametrize(
    ("exchange", "whole", "without"),
    [
        (REFUSED, "initialize was refused: -32603 wrong shape", "initialize was refused: -32603"),
        (
            DIED,
            "initialize: the server exited (exit code 3; stderr: no such module)",
            "initialize: the server exited (exit code 3)",
        ),
        (WALL, *["initialize drew HTTP 502 without a JSON-RPC result (text/html)"] * 2),
        (Exchange(ASKED, "timeout"), *["initialize drew no answer within 5 s (timeout)"] * 2),
    ],
)
def test_a_missing_result_in_words(exchange: Exchange, whole: str, without: str) -> None:
    assert unusable(exchange) == whole
    assert unusable(exchange, quote=False) == without


def test_a_result_needs_no_words() -> None:
    served = Exchange(ASKED, "answered", message={"id": 1, "result": {}})
    assert (unusable(served), unusable(served, quote=False)) == (None, None)
