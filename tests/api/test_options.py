"""What may be asked of a run, and how a mistake is told: before anything is connected, as ValueError or TypeError."""

from __future__ import annotations

import base64
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from mcp_compliance import HttpTarget, Network, StdioTarget, SuiteOptions, ToolConsent, run_compliance_suite
from mcp_compliance.api.options import SuiteKeywords
from mcp_compliance.model.options import Options, RunOptions

from .conftest import REPORT, ScriptedSuite

URL = "http://127.0.0.1:9/mcp"


def asked(suite: ScriptedSuite, target: Any, options: SuiteOptions | None = None, **keywords: Any) -> RunOptions:
    assert run_compliance_suite(target, options, **keywords) is REPORT
    return suite.seen[-1]


def test_without_options_the_defaults_of_the_command_line_hold(suite: ScriptedSuite) -> None:
    assert asked(suite, URL) == RunOptions(HttpTarget(URL))


@pytest.mark.parametrize(
    ("given", "target"),
    [
        (URL, HttpTarget(URL)),
        (f"{URL}#top", HttpTarget(URL)),
        (["node", "a b.js"], StdioTarget(("node", "a b.js"))),
        ("node 'a b.js' --port=1", StdioTarget(("node", "a b.js", "--port=1"))),
        (HttpTarget(URL, (("X-Key", "v"),)), HttpTarget(URL, (("X-Key", "v"),))),
        (StdioTarget(("x",), {"A": "1"}), StdioTarget(("x",), {"A": "1"})),
        (HttpTarget("http://a:b@h/mcp"), HttpTarget("http://h/mcp", (("Authorization", "Basic YTpi"),))),
        (
            HttpTarget("http://a:b@h/mcp", (("authorization", "Bearer t"),)),
            HttpTarget("http://h/mcp", (("authorization", "Bearer t"),)),
        ),
    ],
)
def test_a_target_may_be_said_in_several_ways(given: Any, target: Any, suite: ScriptedSuite) -> None:
    assert asked(suite, given).target == target


def test_credentials_of_the_url_go_into_a_header(suite: ScriptedSuite) -> None:
    pair = base64.b64encode(b"me:s ecret").decode()
    assert asked(suite, "http://me:s%20ecret@127.0.0.1:9/mcp").target == HttpTarget(
        URL, (("Authorization", f"Basic {pair}"),)
    )


def test_keywords_win_over_the_object(suite: ScriptedSuite) -> None:
    options = SuiteOptions(timeout=1_000, retries=2, only=["tools"], spec_version="auto")
    got = asked(suite, URL, options, timeout=30_000, headers={"X-Key": "v"}, auth="Bearer t")
    assert (got.timeout, got.retries, tuple(got.only), got.spec_version) == (30_000, 2, ("tools",), None)
    assert got.target == HttpTarget(URL, (("X-Key", "v"), ("Authorization", "Bearer t")))


def test_headers_come_over_those_of_the_target(suite: ScriptedSuite) -> None:
    given = HttpTarget(URL, (("X-Key", "old"), ("X-Other", "o")))
    got = asked(suite, given, headers=[("x-key", "new")])
    assert got.target == HttpTarget(URL, (("X-Other", "o"), ("x-key", "new")))


def test_env_and_folder_come_over_those_of_the_target(suite: ScriptedSuite, tmp_path: Path) -> None:
    given = StdioTarget(("x",), {"A": "1", "B": "1"})
    assert asked(suite, given, env={"B": "2"}, cwd=str(tmp_path)).target == StdioTarget(
        ("x",), {"A": "1", "B": "2"}, tmp_path
    )


def test_one_name_needs_no_list(suite: ScriptedSuite) -> None:
    assert tuple(asked(suite, URL, only="tools,lifecycle", skip={"security"}).only) == ("tools,lifecycle",)


@pytest.mark.parametrize(
    ("target", "keywords", "error", "words"),
    [
        ("", {}, ValueError, "target: it is empty"),
        ([], {}, ValueError, "target: no word of a command"),
        (7, {}, TypeError, "target: expected a text or a sequence of texts, not int"),
        ("ftp://x/", {}, ValueError, "ftp:// addresses are not supported"),
        ("http:///mcp", {}, ValueError, "the URL names no host"),
        ("localhost:3000/mcp", {}, ValueError, "did you mean http://localhost:3000/mcp?"),
        (HttpTarget("nonsense"), {}, ValueError, "target: the URL of an HttpTarget begins with http:// or https://"),
        (HttpTarget("http://[x"), {}, ValueError, "target: the URL cannot be read"),
        (HttpTarget(URL, (("X", "a\nb"),)), {}, ValueError, "headers: X: the value holds a line break"),
        (StdioTarget(()), {}, ValueError, "target: no word of a command"),
        (StdioTarget(("x",), {"A": "\0"}), {}, ValueError, "env: 'A'"),
        ("node 'x", {}, ValueError, "the command cannot be taken apart"),
        ([URL, "x"], {}, ValueError, "a URL is given as a text"),
        (
            URL,
            {"spec_version": "2025-11-26"},
            ValueError,
            "choose one of 2025-11-25, 2026-07-28; did you mean 2025-11-25?",
        ),
        (URL, {"spec_version": 2025}, TypeError, "the spec version is a text"),
        (URL, {"timeout": 0}, ValueError, "timeout: 0 is less than 1"),
        (URL, {"timeout": 1.5}, TypeError, "timeout: expected a whole number"),
        (URL, {"timeout": None}, TypeError, "timeout: expected a whole number"),
        (URL, {"retries": -1}, ValueError, "retries: -1 is less than 0"),
        (URL, {"concurrency": True}, TypeError, "concurrency: expected a whole number"),
        (URL, {"only": [1]}, TypeError, "only: expected texts"),
        (URL, {"tools": "safe"}, TypeError, "tools: expected ToolConsent, not str"),
        (URL, {"network": None}, TypeError, "network: expected Network"),
        (URL, {"nope": 1}, TypeError, "unknown option nope; the options are auth, "),
        (URL, {"env": {"A": "1"}}, ValueError, "env: applies to a command, and the target is a URL"),
        (URL, {"cwd": "."}, ValueError, "cwd: applies to a command"),
        (["x"], {"auth": "t"}, ValueError, "headers: applies to a URL, and the target is a command"),
        (["x"], {"network": Network(insecure=True)}, ValueError, "network: applies to a URL"),
        (["x"], {"auth_command": ("pass",)}, ValueError, "auth_command: applies to a URL"),
        (URL, {"auth": "t", "auth_command": ("pass",)}, ValueError, "auth_command: the target or the options set"),
        (URL, {"network": Network(ca_file=Path("/no/ca.pem"))}, ValueError, "ca_file: /no/ca.pem: cannot be read"),
        (URL, {"network": Network(proxy="ftp://h")}, ValueError, "proxy: a proxy cannot be reached by ftp://"),
        (["x"], {"cwd": "/no/such/folder"}, ValueError, "cwd: /no/such/folder is no directory"),
        (["x"], {"env": {"A=B": "1"}}, ValueError, "env: 'A=B'"),
        (["x"], {"env": {"A": 1}}, TypeError, "env: names and values are texts"),
        (URL, {"headers": ["X-Key: v"]}, TypeError, "headers: expected a mapping, or pairs"),
        (URL, {"headers": {"X Key": "v"}}, ValueError, "'X Key' is no name"),
        (URL, {"headers": {"Authorization": "a"}, "auth": "b"}, ValueError, "leave one of them out"),
        (URL, {"on_status": "x"}, TypeError, "on_status: expected a function"),
    ],
)
def test_a_mistake_is_said_before_anything_is_done(
    target: Any, keywords: dict[str, Any], error: type[Exception], words: str, suite: ScriptedSuite
) -> None:
    with pytest.raises(error) as raised:
        run_compliance_suite(target, **keywords)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not suite.seen


def test_a_bad_header_value_is_not_repeated(suite: ScriptedSuite) -> None:
    with pytest.raises(ValueError, match="headers: X-Key: the value holds a line break") as raised:
        run_compliance_suite(URL, headers={"X-Key": "hidden\nvalue"})
    assert "hidden" not in str(raised.value)


def test_words_of_a_command_are_not_repeated(suite: ScriptedSuite) -> None:
    with pytest.raises(TypeError, match="auth_command: expected texts, not one of int") as raised:
        run_compliance_suite(URL, auth_command=["pass", "hidden", 5])  # type: ignore[list-item]
    assert "hidden" not in str(raised.value)


def test_a_target_does_not_show_credentials() -> None:
    assert "hidden" not in repr(HttpTarget(URL, (("Authorization", "Bearer hidden"),)))
    assert "hidden" not in repr(StdioTarget(("x",), {"TOKEN": "hidden"}))


def test_a_wait_of_any_length_can_be_asked_for(suite: ScriptedSuite) -> None:
    got = asked(suite, URL, timeout=10**400)
    assert got.request_seconds == got.startup_seconds == 365 * 86_400
    assert got.preflight_seconds == 10


def test_an_options_object_does_not_show_credentials() -> None:
    network = Network(proxy="http://user:hidden@h:1")
    command = ("curl", "-u", "user:hidden", "https://tokens.example")
    shown = repr(
        SuiteOptions(
            auth="Bearer hidden", headers={"X": "hidden"}, env={"A": "hidden"}, network=network, auth_command=command
        )
    )
    assert "hidden" not in shown


def test_options_of_another_kind_are_refused(suite: ScriptedSuite) -> None:
    with pytest.raises(TypeError, match="options: expected SuiteOptions, not dict"):
        run_compliance_suite(URL, {"timeout": 1})  # type: ignore[arg-type]


def test_keywords_are_the_fields_of_the_object() -> None:
    hints = get_type_hints(SuiteOptions)
    assert get_type_hints(SuiteKeywords) == {each.name: hints[each.name] for each in fields(SuiteOptions)}


def test_everything_that_the_command_line_asks_can_be_asked_here(suite: ScriptedSuite) -> None:
    every = {
        "spec_version": "2025-11-25",
        "timeout": 1,
        "startup_timeout": 2,
        "preflight_timeout": 3,
        "retries": 4,
        "only": ("tools",),
        "skip": ("tools-call",),
        "concurrency": 5,
        "seed": 6,
        "tools": ToolConsent(safe=True),
        "network": Network(insecure=True),
        "auth_command": ("pass", "show"),
        "keep_exchanges": True,
    }
    assert set(every) == {each.name for each in fields(Options)}
    assert asked(suite, URL, **every) == RunOptions(HttpTarget(URL), **every)  # type: ignore[arg-type]
