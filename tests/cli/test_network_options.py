"""Options about connections and credentials: what is refused before a run, and what people are told."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.model.options import Network
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.wire.errors import CredentialError

from .conftest import Ended, ScriptedSuite

Run = Callable[..., Ended]
URL = "https://server.example/mcp"
PEM = Path(__file__).parents[1] / "wire" / "selfsigned.pem"


def test_they_arrive(run: Run, suite: ScriptedSuite) -> None:
    ended = run("test", URL, "--cacert", str(PEM), "--proxy", "http://u:hidden@h:1", "--auth-command", "get 'a b' c")
    assert ended.code == 0
    (options,) = suite.seen
    assert options.network == Network(PEM, False, "http://u:hidden@h:1")
    assert options.auth_command == ("get", "a b", "c")


def test_credentials_of_a_proxy_come_from_the_environment(
    run: Run, suite: ScriptedSuite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROXY_PASSWORD", "p@ss:word")
    assert run("test", URL, "--proxy", "http://u:${PROXY_PASSWORD}@h:1").code == 0
    assert suite.seen[0].network.proxy == "http://u:p%40ss%3Aword@h:1"


@pytest.mark.parametrize("form", [form for form in REPORTERS if form != "ndjson"])
def test_insecure_is_told_before_the_run_whatever_the_format(run: Run, suite: ScriptedSuite, form: str) -> None:
    ended = run("test", URL, "--insecure", "--format", form)
    assert "note: --insecure: certificates are not checked" in ended.err
    assert suite.seen[0].network.insecure


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cacert", "/no/ca.pem"], "--cacert /no/ca.pem: cannot be read: No such file or directory"),
        (["--cacert", __file__], f"--cacert {__file__}: holds no certificate in PEM form"),
        (["--cacert", str(PEM), "--insecure"], "--insecure and --cacert: "),
        (["--proxy", "ftp://u:hidden@h"], "--proxy: a proxy cannot be reached by ftp://"),
        (["--proxy", "http://u:hidden@h:port"], "--proxy: the address of the proxy cannot be read"),
        (["--auth", "Bearer hidden", "--auth-command", "get"], "--auth-command and the URL, -H, "),
        (["-H", "authorization: hidden", "--auth-command", "get"], "--auth-command and the URL, -H, "),
        (["--auth-command", "get 'it"], "--auth-command "),
    ],
)
def test_what_cannot_be_used_is_one_line(run: Run, suite: ScriptedSuite, words: list[str], said: str) -> None:
    ended = run("test", URL, *words)
    assert (ended.code, ended.out, suite.seen) == (2, "", [])
    assert ended.err.startswith(f"mcp-compliance: {said}")
    assert ended.err.count("\n") == 1
    assert "hidden" not in ended.err


def test_a_command_that_prints_no_credential_is_one_line(
    run: Run, suite: ScriptedSuite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuses(*_: object) -> None:
        raise CredentialError("get printed nothing")

    monkeypatch.setattr(sys.modules["mcp_compliance.suite.run"], "run_suite", refuses)
    ended = run("test", URL, "--auth-command", "get", "--format", "json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "mcp-compliance: --auth-command: get printed nothing\n"


@pytest.mark.parametrize("option", [["--insecure"], ["--cacert", "x"], ["--proxy", "x"], ["--auth-command", "x"]])
def test_they_do_not_go_with_a_command(run: Run, suite: ScriptedSuite, option: list[str]) -> None:
    ended = run("test", *option, "--", "npx", "server")
    assert (ended.code, suite.seen) == (2, [])
    assert option[0] in ended.err
