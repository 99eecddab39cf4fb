"""Results that ask for input, and the state that comes back with the answer."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from mcp_compliance.reference.input_required import LIFETIME, RequestStates
from mcp_compliance.reference.jsonrpc import RpcError
from mcp_compliance.reference.modern import Modern
from mcp_compliance.reference.session import Session

from .modern_messages import CAPABILITIES, META, request


@pytest.fixture
def modern() -> Modern:
    return Modern()


def ask(modern: Modern, name: str = "reserve_berth", client: str = "", meta: Any = None, **params: Any) -> Any:
    message = request("tools/call", meta=meta, name=name, **{"arguments": {"ship": "Ida"}, **params})
    (response,) = modern.answer(Session(client=client), message)
    return response


def accepted(berth: str = "east 2") -> Any:
    return {"berth": {"action": "accept", "content": {"berth": berth}}}


def text(response: Any) -> str:
    assert response["result"]["resultType"] == "complete"
    return response["result"]["content"][0]["text"]


def test_a_question_is_asked_and_the_answer_taken(modern: Modern) -> None:
    asked = ask(modern)["result"]
    assert asked["resultType"] == "input_required"
    assert "ttlMs" not in asked
    (question,) = asked["inputRequests"].values()
    assert question["method"] == "elicitation/create"
    assert question["params"]["mode"] == "form"
    assert question["params"]["requestedSchema"]["properties"]["berth"]["enum"]
    state = asked["requestState"]
    assert text(ask(modern, requestState=state, inputResponses=accepted())) == "east 2 is kept for Ida"
    for action in ("decline", "cancel"):
        refused = ask(modern, requestState=state, inputResponses={"berth": {"action": action}})
        assert text(refused) == "no berth is kept"


def test_a_link_is_sent_where_it_can_be_opened(modern: Modern) -> None:
    meta = {**META, CAPABILITIES: {"elicitation": {"form": {}, "url": {}}}}
    asked = ask(modern, "pay_dues", meta=meta)["result"]
    question = asked["inputRequests"]["payment"]["params"]
    assert (question["mode"], question["url"].partition(":")[0]) == ("url", "https")
    answer = {"payment": {"action": "accept"}}
    done = ask(modern, "pay_dues", meta=meta, requestState=asked["requestState"], inputResponses=answer)
    assert "opened" in text(done)


@pytest.mark.parametrize(
    "responses",
    [None, {}, {"other": {"action": "accept"}}, accepted("the moon"), {"berth": {"action": "accept"}}],
)
def test_what_is_missing_is_asked_for_again(modern: Modern, responses: Any) -> None:
    state = ask(modern)["result"]["requestState"]
    params = {} if responses is None else {"inputResponses": responses}
    assert ask(modern, requestState=state, **params)["result"]["resultType"] == "input_required"


def test_more_than_was_asked_for_is_passed_over(modern: Modern) -> None:
    state = ask(modern)["result"]["requestState"]
    assert "kept" in text(ask(modern, requestState=state, inputResponses={**accepted(), "more": 7}))


def test_an_answer_without_its_state_is_none(modern: Modern) -> None:
    assert ask(modern, inputResponses=accepted())["result"]["resultType"] == "input_required"


@pytest.mark.parametrize("responses", [[], "yes", {"berth": "east 2"}, {"berth": {"action": "perhaps"}}])
def test_answers_of_another_shape_are_refused(modern: Modern, responses: Any) -> None:
    state = ask(modern)["result"]["requestState"]
    assert ask(modern, requestState=state, inputResponses=responses)["error"]["code"] == -32602


def test_a_state_that_was_not_issued_for_this_is_refused(modern: Modern) -> None:
    state = ask(modern)["result"]["requestState"]
    plain = base64.urlsafe_b64decode(state)
    ends, _, seal = plain.partition(b".")
    later = base64.urlsafe_b64encode(str(int(ends) + 1).encode() + b"." + seal).decode()
    for forged in ("", "AAAA", state[:-4], state.swapcase(), later, 7, None, {}, "é"):
        assert ask(modern, requestState=forged, inputResponses=accepted())["error"]["code"] == -32602
    for other in (
        ask(modern, requestState=state, inputResponses=accepted(), arguments={"ship": "Eda"}),
        ask(modern, requestState=state, inputResponses=accepted(), client="somebody else"),
        ask(modern, "pay_dues", requestState=state, inputResponses=accepted()),
        ask(modern, "survey", requestState=state, arguments={}),
        ask(Modern(), requestState=state, inputResponses=accepted()),
    ):
        assert other["error"]["code"] == -32602
    assert "kept" in text(ask(modern, requestState=state, inputResponses=accepted()))


def test_a_state_lasts_for_a_while() -> None:
    now = 1_000_000.0
    states = RequestStates(lambda: now)
    state = states.issue("me", "tools/call", {"name": "x"})
    now += LIFETIME
    states.check(state, "me", "tools/call", {"name": "x", "inputResponses": {}})
    now += 1
    with pytest.raises(RpcError) as refused:
        states.check(state, "me", "tools/call", {"name": "x"})
    assert refused.value.code == -32602
