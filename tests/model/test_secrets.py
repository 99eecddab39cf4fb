"""Secrets are masked in whatever form they may be printed."""

from __future__ import annotations

import base64
import json
from urllib.parse import urlencode

import pytest

from mcp_compliance.model.options import StdioTarget
from mcp_compliance.model.secrets import Secrets


def test_a_token_is_masked_with_and_without_its_scheme() -> None:
    secrets = Secrets.of([("Authorization", "Bearer t0ken/+==")], {})
    assert secrets.mask("authorization: Bearer t0ken/+==; t0ken/+==") == "authorization: ***; ***"


def test_a_token_in_a_query_is_masked() -> None:
    token = "a/b+c= d"
    secrets = Secrets([token])
    assert secrets.mask(f"https://server.example/mcp?{urlencode({'access_token': token})}") == (
        "https://server.example/mcp?access_token=***"
    )
    assert secrets.mask("?t=a%2Fb%2Bc%3D%20d") == "?t=***"


def test_a_token_is_masked_however_a_server_codes_it_for_an_address() -> None:
    secrets = Secrets(["a/b+c=(d)"])
    assert secrets.mask("a/b%2Bc%3D%28d%29 a%2Fb%2Bc%3D(d) a%2fb%2bc%3d%28d%29") == "*** *** ***"


@pytest.mark.parametrize("before", ["", "x", "xy", "Bearer "])
@pytest.mark.parametrize("after", ["", "x", "xy", ", and more"])
def test_a_token_is_masked_in_base64(before: str, after: str) -> None:
    token = "t0ken>>>>???~~~5"
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(f"{before}{token}{after}".encode()).decode()
        shown = Secrets([token]).mask(text)
        assert len(shown.replace("***", "")) <= len(text) - len(token) * 8 // 6 + 2
        assert text[8:16] not in shown


@pytest.mark.parametrize(
    ("words", "said", "shown"),
    [
        (("node", "s.js", "--api-key=sk-12345678"), "no sk-12345678", "no ***"),
        (("node", "s.js", "--token", "tk-12345678"), "no tk-12345678", "no ***"),
        (("docker", "run", "-e", "API_KEY=ak-12345678", "image"), "no ak-12345678", "no ***"),
        (
            ("mcp-remote", "https://h/mcp", "--header", "Authorization: Bearer hd-12345678"),
            "no Bearer hd-12345678, no hd-12345678 for https://h/mcp",
            "no ***, no *** for https://h/mcp",
        ),
        (("db", "postgresql://me:pw-12345678@h/db"), "pw-12345678 of postgresql://me:pw-12345678@h/db", "*** of"),
        (("x", "--url=https://h/?access_token=qu-12345678"), "no qu-12345678", "no ***"),
        (("x", "--auth", "basic", "--verbose", "http://[::1"), "basic, verbose", "basic, verbose"),
        (("x", "--token", "--verbose"), "--verbose", "--verbose"),
    ],
)
def test_what_is_secret_in_a_command_line(words: tuple[str, ...], said: str, shown: str) -> None:
    assert Secrets.of_target(StdioTarget(words)).mask(said).startswith(shown)
    assert "12345678" not in Secrets.of_target(StdioTarget(words)).mask(said)


def test_each_cookie_is_masked_alone() -> None:
    secrets = Secrets.of([("cookie", "sid=0123456789; theme=dark; csrf=abcdefgh")], {})
    assert secrets.mask("session 0123456789 of abcdefgh is dark") == "session *** of *** is dark"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_value_is_masked_in_json_within_json(times: int) -> None:
    value = 'quote" slash\\ and é'
    text = value
    for _ in range(times):
        text = json.dumps(text)
    assert Secrets([value]).mask(text).strip('\\"') == "***"


def test_each_line_of_a_key_file_is_masked() -> None:
    secrets = Secrets.of([], {"PEM": "-----BEGIN KEY-----\nfirstLine0\nsecondLine\n"})
    assert secrets.mask("cannot parse firstLine0") == "cannot parse ***"
    assert "secondLine" not in secrets.mask(json.dumps({"env": "-----BEGIN KEY-----\nfirstLine0\nsecondLine\n"}))


def test_the_password_of_basic_credentials_is_masked() -> None:
    secrets = Secrets.of([("Authorization", "Basic dXNlcjpwYXNzd29yZDE=")], {})
    assert secrets.mask("no user with password1; got user:password1") == "no user with ***; got ***"


def test_a_secret_that_was_cut_is_masked() -> None:
    secrets = Secrets(["0123456789abcdef"])
    assert secrets.mask("it said 0123456789...") == "it said ***..."
    assert secrets.mask("it said 0123456789ab") == "it said ***"
    assert secrets.mask("0123456 is no piece of it, and 0123456789 goes on") == (
        "0123456 is no piece of it, and 0123456789 goes on"
    )


def test_what_every_report_needs_is_no_secret() -> None:
    headers = [("Accept", "application/json"), ("MCP-Protocol-Version", "2025-11-25"), ("X-Tenant", "some-tenant")]
    assert Secrets.of(headers, {}).mask("2025-11-25 application/json some-tenant") == "2025-11-25 application/json ***"
