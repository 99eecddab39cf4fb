"""HttpWire and time, on a clock that jumps: a transport in place of the network, so that nothing is waited
for.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import httpx
import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.wire.http import HttpWire
from mcp_compliance.wire.http_client import HttpOptions
from tests.aio import run
from tests.wire.talk import bare, http_wire, ping, pong

T = TypeVar("T")
URL = "http://127.0.0.1/mcp"
Parts = tuple["bytes | float", ...]
SSE = {"Content-Type": "text/event-stream"}


class Played(httpx.AsyncBaseTransport):
    """Answers each request with the next list of parts: bytes are sent, numbers are seconds of silence."""

    def __init__(self, *answers: tuple[int, dict[str, str], Parts], head_after: float = 0) -> None:
        self._answers = list(answers)
        self._head_after = head_after
        self.times: list[float] = []
        self.closed_at: list[float] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.times.append(trio.current_time())
        await trio.sleep(self._head_after)
        status, headers, parts = self._answers.pop(0)
        return httpx.Response(status, headers=headers, stream=_Body(parts, self.closed_at))


class _Body(httpx.AsyncByteStream):
    def __init__(self, parts: Parts, closed_at: list[float]) -> None:
        self._parts = parts
        self._closed_at = closed_at

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
            else:
                await trio.sleep(part)

    async def aclose(self) -> None:
        self._closed_at.append(trio.current_time())


def event(payload: object) -> bytes:
    return f"data: {json.dumps(payload)}\n\n".encode()


def play(transport: Played, act: Callable[[HttpWire], Awaitable[T]]) -> T:
    async def main() -> T:
        async with http_wire(URL, HttpOptions(transport=transport)) as wire:
            return await act(wire)

    return run(main, at_most=1000)


LATE = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}


def test_nothing_is_waited_for_after_the_answer() -> None:
    transport = Played((200, SSE, (event(pong()), 10.0, event(LATE), 1e9)))
    exchange = play(transport, lambda wire: wire.exchange(ping(within=15)))
    assert (exchange.outcome, len(exchange.messages), exchange.ms) == ("answered", 1, 50)


def test_listen_collects_what_follows_the_answer() -> None:
    transport = Played((200, SSE, (3.0, event(pong()), 1.0, event(LATE), 1.5, event(LATE), 1e9)))
    exchange = play(transport, lambda wire: wire.exchange(ping(within=15, listen=2)))
    assert (exchange.outcome, len(exchange.messages), exchange.ms) == ("answered", 2, 5000)


def test_listen_waits_for_nothing_when_the_body_is_over() -> None:
    transport = Played((200, {"Content-Type": "application/json"}, (json.dumps(pong()).encode(),)))
    assert play(transport, lambda wire: wire.exchange(ping(listen=2))).ms == 0


def test_a_bare_get_listens_to_its_stream() -> None:
    transport = Played((200, SSE, (1.0, event(LATE), 1e9)))
    exchange = play(transport, lambda wire: wire.exchange(bare("GET", listen=3)))
    assert (exchange.outcome, len(exchange.messages), exchange.ms) == ("answered", 1, 3000)


def test_a_silent_stream_times_out() -> None:
    exchange = play(Played((200, SSE, (1e9,))), lambda wire: wire.exchange(ping(within=15)))
    assert (exchange.outcome, exchange.ms) == ("timeout", 15_000)
    assert exchange.http is not None
    assert "no response" in (exchange.problem or "")


def test_no_status_line_times_out() -> None:
    transport = Played((200, {}, ()), head_after=1e9)
    exchange = play(transport, lambda wire: wire.exchange(ping(within=15)))
    assert (exchange.outcome, exchange.http, exchange.ms) == ("timeout", None, 15_000)


def test_a_refusal_whose_body_never_ends_is_a_refusal() -> None:
    exchange = play(Played((503, {}, (b"<html>", 1e9))), lambda wire: wire.exchange(ping(within=15)))
    assert exchange.http is not None
    assert (exchange.outcome, exchange.http.body, exchange.ms) == ("answered", "<html>", 15_000)


def test_a_misaddressed_answer_on_an_open_stream_counts_when_the_time_is_up() -> None:
    exchange = play(Played((200, SSE, (event(pong("1")), 1e9))), lambda wire: wire.exchange(ping(within=15)))
    assert (exchange.outcome, exchange.message, exchange.ms) == ("answered", pong("1"), 15_000)


def test_an_error_without_id_counts_at_once_where_any_answer_does() -> None:
    error = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}
    transport = Played((200, SSE, (event(error), 1e9)))
    exchange = play(transport, lambda wire: wire.exchange(ping(within=15, answers="any")))
    assert (exchange.error, exchange.ms) == (error["error"], 50)


def test_retry_is_respected_up_to_two_seconds() -> None:
    for retry, waited in ((100, 0.1), (60_000, 2.0)):
        closed = (200, SSE, (f"id: 1\nretry: {retry}\ndata:\n\n".encode(),))
        transport = Played(closed, closed, (200, SSE, (event(pong()),)))
        exchange = play(transport, lambda wire, _=transport: wire.exchange(ping(within=15)))
        assert exchange.outcome == "answered"
        gaps = [round(b - a, 3) for a, b in zip(transport.times, transport.times[1:], strict=False)]
        assert gaps == [waited, waited]


def test_resuming_stays_within_the_time() -> None:
    closed = (200, SSE, (b"id: 1\nretry: 2000\ndata:\n\n",))
    exchange = play(Played(*[closed] * 30), lambda wire: wire.exchange(ping(within=5)))
    assert (exchange.outcome, exchange.ms) == ("timeout", 5000)


def test_resuming_can_be_switched_off() -> None:
    transport = Played((200, SSE, (b"id: 1\nretry: 1\ndata:\n\n",)))

    async def main() -> Exchange:
        async with http_wire(URL, HttpOptions(transport=transport, resume=False)) as wire:
            return await wire.exchange(ping())

    assert run(main).outcome == "dropped"
    assert len(transport.times) == 1


def test_a_stream_is_open_when_its_headers_are_in_and_records_until_closed() -> None:
    transport = Played((200, SSE, (1.0, event(LATE), 1.0, event(LATE), 1e9)))

    async def act(wire: HttpWire) -> None:
        stream = await wire.stream(bare("GET", within=3), "headers")
        assert (stream.exchange.outcome, stream.exchange.messages, stream.exchange.ms) == ("open", (), 0)
        await trio.sleep(1.5)
        assert transport.closed_at == []
        closing = trio.current_time()
        await stream.aclose()
        assert transport.closed_at == [closing]

    play(transport, act)


def test_what_streams_wait_for() -> None:
    def answer() -> Played:
        return Played((200, SSE, (1.0, event(LATE), 1.0, event({**LATE, "params": {"n": 2}}), 1.0, event(pong()), 1e9)))

    async def wait(wire: HttpWire, until: object, within: float = 10) -> tuple[str, int, int]:
        stream = await wire.stream(ping(within=within), until)  # type: ignore[arg-type]
        await stream.aclose()
        return stream.exchange.outcome, len(stream.exchange.messages), stream.exchange.ms

    assert play(answer(), lambda wire: wait(wire, "headers")) == ("open", 0, 0)
    assert play(answer(), lambda wire: wait(wire, "message")) == ("open", 1, 1000)
    assert play(answer(), lambda wire: wait(wire, "response")) == ("answered", 3, 3000)
    assert play(answer(), lambda wire: wait(wire, lambda e: len(e.messages) == 2)) == ("open", 2, 2000)
    assert play(answer(), lambda wire: wait(wire, lambda e: 1 / 0 > 0, 2.5)) == ("quiet", 2, 2500)
    assert play(answer(), lambda wire: wait(wire, "message", 0.5)) == ("quiet", 0, 500)


def test_a_stream_that_is_refused_is_an_ordinary_answer() -> None:
    transport = Played((405, {"Content-Type": "text/plain"}, (b"no ", 1.0, b"streams")))

    async def act(wire: HttpWire) -> Exchange:
        stream = await wire.stream(bare("GET"), "headers")
        await stream.aclose()
        return stream.exchange

    exchange = play(transport, act)
    assert exchange.http is not None
    assert (exchange.outcome, exchange.http.status, exchange.http.body) == ("answered", 405, "no streams")


def test_a_stream_that_the_server_ends_before_anything_came_is_quiet() -> None:
    async def act(wire: HttpWire) -> Exchange:
        stream = await wire.stream(ping(within=10), "message")
        return stream.exchange

    exchange = play(Played((200, SSE, (b": hi\n\n",))), act)
    assert (exchange.outcome, exchange.ms) == ("quiet", 0)


def test_watching_sees_no_process() -> None:
    async def act(wire: HttpWire) -> tuple[object, float]:
        began = trio.current_time()
        return await wire.watch(2), trio.current_time() - began

    assert play(Played(), act) == (None, 2.0)
