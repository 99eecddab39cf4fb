"""The HTTP transport of the conforming server, exchange by exchange."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator

import pytest

from .http_client import BOTH, INITIALIZE, Client, connected, serving

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as port:
        yield port


@pytest.fixture
def fresh(port: int) -> Iterator[Client]:
    """A client without a session."""
    client = Client(port)
    yield client
    client.close()


@pytest.fixture
def client(fresh: Client) -> Client:
    """A client with a session."""
    fresh.open()
    return fresh


def test_initialize_opens_a_session(fresh: Client) -> None:
    reply = fresh.post(INITIALIZE)
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.message["id"] == 1
    assert reply.result["protocolVersion"] == "2025-11-25"
    assert set(reply.result["capabilities"]) == {"tools", "resources", "prompts", "logging", "completions"}
    assert reply.result["serverInfo"]["name"]
    assert reply.result["serverInfo"]["version"]
    session = reply.headers["mcp-session-id"]
    assert len(session) >= 32
    assert all(0x21 <= ord(character) <= 0x7E for character in session)
    assert fresh.post(INITIALIZE).headers["mcp-session-id"] != session


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("2025-06-18", "2025-06-18"), ("2099-01-01", "2025-11-25"), ("2025-03-26", "2025-11-25")],
)
def test_versions_are_negotiated(fresh: Client, asked: str, answered: str) -> None:
    params = {**INITIALIZE["params"], "protocolVersion": asked}  # type: ignore[dict-item]
    reply = fresh.post({**INITIALIZE, "params": params})
    assert reply.result["protocolVersion"] == answered


def test_a_refused_initialize_opens_no_session(fresh: Client) -> None:
    reply = fresh.post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
    assert reply.code == -32602
    assert "mcp-session-id" not in reply.headers


def test_a_second_initialize_is_refused_and_harmless(client: Client) -> None:
    assert client.post(INITIALIZE).code == -32600
    assert client.call("ping").result == {}


def test_an_unsupported_version_header_is_400(client: Client) -> None:
    assert client.post(PING, mcp_protocol_version="2099-01-01").status == 400
    assert client.post(PING, mcp_protocol_version="2025-06-18").status == 200
    assert client.post(PING, mcp_protocol_version=None).status == 200


def test_the_session_header_is_demanded(fresh: Client) -> None:
    for reply in (fresh.post(PING), fresh.send("GET"), fresh.send("DELETE")):
        assert reply.status == 400
        assert reply.code == -32600
    assert fresh.post(PING).message["id"] == 7


def test_an_unknown_session_is_404(fresh: Client) -> None:
    for verb in ("GET", "POST", "DELETE"):
        reply = fresh.send(verb, PING if verb == "POST" else None, mcp_session_id="x" * 43)
        assert reply.status == 404


def test_delete_ends_the_session(client: Client) -> None:
    reply = client.send("DELETE")
    assert reply.status == 204
    assert reply.body == b""
    assert client.post(PING).status == 404
    assert client.send("DELETE").status == 404


@pytest.mark.parametrize("id_", [7, -1, 2**53, "seven", "", "é-漢字-🎉"])
def test_ids_come_back_as_they_are(client: Client, id_: object) -> None:
    reply = client.post({**PING, "id": id_})
    assert reply.message == {"jsonrpc": "2.0", "id": id_, "result": {}}


def test_notifications_and_responses_are_202_without_a_body(client: Client) -> None:
    for message in (
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 101}},
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progressToken": 1, "progress": 50},
        },
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
        {"jsonrpc": "2.0", "method": "notifications/nobody/knows"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}},
    ):
        reply = client.post(message)
        assert (reply.status, reply.body) == (202, b"")
        assert "content-type" not in reply.headers


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "method": "pi', -32700),
        (b"\xff\xfe{}", -32700),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700),
        (b"[" * 200_000, -32700),
        (b"", -32700),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"not": "a message"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": ""}}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32602),
    ],
)
def test_what_is_no_message_is_400(client: Client, body: bytes, code: int) -> None:
    reply = client.post(body)
    assert reply.status == 400
    assert reply.code == code
    assert reply.headers["content-type"] == "application/json"
    assert reply.message.get("id", 1) == 1


def test_media_types_are_checked(client: Client) -> None:
    for sent in ("text/plain", "application/x-www-form-urlencoded", None):
        assert client.post(PING, content_type=sent).status == 415
    assert client.post(PING, content_type="Application/JSON; charset=utf-8").status == 200
    for accepted in ("application/json", "text/event-stream", "text/html", None):
        assert client.post(PING, accept=accepted).status == 406
    assert client.post(PING, accept="*/*").status == 200
    assert client.send("GET", accept="application/json").status == 406


@pytest.mark.parametrize("verb", ["PUT", "PATCH", "OPTIONS", "HEAD"])
def test_other_verbs_are_405(client: Client, verb: str) -> None:
    reply = client.send(verb)
    assert reply.status == 405
    assert reply.headers["allow"] == "GET, POST, DELETE"


def test_other_paths_are_404(client: Client) -> None:
    for path in ("/", "/mcp/", "/.well-known/oauth-protected-resource"):
        assert client.send("GET", path=path).status == 404


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:8080", 200),
        ("https://attacker.example", 403),
        ("http://localhost.attacker.example", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
    ],
)
def test_a_foreign_origin_is_403(client: Client, origin: str, status: int) -> None:
    reply = client.post(PING, origin=origin)
    assert reply.status == status
    assert not any(name.startswith("access-control") for name in reply.headers)
    if status == 403:
        assert client.send("OPTIONS", origin=origin).status == 403


def test_an_event_stream_names_its_events(client: Client) -> None:
    reply = client.call("ping")
    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.body.startswith(b"event: message\ndata: {")
    assert reply.body.endswith(b"\n\n")


def test_progress_carries_the_token_and_grows(client: Client) -> None:
    for token in ("abc", 12):
        reply = client.call("tools/call", {"name": "survey", "_meta": {"progressToken": token}})
        notes = [one["params"] for one in reply.messages[:-1]]
        assert [note["progressToken"] for note in notes] == [token] * len(notes)
        values = [note["progress"] for note in notes]
        assert values == sorted(set(values))
        assert len(values) > 1
        assert reply.result["content"]
    assert len(client.call("tools/call", {"name": "survey"}).messages) == 1


def test_a_cancelled_call_is_not_answered(client: Client, port: int) -> None:
    other = Client(port)
    other.headers.update(client.headers)
    body = {
        "jsonrpc": "2.0",
        "id": "slow",
        "method": "tools/call",
        "params": {
            "name": "wait",
            "arguments": {"steps": 50, "pause_ms": 1000},
            "_meta": {"progressToken": 1},
        },
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"content-type": "application/json", "accept": BOTH, **client.headers}
    connection.request("POST", "/mcp", json.dumps(body), headers)
    response = connection.getresponse()
    assert response.readline() == b"event: message\n"  # it has begun
    assert other.notify("notifications/cancelled", {"requestId": "slow"}).status == 202
    assert b'"id":"slow"' not in response.read()
    connection.close()
    other.close()


def _listen(client: Client) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=10)
    connection.request("GET", "/mcp", headers={**client.headers, "accept": "text/event-stream"})
    return connection.getresponse()


def test_changes_come_on_the_stream_of_a_get(client: Client) -> None:
    stream = _listen(client)
    assert stream.status == 200
    assert stream.headers["content-type"] == "text/event-stream"
    client.call("resources/subscribe", {"uri": "note://harbour/ropes.txt"})
    client.tool("write_note", path="ropes.txt", text="Coil them.")
    client.call("resources/subscribe", {"uri": "note://harbour/ropes.txt"})
    client.tool("write_note", path="ropes.txt", text="Dry them.")
    methods = []
    while len(methods) < 2:
        line = stream.readline()
        if line.startswith(b"data: "):
            methods.append(json.loads(line[6:])["method"])
    assert methods == ["notifications/resources/list_changed", "notifications/resources/updated"]
    client.send("DELETE")
    assert stream.read() == b"\n"  # the rest of the last event: the stream ends with its session


def test_two_streams_do_not_get_the_same_message(client: Client) -> None:
    first, second = _listen(client), _listen(client)
    client.tool("write_note", path="ropes.txt", text="Coil them.")
    client.send("DELETE")
    assert sorted([first.read().count(b"list_changed"), second.read().count(b"list_changed")]) == [0, 1]


def test_a_stream_that_the_client_closes_does_no_harm(client: Client) -> None:
    _listen(client).close()
    assert client.call("ping").result == {}


def test_log_messages_follow_the_level(client: Client) -> None:
    assert client.call("logging/setLevel", {"level": "info"}).result == {}
    first = client.call("tools/call", {"name": "survey"}).messages[0]
    assert first["method"] == "notifications/message"
    assert first["params"]["level"] == "info"
    client.call("logging/setLevel", {"level": "error"})
    assert len(client.call("tools/call", {"name": "survey"}).messages) == 1


def test_a_megabyte_is_answered_and_too_much_is_413(client: Client) -> None:
    result = client.tool("echo", text="x" * 1_048_576)
    assert result["isError"] is True
    reply = client.post(b" " * (4 * 1024 * 1024 + 1))
    assert reply.status == 413


def test_requests_that_are_no_http(port: int) -> None:
    for sent, status in (
        (b"POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"POST /mcp HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"TRACE /mcp HTTP/1.1\r\n\r\n", b"501"),
        (b"nonsense\r\n\r\n", b"400"),
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(sent)
            answer = b"".join(iter(lambda: connection.recv(4096), b""))
            assert answer.split(b" ")[1] == status


def test_a_stream_over_http_1_0_ends_with_its_connection(client: Client) -> None:
    body = json.dumps(PING).encode()
    head = {**client.headers, "content-type": "application/json", "accept": BOTH, "content-length": str(len(body))}
    lines = ["POST /mcp HTTP/1.0", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode() + body)
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert b"Transfer-Encoding" not in answer
    assert answer.endswith(b'\r\n\r\nevent: message\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n')


def test_parallel_requests_get_their_own_answers(client: Client) -> None:
    seen: dict[int, object] = {}

    def ping(id_: int) -> None:
        own = Client(client.port)
        own.headers.update(client.headers)
        seen[id_] = own.post({**PING, "id": id_}).message["id"]
        own.close()

    threads = [threading.Thread(target=ping, args=(id_,)) for id_ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {id_: id_ for id_ in range(20)}


def test_a_burst_of_one_tool_is_limited(client: Client) -> None:
    replies = [client.call("tools/call", {"name": "survey"}) for _ in range(60)]
    limited = [reply for reply in replies if reply.status == 429]
    assert limited
    assert all(reply.headers["retry-after"] == "1" for reply in limited)
    assert all(reply.status == 200 for reply in replies[:40])
    assert client.tool("echo", text="still here")["content"][0]["text"] == "still here"


def test_a_token_is_demanded() -> None:
    with connected(token="harbour-master") as client:
        assert client.call("ping").result == {}
        for sent in (None, "Bearer wrong", "Bearer", "Basic aGFyYm91cg==", "Bearer harbour-master x"):
            reply = client.post(PING, authorization=sent)
            assert reply.status == 401
            challenge = reply.headers["www-authenticate"]
            assert challenge.startswith("Bearer ")
            assert ('error="invalid_token"' in challenge) == (sent is not None)
            place = f"http://127.0.0.1:{client.port}/.well-known/oauth-protected-resource/mcp"
            assert f'resource_metadata="{place}"' in challenge
        query = client.send("POST", PING, path="/mcp?access_token=harbour-master", authorization=None)
        assert query.status == 401
        assert client.post(INITIALIZE, authorization=None, mcp_session_id=None).status == 401


def test_the_metadata_names_the_resource() -> None:
    with connected(token="harbour-master") as client:
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
            reply = client.send("GET", path=path, authorization=None)
            assert reply.status == 200
            assert reply.headers["content-type"] == "application/json"
            assert reply.message["resource"] == f"http://127.0.0.1:{client.port}/mcp"
            assert all(one.startswith("https://") for one in reply.message["authorization_servers"])
            assert reply.message["authorization_servers"]


def test_a_session_belongs_to_the_token_that_opened_it() -> None:
    with connected("--auth-token", "another-one", token="harbour-master") as client:
        assert client.post(PING, authorization="Bearer another-one").status == 404
        assert client.post(PING).status == 200
