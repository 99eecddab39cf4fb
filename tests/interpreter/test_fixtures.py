"""Shared answers: fetched once, remembered with their reason, with all their pages and never in a circle."""

from __future__ import annotations

import json

import pytest
import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.interpreter import fixtures
from mcp_compliance.interpreter.cases import Played
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.scripted import ENDPOINT, Script, ScriptedWire
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.values import Generator
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.wire.wire import Wire
from tests.aio import run
from tests.interpreter.made import play, played, revision, sent_by
from tests.starters import NothingToEnd


def walked(*pages: JSON, **more: JSON) -> JSONObject:
    """The fixture ``tools`` over these pages."""
    rule: JSONObject = {"uses": ["tools"], "check": [{"get": "tools.pages", "exists": True}]}
    found = play(rule, {"replies": {"tools": {"pages": list(pages), **more}}})
    tools = found.names["tools"]
    assert isinstance(tools, dict), found.message
    return tools


def page(cursor: JSON = None, *names: str) -> JSONObject:
    result: JSONObject = {"tools": [{"name": name} for name in names]}
    return {"result": result if cursor is None else {**result, "nextCursor": cursor}}


def cursors(tools: JSONObject) -> list[JSON]:
    pages = tools["pages"]
    assert isinstance(pages, list)
    sent = [page["sent"]["params"] for page in pages]  # type: ignore[index, call-overload]
    return [None if params is None else params.get("cursor") for params in sent]  # type: ignore[union-attr]


def test_all_pages_are_followed_and_their_items_are_in_order() -> None:
    tools = walked(page("c1", "a", "b"), page("c2"), page(None, "c"))
    assert cursors(tools) == [None, "c1", "c2"]
    assert tools["items"] == [{"name": "a"}, {"name": "b"}, {"name": "c"}]
    assert (tools["circle"], tools["cut"]) == (None, False)
    assert tools["result"] == {"tools": [{"name": "a"}, {"name": "b"}], "nextCursor": "c1"}


def test_an_empty_text_is_a_cursor_and_null_or_a_number_is_none() -> None:
    assert cursors(walked(page("", "a"), page(None, "b"))) == [None, ""]
    explicit: JSONObject = {"result": {"tools": [], "nextCursor": None}}
    assert cursors(walked(explicit)) == [None]
    assert cursors(walked(page(7))) == [None]


def test_a_cursor_that_comes_back_ends_the_walk() -> None:
    tools = walked(page("c1", "a"), page("c2", "b"), page("c1", "c"), page(None, "never"))
    assert (tools["circle"], cursors(tools)) == ("c1", [None, "c1", "c2"])


def test_a_page_that_is_refused_ends_the_walk_and_is_kept() -> None:
    tools = walked(page("c1", "a"), {"error": {"code": -32602, "message": "no"}})
    assert len(cursors(tools)) == 2
    assert tools["items"] == [{"name": "a"}]


@pytest.mark.parametrize("result", [{}, {"tools": None}, {"tools": "a"}, {"tools": {"a": 1}}, [], "text", 7])
def test_a_page_without_a_list_has_no_items(result: JSON) -> None:
    assert walked({"result": result})["items"] == []


def test_the_walk_is_cut_at_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = [page(f"c{number}", "a") for number in range(200)]
    tools = walked(*endless)
    assert (tools["cut"], len(cursors(tools))) == (True, 100)
    monkeypatch.setattr(fixtures, "HEAVIEST_WALK", 10_000)
    tools = walked(*endless)
    assert tools["cut"] is True
    assert 10 < len(cursors(tools)) < 60


def test_a_rate_limit_is_waited_for_once_on_every_page() -> None:
    tools = walked({"status": 429}, page("c1", "a"), {"status": 429}, page(None, "b"))
    assert tools["items"] == [{"name": "a"}, {"name": "b"}]


def test_refetch_sends_the_request_once_more_and_compares() -> None:
    rule = """
uses: [tools]
steps:
  - name: again
    refetch: tools
    check: [{get: "changes(tools.items, again.items, 'name').added", is: [b], else: "{again.items}"}]
"""
    two = "{result: {tools: [{name: a}, {name: b}]}}"
    found = played(rule, f"replies: {{tools: {{result: {{tools: [{{name: a}}]}}}}, again: {two}}}")
    assert found.verdict == "pass", found.message
    assert [sending.method for sending in sent_by(found, "again")] == ["tools/list"]


class SlowWire(ScriptedWire):
    """Takes a second for each answer, and counts the requests by method."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.asked: list[str | None] = []

    async def exchange(self, sending: object) -> Exchange:
        self.asked.append(sending.method)  # type: ignore[attr-defined]
        await trio.sleep(1)
        return await super().exchange(sending)  # type: ignore[arg-type]


class OneWire(NothingToEnd):
    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    async def start(self, peer: str) -> Wire:
        return self.wire


async def fetching(replies: JSONObject) -> tuple[Fixtures, SlowWire]:
    recorder = Recorder()
    wire = SlowWire("http", Script(revision(), replies), recorder, MAIN)
    context = Context(
        revision=revision(), transport="http", starter=OneWire(wire), recorder=recorder, generator=Generator(1, 1),
        secrets=Secrets(), timeout=15.0, startup=60.0, preflight=10.0, version="1", endpoint=ENDPOINT,
    )  # fmt: skip
    sender = Sender(context)
    opener = Opener(context, sender)
    context.main = await opener.process(MAIN)
    await opener.handshake(context.main)
    return Fixtures(context, sender, opener), wire


def test_concurrent_first_uses_wait_for_one_fetch() -> None:
    async def main() -> None:
        made, wire = await fetching({})
        answers: list[Exchange | None] = []
        peer = made.context.main
        assert peer is not None

        async def use() -> None:
            answers.append(await made.get("tools", peer))

        async with trio.open_nursery() as nursery:
            for _ in range(8):
                nursery.start_soon(use)
        assert wire.asked.count("tools/list") == 1
        assert len({id(answer) for answer in answers}) == 1

    run(main, at_most=100)


def test_a_user_that_gives_up_leaves_the_fetch_to_the_next() -> None:
    async def main() -> None:
        made, wire = await fetching({})
        peer = made.context.main
        assert peer is not None
        with trio.move_on_after(0.5):
            await made.get("tools", peer)
        answer = await made.get("tools", peer)
        assert answer is not None
        assert answer.outcome == "answered"
        assert wire.asked.count("tools/list") == 2

    run(main, at_most=100)


def test_a_failure_is_remembered_until_it_is_forgotten() -> None:
    async def main() -> None:
        made, wire = await fetching({"tools": [{"timeout": True}, {"result": {"tools": []}}]})
        peer = made.context.main
        assert peer is not None
        for _ in range(2):
            answer = await made.get("tools", peer)
            assert answer is not None
            assert answer.outcome == "timeout"
        made.forget(lambda answer: answer.outcome == "answered")
        assert (await made.get("tools", peer)) is answer
        made.forget(lambda answer: answer.outcome == "timeout")
        answer = await made.get("tools", peer)
        assert answer is not None
        assert answer.outcome == "answered"
        assert wire.asked.count("tools/list") == 2

    run(main, at_most=100)


def test_what_is_not_declared_is_not_fetched() -> None:
    found = played("uses: [tools]\ncheck: [{that: tools}]", "root: {server: {capabilities: {}}}")
    assert (found.verdict, found.message) == ("skip", "tools is not declared by the server")


LOST = {"status": 404}


def lost_session(*replies: JSON) -> Played:
    rule: JSONObject = {"uses": ["tools"], "check": [{"get": "tools.items", "count": 1}]}
    return play(rule, {"replies": {"tools": {"pages": list(replies)}, "twin": LOST}})


def test_a_shared_answer_survives_the_loss_of_the_session() -> None:
    assert lost_session(LOST, page(None, "a")).verdict == "pass"
    assert lost_session(page("c"), LOST, page(None, "a")).verdict == "pass"


def test_json_of_views_can_be_written() -> None:
    assert json.dumps(walked(page("c1", "a"), page(None, "b")))
