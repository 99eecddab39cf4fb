"""A body without an id of its own, such as an array: what comes first counts, and an open stream is not waited out."""

from __future__ import annotations

from mcp_compliance.exchange.sending import Sending
from tests.wire.ask import ask, data, sse

HEADERS = (("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"))
ARRAY = b'[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]'
FIRST = {"jsonrpc": "2.0", "id": "a", "result": {}}
SECOND = {"jsonrpc": "2.0", "id": "b", "result": {}}


def test_the_first_response_to_an_array_counts_while_the_stream_stays_open() -> None:
    sending = Sending("raw", 10, body=ARRAY, headers=HEADERS, answers="any", listen=0.3)
    exchange = ask(sse(data(FIRST), data(SECOND), end=False), sending)
    assert (exchange.outcome, exchange.message) == ("answered", FIRST)
    assert [item["payload"] for item in exchange.messages] == [FIRST, SECOND]
    assert exchange.ms < 5000


def test_an_error_without_id_counts_for_an_array() -> None:
    error = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "one at a time"}}
    exchange = ask(sse(data(error)), Sending("raw", 10, body=ARRAY, headers=HEADERS, answers="any"))
    assert exchange.message == error
