"""MCP 2026-07-28 over stdio at the conforming server, beside the era before it."""

from __future__ import annotations

from typing import Any

import pytest

from .http_client import INITIALIZE
from .modern_messages import META, REVISION, SUBSCRIPTION, VERSION, request, without
from .stdio_client import Child, child

DISCOVER = request("server/discover")
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def ask(server: Child, message: Any) -> Any:
    server.send(message)
    return server.receive()


def test_the_very_first_line_may_be_modern() -> None:
    with child(opened=False) as server:
        response = ask(server, DISCOVER)
        assert response["id"] == 1
        assert response["result"]["supportedVersions"] == [REVISION, "2025-11-25", "2025-06-18"]
        assert ask(server, request("tools/list", id_="t"))["id"] == "t"


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        request("server/discover", meta=without(VERSION)),
    ],
)
def test_what_does_not_say_what_it_is_is_refused_and_decides_nothing(message: Any) -> None:
    for before in ([], [DISCOVER]):
        with child(opened=False) as server:
            for one in before:
                ask(server, one)
            assert ask(server, message)["error"]["code"] == -32602
            assert ask(server, DISCOVER)["result"]["resultType"] == "complete"
            assert ask(server, INITIALIZE)["result"]["protocolVersion"] == "2025-11-25"


def test_ping_goes_with_the_era() -> None:
    with child(opened=False) as server:
        assert ask(server, PING)["result"] == {}
        assert ask(server, request("ping"))["error"]["code"] == -32601
        assert ask(server, PING)["error"]["code"] == -32602


def test_initialize_opens_the_other_era_beside_this_one() -> None:
    with child() as server:
        assert ask(server, PING)["result"] == {}
        assert "resultType" not in server.call("tools/list")["result"]
        assert ask(server, DISCOVER)["result"]["resultType"] == "complete"
        assert ask(server, request("ping"))["error"]["code"] == -32601
        assert ask(server, PING)["result"] == {}


def test_a_version_of_the_other_era_is_opened_there() -> None:
    with child(opened=False) as server:
        message = request("tools/list", meta={**META, VERSION: "2025-11-25"})
        assert ask(server, message)["error"]["code"] == -32600
        message = request("tools/list", meta={**META, VERSION: "1999-01-01"})
        assert ask(server, message)["error"]["code"] == -32022


def test_a_cancellation_is_not_answered() -> None:
    slow = request("tools/call", id_="slow", name="wait", arguments={"steps": 50, "pause_ms": 1000})
    slow["params"]["_meta"] = {**META, "progressToken": "p"}
    with child(opened=False) as server:
        assert ask(server, slow)["params"]["progressToken"] == "p"
        server.notify("notifications/cancelled", {"requestId": "slow"})
        server.notify("notifications/cancelled", {"requestId": "nobody"})
        assert ask(server, DISCOVER)["id"] == 1
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.exit_code() == 0
        assert server.line() == b""


def test_subscriptions_share_the_channel() -> None:
    with child(opened=False) as server:
        lists = {"resourcesListChanged": True}
        one = ask(server, request("subscriptions/listen", id_="one", notifications=lists))
        two = ask(server, request("subscriptions/listen", id_=2, notifications=lists))
        assert [message["params"]["_meta"][SUBSCRIPTION] for message in (one, two)] == ["one", 2]
        server.send(request("tools/call", id_=3, name="write_note", arguments={"path": "ropes.txt", "text": "Coil."}))
        seen = [server.receive() for _ in range(3)]
        changed = [m["params"]["_meta"][SUBSCRIPTION] for m in seen if "method" in m]
        assert sorted(changed, key=str) == [2, "one"]
        server.notify("notifications/cancelled", {"requestId": "one"})
        # the cancellation has been read when the next request is answered, and nothing was sent for it
        assert ask(server, DISCOVER)["id"] == 1
        server.send(request("tools/call", id_=4, name="write_note", arguments={"path": "cranes.txt", "text": "Oil."}))
        seen = [server.receive() for _ in range(2)]
        assert [m["params"]["_meta"][SUBSCRIPTION] for m in seen if "method" in m] == [2]
        assert server.process.stdin is not None
        server.process.stdin.close()
        cancelled, last = server.receive(), server.receive()
        assert (cancelled["method"], cancelled["params"]["requestId"]) == ("notifications/cancelled", 2)
        assert last["result"]["_meta"][SUBSCRIPTION] == 2
        assert server.exit_code() == 0


def test_alone_it_names_what_it_serves() -> None:
    with child("--spec-version", REVISION, opened=False) as server:
        error = ask(server, INITIALIZE)["error"]
        assert error["code"] == -32022
        assert error["data"] == {"supported": [REVISION], "requested": "2025-11-25"}
        assert ask(server, PING)["error"]["code"] == -32602
        assert ask(server, request("tools/list", meta={**META, VERSION: "2025-11-25"}))["error"]["code"] == -32022
        assert ask(server, DISCOVER)["result"]["supportedVersions"] == [REVISION]


def test_without_it_the_server_is_what_it_was() -> None:
    with child("--spec-version", "2025-11-25", opened=False) as server:
        assert ask(server, DISCOVER)["error"]["code"] == -32601
        assert ask(server, INITIALIZE)["result"]["protocolVersion"] == "2025-11-25"
