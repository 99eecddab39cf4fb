"""Why there is no result: with the server's own words for the rule that judges it, without them for all that follow."""

from __future__ import annotations

import pytest

from mcp_compliance.attribution.sentences import ending, unusable
from mcp_compliance.exchange.exchange import Exchange, Http, Process
from mcp_compliance.exchange.sending import Sending

ASKED = Sending(step="init", within=5.0, message={"jsonrpc": "2.0", "id": 1, "method": "initialize"})
REFUSED = Exchange(ASKED, "answered", message={"id": 1, "error": {"code": -32603, "message": "wrong shape"}})
DIED = Exchange(ASKED, "died", process=Process(False, 3, None, "no such module\n"))
PRETTY = Exchange(ASKED, "answered", message={"id": 1, "error": {"code": -32603, "message": '[\n  {\n    "a": 1'}})
NODE = Process(False, 1, None, "throw err;\n  ^\n\nError: Cannot find module 'x'\n    at a (b:1)\n\nNode.js v20.1.0\n")
PYTHON = Process(False, 1, None, "Traceback (most recent call last):\n  File \"s.py\", line 1\nKeyError: 'db'\n")
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
        (PRETTY, 'initialize was refused: -32603 [ { "a": 1', "initialize was refused: -32603"),
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


@pytest.mark.parametrize(
    ("process", "words"),
    [
        (NODE, "exit code 1; stderr: Error: Cannot find module 'x'"),
        (PYTHON, "exit code 1; stderr: KeyError: 'db'"),
        (Process(False, 2, None, "usage: s\nAPI_KEY is not set\n"), "exit code 2; stderr: API_KEY is not set"),
        (Process(False, None, 9, ""), "signal 9"),
    ],
)
def test_an_end_is_told_with_the_line_that_says_why(process: Process, words: str) -> None:
    assert ending(process) == words
