"""Whole commands, in this process, with a scripted suite."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget, ToolConsent

from .conftest import Ended, ScriptedSuite, entry, report, result, write_index

Run = Callable[..., Ended]
URL = "http://127.0.0.1:9/mcp"


def test_defaults_reach_the_suite(run: Run, suite: ScriptedSuite) -> None:
    assert run("test", URL).code == 0
    assert suite.seen == [RunOptions(target=HttpTarget(URL))]


def test_every_option_reaches_the_suite(run: Run, suite: ScriptedSuite, tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("B=2\n", encoding="utf-8")
    options = (
        f"-E A=1 --env-file {env_file} --cwd {tmp_path} --spec-version 2025-11-25 --timeout 100 "
        "--startup-timeout 200 --preflight-timeout 300 --retries 2 --only a,b --only c --skip d "
        "--concurrency 4 --seed -7 --safe --only-tool t --only-tool u --skip-tool v --allow-destructive "
        "--dry-run --verbose"
    )
    assert run("test", *options.split(), "--", "python", "server.py", "--verbose").code == 0
    assert suite.seen == [
        RunOptions(
            target=StdioTarget(("python", "server.py", "--verbose"), {"A": "1", "B": "2"}, tmp_path),
            spec_version="2025-11-25",
            timeout=100,
            startup_timeout=200,
            preflight_timeout=300,
            retries=2,
            only=("a,b", "c"),
            skip=("d",),
            concurrency=4,
            seed=-7,
            tools=ToolConsent(
                safe=True,
                allow_destructive=True,
                only=frozenset({"t", "u"}),
                skip=frozenset({"v"}),
                dry_run=True,
            ),
            forward_stderr=True,
        )
    ]


def test_the_report_is_on_standard_output_and_alone_there(run: Run, suite: ScriptedSuite) -> None:
    ended = run("test", URL, "--format", "json", "--verbose", "--only", "tools")
    document = json.loads(ended.out)
    assert list(Draft202012Validator(report_schema.load()).iter_errors(document)) == []


def test_json_stays_one_document_when_the_job_cannot_be_done(run: Run, suite: ScriptedSuite) -> None:
    suite.report = report(error="nope: command not found")
    ended = run("test", "nope", "--format", "json")
    document = json.loads(ended.out)
    assert ended.code == 2
    assert (document["error"], document["tests"]) == ("nope: command not found", [])
    assert ended.err.startswith("mcp-compliance: nope: command not found. Check that")
    assert ended.err.count("\n") == 1


def test_a_fault_of_the_tool_is_a_valid_document_too(run: Run, suite: ScriptedSuite) -> None:
    def fail(listener: Listener) -> None:
        raise RuntimeError("boom")

    suite.script = fail
    ended = run("test", URL, "--format", "json")
    document = json.loads(ended.out)
    assert ended.code == 2
    assert list(Draft202012Validator(report_schema.load()).iter_errors(document)) == []
    assert document["specVersion"] == "2025-11-25"
    assert "RuntimeError: boom" in document["error"]
    assert "Traceback" not in ended.err
    assert "Traceback" in run("test", URL, "--format", "json", "--verbose").err


def test_the_terminal_report_tells_an_error_once(run: Run, suite: ScriptedSuite) -> None:
    suite.report = report(error="nope: command not found")
    ended = run("test", "nope")
    assert ended.code == 2
    assert "command not found" in ended.out
    assert ended.err == ""


def test_a_gate_that_is_not_met_is_named(run: Run, suite: ScriptedSuite) -> None:
    suite.report = report(result("fail", required=True, force="MUST"))
    assert run("test", URL).code == 0
    ended = run("test", URL, "--strict")
    assert (ended.code, ended.err) == (1, "mcp-compliance: --strict: 1 required rule failed\n")
    assert run("test", URL, "--min-grade", "b").code == 1
    assert run("test", URL, "--fail-on", "must").code == 1


def test_nothing_run_is_no_success(run: Run, suite: ScriptedSuite) -> None:
    suite.report = report()
    ended = run("test", URL, "--only", "nothing")
    assert ended.code == 2
    assert "No tests ran -- check --only/--skip" in ended.out


def test_no_colour_without_a_terminal(run: Run, suite: ScriptedSuite) -> None:
    assert "\x1b" not in run("test", URL).out


def events(listener: Listener) -> None:
    listener.status("waiting for the \x1b[31mserver")
    listener.planned(3, "2025-11-25")
    for outcome in ("pass", "fail", "skip", "not-evaluable", "broken"):
        listener.started(outcome)
        listener.finished(result(outcome, rule=f"rule-{outcome}"))
    listener.server_stderr("log\x07 line")


def test_verbose_prints_a_line_for_each_rule(run: Run, suite: ScriptedSuite) -> None:
    suite.script = events
    assert run("test", URL, "--verbose").err.splitlines() == [
        "waiting for the \\x1b[31mserver",
        "PASS    rule-pass  pass it is (5 ms)",
        "FAIL    rule-fail  fail it is (5 ms)",
        "SKIP    rule-skip  skip it is (5 ms)",
        "FAIL    rule-not-evaluable  not-evaluable it is (5 ms)",
        "BROKEN  rule-broken  broken it is (5 ms)",
        "server | log\\x07 line",
    ]


def test_status_lines_are_for_the_terminal_format(run: Run, suite: ScriptedSuite) -> None:
    suite.script = events
    assert run("test", URL).err == "waiting for the \\x1b[31mserver\n"
    assert run("test", URL, "--format", "json").err == ""


def test_interrupted(run: Run, suite: ScriptedSuite) -> None:
    def interrupt(listener: Listener) -> None:
        raise KeyboardInterrupt

    suite.script = interrupt
    ended = run("test", URL, "--format", "json")
    assert (ended.code, ended.out, ended.err) == (130, "", "Interrupted.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM between processes")
def test_terminated_is_interrupted(run: Run, suite: ScriptedSuite) -> None:
    suite.script = lambda listener: os.kill(os.getpid(), signal.SIGTERM)
    before = signal.getsignal(signal.SIGTERM)
    ended = run("test", URL)
    assert (ended.code, ended.err) == (130, "Interrupted.\n")
    assert signal.getsignal(signal.SIGTERM) is before


def test_list(run: Run, rules: Path) -> None:
    ended = run("test", "--list", "--transport", "stdio", "--only", "transport,lifecycle", "--skip", "lifecycle-ping")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "MCP 2025-11-25: 2 rules over stdio\n\n"
        "transport\n  stdio-framing   required  Does stdio-framing\n\n"
        "lifecycle\n  lifecycle-init  required  Does lifecycle-init\n"
    )


def test_list_without_a_transport_says_where_a_rule_applies(run: Run, rules: Path) -> None:
    out = run("test", "--list").out
    assert "MCP 2025-11-25: 6 rules\n" in out
    assert "transport-post  required             Does transport-post (HTTP only)\n" in out
    assert "tools-list      required with tools  Does tools-list\n" in out


def test_list_takes_the_transport_of_a_target(run: Run, rules: Path) -> None:
    assert "MCP 2025-11-25: 5 rules over HTTP\n" in run("test", URL, "--list").out
    assert "MCP 2025-11-25: 4 rules over stdio\n" in run("test", "node", "server.js", "--list").out


def test_list_has_a_section_for_each_revision(run: Run, rules: Path) -> None:
    write_index(rules, "2199-01-01", [])
    both = run("test", "--list").out
    assert both.index("MCP 2025-11-25: 6 rules") < both.index("MCP 2199-01-01: 0 rules")
    assert "2199" not in run("test", "--list", "--spec-version", "2025-11-25").out


def test_list_warns_below_each_revision_and_does_not_succeed_with_nothing(run: Run, rules: Path) -> None:
    write_index(rules, "2199-01-01", [entry("lifecycle-new", "lifecycle")])
    ended = run("test", "--list", "--only", "lifecyle,lifecycle-new")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "MCP 2025-11-25: 0 rules\n"
        "  warning: --only lifecyle: matches no category and no rule of this revision; did you mean lifecycle?\n"
        "  warning: --only lifecycle-new: matches no category and no rule of this revision; "
        "it is a rule of 2199-01-01\n"
        "  No tests would run -- check --only/--skip\n\n"
        "MCP 2199-01-01: 1 rule\n"
        "  warning: --only lifecyle: matches no category and no rule of this revision; did you mean lifecycle?\n\n"
        "lifecycle\n  lifecycle-new  optional  Does lifecycle-new\n"
    )
    ended = run("test", "--list", "--only", "transport-post", "--transport", "stdio", "--format", "json")
    assert (ended.code, ended.err) == (2, "")
    assert json.loads(ended.out)[0]["warnings"] == [
        "--only transport-post: applies over http only, and this run is over stdio"
    ]


def test_list_as_json(run: Run, rules: Path) -> None:
    [section] = json.loads(run("test", "--list", "--format", "json", "--transport", "http", "--only", "errors").out)
    assert (section["specVersion"], section["transport"]) == ("2025-11-25", "http")
    assert [test["id"] for test in section["tests"]] == ["errors-code"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "test",
            "no target: give a URL, a command that starts a server, or --demo; "
            "mcp-compliance init writes a configuration file that names one",
        ),
        ("test --fromat json", "unknown option --fromat; did you mean --format?"),
        (
            "test --format xml node",
            "--format xml: choose one of terminal, json, ndjson, sarif, github, markdown, html, junit",
        ),
        ("test --spec-version 2025-11-26 node", None),
        ("test --min-grade E node", "--min-grade E: choose one of A, B, C, D, F"),
        ("test --fail-on never node", "--fail-on never: choose one of must, required, any"),
        ("test --list --transport sse", "--transport sse: choose one of http, stdio"),
        ("test --transport stdio node", None),
        ("test --transport stdio", None),
        ("test --timeout 0 node", None),
        ("test --timeout soon node", None),
        ("test --concurrency 0 node", None),
        ("test --retries -1 node", None),
        ("test --demo http://h", "--demo brings its own target; leave the other one out"),
        ("tset node", "unknown command tset; did you mean test?"),
        (URL, f"say what to do with the URL: mcp-compliance test {URL}"),
        ("--bogus", None),
        ("serve", "serve takes exactly one of --stdio, --http PORT and --list-faults"),
        ("serve --stdio --http 1", "serve takes exactly one of --stdio, --http PORT and --list-faults"),
        ("serve --http 70000", None),
        ("serve extra", None),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(run: Run, suite: ScriptedSuite, words: str, message: str | None) -> None:
    ended = run(*words.split())
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("mcp-compliance: ")
    assert len(ended.err.splitlines()) == 1
    if message is not None:
        assert ended.err == f"mcp-compliance: {message}\n"
    assert suite.seen == []


def test_help_names_every_option_and_the_exit_codes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    ended = run("test", "--help")
    assert ended.code == 0
    for word in (
        "--spec-version",
        "--min-grade",
        "--allow-destructive",
        "[default: 15000]",
        "Exit codes",
        "130",
    ):
        assert word in ended.out
    assert run("test", "-h").out == ended.out


def test_no_command_prints_the_help_and_is_no_success(run: Run) -> None:
    ended = run()
    assert ended.code == 2
    assert "test" in ended.out


def test_version(run: Run) -> None:
    assert run("--version").out == "mcp-compliance 0.1.0\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("test", "--demo", "--concurrency", "0"), "--concurrency 0: expected a whole number, 1 or more"),
        (("test", "--demo", "--concurrency", "two"), "--concurrency two: expected a whole number, 1 or more"),
        (("test", "--demo", "--seed", "x"), "--seed x: expected a whole number"),
        (("serve", "--http", "80000"), "--http 80000: expected a whole number from 0 to 65535"),
        (("serve", "--http", "it's"), "--http it's: expected a whole number from 0 to 65535"),
        (("serve", "--http"), "--http needs a value"),
        (("serve", "--htp", "1"), "unknown option --htp; did you mean --http?"),
        (
            ("serve", "--stdio", "--auth-token", "t"),
            "--auth-token goes with --http: over stdio nothing carries a token",
        ),
        (
            ("serve", "--stdio", "--fault", "stdout-baner"),
            "there is no fault stdout-baner; did you mean stdout-banner?",
        ),
        (("serve", "here"), "unexpected argument here; --help says what is taken"),
        (
            ("test", URL, "--transport", "http"),
            "--transport goes with --list or --demo; a URL is tested over HTTP, a command over stdio",
        ),
        (
            ("test", "--transport", "http"),
            "--transport goes with --list or --demo; add one of them, or give a target in its place",
        ),
    ],
)
def test_the_parsers_errors_say_what_is_expected(run: Run, words: tuple[str, ...], said: str) -> None:
    ended = run(*words)
    assert (ended.code, ended.err) == (2, f"mcp-compliance: {said}\n")
