"""Which proxy an address is reached through, and what is said of one that cannot be used."""

from __future__ import annotations

import ssl

import httpx
import pytest

from mcp_compliance.model.options import Network
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.wire.errors import NetworkError
from mcp_compliance.wire.proxies import excepted, given_proxy, proxy_for, secrets_of

VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "request_method"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def chosen(url: str, network: Network = Network()) -> str | None:
    proxy = proxy_for(httpx.URL(url), network)
    return None if proxy is None else proxy.shown


def test_without_variables_the_way_is_direct() -> None:
    assert chosen("http://127.0.0.1:3000/mcp") is None


def test_the_scheme_of_the_target_chooses_and_all_proxy_is_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://one:1")
    assert chosen("http://h/") == "http://one:1 (HTTP_PROXY)"
    assert chosen("https://h/") is None
    monkeypatch.setenv("ALL_PROXY", "two:2")
    assert chosen("https://h/") == "http://two:2 (ALL_PROXY)"
    monkeypatch.setenv("https_proxy", "https://three:3")
    assert chosen("https://h/") == "https://three:3 (https_proxy)"


def test_a_given_proxy_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://one:1")
    monkeypatch.setenv("NO_PROXY", "*")
    assert chosen("http://127.0.0.1:3000/", Network(proxy="http://u:secret@mine:9")) == "http://mine:9"


EXCEPTIONS = (
    "", "*", "localhost", "127.0.0.1", "::1", "example.com", ".example.com", "EXAMPLE.com", "example.com:8443",
    "a, b ,api.example.com", "https://example.com", "http://example.com", "ample.com", "127.0.0.1:3000",
)  # fmt: skip
URLS = (
    "http://localhost:3000/mcp", "http://127.0.0.1:3000/mcp", "http://[::1]:3000/mcp", "https://example.com/mcp",
    "https://api.example.com/mcp", "https://example.com:8443/mcp", "https://notexample.com/mcp",
)  # fmt: skip


@pytest.mark.parametrize("exceptions", EXCEPTIONS)
def test_exceptions_are_read_as_httpx_reads_them(monkeypatch: pytest.MonkeyPatch, exceptions: str) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://proxy:1")
    monkeypatch.setenv("NO_PROXY", exceptions)
    client = httpx.Client(verify=NO_CERTIFICATES)
    direct = {url for url in URLS if client._transport_for_url(httpx.URL(url)) is client._transport}
    assert {url for url in URLS if chosen(url) is None} == direct


def test_ranges_of_addresses_are_exceptions_too() -> None:
    assert excepted(httpx.URL("http://127.0.0.1:3000/"), "127.0.0.0/8")
    assert excepted(httpx.URL("http://[fd00::7]/"), "10.0.0.0/8,fd00::/8")
    assert not excepted(httpx.URL("http://192.168.1.1/"), "10.0.0.0/8")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("ftp://user:hidden@h:1", "ftp://; known are http, https, socks5 and socks5h"),
        ("http://user:hidden@h:99999", "cannot be read; expected http://host:port"),
        ("http://user:hidden@h:no", "cannot be read; expected http://host:port"),
        ("http://user:hidden@[h", "cannot be read; expected http://host:port"),
        ("http://user:hidden@", "names no host"),
        ("http://user:hidden@h:0", "names no port"),
        ("", "names no host"),
    ],
)
def test_an_address_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, address: str, words: str) -> None:
    with pytest.raises(NetworkError, match=r"proxy: .*") as raised:
        given_proxy(address)
    assert words in raised.value.problem
    assert "hidden" not in str(raised.value)
    if address:
        monkeypatch.setenv("HTTP_PROXY", address)
        with pytest.raises(NetworkError) as named:
            chosen("http://h/")
        assert named.value.setting == "HTTP_PROXY"
        assert "hidden" not in Secrets(secrets_of(Network())).mask(address)


def test_socks_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NetworkError, match=r"httpx\[socks\]"):
        given_proxy("socks5://h:1080")


def test_its_credentials_are_secrets_in_each_form() -> None:
    secrets = Secrets(secrets_of(Network(proxy="http://user:p%40ss-word@h:1")))
    for form in ("user:p%40ss-word", "p@ss-word", "Basic dXNlcjpwQHNzLXdvcmQ=", "dXNlcjpwQHNzLXdvcmQ="):
        assert secrets.mask(form).replace("Basic ", "") == "***"
