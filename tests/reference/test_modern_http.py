"""MCP 2026-07-28 over HTTP at the conforming server, exchange by exchange."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest

from .http_client import BOTH, INITIALIZE, Client, Reply, serving
from .modern_messages import CAPABILITIES, LOG_LEVEL, META, REVISION, SERVER, VERSION, headers_for, request, without

DISCOVER = request("server/discover")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as port:
        yield port


@pytest.fixture(scope="module")
def alone() -> Iterator[int]:
    """The port of a server that serves no other revision."""
    with serving("--spec-version", REVISION) as port:
        yield port


def post(port: int, message: Any, **headers: str | None) -> Reply:
    """``message`` with the standard headers, except as said, over a connection of its own."""
    client = Client(port)
    client.headers.update(headers_for(message if isinstance(message, dict) else {}))
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    client.headers = {name: value for name, value in {**client.headers, **changed}.items() if value is not None}
    try:
        return client.post(message, **{name: None for name, value in headers.items() if value is None})
    finally:
        client.close()


def call(port: int, name: str, arguments: Any = None, meta: Any = None, **headers: str | None) -> Reply:
    return post(port, request("tools/call", meta=meta, name=name, arguments=arguments or {}), **headers)


def test_discover_says_what_is_served(port: int) -> None:
    reply = post(port, DISCOVER)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    assert "mcp-session-id" not in reply.headers
    assert reply.result["resultType"] == "complete"
    assert reply.result["supportedVersions"] == [REVISION, "2025-11-25", "2025-06-18"]
    assert set(reply.result["capabilities"]) == {"tools", "resources", "prompts", "logging", "completions"}
    assert all(isinstance(value, dict) for value in reply.result["capabilities"].values())
    assert reply.result["_meta"][SERVER]["name"]
    assert reply.result["_meta"][SERVER]["version"]
    assert reply.result["ttlMs"] >= 0
    assert reply.result["cacheScope"] == "public"


def test_each_request_stands_alone(port: int) -> None:
    # nothing was said before on these connections, and what one request declares says nothing of the next
    assert post(port, request("tools/list")).status == 200
    assert call(port, "reserve_berth", {"ship": "Ida"}).result["resultType"] == "input_required"
    assert call(port, "reserve_berth", {"ship": "Ida"}, {**META, CAPABILITIES: {}}).code == -32021


@pytest.mark.parametrize(
    "meta",
    [
        without(VERSION),
        without(CAPABILITIES),
        {},
        "text",
        {**META, VERSION: 20260728},
        {**META, CAPABILITIES: []},
        {**META, CAPABILITIES: None},
        {**META, LOG_LEVEL: "loud"},
        {**META, "progressToken": 1.5},
        {**META, "progressToken": True},
    ],
)
def test_a_malformed_meta_is_400_with_invalid_params(port: int, meta: Any) -> None:
    reply = post(port, request("server/discover", meta=meta))
    assert (reply.status, reply.code, reply.message["id"]) == (400, -32602, 1)


def test_a_client_need_not_say_who_it_is_and_may_say_more(port: int) -> None:
    for meta in (without("io.modelcontextprotocol/clientInfo"), {**META, "org.example/probe": 1}):
        assert post(port, request("server/discover", meta=meta)).result["resultType"] == "complete"


@pytest.mark.parametrize("version", ["1999-01-01", "2027-01-01", ""])
def test_an_unsupported_version_is_400_with_the_supported_ones(port: int, version: str) -> None:
    message = request("server/discover", meta={**META, VERSION: version})
    reply = post(port, message, mcp_protocol_version=version)
    assert (reply.status, reply.code) == (400, -32022)
    listed = post(port, DISCOVER).result["supportedVersions"]
    assert reply.message["error"]["data"] == {"supported": listed, "requested": version}


@pytest.mark.parametrize(
    "headers",
    [
        {"mcp_protocol_version": None},
        {"mcp_protocol_version": "2025-11-25"},
        {"mcp_protocol_version": "1999-01-01"},
        {"mcp_method": None},
        {"mcp_method": "tools/list"},
        {"mcp_method": "resources/Read"},
        {"mcp_name": None},
        {"mcp_name": "note://harbour/fog.txt"},
        {"mcp_name": "=?BASE64?bm90ZTovL2hhcmJvdXIvdGlkZXMudHh0?="},
        {"mcp_name": "=?base64?!?="},
        {"mcp_name": "note://harbour/t\u00efdes.txt"},
    ],
)
def test_a_header_that_is_not_the_mirror_of_the_body_is_400(port: int, headers: dict[str, str | None]) -> None:
    reply = post(port, request("resources/read", uri="note://harbour/tides.txt"), **headers)
    assert (reply.status, reply.code, reply.message["id"]) == (400, -32020, 1)


def test_headers_are_compared_before_versions(port: int) -> None:
    for version in ("1999-01-01", "2025-11-25"):
        assert post(port, request("server/discover", meta={**META, VERSION: version})).code == -32020


def test_an_encoded_name_is_decoded(port: int) -> None:
    encoded = base64.b64encode(b"note://harbour/tides.txt").decode()
    reply = post(port, request("resources/read", uri="note://harbour/tides.txt"), mcp_name=f" =?base64?{encoded}?= ")
    assert reply.result["contents"][0]["uri"] == "note://harbour/tides.txt"


def test_header_names_are_taken_in_any_case(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {**headers_for(DISCOVER), "content-type": "application/json", "accept": BOTH}
    connection.request("POST", "/mcp", json.dumps(DISCOVER), {name.upper(): value for name, value in headers.items()})
    assert connection.getresponse().status == 200
    connection.close()


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"port": "east"}, {"mcp_param_port": "east"}),
        ({"port": "east"}, {"mcp_param_port": "=?base64?ZWFzdA==?="}),
        ({"port": "east", "days": 3}, {"mcp_param_port": "east", "mcp_param_days": "3"}),
        ({"port": "east", "days": 3}, {"mcp_param_port": "east", "mcp_param_days": "3.0"}),
        ({"port": "east", "before_noon": True}, {"mcp_param_port": "east", "mcp_param_before_noon": "true"}),
        ({"port": "east"}, {"mcp_param_port": "east", "mcp_param_nobody": "knows"}),
    ],
)
def test_arguments_are_mirrored(port: int, arguments: Any, headers: dict[str, str]) -> None:
    reply = call(port, "tide_table", arguments, **headers)
    assert reply.result["structuredContent"] == json.loads(reply.result["content"][0]["text"])


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"port": "east"}, {}),
        ({"port": "east"}, {"mcp_param_port": "west"}),
        ({"port": "east"}, {"mcp_param_port": "East"}),
        ({"port": "east"}, {"mcp_param_port": "=?base64?d2VzdA==?="}),
        ({"port": "east", "days": 3}, {"mcp_param_port": "east"}),
        ({"port": "east", "days": 3}, {"mcp_param_port": "east", "mcp_param_days": "4"}),
        ({"port": "east", "days": 3}, {"mcp_param_port": "east", "mcp_param_days": "three"}),
        ({"port": "east", "before_noon": True}, {"mcp_param_port": "east", "mcp_param_before_noon": "True"}),
        ({"port": "east"}, {"mcp_param_port": "east", "mcp_param_days": "3"}),
        ({"port": None}, {"mcp_param_port": "east"}),
        ({"port": "east"}, {"mcp_param_port": "\u00e9ast"}),
    ],
)
def test_arguments_that_are_mirrored_otherwise_are_400(port: int, arguments: Any, headers: dict[str, str]) -> None:
    reply = call(port, "tide_table", arguments, **headers)
    assert (reply.status, reply.code) == (400, -32020)


def test_an_argument_that_is_null_or_unfit_needs_no_header(port: int) -> None:
    assert call(port, "tide_table", {"port": None}).result["isError"] is True
    assert call(port, "tide_table", {"port": ["east"]}).result["isError"] is True


@pytest.mark.parametrize(
    "method",
    ["nobody/knows", "ping", "initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
)
def test_methods_that_there_are_not_are_404(port: int, method: str) -> None:
    reply = post(port, request(method))
    assert (reply.status, reply.code, reply.message["id"]) == (404, -32601, 1)


def test_other_errors_do_not_look_like_those_of_another_era(port: int) -> None:
    for message in (
        request("tools/call", name="nobody"),
        request("tools/call"),
        request("resources/read", uri="note://harbour/nothing.txt"),
        request("prompts/get", name="nobody"),
        request("tools/list", cursor="garbage"),
        request("completion/complete", ref={}, argument={}),
    ):
        reply = post(port, message)
        assert (reply.status, reply.code) == (200, -32602)


def test_a_missing_capability_is_400_and_named(port: int) -> None:
    for capabilities, name, mode in (
        ({}, "reserve_berth", "form"),
        ({"elicitation": {"url": {}}}, "reserve_berth", "form"),
        ({"elicitation": {}}, "pay_dues", "url"),
    ):
        reply = call(port, name, {"ship": "Ida"}, {**META, CAPABILITIES: capabilities})
        assert (reply.status, reply.code) == (400, -32021)
        assert reply.message["error"]["data"] == {"requiredCapabilities": {"elicitation": {mode: {}}}}


def test_progress_and_log_come_on_the_stream_of_the_request(port: int) -> None:
    reply = call(port, "survey", meta={**META, "progressToken": "t", LOG_LEVEL: "info"})
    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.headers["x-accel-buffering"] == "no"
    assert reply.body.startswith(b"event: message\ndata: {")
    log, *steps, last = reply.messages
    assert (log["method"], log["params"]["level"]) == ("notifications/message", "info")
    assert {step["params"]["progressToken"] for step in steps} == {"t"}
    values = [step["params"]["progress"] for step in steps]
    assert values == sorted(set(values))
    assert last["result"]["structuredContent"]


def test_nothing_is_reported_that_was_not_asked_for(port: int) -> None:
    for meta in (META, {**META, LOG_LEVEL: "warning"}):
        reply = call(port, "survey", meta=meta)
        assert reply.headers["content-type"] == "application/json"
        assert len(reply.messages) == 1


def test_notifications_are_202_without_a_body(port: int) -> None:
    for method in ("notifications/cancelled", "notifications/nobody/knows"):
        message = {"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}}
        reply = post(port, message)
        assert (reply.status, reply.body) == (202, b"")
        assert post(port, message, mcp_method=None).status == 202
        reply = post(port, message, mcp_method="server/discover")
        assert (reply.status, reply.code) == (400, -32020)
        assert "id" not in reply.message


def test_a_response_is_refused(port: int) -> None:
    reply = post(port, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert (reply.status, reply.code) == (400, -32600)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "method": "pi', -32700),
        (json.dumps([DISCOVER]).encode(), -32600),
        (b'{"not": "a message"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "server/discover"}', -32600),
    ],
)
def test_what_is_no_message_is_400(port: int, body: bytes, code: int) -> None:
    reply = post(port, body)
    assert (reply.status, reply.code) == (400, code)
    assert reply.message.get("id", 1) == 1


def test_media_types_and_origins_are_checked(port: int) -> None:
    assert post(port, DISCOVER, content_type="text/plain").status == 415
    assert post(port, DISCOVER, accept="application/json").status == 406
    assert post(port, DISCOVER, origin="https://attacker.example").status == 403
    assert post(port, DISCOVER, origin="http://localhost:3000").status == 200


def test_get_and_delete_are_405(port: int, alone: int) -> None:
    for server in (port, alone):
        client = Client(server)
        for verb in ("GET", "DELETE"):
            reply = client.send(verb, mcp_protocol_version=REVISION)
            assert (reply.status, reply.headers["allow"]) == (405, "POST")
        client.close()


def test_a_session_header_is_ignored(port: int) -> None:
    client = Client(port)
    session = client.post(INITIALIZE).headers["mcp-session-id"]
    client.close()
    for named in (session, "x" * 43):
        reply = post(port, DISCOVER, mcp_session_id=named)
        assert reply.result["resultType"] == "complete"
        assert "mcp-session-id" not in reply.headers


def test_both_eras_are_served_at_once(port: int) -> None:
    client = Client(port)
    client.open()
    assert client.call("ping").result == {}
    assert "resultType" not in client.call("tools/list").result
    assert post(port, DISCOVER).result["resultType"] == "complete"
    assert post(port, request("ping"), mcp_session_id=client.headers["mcp-session-id"]).code == -32601
    assert client.call("ping").result == {}
    client.close()


def test_pages_share_their_scope(port: int) -> None:
    for method, scope in (("tools/list", "public"), ("prompts/list", "public"), ("resources/list", "private")):
        seen, params = [], {}
        while True:
            result = post(port, request(method, **params)).result
            seen.append(result["cacheScope"])
            assert result["ttlMs"] >= 0
            if "nextCursor" not in result:
                break
            params = {"cursor": result["nextCursor"]}
        assert set(seen) == {scope}
        assert len(seen) > 1


def test_a_burst_of_one_tool_is_limited() -> None:
    with serving() as port:
        replies = [call(port, "survey") for _ in range(60)]
        assert all(reply.status == 200 for reply in replies[:40])
        limited = [reply for reply in replies if reply.status == 429]
        assert limited
        assert {reply.code for reply in limited} == {429}
        assert all(reply.headers["retry-after"] == "1" for reply in limited)
        assert call(port, "echo", {"text": "still here"}).status == 200


def test_a_token_is_demanded_and_its_notes_are_its_own() -> None:
    with serving("--auth-token", "another-one", token="harbour-master") as port:
        for sent in (None, "Bearer wrong"):
            reply = post(port, DISCOVER, authorization=sent)
            assert reply.status == 401
            assert reply.headers["www-authenticate"].startswith("Bearer ")
        mine, other = ({"authorization": f"Bearer {token}"} for token in ("harbour-master", "another-one"))
        call(port, "write_note", {"path": "ropes.txt", "text": "Coil them."}, **mine)
        read = request("resources/read", uri="note://harbour/ropes.txt")
        assert post(port, read, **mine).result["contents"][0]["text"] == "Coil them."
        assert post(port, read, **other).code == -32602


def test_alone_it_tells_a_legacy_client_what_it_serves(alone: int) -> None:
    for version in (None, "2025-11-25"):
        client = Client(alone)
        reply = client.post(INITIALIZE, mcp_protocol_version=version)
        client.close()
        assert (reply.status, reply.code) == (400, -32022)
        assert reply.message["error"]["data"] == {"supported": [REVISION], "requested": "2025-11-25"}
    assert post(alone, DISCOVER).result["supportedVersions"] == [REVISION]
    assert post(alone, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, mcp_protocol_version=None).code == -32020


def test_without_it_the_server_is_what_it_was() -> None:
    with serving("--spec-version", "2025-11-25") as port:
        reply = post(port, DISCOVER)
        assert (reply.status, reply.code) == (400, -32600)
        client = Client(port)
        assert client.open().result["protocolVersion"] == "2025-11-25"
        assert client.call("server/discover").code == -32601
        client.close()
