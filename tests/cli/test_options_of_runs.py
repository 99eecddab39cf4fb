"""Options of ``test`` and ``benchmark`` in real runs of the console script: what a server and a report show of each."""

from __future__ import annotations

import json
import os
import socket
import ssl
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import trustme

from .console import SCRIPT, console, harbour, on_a_terminal

SERVER = (sys.executable, "-m", "mcp_compliance.reference", "--stdio")
TELLING = """
import json, os, runpy, sys
names = ("FROM_E", "FROM_ENV", "FROM_FILE", "FROM_BOTH")
with open("seen.json", "w", encoding="utf-8") as file:
    json.dump([os.getcwd(), *(os.environ.get(name) for name in names)], file)
print("harbour open", file=sys.stderr, flush=True)
runpy.run_module("mcp_compliance.reference", run_name="__main__", alter_sys=True)
"""
"""The bundled server, after it told where it was started, and with what."""
PING = "lifecycle-ping"
ONE_RULE = {"test": ("--only", PING), "benchmark": ("--requests", "2", "-c", "1", "--method", "ping")}
"""The rest of a short run that sends a ping."""


def report_of(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document


@pytest.mark.parametrize("command", ["test", "benchmark"])
def test_of_a_command(command: str, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "server.env").write_text("# of the server\nFROM_FILE=file\nFROM_BOTH=file\n", encoding="utf-8")
    given = ("-E", "FROM_E=${HERE}!", "--env", "FROM_BOTH=flag", "--env", "FROM_ENV=env", "--env-file", "server.env")
    times = ("--timeout", "9000", "--startup-timeout", "20000", "--concurrency", "2", "--spec-version", "2025-11-25")
    short = {"test": ("--only", f"tools-call,{PING}", "--skip", "tools"), "benchmark": ("-r", "4")}[command]
    words = (command, *given, "--cwd", "inner", *times, *short, "--format", "json", "--no-color")
    ended = console(*words, "--", sys.executable, "-c", TELLING, "--stdio", cwd=tmp_path, env={"HERE": "e"})
    assert ended.returncode == 0, ended.stderr
    seen = json.loads((tmp_path / "inner" / "seen.json").read_text(encoding="utf-8"))
    assert seen == [os.path.realpath(tmp_path / "inner"), "e!", "env", "file", "flag"]
    found = report_of(ended.stdout)
    assert (found["specVersion"], found["transport"]) == ("2025-11-25", "stdio")
    if command == "test":
        assert [test["id"] for test in found["tests"]] == [PING]
    else:
        assert (found["requests"]["succeeded"], found["concurrency"]) == (4, 2)


def test_verbose_says_what_ends_and_what_the_server_says(tmp_path: Path) -> None:
    words = (
        "test",
        "--verbose",
        "--only",
        PING,
        "--spec-version",
        "2025-11-25",
        "--seed",
        "11",
        "--format",
        "markdown",
    )
    ended = console(*words, "--", sys.executable, "-c", TELLING, "--stdio", cwd=tmp_path)
    assert "harbour open\n" in ended.stderr
    assert f"PASS    {PING}  " in ended.stderr
    assert "--seed 11" in ended.stdout


@pytest.mark.parametrize("command", ["test", "benchmark"])
def test_of_a_url(command: str, tmp_path: Path) -> None:
    (tmp_path / "headers.txt").write_text("X-File: of ${HERE}\n", encoding="utf-8")
    credentials = (
        "-H",
        "X-Short: s",
        "--header",
        "X-Long: l",
        "--header-file",
        "headers.txt",
        "--auth",
        "Bearer ${HERE}",
    )
    with harbour() as proxy:
        way = ("--proxy", f"http://127.0.0.1:{proxy.port}", "--preflight-timeout", "9000")
        short = (*ONE_RULE[command], *(("--retries", "1") if command == "test" else ()))
        words = (command, "http://server.example/mcp", *credentials, *way, *short, "--format", "json")
        ended = console(*words, cwd=tmp_path, env={"HERE": "berth", "NO_PROXY": "*"})
    assert {target for target, _, _ in proxy.seen} == {"http://server.example/mcp"}
    for _, method, headers in proxy.seen:
        sent = [headers.get(name) for name in ("x-short", "x-long", "x-file", "authorization")]
        assert sent == ["s", "l", "of berth", "Bearer berth"], method
    found = report_of(ended.stdout)
    if command == "test":
        # the first ping drew an error, and the second, of the repetition, did not
        assert ended.returncode == 0, ended.stderr
        assert (found["grade"], found["summary"]["passed"]) == ("A", 1)
    else:
        assert found["requests"]["wanted"] == 2
    assert "berth" not in ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """The certificate of an authority that nobody knows, and a server's certificate by it."""
    file = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority = trustme.CA()
    authority.cert_pem.write_to_path(file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return file, context


@pytest.mark.parametrize("command", ["test", "benchmark"])
def test_of_a_certificate(command: str, certified: tuple[Path, ssl.SSLContext], tmp_path: Path) -> None:
    file, context = certified
    asking = f"{sys.executable} -c \"print('issued')\""
    with harbour(context) as server:
        words = (command, f"https://127.0.0.1:{server.port}/mcp", *ONE_RULE[command], "--format", "json")
        if command == "test":
            strange = console(*words, cwd=tmp_path)
            assert (strange.returncode, server.seen) == (2, [])
            assert "certificate" in strange.stderr
        known = console(*words, "--cacert", str(file), "--auth-command", asking, cwd=tmp_path)
        assert known.returncode != 2, known.stderr
        assert {headers["authorization"] for _, _, headers in server.seen} == {"Bearer issued"}
        server.seen.clear()
        unchecked = console(*words, "--insecure", cwd=tmp_path)
    assert unchecked.returncode != 2, unchecked.stderr
    assert "note: --insecure: certificates are not checked" in unchecked.stderr
    assert any("Certificates were not checked" in warning for warning in report_of(unchecked.stdout)["warnings"])
    assert {headers.get("authorization") for _, _, headers in server.seen} == {None}


@pytest.mark.parametrize("command", ["test", "benchmark"])
def test_silence_is_waited_for_as_long_as_it_is_said(command: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        times = ("--timeout", "100", "--preflight-timeout", "150", "--startup-timeout", "350")
        began = time.monotonic()
        ended = console(command, url, *times, cwd=tmp_path)
    assert ended.returncode == 2
    assert "no answer within 0.35 s" in ended.stdout + ended.stderr
    assert time.monotonic() - began < 8  # the shortest of the defaults is 10 s


@pytest.mark.parametrize("command", ["test", "benchmark"])
def test_saved_targets(command: str, tmp_path: Path) -> None:
    servers = {"here": {"command": SERVER[0], "args": SERVER[1:]}, "there": {"url": "http://127.0.0.1:9/mcp"}}
    (tmp_path / "servers.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    (tmp_path / "ours.json").write_text('{"specVersion": "2025-11-25", "timeout": 5000}', encoding="utf-8")
    (tmp_path / "mcp-compliance.config.json").write_text('{"tiemout": 1}', encoding="utf-8")
    short = (*ONE_RULE[command], "--format", "json")
    named = console(command, "--mcp-config", "servers.json", "here", "--config", "ours.json", *short, cwd=tmp_path)
    assert named.returncode == 0, named.stderr
    assert report_of(named.stdout)["specVersion"] == "2025-11-25"
    assert "note: specVersion and timeout from ours.json" in named.stderr
    if command == "test":
        found = console(command, "--demo", *short, cwd=tmp_path)
        assert (found.returncode, found.stdout) == (2, "")
        assert "mcp-compliance.config.json:1:2: unknown field tiemout; did you mean timeout?" in found.stderr
    left = console(command, "--demo", "--no-config", "--spec-version", "2025-11-25", *short, cwd=tmp_path)
    assert (left.returncode, "config" in left.stderr) == (0, False)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_colours_are_for_terminals_and_can_be_left_out(tmp_path: Path) -> None:
    words = ("test", "--demo", "--spec-version", "2025-11-25", *ONE_RULE["test"])
    assert "\x1b[" in on_a_terminal(*words, cwd=tmp_path)
    plain = on_a_terminal(*words, "--no-color", cwd=tmp_path)
    assert "2025-11-25" in plain
    assert "\x1b[" not in plain


def test_which_tools_are_called(tmp_path: Path) -> None:
    words = ("test", "--demo", "--only", "tools-call", "--spec-version", "2026-07-28", "--format", "json")

    def called(*consent: str) -> tuple[str, str]:
        ended = console(*words, *consent, cwd=tmp_path)
        (tools_call,) = report_of(ended.stdout)["tests"]
        return tools_call["verdict"], tools_call["details"]

    assert called("--skip-tool", "survey", "--safe")[1].startswith("called tide_table;")
    assert "write_note with" in called("--only-tool", "write_note", "--allow-destructive")[1]
    verdict, details = called("--dry-run")
    assert verdict == "skip"
    assert details == "dry run: would call survey"


def test_three_demands_that_are_not_met(tmp_path: Path) -> None:
    server = (SCRIPT, "serve", "--stdio", "--fault", "stdout-banner", "--spec-version", "2025-11-25")
    gates = ("--strict", "--min-grade", "A", "--fail-on", "must")
    ended = console("test", "--only", f"stdio-framing,{PING}", *gates, "--format", "json", "--", *server, cwd=tmp_path)
    assert ended.returncode == 1
    assert [line for line in ended.stderr.splitlines() if "note:" not in line] == [
        "mcp-compliance: --strict: 1 required rule failed",
        "mcp-compliance: --min-grade A: the grade is D",
        "mcp-compliance: --fail-on must: 1 MUST violation",
    ]
    found = report_of(ended.stdout)
    assert (found["specVersion"], found["detection"]["era"]) == ("2025-11-25", "detected")
    assert {test["id"]: test["passed"] for test in found["tests"]} == {"stdio-framing": False, PING: True}


def test_list_with_everything_that_narrows_it(tmp_path: Path) -> None:
    narrow = ("--transport", "stdio", "--only", "transport", "--skip", "stdio-unicode", "--spec-version", "2025-11-25")
    ended = console("test", "--list", *narrow, "--format", "json", cwd=tmp_path)
    (section,) = json.loads(ended.stdout)
    assert (ended.returncode, ended.stderr, section["warnings"]) == (0, "", [])
    assert [test["id"] for test in section["tests"]] == ["stdio-framing", "stdio-unknown-method-recovers"]
