"""The HTTP baseline of 2025-11-25 on the wire: it keeps the specification."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from .http_client import REVISION, Client, playing, request
from .player.http_server import HttpPlayer


@pytest.fixture
def player() -> Iterator[HttpPlayer]:
    with playing() as playing_baseline:
        yield playing_baseline


def test_baseline_shakes_hands_and_lists_its_tool(player: HttpPlayer) -> None:
    client = Client(player)
    response, text = client.send(request("initialize", {"protocolVersion": REVISION}))
    assert response.status == 200
    assert response.getheader("Content-Type") == "application/json"
    session = response.getheader("MCP-Session-Id") or ""
    assert len(session) == 32
    assert json.loads(text)["result"]["protocolVersion"] == REVISION
    client.headers |= {"MCP-Session-Id": session, "MCP-Protocol-Version": REVISION}
    accepted, nothing = client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (accepted.status, nothing, accepted.getheader("Content-Type")) == (202, "", None)
    assert client.ask("ping") == (200, {"jsonrpc": "2.0", "id": 5, "result": {}})
    assert [tool["name"] for tool in client.ask("tools/list")[1]["result"]["tools"]] == ["echo"]
    called = client.ask("tools/call", {"name": "echo", "arguments": {"text": 'a "ü" b'}})[1]
    assert called["result"]["content"] == [{"type": "text", "text": 'a "ü" b'}]
    assert client.ask("tools/call", {"name": "echo"})[1]["result"]["isError"] is True


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/list", {"cursor": "made-up"}, -32602),
        ("tools/list", {"cursor": ""}, -32602),
        ("tools/call", {"name": "nothing"}, -32602),
        ("prompts/list", None, -32601),
    ],
)
def test_baseline_refuses_with_the_code_of_the_specification(
    player: HttpPlayer, method: str, params: dict[str, Any] | None, code: int
) -> None:
    client = Client(player)
    client.open_session()
    status, answer = client.ask(method, params)
    assert (status, answer["id"], answer["error"]["code"]) == (200, 5, code)


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{", {}, 400, -32700),
        (b"", {}, 400, -32700),
        (b'{"a":NaN}', {}, 400, -32700),
        ([request("ping")], {}, 400, -32600),
        ({"id": 1, "method": "ping"}, {}, 400, -32600),
        (request("ping", identifier=None), {}, 400, -32600),
        (request("initialize"), {}, 400, -32600),
        (request("ping"), {"MCP_Session_Id": None}, 400, -32600),
        (request("ping"), {"MCP_Session_Id": "f" * 32}, 404, -32600),
        (request("ping"), {"MCP_Protocol_Version": "banana"}, 400, -32600),
        (request("ping"), {"MCP_Protocol_Version": None}, 200, None),
        (request("ping"), {"Origin": "https://evil.example"}, 403, -32600),
        (request("ping"), {"Origin": "null"}, 403, -32600),
        (request("ping"), {"Origin": "http://localhost:3000"}, 200, None),
        (request("ping"), {"Content_Type": "text/plain"}, 415, None),
        (request("ping"), {"Content_Type": "Application/JSON; charset=utf-8"}, 200, None),
        ({"jsonrpc": "2.0", "id": 9, "result": {}}, {}, 202, None),
    ],
)
def test_baseline_guards(
    player: HttpPlayer, body: object, headers: dict[str, str | None], status: int, code: int | None
) -> None:
    client = Client(player)
    client.open_session()
    response, text = client.send(body, **headers)
    answer = json.loads(text) if text else {}
    assert (response.status, answer.get("error", {}).get("code")) == (status, code)
    unreadable = not isinstance(body, dict) or "jsonrpc" not in body or body.get("id") is None
    if code is not None and status != 403:
        assert ("id" not in answer) == unreadable


def test_baseline_other_verbs_paths_and_the_end_of_a_session(player: HttpPlayer) -> None:
    client = Client(player)
    client.open_session()
    assert client.send(request("ping"), "POST", "/other")[0].status == 404
    assert client.send(request("ping"), "POST", "/mcp?token=x")[0].status == 200
    got, _ = client.send(None, "GET")
    assert (got.status, got.getheader("Allow")) == (405, "POST, DELETE")
    assert client.send(None, "PATCH")[0].status == 405
    assert client.send(None, "DELETE", MCP_Session_Id="f" * 32)[0].status == 404
    assert client.send(None, "DELETE")[0].status == 200
    assert client.ask("ping")[0] == 404
    assert [seen.status for seen in player.seen[1:]] == [404, 200, 405, 405, 404, 200, 404]


def test_requests_at_once_are_all_answered(player: HttpPlayer) -> None:
    client = Client(player)
    client.open_session()
    statuses: list[int] = []

    def ping() -> None:
        other = Client(player)
        other.headers = dict(client.headers)
        statuses.append(other.ask("ping")[0])

    threads = [threading.Thread(target=ping) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 50
