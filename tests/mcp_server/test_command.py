"""``mcp-compliance mcp``: how it starts, ends, and says what it lacks."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_compliance.cli.main import main
from mcp_compliance.mcp_server.envelopes import refusal

TEST = "mcp_compliance_test"
COMMAND = str(Path(sys.executable).with_name("mcp-compliance"))
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def test_it_ends_when_its_client_does() -> None:
    done = subprocess.run(
        [COMMAND, "mcp"],
        input=json.dumps(INITIALIZE) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    (answer,) = done.stdout.splitlines()
    assert json.loads(answer)["result"]["serverInfo"]["name"] == "mcp-compliance"
    assert (done.returncode, done.stderr) == (0, "")


def test_a_run_ends_when_it_is_cancelled_and_when_the_client_leaves() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(30)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        process = subprocess.Popen([COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdin is not None
        call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": TEST, "arguments": {"url": url}}}

        def send(message: dict[str, object]) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()

        try:
            send(INITIALIZE)
            send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            send({**call, "id": 2})
            asked, _ = silent.accept()
            with asked:
                asked.settimeout(30)
                send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
                while asked.recv(65_536):
                    pass
            send({**call, "id": 3})
            asked, _ = silent.accept()
            with asked:
                process.stdin.close()
                assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


@pytest.mark.parametrize("missing", ["mcp", "mcp_types"])
def test_without_the_sdk_it_says_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == missing or name.startswith("mcp_compliance.mcp_server"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["mcp"]) == 2
    said = capsys.readouterr()
    assert said.err == "mcp-compliance: the MCP SDK 2.3 or newer is missing: pip install 'mcp-compliance[mcp]'\n"
    assert said.out == ""


def test_a_port_in_use_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        assert main(["mcp", "--http", str(port)]) == 2
    said = f"mcp-compliance: --http {port}: cannot listen there: Address already in use; 0 takes a free port\n"
    assert capsys.readouterr().err == said


def test_help_shows_a_client_how_to_start_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--help"]) == 0
    shown = capsys.readouterr().out
    assert '"mcp-compliance[mcp]"' in shown
    assert "--http" in shown


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}', None),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}}', None),
        (b'{"jsonrpc": "2.0", "id": null, "error": {}}', None),
        (b"{", None),
        (b"[]", None),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 1}', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true}', -32600),
        (b"[" * 100_000, None),
    ],
)
def test_only_what_is_no_message_is_refused(body: bytes, code: int | None) -> None:
    refused = refusal(body)
    assert (refused is None) == (code is None)
    if refused is not None:
        assert isinstance(refused["error"], dict)
        assert refused["error"]["code"] == code
        assert refused.get("id", "left out") == (1 if b'"id": 1' in body else "left out")
