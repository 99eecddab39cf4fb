"""The stdio transport of the conforming server, and the command that starts it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from .http_client import INITIALIZE, serving
from .stdio_client import child


def test_the_handshake() -> None:
    with child(opened=False) as server:
        response = server.open()
        assert response["id"] == 1
        assert response["result"]["protocolVersion"] == "2025-11-25"
        assert server.call("ping")["result"] == {}
        server.send(INITIALIZE)
        assert server.receive()["error"]["code"] == -32600


def test_one_line_for_each_message() -> None:
    with child() as server:
        pings = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % id_ for id_ in range(5))
        server.write(pings)
        assert [json.loads(server.line())["id"] for _ in range(5)] == list(range(5))
        text = "two\nlines\r\n\u2028and more"
        server.send(
            {
                "jsonrpc": "2.0",
                "id": 9,
                "method": "tools/call",
                "params": {"name": "echo", "arguments": {"text": text}},
            }
        )
        assert server.receive()["result"]["content"][0]["text"] == text


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1"])
def test_utf_8_whatever_the_locale(locale: str) -> None:
    with child(LC_ALL=locale, LANG=locale, PYTHONIOENCODING="ascii", PYTHONUTF8="0") as server:
        assert server.tool("echo", text="é 漢字 🎉")["result"]["content"][0]["text"] == "é 漢字 🎉"
        server.write('{"jsonrpc":"2.0","id":"é漢🎉","method":"ping"}\n'.encode())
        assert server.line() == '{"jsonrpc":"2.0","id":"é漢🎉","result":{}}\n'.encode()
        # half a surrogate pair has no UTF-8 form
        assert server.tool("echo", text="\ud83c")["result"]["content"][0]["text"] == "\ud83c"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "method": "pi\n', -32700),
        (b"\xff\xfe\n", -32700),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]\n', -32600),
        (b'{"not": "a message"}\n', -32600),
    ],
)
def test_what_is_no_message_is_reported_without_id(line: bytes, code: int) -> None:
    with child() as server:
        server.write(line)
        error = server.receive()
        assert error["error"]["code"] == code
        assert "id" not in error
        assert server.call("ping")["result"] == {}


def test_empty_lines_and_crlf_do_no_harm() -> None:
    with child() as server:
        server.write(b'\n  \r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n')
        assert server.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_long_lines() -> None:
    with child() as server:
        assert server.tool("echo", text="x" * 1_048_576)["result"]["isError"] is True
        server.write(b" " * (4 * 1024 * 1024 + 1) + b"\n")
        assert server.receive()["error"]["code"] == -32600
        assert server.call("ping")["result"] == {}


def test_an_unknown_method_does_no_harm() -> None:
    with child() as server:
        assert server.call("nobody/knows")["error"]["code"] == -32601
        assert server.call("ping")["result"] == {}


def test_a_slow_call_can_be_cancelled_and_does_not_block() -> None:
    slow = {"name": "wait", "arguments": {"steps": 50, "pause_ms": 1000}, "_meta": {"progressToken": 1}}
    with child() as server:
        server.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": slow})
        assert server.receive()["method"] == "notifications/progress"
        assert server.call("ping")["result"] == {}
        server.notify("notifications/cancelled", {"requestId": "slow"})
        server.process.stdin.close()  # type: ignore[union-attr]
        assert server.exit_code() == 0
        rest = server.process.stdout.read()  # type: ignore[union-attr]
        assert b'"id":"slow"' not in rest


def test_the_end_of_the_input_ends_the_server() -> None:
    with child() as server:
        server.process.stdin.close()  # type: ignore[union-attr]
        assert server.exit_code() == 0
        assert server.process.stderr.read() == b""  # type: ignore[union-attr]


def test_a_reader_that_goes_away_ends_the_server() -> None:
    with child() as server:
        server.process.stdout.close()  # type: ignore[union-attr]
        server.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert server.exit_code() == 0
        assert server.process.stderr.read() == b""  # type: ignore[union-attr]


def test_changes_are_told() -> None:
    with child() as server:
        server.send(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "write_note", "arguments": {"path": "ropes.txt", "text": "Coil them."}},
            }
        )
        assert server.receive() == {"jsonrpc": "2.0", "method": "notifications/resources/list_changed"}
        assert server.receive()["id"] == 1


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mcp_compliance.reference", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL, check=False)


def test_mistakes_are_told_in_one_line() -> None:
    with serving() as port:
        for arguments in (
            [],
            ["--stdio", "--http", "0"],
            ["--http", "many"],
            ["--stdio", "--fault", "nobody"],
            ["--stdio", "--fault", "get-json"],
            ["--http", "0", "--fault", "any-token-taken"],
            ["--http", "0", "--auth-token", "ä"],
            ["--http", str(port)],
            ["--http", "70000"],
        ):
            done = _run(*arguments)
            assert done.returncode == 2, arguments
            assert done.stdout == ""
            assert done.stderr.startswith("error: ")
            assert done.stderr.count("\n") == 1


def test_the_faults_can_be_listed() -> None:
    done = _run("--list-faults")
    assert done.returncode == 0
    assert "get-json  [2025-11-25, http]\n    breaks: A GET opens an event stream" in done.stdout
    assert "any-token-taken  [2025-11-25, http, needs auth]" in done.stdout
