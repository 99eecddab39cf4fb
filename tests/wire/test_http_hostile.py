"""HttpWire against hosts that are not there, not HTTP, or not to be trusted: an outcome and a reason, never a
raise.
"""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.model.options import Network
from mcp_compliance.wire.http_client import HttpOptions
from tests.aio import run
from tests.wire.scripted_http import Connection, Script, always, chunk, response, serving
from tests.wire.talk import bare, http_wire, ping

CERTIFICATE = Path(__file__).with_name("selfsigned.pem")


def ask_address(url: str, options: HttpOptions | None = None, sending: Sending | None = None) -> Exchange:
    async def main() -> Exchange:
        async with http_wire(url, options) as wire:
            return await wire.exchange(sending or ping())

    return run(main, jump=False, at_most=20)


def ask(script: Script, *, within: float = 5, tls: bool = False, scheme: str | None = None) -> Exchange:
    async def main() -> Exchange:
        context = None
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
        async with serving(script, context) as server:
            url = server.url if scheme is None else server.url.replace(server.scheme, scheme, 1)
            async with http_wire(url) as wire:
                return await wire.exchange(ping(within=within))

    return run(main, jump=False, at_most=20)


async def raw(connection: Connection) -> None:
    await connection.request()


def check(exchange: Exchange, outcome: str, *words: str) -> None:
    problem = exchange.problem or ""
    assert exchange.outcome == outcome, problem
    assert exchange.http is None
    assert "\n" not in problem
    assert "s3cr3t" not in problem
    for word in words:
        assert word in problem


def free_port() -> int:
    async def main() -> int:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        port: int = listener.socket.getsockname()[1]
        await listener.aclose()
        return port

    return run(main, jump=False)


def test_refused_port() -> None:
    port = free_port()
    check(ask_address(f"http://127.0.0.1:{port}/mcp"), "unreachable", f"127.0.0.1:{port} refused the connection")


def test_unknown_host() -> None:
    check(ask_address("http://no-such-host.invalid/mcp"), "unreachable", "no-such-host.invalid:80", "resolved")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/mcp", "http:///mcp"])
def test_no_address(url: str) -> None:
    check(ask_address(url), "unreachable")


@pytest.mark.parametrize("url", ["http://[", "http://h:99999/", "http://a\0b/", "not a url", "", "http://\u2024/x"])
def test_an_advertised_address_that_is_none(url: str) -> None:
    check(ask_address("http://127.0.0.1:1/mcp", sending=bare("GET", url=url)), "unreachable")


def test_untrusted_certificate() -> None:
    check(ask(always(response("")), tls=True), "unreachable", "TLS", "self-signed certificate")


def test_tls_spoken_to_a_plain_server() -> None:
    async def script(connection: Connection) -> None:
        await connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")

    check(ask(script, scheme="https"), "unreachable", "TLS")


def test_plain_spoken_to_a_tls_server() -> None:
    check(ask(raw, tls=True, scheme="http"), "dropped")


def test_closed_at_once() -> None:
    async def script(connection: Connection) -> None:
        return

    check(ask(script), "dropped")


def test_closed_during_the_tls_handshake() -> None:
    async def script(connection: Connection) -> None:
        return

    check(ask(script, scheme="https"), "unreachable", "127.0.0.1")


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\x01\x02\x03" * 100,
        b"HTTP/1.1 banana\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000,
    ],
)
def test_no_http(garbage: bytes) -> None:
    async def script(connection: Connection) -> None:
        await connection.request()
        await connection.send(garbage)

    check(ask(script), "dropped", "HTTP")


def test_a_broken_chunk() -> None:
    async def script(connection: Connection) -> None:
        await connection.request()
        await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk("{"), "zz\r\n")

    exchange = ask(script)
    assert exchange.outcome == "dropped"
    assert exchange.http is not None


def test_header_that_cannot_be_sent() -> None:
    exchange = ask_address("http://127.0.0.1:1/mcp", None, ping(headers=(("X", "a\nb"),)))
    assert exchange.outcome == "unreachable"


def test_a_dead_proxy_is_named_without_its_credentials() -> None:
    port = free_port()
    options = HttpOptions(Network(proxy=f"http://user:s3cr3t@127.0.0.1:{port}"))
    check(ask_address("http://127.0.0.1:9/mcp", options), "unreachable", "proxy", f"127.0.0.1:{port}")


def test_a_dead_proxy_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "")
    check(ask_address("http://127.0.0.1:9/mcp", HttpOptions()), "unreachable", "proxy", f"127.0.0.1:{port}")


def test_cancelled_at_any_moment() -> None:
    """Cancellation passes through, background work ends, and no connection stays open."""

    async def script(connection: Connection) -> None:
        await connection.request()
        await connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hi\n\n")
        await connection.closed_by_client()

    async def main() -> None:
        async with serving(script) as server:
            for number in range(12):
                with trio.move_on_after(0.001 * number):
                    async with http_wire(server.url) as wire, trio.open_nursery() as nursery:
                        nursery.start_soon(wire.stream, ping(), "response")
                        await wire.exchange(ping())
            with trio.fail_after(5):
                await server.all_closed()

    run(main, jump=False)
