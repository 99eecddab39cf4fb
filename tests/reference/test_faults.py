"""Faults whose effect is more than another answer, seen from outside."""

from __future__ import annotations

import http.server
import json
import threading
from typing import Any

import pytest

from .http_client import Client, connected
from .stdio_client import child


def _text(result: Any) -> str:
    return result["content"][0]["text"]


@pytest.mark.parametrize(
    ("fault", "send"),
    [
        ("list-changed-kills", {"method": "notifications/prompts/list_changed"}),
        ("bad-cursor-crashes", {"id": 1, "method": "tools/list", "params": {"cursor": "garbage"}}),
        (
            "extra-argument-crashes",
            {
                "id": 1,
                "method": "tools/call",
                "params": {"name": "survey", "arguments": {"__proto__": {}}},
            },
        ),
        (
            "long-text-crashes",
            {
                "id": 1,
                "method": "tools/call",
                "params": {"name": "echo", "arguments": {"text": "x" * 1_048_576}},
            },
        ),
    ],
)
def test_a_child_dies(fault: str, send: dict[str, Any]) -> None:
    with child("--fault", fault) as server:
        assert server.call("ping")["result"] == {}
        server.send({"jsonrpc": "2.0", **send})
        assert server.line() == b""
        assert server.exit_code() == 70


def test_a_child_overhears_one_ping() -> None:
    with child("--fault", "deaf-after-unknown-method") as server:
        assert server.call("nobody/knows")["error"]["code"] == -32601
        server.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        server.send({"jsonrpc": "2.0", "id": 2, "method": "ping"})
        assert server.receive() == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_a_banner_comes_first() -> None:
    with child("--fault", "stdout-banner", opened=False) as server:
        server.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert server.line() == b"Harbour notebook ready.\n"
        assert server.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_text_is_misread() -> None:
    with child("--fault", "reads-latin-1") as server:
        assert _text(server.tool("echo", text="é")["result"]) == "Ã©"
        assert _text(server.tool("echo", text="e")["result"]) == "e"


def test_parallel_pings_get_the_wrong_id() -> None:
    with connected("--fault", "parallel-ids-mixed") as client:
        assert client.post({"jsonrpc": "2.0", "id": 50, "method": "ping"}).message["id"] == 50
        seen: list[tuple[int, int]] = []

        def ping(id_: int) -> None:
            own = Client(client.port)
            own.headers.update(client.headers)
            seen.append((id_, own.post({"jsonrpc": "2.0", "id": id_, "method": "ping"}).message["id"]))
            own.close()

        threads = [threading.Thread(target=ping, args=(id_,)) for id_ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert any(sent != received for sent, received in seen)


def test_counted_sessions_still_work() -> None:
    with connected("--fault", "session-id-counted") as client:
        session = client.headers["mcp-session-id"]
        assert session.isdigit()
        assert client.call("ping").result == {}
        client.open()
        assert int(client.headers["mcp-session-id"]) == int(session) + 1
        assert client.send("DELETE").status == 204
        assert client.call("ping").status == 404


def test_an_odd_version_is_taken_back() -> None:
    with connected("--fault", "version-not-a-date") as client:
        assert client.call("ping", mcp_protocol_version="2025.11.25").result == {}
        assert client.call("ping", mcp_protocol_version="2099-01-01").status == 400


def test_an_ended_session_is_served() -> None:
    with connected("--fault", "ended-session-served") as client:
        assert client.send("DELETE").status == 204
        assert client.call("ping").result == {}
        assert client.call("ping", mcp_session_id="x" * 43).status == 404


def test_a_tool_shifts_after_each_call() -> None:
    def described() -> str:
        cursor = json.loads(json.dumps(client.call("tools/list").result["nextCursor"]))
        cursor = client.call("tools/list", {"cursor": cursor}).result["nextCursor"]
        (tool,) = client.call("tools/list", {"cursor": cursor}).result["tools"]
        return tool["description"]

    with connected("--fault", "tool-shifts") as client:
        seen = [described(), described()]
        client.tool("survey")
        seen += [described(), described()]
        client.tool("survey")
        seen.append(described())
        assert seen[0] == seen[1] != seen[2] == seen[3] != seen[4]


class _Canary(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = f"canary at {self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        pass


def test_a_url_on_loopback_is_fetched() -> None:
    with (
        http.server.HTTPServer(("127.0.0.1", 0), _Canary) as canary,
        connected("--fault", "urls-in-tools") as client,
    ):
        threading.Thread(target=canary.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{canary.server_port}/secret"
        assert _text(client.tool("fetch_page", url=url)) == "canary at /secret"
        assert client.tool("fetch_page", url="http://169.254.169.254/latest/")["isError"] is True
        assert client.tool("fetch_page", url="http://10.0.0.1/")["isError"] is True
        canary.shutdown()


@pytest.mark.parametrize(
    ("payload", "computed"),
    [
        ("x; expr 1234 \\* 5678", "7006652"),
        ("$(expr 1234 \\* 5678)", "7006652"),
        ("`expr 1234 '*' 5678`", "7006652"),
        ("| expr 1234 \\* 5678", "7006652"),
        ("&& expr 1234 * 5678", "7006652"),
        ("$((1234*5678))", "7006652"),
        ("& set /a 1234*5678", "7006652"),
        ("; expr 1234 + 5678", "6912"),
        ("expr 1234 \\* 5678", "expr 1234 \\* 5678"),
        ("plain", "plain"),
    ],
)
def test_a_shell_computes(payload: str, computed: str) -> None:
    with child("--fault", "shell-in-tools") as server:
        assert _text(server.tool("echo", text=payload)["result"]) == computed


def test_a_database_complains_and_obeys() -> None:
    with child("--fault", "sql-in-tools") as server:

        def query(text: str) -> str:
            return _text(server.tool("search_notes", query=text)["result"])

        assert "sqlite3.OperationalError: " in query("it's")
        assert 'near "nonsense": syntax error' in query("' nonsense")
        assert query("x' OR '1'='1") != query("x' AND '1'='2")
        assert query("tides") == "1 notes"


@pytest.mark.parametrize(
    ("path", "start"),
    [
        ("../../etc/passwd", "root:x:0:0:"),
        ("/etc/passwd", "root:x:0:0:"),
        ("file:///etc/passwd", "root:x:0:0:"),
        ("%2e%2e%2f%2e%2e%2fetc%2fpasswd", "root:x:0:0:"),
        ("..%252f..%252fetc%252fpasswd", "root:x:0:0:"),
        ("..\\..\\windows\\system.ini", "; for 16-bit app support"),
        ("tides.txt", "High water"),
    ],
)
def test_a_path_leads_out(path: str, start: str) -> None:
    with child("--fault", "paths-in-tools") as server:
        assert _text(server.tool("read_note", path=path)["result"]).startswith(start)


def test_a_burst_ends_in_503() -> None:
    with connected("--fault", "burst-overwhelms") as client:
        statuses = [client.call("tools/call", {"name": "survey"}).status for _ in range(50)]
        assert statuses.count(503) > 25
        assert client.call("ping").status == 200
