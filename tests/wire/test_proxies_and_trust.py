"""Certificates and proxies, with real ones on loopback."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio
import trustme

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.model.options import Network
from mcp_compliance.wire.errors import NetworkError
from mcp_compliance.wire.http_client import HttpOptions
from mcp_compliance.wire.network import check_network
from tests.aio import run
from tests.wire.ask import PONG
from tests.wire.recording_proxy import proxying
from tests.wire.scripted_http import Connection, Server, json_reply, serving
from tests.wire.talk import bare, http_wire, ping

BASIC = "Basic dXNlcjpwd3B3"  # user:pwpw


@dataclass(frozen=True)
class Authority:
    """One that nobody knows, its certificate in ``file``, and a server's certificate by it."""

    file: Path
    leaf: Path
    server: ssl.SSLContext


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    folder = tmp_path_factory.mktemp("authority")
    ca = trustme.CA()
    ca.cert_pem.write_to_path(folder / "ca.pem")
    issued = ca.issue_cert("127.0.0.1")
    issued.cert_chain_pems[0].write_to_path(folder / "leaf.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issued.configure_cert(context)
    return Authority(folder / "ca.pem", folder / "leaf.pem", context)


def asked(
    network: Callable[[Server], Network],
    *,
    server: ssl.SSLContext | None = None,
    proxy: ssl.SSLContext | None = None,
    credentials: str | None = None,
    environment: bool = False,
) -> tuple[Exchange, Server, Server]:
    """A ping to a server beside a proxy, the server itself, and the proxy. ``network`` is told the proxy."""

    async def main() -> tuple[Exchange, Server, Server]:
        async with serving(json_reply(PONG), tls=server) as target, proxying(credentials, tls=proxy) as between:
            options = HttpOptions(network(between), trust_env=environment)
            async with http_wire(target.url, options) as wire:
                return await wire.exchange(ping()), target, between

    return run(main, jump=False, at_most=30)


def address(server: Server, user: str = "") -> str:
    return f"{server.scheme}://{user}127.0.0.1:{server.port}"


def test_an_unknown_authority_is_refused_and_the_options_named(authority: Authority) -> None:
    exchange, _, _ = asked(lambda _: Network(), server=authority.server)
    assert exchange.outcome == "unreachable"
    assert exchange.problem is not None
    assert "TLS to 127.0.0.1" in exchange.problem
    assert "--cacert or SSL_CERT_FILE" in exchange.problem


@pytest.mark.parametrize("which", ["file", "leaf"])
def test_a_file_names_whom_to_trust(authority: Authority, which: str) -> None:
    exchange, _, _ = asked(lambda _: Network(ca_file=getattr(authority, which)), server=authority.server)
    assert exchange.outcome == "answered"


def test_a_file_replaces_the_usual_ones(authority: Authority, tmp_path: Path) -> None:
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    exchange, _, _ = asked(lambda _: Network(ca_file=tmp_path / "other.pem"), server=authority.server)
    assert exchange.outcome == "unreachable"


def test_insecure_believes_whoever_answers(authority: Authority) -> None:
    exchange, _, _ = asked(lambda _: Network(insecure=True), server=authority.server)
    assert exchange.outcome == "answered"


def test_the_variable_counts_only_without_the_option(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    assert asked(lambda _: Network(), server=authority.server, environment=True)[0].outcome == "answered"
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    exchange, _, _ = asked(lambda _: Network(), server=authority.server, environment=True)
    assert exchange.outcome == "unreachable"
    assert exchange.problem == "SSL_CERT_FILE: /nowhere/ca.pem: cannot be read: No such file or directory"
    exchange, _, _ = asked(lambda _: Network(ca_file=authority.file), server=authority.server, environment=True)
    assert exchange.outcome == "answered"


def test_a_folder_of_the_variable_that_is_none(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", "/nowhere")
    exchange, _, _ = asked(lambda _: Network(), server=authority.server, environment=True)
    assert exchange.problem == "SSL_CERT_DIR: /nowhere: no such directory"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        ("", "holds no certificate in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nabcd\n-----END PRIVATE KEY-----\n", "holds no certificate in PEM form"),
        ("-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----\n", "a certificate in it cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_before_a_run(tmp_path: Path, content: str | None, words: str) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(NetworkError) as raised:
        check_network(Network(ca_file=file))
    assert raised.value.setting == "ca_file"
    assert str(file) in raised.value.problem
    assert words in raised.value.problem


def test_both_ways_to_trust_contradict_each_other(authority: Authority) -> None:
    check_network(Network(ca_file=authority.file))
    with pytest.raises(NetworkError, match="leave one of them out"):
        check_network(Network(ca_file=authority.file, insecure=True))


def test_plain_http_goes_through_the_proxy_with_its_credentials() -> None:
    exchange, server, proxy = asked(lambda proxy: Network(proxy=address(proxy, "user:pwpw@")), credentials=BASIC)
    assert exchange.outcome == "answered"
    assert [request.target for request in proxy.requests] == [server.url]
    assert proxy.requests[0].header("Proxy-Authorization") == BASIC


def test_tls_goes_through_a_tunnel_that_the_proxy_does_not_look_into(authority: Authority) -> None:
    exchange, server, proxy = asked(
        lambda proxy: Network(ca_file=authority.file, proxy=address(proxy)), server=authority.server
    )
    assert exchange.outcome == "answered"
    assert [(request.method, request.target) for request in proxy.requests] == [("CONNECT", f"127.0.0.1:{server.port}")]
    assert proxy.requests[0].header("Authorization") is None


@pytest.mark.parametrize("network", [lambda file: Network(ca_file=file), lambda file: Network(insecure=True)])
def test_a_proxy_that_is_reached_over_tls(authority: Authority, network: Callable[[Path], Network]) -> None:
    options = network(authority.file)
    exchange, _, proxy = asked(
        lambda proxy: Network(options.ca_file, options.insecure, address(proxy)), proxy=authority.server
    )
    assert exchange.outcome == "answered"
    assert len(proxy.requests) == 1


@pytest.mark.parametrize("tls", [False, True])
def test_a_proxy_that_wants_credentials_is_no_answer_of_the_server(authority: Authority, tls: bool) -> None:
    exchange, server, _ = asked(
        lambda proxy: Network(ca_file=authority.file, proxy=address(proxy, "user:wrongpw@")),
        server=authority.server if tls else None,
        credentials=BASIC,
    )
    assert (exchange.outcome, server.requests) == ("unreachable", [])
    assert exchange.problem is not None
    assert "refused to connect to 127.0.0.1" in exchange.problem
    assert "407" in exchange.problem
    assert "http://USER:PASSWORD@HOST:PORT" in exchange.problem
    assert "wrongpw" not in exchange.problem


def test_the_proxy_of_the_environment_and_its_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(exceptions: str) -> int:
        def of_the_environment(proxy: Server) -> Network:
            for name, value in (("http_proxy", address(proxy)), ("no_proxy", exceptions)):
                monkeypatch.delenv(name.upper(), raising=False)
                monkeypatch.setenv(name, value)
            return Network()

        exchange, _, proxy = asked(of_the_environment, environment=True)
        assert exchange.outcome == "answered"
        return len(proxy.requests)

    assert seen("") == 1
    assert seen("127.0.0.1") == 0


def test_one_wire_takes_the_proxy_for_some_addresses_and_not_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with serving(json_reply(PONG)) as target, serving(json_reply(PONG)) as other, proxying() as proxy:
            exceptions = f"127.0.0.1:{target.port}"
            for name, value in (("http_proxy", address(proxy)), ("no_proxy", exceptions)):
                monkeypatch.delenv(name.upper(), raising=False)
                monkeypatch.setenv(name, value)
            async with http_wire(target.url, HttpOptions()) as wire:
                for _ in range(2):
                    await wire.exchange(ping())
                    await wire.exchange(bare("GET", url=other.url))
            assert (len(target.requests), len(other.requests)) == (2, 2)
            assert [request.target for request in proxy.requests] == [other.url, other.url]

    run(main, jump=False, at_most=30)


def test_a_proxy_that_hangs_up_is_named() -> None:
    async def main() -> Exchange:
        async def hangs_up(connection: object) -> None:
            await trio.lowlevel.checkpoint()

        async with serving(hangs_up) as proxy:
            options = HttpOptions(Network(proxy=address(proxy)), trust_env=False)
            async with http_wire("http://server.example/mcp", options) as wire:
                return await wire.exchange(ping())

    exchange = run(main, jump=False, at_most=20)
    assert exchange.problem is not None
    assert "server.example:80, through the proxy http://127.0.0.1:" in exchange.problem


@pytest.mark.parametrize("tls", [False, True])
def test_a_fresh_connection_that_is_closed_is_not_tried_again_behind_a_proxy_either(
    authority: Authority, tls: bool
) -> None:
    async def drops(connection: Connection) -> None:
        await connection.request()

    async def main() -> tuple[Exchange, Server]:
        context = authority.server if tls else None
        async with serving(drops, tls=context) as server, proxying() as proxy:
            network = Network(ca_file=authority.file, proxy=address(proxy))
            async with http_wire(server.url, HttpOptions(network, trust_env=False)) as wire:
                return await wire.exchange(ping()), server

    exchange, server = run(main, jump=False, at_most=20)
    assert exchange.outcome == "dropped"
    assert len(server.requests) == 1
