"""The command line that sends a request again: quoted for a shell, and without a secret in it."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from mcp_compliance.exchange.exchange import Exchange, Http
from mcp_compliance.exchange.sending import Headers, Sending
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.curl import LONGEST_BODY, curl_line
from mcp_compliance.model.options import Network
from mcp_compliance.model.secrets import Secrets

URL = "https://server.example/mcp"
TOKEN = "t0ken-of-the-user"
ACCEPT = ("Accept", "application/json")
TYPE = ("Content-Type", "application/json")


HEADERS: Headers = (("Authorization", f"Bearer {TOKEN}"),)


def context(endpoint: str | None = URL, network: Network = Network()) -> Context:
    secrets = Secrets.of(HEADERS, {}, endpoint or "")
    made = SimpleNamespace(endpoint=endpoint, headers=HEADERS, network=network, secrets=secrets)
    return cast("Context", made)


def line(body: bytes | None = b"{}", headers: Headers = (ACCEPT, TYPE), method: str = "POST", within: float = 5) -> str:
    made = curl_line(Sending("s", within, body=body, headers=headers, http_method=method), context())
    assert made is not None
    return made


def words(command: str) -> list[str]:
    return shlex.split(command)


def test_a_post() -> None:
    assert line(b'{"a":1}', within=0.2) == (
        "curl -isS -N --max-time 1 https://server.example/mcp -H 'Accept: application/json' "
        "-H 'Content-Type: application/json' --data-binary '{\"a\":1}'"
    )


def test_what_is_no_post_is_named_and_a_get_needs_no_name() -> None:
    assert words(line(None, (ACCEPT,), "DELETE"))[5:8] == ["-X", "DELETE", URL]
    assert words(line(None, (ACCEPT,), "GET")) == [
        "curl",
        "-isS",
        "-N",
        "--max-time",
        "5",
        URL,
        "-H",
        ": ".join(ACCEPT),
    ]


def test_headers_that_curl_would_add_are_taken_away() -> None:
    assert "-H Accept: -H Content-Type:" in line(headers=()).replace("'", "")
    assert "Content-Type" not in line(None, (), "GET")


def test_an_empty_header_is_sent() -> None:
    assert "-H 'Origin;'" in line(headers=(ACCEPT, TYPE, ("Origin", "")))


def test_secrets_are_variables() -> None:
    own = ("Authorization", f"Bearer {TOKEN}")
    made_up = ("Authorization", "Bearer something-else")
    session = ("MCP-Session-Id", "0123456789abcdef")
    assert '-H "Authorization: $AUTHORIZATION"' in line(headers=(own,))
    assert '-H "Authorization: $OTHER_AUTHORIZATION"' in line(headers=(made_up,))
    assert '-H "MCP-Session-Id: $MCP_SESSION_ID"' in line(headers=(session,))
    for header in (own, made_up, session):
        assert header[1].split()[-1] not in line(headers=(header,))


@pytest.mark.parametrize("name", ["Mcp-Param-token`id`", "Mcp-Param-Token$HOME", "Mcp-Param-token!!", "token'`id`'"])
def test_a_name_that_a_server_chose_is_carried_out_by_no_shell(name: str) -> None:
    header = line(headers=((name, "value"),)).partition(" -H ")[2].partition(" -H ")[0]
    made = re.sub("[^A-Z0-9]", "_", name.upper())
    shell = ["sh", "-c", f"OTHER_{made}=x; printf %s {header}"]
    assert subprocess.run(shell, capture_output=True, text=True, check=True).stdout == f"{name}: x"
    assert not re.search(r'"[^"$]*!', header)  # which an interactive shell would take for a line of its history


def test_a_secret_in_a_body_or_an_address_is_one_too() -> None:
    body = line(f"it's {TOKEN}!".encode())
    assert TOKEN not in body
    echoed = subprocess.run(
        ["sh", "-c", f"printf %s {body.rpartition('--data-binary ')[2]}"],
        env={"SECRET": "value of mine"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert echoed.stdout == "it's value of mine!"
    sending = Sending("s", 5, http_method="GET", url=f"{URL}?token={TOKEN}")
    assert f"'{URL}?token='\"$SECRET\"" in str(curl_line(sending, context()))


@pytest.mark.parametrize(
    "body", [b"@file", b"\xff\xfe\x00", b"two\nlines", "bidi \u202e".encode(), b"100% \\n"], ids=repr
)
def test_every_byte_arrives(body: bytes) -> None:
    made = line(body)
    assert made.isprintable()
    if made.startswith("printf"):
        shell = f"{made.partition(' | ')[0]}"
    else:
        shell = f"printf %s {made.rpartition('--data-binary ')[2]}"
    assert subprocess.run(["sh", "-c", shell], capture_output=True, check=True).stdout == body


def test_an_address_with_brackets_is_taken_as_it_is() -> None:
    made = curl_line(Sending("s", 5, http_method="GET"), context("http://[::1]:8000/mcp"))
    assert made is not None
    assert words(made)[5:7] == ["--globoff", "http://[::1]:8000/mcp"]


@pytest.mark.parametrize(
    ("network", "shown"),
    [
        (Network(insecure=True), "--insecure"),
        (Network(ca_file=Path("my ca.pem")), "--cacert 'my ca.pem'"),
        (Network(proxy="http://proxy.example:3128"), "--proxy http://proxy.example:3128"),
        (Network(proxy="http://me:hidden@proxy.example:3128"), '--proxy "$PROXY"'),
    ],
)
def test_it_takes_the_same_way(network: Network, shown: str) -> None:
    made = str(curl_line(Sending("s", 5, http_method="GET"), context(network=network)))
    assert made.startswith(f"curl -isS -N --max-time 5 {shown} {URL}")
    assert "hidden" not in made


def test_where_a_redirect_led() -> None:
    sending = Sending("s", 5, body=b"{}")
    drawn = Exchange(sending, "answered", http=Http(200, f"{URL}/", ()))
    assert f" {URL}/ " in str(curl_line(sending, context(), drawn))


def test_none_on_stdio_and_for_what_nobody_can_copy() -> None:
    assert curl_line(Sending("s", 5, body=b"{}"), context(None)) is None
    assert curl_line(Sending("s", 5, body=b"x" * (LONGEST_BODY + 1)), context()) is None
    assert curl_line(Sending("s", 5, body=f"\n{TOKEN}".encode()), context()) is None
    assert curl_line(Sending("s", 5, body=b"{}", headers=(("Origin", "a\x07"),)), context()) is None
