"""HttpWire against a real socket: what it sends, what it reads, when it stops waiting."""

from __future__ import annotations

import gzip
import json

import pytest
import trio

from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.wire.http import HttpWire
from tests.aio import run
from tests.wire.ask import PONG, ask, data, sse, talk
from tests.wire.scripted_http import (
    LAST_CHUNK,
    SSE_HEAD,
    Connection,
    Server,
    always,
    chunk,
    json_reply,
    response,
    serving,
)
from tests.wire.talk import HEADERS, bare, http_wire, note, ping, pong


def test_exactly_what_was_given_goes_out() -> None:
    async def act(wire: HttpWire, server: Server) -> None:
        headers = (*HEADERS, ("mCp-oDd", "é"), ("X", "1"), ("X", "2"))
        await wire.exchange(Sending("raw", 5, body=b'{ "odd":1 }', headers=headers, answers="any"))
        (request,) = server.requests
        names = [name for name, _ in request.headers]
        assert (request.method, request.target, request.body) == ("POST", "/mcp", b'{ "odd":1 }')
        added = [name for name in names if name not in {name for name, _ in headers}]
        assert sorted(added) == ["Content-Length", "Host", "User-Agent"]
        assert [pair for pair in request.headers if pair[0] not in added] == [
            (name, value.encode().decode("latin-1")) for name, value in headers
        ]
        assert (request.header("user-agent") or "").startswith("mcp-compliance")

    talk(json_reply(PONG), act)


def test_own_user_agent_no_cookies_and_no_credentials_from_the_url() -> None:
    async def main() -> None:
        script = always(response(PONG, Content_Type="application/json", Set_Cookie="a=b; Path=/"))
        async with serving(script) as server:
            url = server.url.replace("//", "//user:pass@")
            async with http_wire(url) as wire:
                first = await wire.exchange(ping(headers=(("user-agent", "me/1"),)))
                await wire.exchange(ping(headers=(("user-agent", "me/1"),)))
        for request in server.requests:
            assert sorted(name.lower() for name, _ in request.headers) == ["content-length", "host", "user-agent"]
        assert server.connections == 1
        assert first.http is not None
        assert first.http.url == server.url

    run(main, jump=False)


def test_json_answer() -> None:
    recorder = Recorder()
    exchange = ask(json_reply(PONG), recorder=recorder)
    assert (exchange.outcome, exchange.message, exchange.problem) == ("answered", pong(), None)
    assert exchange.http is not None
    assert (exchange.http.status, exchange.http.media_type, exchange.http.body) == (200, "application/json", PONG)
    assert exchange.http.bytes == len(PONG)
    (item,) = recorder.view()["received"]
    assert (item["kind"], item["status"], item["request"]["step"]) == ("response", 200, "ping")


@pytest.mark.parametrize(
    ("answer", "outcome", "message"),
    [
        (response(PONG, Content_Type="text/plain"), "answered", True),
        (response(PONG), "answered", True),
        (response("<html>hi</html>", Content_Type="text/html"), "unparsable", False),
        (response(""), "unparsable", False),
        (response("", "202 Accepted"), "unparsable", False),
        (response("null", Content_Type="application/json"), "unparsable", False),
        (response('{"tools":[]}', Content_Type="application/json"), "unparsable", False),
        (response("\ufeff" + PONG, Content_Type="application/json"), "unparsable", False),
        (response(b"\xff\xfe", Content_Type="application/json"), "unparsable", False),
        (response("<html>", "401 Unauthorized", Content_Type="text/html"), "answered", False),
        (response('{"error":"invalid_token"}', "401 Unauthorized", Content_Type="application/json"), "answered", False),
        (response("", "403 Forbidden"), "answered", False),
        (response("", "429 Too Many Requests"), "answered", False),
        (response("", "503 Service Unavailable"), "answered", False),
        (response("", "302 Found", Location="/login"), "answered", False),
        (response(PONG, "400 Bad Request", Content_Type="application/json"), "answered", True),
        (response(json.dumps([pong()]), Content_Type="application/json"), "answered", True),
        (response(json.dumps([pong(8), pong(9)]), Content_Type="application/json"), "answered", False),
        (response(json.dumps(pong("1")), Content_Type="application/json"), "answered", True),
        (response('{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":""}}'), "answered", True),
        (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{", "dropped", False),
        (response(gzip.compress(PONG.encode(), mtime=0), Content_Encoding="gzip"), "answered", True),
        (response(b"????", Content_Encoding="br"), "unparsable", False),
    ],
)
def test_outcomes_of_whole_bodies(answer: bytes, outcome: str, message: bool) -> None:
    async def script(connection: Connection) -> None:
        await connection.request()
        await connection.send(answer)

    exchange = ask(script)
    assert (exchange.outcome, exchange.message is not None) == (outcome, message)
    assert outcome == "answered" or exchange.problem


def test_an_answer_under_another_id_counts_and_keeps_its_id() -> None:
    exchange = ask(json_reply(json.dumps(pong("1"))))
    assert (exchange.message or {})["id"] == "1"


def test_a_batch_is_one_item() -> None:
    exchange = ask(json_reply(json.dumps([pong(8), pong(1)])))
    assert exchange.message == pong(1)
    assert [item["kind"] for item in exchange.messages] == ["batch"]


def test_control_characters_of_a_page_are_kept_and_long_pages_cut() -> None:
    exchange = ask(json_reply("\x1b[31m\0" + "x" * 100_000, "500 Internal Server Error"))
    assert exchange.http is not None
    assert exchange.http.body.startswith("\x1b[31m\0xxx")
    assert (len(exchange.http.body), exchange.http.bytes, exchange.http.truncated) == (65536, 100_006, True)


@pytest.mark.parametrize("status", ["202 Accepted", "200 OK", "204 No Content", "400 Bad Request"])
def test_notifications_are_answered_by_any_status(status: str) -> None:
    exchange = ask(json_reply("", status), note())
    assert (exchange.outcome, exchange.message) == ("answered", None)


def test_the_response_is_taken_from_a_stream_that_stays_open() -> None:
    log = {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}
    events = ("id: 1\nretry: 5\ndata:\n\n", ": hi\n\n", data(log, pong(7)), "event: message\n" + data(pong()))
    exchange = ask(sse(*events, end=False))
    assert (exchange.outcome, exchange.message) == ("answered", pong())
    assert [item["kind"] for item in exchange.messages] == ["notification", "response", "response"]
    assert [(event.event, event.id, event.retry) for event in exchange.events] == [
        (None, "1", 5),
        (None, None, None),
        (None, None, None),
        ("message", None, None),
    ]
    assert exchange.ms < 1000


def test_a_finished_stream_leaves_the_connection_usable() -> None:
    async def act(wire: HttpWire, server: Server) -> int:
        for _ in range(3):
            await wire.exchange(ping())
        return server.connections

    assert talk(sse(data(pong())), act) == 1


def test_strays_on_a_stream_have_their_reason() -> None:
    exchange = ask(sse("data: hello\n\n", 'data: {"a":\n\n', data(pong())))
    assert [(item["kind"], item["raw"]) for item in exchange.messages[:2]] == [("stray", "hello"), ("stray", '{"a":')]
    assert all(item["problem"] for item in exchange.messages[:2])


def test_a_stream_that_ends_without_blank_line_says_so() -> None:
    exchange = ask(sse("event: message\ndata: " + PONG))
    assert exchange.outcome == "dropped"
    assert "event" in (exchange.problem or "")
    assert "blank line" in (exchange.problem or "")


def test_a_stream_that_ends_without_the_response_is_dropped() -> None:
    assert ask(sse(": nothing\n\n")).outcome == "dropped"


def test_requests_of_the_server_are_answered_with_the_same_headers() -> None:
    async def main() -> None:
        answered = trio.Event()

        async def script(connection: Connection) -> None:
            request = await connection.request()
            if request is None:
                return
            if b'"method"' not in request.body:
                await connection.send(response("", "202 Accepted"))
                answered.set()
                return
            await connection.send(SSE_HEAD, chunk(data({"jsonrpc": "2.0", "id": "q", "method": "ping"})))
            await answered.wait()
            await connection.send(chunk(data(pong())), LAST_CHUNK)

        recorder = Recorder()
        async with serving(script) as server, http_wire(server.url, recorder=recorder) as wire:
            session = (*HEADERS, ("MCP-Session-Id", "abc"))
            exchange = await wire.exchange(ping(headers=session))
        assert exchange.outcome == "answered"
        assert json.loads(server.requests[1].body) == {"jsonrpc": "2.0", "id": "q", "result": {}}
        for name, value in session:
            assert server.requests[1].header(name) == value
        assert [entry["id"] for entry in recorder.view()["sent"]] == [1, "q"]

    run(main, jump=False)


def test_a_closed_stream_is_continued_after_its_retry() -> None:
    async def script(connection: Connection) -> None:
        request = await connection.request()
        if request is None:
            return
        if request.method == "POST":
            await connection.send(SSE_HEAD, chunk("id: e-1\nretry: 10\ndata:\n\n"), LAST_CHUNK)
        else:
            await connection.send(SSE_HEAD, chunk(data(pong())), LAST_CHUNK)

    async def act(wire: HttpWire, server: Server) -> None:
        exchange = await wire.exchange(ping(headers=(*HEADERS, ("MCP-Session-Id", "abc"))))
        assert (exchange.outcome, exchange.message) == ("answered", pong())
        resumed = server.requests[1]
        assert (resumed.method, resumed.body, resumed.header("last-event-id")) == ("GET", b"", "e-1")
        assert resumed.header("accept") == "text/event-stream"
        assert resumed.header("mcp-session-id") == "abc"
        assert resumed.header("authorization") == "Bearer s3cr3t"
        assert resumed.header("content-type") is None

    talk(script, act)


def test_a_refused_continuation_is_a_drop_with_both_reasons() -> None:
    async def script(connection: Connection) -> None:
        request = await connection.request()
        if request is not None and request.method == "POST":
            await connection.send(SSE_HEAD, chunk("id: e-1\nretry: 1\ndata:\n\n"), LAST_CHUNK)
        else:
            await connection.send(response("", "405 Method Not Allowed"))

    exchange = ask(script)
    assert exchange.outcome == "dropped"
    assert "405" in (exchange.problem or "")


def test_get_that_opens_a_stream_is_answered_by_its_headers() -> None:
    exchange = ask(sse(end=False), bare("GET"))
    assert exchange.http is not None
    assert (exchange.outcome, exchange.http.media_type) == ("answered", "text/event-stream")
    assert exchange.ms < 1000
