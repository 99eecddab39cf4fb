"""HttpWire and connections: redirects, connections that were closed while idle, bursts, bounds."""

from __future__ import annotations

import json

import pytest
import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.wire import limits
from mcp_compliance.wire.http import HttpWire
from tests.wire.ask import PONG, ask, data, sse, talk
from tests.wire.scripted_http import (
    Connection,
    Server,
    always,
    response,
)
from tests.wire.talk import bare, ping, pong


@pytest.mark.parametrize("status", ["307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_of_the_endpoint_is_followed_once_and_kept(status: str) -> None:
    async def script(connection: Connection) -> None:
        while (request := await connection.request()) is not None:
            moved = response("", status, Location="/mcp/")
            await connection.send(moved if request.target == "/mcp" else response(PONG))

    async def act(wire: HttpWire, server: Server) -> None:
        first = await wire.exchange(ping())
        second = await wire.exchange(ping())
        assert (first.outcome, second.outcome) == ("answered", "answered")
        assert [request.target for request in server.requests] == ["/mcp", "/mcp/", "/mcp/"]
        assert server.requests[0].body == server.requests[1].body
        assert server.requests[0].headers == server.requests[1].headers
        assert first.http is not None
        assert first.http.redirects == (server.url + "/",)
        assert wire.redirected_to == server.url + "/" == wire.endpoint

    talk(script, act)


@pytest.mark.parametrize(
    ("status", "location"),
    [
        ("301 Moved Permanently", "/mcp/"),
        ("302 Found", "/mcp/"),
        ("303 See Other", "/mcp/"),
        ("307 Temporary Redirect", "http://127.0.0.1:1/mcp"),
        ("307 Temporary Redirect", "https://127.0.0.1/mcp"),
        ("308 Permanent Redirect", "//example.com/mcp"),
        ("307 Temporary Redirect", "http://[broken"),
        ("302 Found", "http://127.0.0.1:port/mcp"),
        ("308 Permanent Redirect", "http://127.0.0.1:port/mcp"),
    ],
)
def test_no_other_redirect_is_followed(status: str, location: str) -> None:
    async def act(wire: HttpWire, server: Server) -> None:
        exchange = await wire.exchange(ping())
        assert exchange.http is not None
        assert (exchange.outcome, exchange.http.status) == ("answered", int(status[:3]))
        assert (len(server.requests), wire.redirected_to) == (1, None)

    talk(always(response("", status, Location=location)), act)


def test_a_chain_of_ten_redirects_is_followed_once() -> None:
    async def script(connection: Connection) -> None:
        while (request := await connection.request()) is not None:
            step = int(request.target.rpartition("/")[2]) if request.target[-1].isdigit() else 0
            await connection.send(response("", "307 Temporary Redirect", Location=f"/hop/{step + 1}"))

    async def act(wire: HttpWire, server: Server) -> None:
        exchange = await wire.exchange(ping())
        assert exchange.http is not None
        assert (exchange.outcome, exchange.http.status, len(server.requests)) == ("answered", 307, 2)

    talk(script, act)


def test_an_address_elsewhere_on_the_server_takes_no_redirect() -> None:
    async def act(wire: HttpWire, server: Server) -> None:
        url = server.url.replace("/mcp", "/.well-known/x")
        exchange = await wire.exchange(bare("GET", url=url))
        assert exchange.http is not None
        assert (exchange.http.status, exchange.http.url, len(server.requests)) == (307, url, 1)

    talk(always(response("", "307 Temporary Redirect", Location="/mcp/")), act)


def test_a_connection_closed_while_idle_is_tried_once_more() -> None:
    async def script(connection: Connection) -> None:
        await connection.request()
        await connection.send(response(PONG))
        if connection.number == 0:
            await connection.request()  # the second request arrives on a connection that is given up

    async def act(wire: HttpWire, server: Server) -> None:
        assert (await wire.exchange(ping())).outcome == "answered"
        assert (await wire.exchange(ping())).outcome == "answered"
        assert (server.connections, len(server.requests)) == (2, 3)

    talk(script, act)


def test_a_fresh_connection_that_is_closed_is_not_tried_again() -> None:
    async def script(connection: Connection) -> None:
        await connection.request()

    async def act(wire: HttpWire, server: Server) -> None:
        exchange = await wire.exchange(ping())
        assert (exchange.outcome, exchange.http, server.connections) == ("dropped", None, 1)
        assert "closed" in (exchange.problem or "")

    talk(script, act)


def test_a_closed_wire_sends_nothing() -> None:
    async def act(wire: HttpWire, server: Server) -> None:
        assert (await wire.exchange(ping())).outcome == "answered"
        await wire.aclose()
        exchange = await wire.exchange(ping())
        assert (exchange.outcome, exchange.http, len(server.requests), server.connections) == ("dropped", None, 1, 1)
        assert "the client is closed" in (exchange.problem or "")

    talk(always(response(PONG)), act)


def test_fifty_at_once() -> None:
    async def act(wire: HttpWire, server: Server) -> None:
        exchanges: list[Exchange] = []

        async def one(number: int) -> None:
            exchanges.append(await wire.exchange(ping(number)))

        async with trio.open_nursery() as nursery:
            for number in range(50):
                nursery.start_soon(one, number)
        assert [exchange.outcome for exchange in exchanges] == ["answered"] * 50
        assert server.connections == 50

    waiting: list[int] = []
    all_there = trio.Event()

    async def script(connection: Connection) -> None:
        request = await connection.request()
        if request is None:
            return
        waiting.append(1)
        if len(waiting) == 50:
            all_there.set()
        await all_there.wait()
        await connection.send(response(json.dumps(pong(json.loads(request.body)["id"]))))

    talk(script, act)


def test_events_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EVENTS", 10)
    log = {"jsonrpc": "2.0", "method": "notifications/message"}
    exchange = ask(sse(data(*[log] * 50, pong())))
    assert (exchange.outcome, len(exchange.events)) == ("unparsable", 10)
    assert "10 events" in (exchange.problem or "")
