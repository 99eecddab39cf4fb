"""What counts as said by a tool: the content of its result, not what the protocol puts around it."""

from __future__ import annotations

import pytest

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON
from mcp_compliance.primitives.answers import Answer, read_answer


def answer(result: JSON) -> Answer:
    sending = Sending("attack", 15.0, message={"jsonrpc": "2.0", "id": 1, "method": "tools/call"})
    return read_answer(Exchange(sending, "answered", message={"jsonrpc": "2.0", "id": 1, "result": result}), "harbour")


def test_texts_and_structured_content_are_said_and_the_rest_is_the_protocols_own() -> None:
    made = answer(
        {
            "resultType": "complete",
            "content": [{"type": "text", "text": "two notes"}, "odd"],
            "structuredContent": {"type": "note", "count": 2},
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "server", "version": "7"}},
        }
    )
    assert (made.kind, made.said.splitlines()) == ("served", ["two notes", "odd", "note", "2"])


@pytest.mark.parametrize("result", ["text", None, ["a"], {"content": "text"}, {"resultType": None}, {"resultType": 7}])
def test_a_result_of_any_shape_is_read(result: JSON) -> None:
    assert answer(result).kind == "served"


def test_a_result_of_another_type_is_no_answer_yet() -> None:
    made = answer({"resultType": "input_required", "inputRequests": {"a": {"params": {"message": "Sure?"}}}})
    assert (made.kind, made.said) == ("unfinished", "Sure?")
    assert made.why == "the tool asked for more before it did anything (resultType input_required)"
