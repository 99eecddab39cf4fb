"""Event streams of MCP 2026-07-28: subscriptions, and what closing a stream means."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mcp_compliance.reference import http as sockets
from mcp_compliance.reference.assembly import eras_with
from mcp_compliance.reference.authorization import Authorization
from mcp_compliance.reference.endpoint import Endpoint
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.session import Session

from .http_client import BOTH, serving
from .modern_messages import META, SUBSCRIPTION, headers_for, request
from .test_modern_http import call, post

TIDES = "note://harbour/tides.txt"


class Stream:
    """An open event stream, read event by event."""

    def __init__(self, port: int, message: Any) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {"content-type": "application/json", "accept": BOTH, **headers_for(message)}
        self.connection.request("POST", "/mcp", json.dumps(message), headers)
        self.response = self.connection.getresponse()
        assert self.response.headers["content-type"] == "text/event-stream"
        assert self.response.headers["x-accel-buffering"] == "no"

    def line(self) -> bytes:
        """The next line that is not empty; b"" at the end."""
        while (line := self.response.readline()) == b"\n":
            pass
        return line

    def next(self) -> Any:
        """The next message."""
        assert self.line() == b"event: message\n"
        return json.loads(self.line().removeprefix(b"data: "))

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def listen(port: int, id_: Any = 1, **notifications: Any) -> Stream:
    return Stream(port, request("subscriptions/listen", id_=id_, notifications=notifications))


@pytest.fixture
def port() -> Iterator[int]:
    with serving() as port:
        yield port


def write(port: int, path: str) -> None:
    assert "isError" not in call(port, "write_note", {"path": path, "text": "Mind the step."}).result


@pytest.mark.parametrize("id_", [7, "seven"])
def test_a_subscription_is_acknowledged_first_with_what_is_honoured(port: int, id_: Any) -> None:
    stream = listen(
        port,
        id_,
        toolsListChanged=True,
        promptsListChanged=True,
        resourcesListChanged=True,
        resourceSubscriptions=[TIDES, "note://harbour/nothing.txt"],
    )
    assert stream.next() == {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "_meta": {SUBSCRIPTION: id_},
            "notifications": {"resourcesListChanged": True, "resourceSubscriptions": [TIDES]},
        },
    }
    write(port, "ropes.txt")
    write(port, "tides.txt")
    assert stream.next()["method"] == "notifications/resources/list_changed"
    assert stream.next() == {
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {"_meta": {SUBSCRIPTION: id_}, "uri": TIDES},
    }
    stream.close()


def test_only_what_was_asked_for_is_sent_on_each_stream(port: int) -> None:
    lists, tides, nothing = (
        listen(port, 1, resourcesListChanged=True),
        listen(port, 2, resourcesListChanged=False, resourceSubscriptions=[TIDES]),
        listen(port, 3),
    )
    for stream in (lists, tides, nothing):
        assert stream.next()["params"]["notifications"] is not None
    write(port, "tides.txt")
    write(port, "ropes.txt")
    assert lists.next()["params"] == {"_meta": {SUBSCRIPTION: 1}}
    assert tides.next()["params"]["_meta"] == {SUBSCRIPTION: 2}
    write(port, "cranes.txt")
    assert lists.next()["method"] == "notifications/resources/list_changed"
    for stream in (lists, tides, nothing):
        stream.close()


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"notifications": []},
        {"notifications": {"resourcesListChanged": 1}},
        {"notifications": {"resourceSubscriptions": TIDES}},
        {"notifications": {"resourceSubscriptions": [7]}},
    ],
)
def test_a_filter_that_is_none_is_refused(port: int, params: Any) -> None:
    assert post(port, request("subscriptions/listen", **params)).code == -32602


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_ends_says_so_on_its_streams(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "mcp_compliance.reference", "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().rpartition(":")[2].partition("/")[0])
        stream = listen(port, "mine", resourcesListChanged=True)
        assert stream.next()["method"] == "notifications/subscriptions/acknowledged"
        os.kill(process.pid, number)
        cancelled, last = stream.next(), stream.next()
        assert cancelled["method"] == "notifications/cancelled"
        assert cancelled["params"] == {"_meta": {SUBSCRIPTION: "mine"}, "requestId": "mine"}
        assert last["id"] == "mine"
        assert last["result"]["resultType"] == "complete"
        assert last["result"]["_meta"][SUBSCRIPTION] == "mine"
        assert stream.line() == b""
        assert process.wait(timeout=10) == 0
        stream.close()


class _Watched(Notebook):
    """Tells when a watcher has left."""

    def __init__(self) -> None:
        super().__init__()
        self.left = threading.Event()

    def unwatch(self, watcher: Any) -> None:
        super().unwatch(watcher)
        self.left.set()


@contextmanager
def in_this_process(endpoint: Endpoint) -> Iterator[int]:
    server = sockets.Server(0)
    server.respond = endpoint.respond
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def test_closing_the_stream_ends_the_subscription(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = _Watched()
    monkeypatch.setattr("mcp_compliance.reference.modern_http.Notebook", lambda: notebook)
    with in_this_process(Endpoint(Authorization("http://127.0.0.1/mcp"), eras_with(()))) as port:
        stream = listen(port, resourcesListChanged=True)
        stream.next()
        assert not notebook.left.is_set()
        stream.close()
        assert notebook.left.wait(10)


def test_closing_the_stream_stops_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    class Noticed(Session):
        def end(self) -> None:
            super().end()
            ended.set()

    monkeypatch.setattr("mcp_compliance.reference.modern_http.Session", Noticed)
    with in_this_process(Endpoint(Authorization("http://127.0.0.1/mcp"), eras_with(()))) as port:
        slow = request("tools/call", name="wait", arguments={"steps": 50, "pause_ms": 1000})
        slow["params"]["_meta"] = {**META, "progressToken": 1}
        stream = Stream(port, slow)
        assert stream.next()["method"] == "notifications/progress"
        stream.close()
        assert ended.wait(10)


def test_a_quiet_stream_gets_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "KEEP_ALIVE", 0.01)
    with in_this_process(Endpoint(Authorization("http://127.0.0.1/mcp"), eras_with(()))) as port:
        stream = listen(port)
        stream.next()
        assert stream.line() == b":\n"
        assert stream.line() == b":\n"
        stream.close()


def test_the_next_request_on_the_connection_waits_for_the_end_of_the_stream(port: int) -> None:
    first = request("tools/call", id_=1, name="wait", arguments={"steps": 2, "pause_ms": 10})
    second = request("server/discover", id_=2)
    sent = b""
    for message in (first, second):
        body = json.dumps(message).encode()
        head = {"content-type": "application/json", "accept": BOTH, "content-length": str(len(body))}
        lines = [f"{name}: {value}" for name, value in {**head, **headers_for(message)}.items()]
        sent += "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""]).encode() + body
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(sent)
        received = b""
        while b'"supportedVersions"' not in received:
            received += connection.recv(65536)
    assert received.index(b"waited 2 times") < received.index(b'"id":2')
