"""What entries of a case do to the answers of the HTTP player, on the wire."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any

import pytest
import trustme

from .corpus_files import load_cases
from .http_client import JSON_HEADERS, REVISION, Client, playing, request
from .player.http_server import HttpPlayer
from .player.script import Script

CASES = {case.id: case for case in load_cases() if case.revision == REVISION}


def test_literal_entries_leave_guards_alone_unless_they_speak_of_the_same() -> None:
    taken = {"when": {"method": "ping"}, "reply": {"error": {"code": 1, "message": "mine"}}}
    about_sessions = {
        "when": {"session": "absent", "body": "request", "method": {"not": "initialize"}},
        "reply": {"status": 404},
    }
    with playing(taken, about_sessions) as player:
        client = Client(player)
        client.open_session()
        assert client.ask("ping")[1]["error"]["code"] == 1
        assert client.ask("ping", Origin="https://evil.example")[0] == 403
        assert client.ask("ping", MCP_Session_Id="f" * 32)[0] == 404
        assert client.ask("ping", MCP_Session_Id=None)[0] == 400
        assert client.ask("tools/list", MCP_Session_Id=None)[0] == 404
        assert client.send(request("tools/list"), MCP_Session_Id=None, Content_Type="text/plain")[0].status == 415


def test_without_sessions_every_request_is_in_one() -> None:
    with playing(sessions="off") as player:
        client = Client(player)
        response, _ = client.send(request("initialize"))
        assert (response.status, response.getheader("MCP-Session-Id")) == (200, None)
        assert client.ask("ping", MCP_Session_Id="anything")[0] == 200
        assert client.send(None, "DELETE")[0].status == 200


def test_progress_belongs_to_a_session() -> None:
    with HttpPlayer(Script.from_json(CASES["initialized-required"].script)) as player:
        first, second = Client(player), Client(player)
        first.open_session()
        second.open_session()
        first.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert "result" in first.ask("tools/list")[1]
        assert second.ask("tools/list")[1]["error"]["code"] == -32600
        assert "result" in second.ask("ping")[1]


def test_changes_to_the_baseline() -> None:
    entry = {
        "when": {"id": "string", "body": "request"},
        "reply": {
            "base": {
                "id_as": "number-if-digits",
                "members": {"error": None, "extra": 1},
                "strip_headers": ["content-type"],
            }
        },
    }
    with playing(entry, {"when": {"origin": "foreign"}, "reply": {"base": {"without": ["foreign-origin"]}}}) as player:
        client = Client(player)
        client.open_session()
        response, text = client.send(request("ping", identifier="7"))
        assert response.getheader("Content-Type") is None
        assert json.loads(text) == {"jsonrpc": "2.0", "id": 7, "result": {}, "error": None, "extra": 1}
        assert json.loads(client.send(request("ping", identifier="a7"))[1])["id"] == "a7"
        refused = json.loads(client.send(request("nothing", identifier="8"))[1])
        assert (refused["id"], refused["error"]["code"], refused["extra"]) == (8, -32601, 1)
        assert client.ask("ping", Origin="https://evil.example")[0] == 200


def test_streams_are_chunks_around_the_answer() -> None:
    change = {"sse": ["\ufeffid: 1\ndata:\n\n", "data: {{body}}\n\n"]}
    with playing({"when": {"body": "request", "session": "known"}, "reply": {"base": change}}) as player:
        client = Client(player)
        client.open_session()
        response, text = client.send(request("ping"))
        assert response.getheader("Content-Type") == "text/event-stream"
        assert text == '\ufeffid: 1\ndata:\n\ndata: {"jsonrpc":"2.0","id":5,"result":{}}\n\n'
        assert text.encode().startswith(b"\xef\xbb\xbf")
        refused, _ = client.send(request("ping"), MCP_Protocol_Version="banana")
        assert (refused.status, refused.getheader("Content-Type")) == (400, "application/json")


def test_open_stream_ends_with_the_client() -> None:
    reply = {"stream": ["data: 1\n\n"], "keep_open": True, "every_ms": 50}
    with playing({"when": {"verb": "GET"}, "reply": reply}) as player:
        connection = socket.create_connection(("127.0.0.1", player.ports["port"]), timeout=5)
        connection.sendall(b"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n")
        received = b""
        while received.count(b"data: 1\n\n") < 3:
            received += connection.recv(4096)
        assert player.seen[0].closed_at is None
        connection.close()
        assert _soon(lambda: player.seen[0].closed_at is not None and player.open_connections == 0)


def test_hang_and_drop_send_nothing() -> None:
    with playing(
        {"when": {"verb": "GET"}, "reply": {"hang": True}}, {"when": {"verb": "PUT"}, "reply": {"drop": True}}
    ) as player:
        address = ("127.0.0.1", player.ports["port"])
        with socket.create_connection(address, timeout=0.3) as connection:
            connection.sendall(b"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n")
            with pytest.raises(TimeoutError):
                connection.recv(1)
        with socket.create_connection(address, timeout=5) as connection:
            connection.sendall(b"PUT /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            assert connection.recv(1) == b""
        assert _soon(lambda: player.open_connections == 0)
        assert [seen.status for seen in player.seen] == [0, 0]


def test_leaving_the_player_frees_those_who_wait() -> None:
    with playing({"when": {"verb": "GET"}, "reply": {"hang": True}}) as player:
        connection = socket.create_connection(("127.0.0.1", player.ports["port"]), timeout=5)
        connection.sendall(b"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n")
        assert _soon(lambda: len(player.seen) == 1)
    assert connection.recv(1) == b""
    connection.close()


def test_times_and_rate() -> None:
    with playing(
        {"when": {"method": "ping", "times": 2}, "reply": {"status": 429}},
        {"when": {"rate": {"more_than": 5, "within_s": 60}}, "reply": {"status": 503}},
    ) as player:
        client = Client(player)
        client.open_session()
        assert [client.ask("ping")[0] for _ in range(5)] == [429, 429, 200, 200, 503]


def test_conditions_of_stateless_revisions() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    entries: list[dict[str, Any]] = [
        {"when": {"meta": kind}, "reply": {"text": kind}} for kind in ("missing", "no-version", "no-capabilities")
    ]
    entries += [
        {"when": {"mirror": kind}, "reply": {"text": kind}}
        for kind in ("version-mismatch", "method-mismatch", "name-mismatch")
    ]
    entries += [
        {
            "when": {"version": {"not": "2026-07-28"}},
            "reply": {"error": {"code": 1, "message": "x", "data": "{{requested-version}}"}},
        },
        {"when": {"meta": "ok", "mirror": "ok"}, "reply": {"text": "ok"}},
    ]
    with playing(*entries, sessions="off") as player:
        client = Client(player)

        def say(method: str, params: dict[str, Any] | None, **headers: str) -> str:
            return client.send(request(method, params), **headers)[1]

        version = {"MCP_Protocol_Version": "2026-07-28"}
        assert say("ping", None) == "missing"
        assert say("ping", {"_meta": {}}) == "no-version"
        assert say("ping", {"_meta": dict([next(iter(meta.items()))])}) == "no-capabilities"
        assert say("ping", {"_meta": meta}, MCP_Protocol_Version="x") == "version-mismatch"
        assert say("ping", {"_meta": meta}, **version, Mcp_Method="pong") == "method-mismatch"
        named = {"_meta": meta, "name": "Zürich"}
        assert say("tools/call", named, **version) == "name-mismatch"
        encoded = "=?base64?WsO8cmljaA==?="
        assert say("tools/call", named, **version, Mcp_Method="tools/call", Mcp_Name=encoded) == "ok"
        other = {"_meta": {**meta, "io.modelcontextprotocol/protocolVersion": "y"}}
        assert json.loads(say("ping", other, MCP_Protocol_Version="y"))["error"]["data"] == "y"


def test_second_listener_with_tls() -> None:
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(server)
    authority.configure_trust(client)
    with HttpPlayer(Script.from_json(CASES["redirect-https-to-http"].script), server) as player:
        secure = http.client.HTTPSConnection("127.0.0.1", player.ports["tlsport"], timeout=5, context=client)
        secure.request("POST", "/mcp", b"{}", JSON_HEADERS)
        response = secure.getresponse()
        assert response.status == 307
        assert response.getheader("Location") == f"http://127.0.0.1:{player.ports['plainport']}/mcp/"
        plain = http.client.HTTPConnection("127.0.0.1", player.ports["plainport"], timeout=5)
        plain.request("POST", "/mcp/", json.dumps(request("initialize")), JSON_HEADERS)
        assert plain.getresponse().status == 200
        distrusting = http.client.HTTPSConnection("127.0.0.1", player.ports["tlsport"], timeout=5)
        with pytest.raises(ssl.SSLCertVerificationError):
            distrusting.request("POST", "/mcp", b"{}", JSON_HEADERS)
        assert [seen.scheme for seen in player.seen] == ["https", "http"]


def test_paths_are_matched_in_order() -> None:
    with HttpPlayer(Script.from_json(CASES["auth-challenge-without-metadata-url"].script)) as player:
        client = Client(player)
        response, text = client.send(None, "GET", "/.well-known/oauth-protected-resource")
        assert json.loads(text)["resource"] == player.url
        assert response.getheader("Content-Type") == "application/json"
        assert client.send(None, "GET", "/.well-known/other")[0].status == 404
        refused, nothing = client.send(request("initialize"))
        assert (refused.status, nothing) == (401, "")
        assert client.send(request("initialize"), Authorization="Bearer replay-token-1")[0].status == 200


def _soon(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return False
