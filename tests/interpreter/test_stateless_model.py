"""The conforming scripted server of the revision without sessions: what it serves, and whom it turns away with what."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Literal

import pytest
import trio

import mcp_compliance.rules
from mcp_compliance.catalog.load import load_revision
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.scripted import Script, ScriptedWire
from mcp_compliance.jsontypes import JSON, JSONObject

FOLDER = Path(next(iter(mcp_compliance.rules.__path__))) / "2026-07-28"
REVISION = load_revision(FOLDER)
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
META: JSONObject = {VERSION: "2026-07-28", CAPABILITIES: {}}
LEGACY: JSONObject = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
Transport = Literal["http", "stdio"]


def request(method: str, more: JSONObject | None = None, *, meta: JSON = META, id: JSON = 7) -> JSONObject:
    """A request; ``meta`` null leaves ``_meta`` out."""
    params: JSONObject = {**(more or {}), **({} if meta is None else {"_meta": meta})}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def sending(
    message: JSONObject | None, on: Transport, *, raw: str | None = None, headers: dict[str, str | None] | None = None
) -> Sending:
    """A sending with the headers that the message asks for; ``headers`` replaces some, null leaves one out."""
    body = json.dumps(message) if raw is None else raw
    params = message.get("params") if message is not None else None
    named = params if isinstance(params, dict) else {}
    name = named.get("name", named.get("uri"))
    whole: dict[str, str | None] = {
        "Content-Type": "application/json",
        "Mcp-Protocol-Version": "2026-07-28",
        "MCP-METHOD": str(message["method"]) if message is not None and "method" in message else "server/discover",
        "Mcp-Name": name if isinstance(name, str) else None,
        **(headers or {}),
    }
    return Sending(
        "probe",
        15.0,
        message=message,
        body=body.encode(),
        headers=tuple((key, value) for key, value in whole.items() if value is not None) if on == "http" else (),
        answers="any" if raw is not None else "mine" if message is not None and "id" in message else "none",
    )


def drawn(probe: Sending, on: Transport, *, stream: bool = False) -> Exchange:
    """What the model answers."""

    async def go() -> Exchange:
        wire = ScriptedWire(on, Script(REVISION, {}), Recorder(), "main")
        return (await wire.stream(probe, "message")).exchange if stream else await wire.exchange(probe)

    return trio.run(go)


def served(message: JSONObject, on: Transport) -> JSONObject:
    exchange = drawn(sending(message, on), on)
    assert exchange.message is not None
    assert exchange.message["id"] == message["id"]
    result = exchange.message["result"]
    assert isinstance(result, dict)
    return result


def refused(exchange: Exchange) -> tuple[int | None, JSON]:
    """Status and code of a refusal."""
    assert exchange.message is not None
    error = exchange.message["error"]
    assert isinstance(error, dict)
    return None if exchange.http is None else exchange.http.status, error["code"]


@pytest.mark.parametrize("on", ["http", "stdio"])
@pytest.mark.parametrize(
    ("method", "params", "member", "cached"),
    [
        ("server/discover", {}, "capabilities", True),
        ("tools/list", {}, "tools", True),
        ("tools/call", {"name": "now"}, "content", False),
        ("tools/call", {"name": "echo", "arguments": {"text": "a"}}, "content", False),
        ("resources/list", {}, "resources", True),
        ("resources/templates/list", {}, "resourceTemplates", True),
        ("resources/read", {"uri": "model:///a"}, "contents", True),
        ("prompts/list", {}, "prompts", True),
        ("prompts/get", {"name": "greet", "arguments": {"who": "you"}}, "messages", False),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": ""}},
            "completion",
            False,
        ),
    ],
)
def test_every_result_is_complete_and_names_the_server(
    on: Transport, method: str, params: JSONObject, member: str, cached: bool
) -> None:
    result = served(request(method, params), on)
    assert member in result
    assert result["resultType"] == "complete"
    meta = result["_meta"]
    assert isinstance(meta, dict)
    assert meta[SERVER] == {"name": "model", "version": "1.0"}
    assert ("ttlMs" in result, "cacheScope" in result) == (cached, cached)


def test_discover_declares_what_is_served() -> None:
    result = served(request("server/discover"), "http")
    assert result["supportedVersions"] == ["2026-07-28"]
    capabilities = result["capabilities"]
    assert isinstance(capabilities, dict)
    assert set(capabilities) == {"completions", "prompts", "resources", "tools"}


@pytest.mark.parametrize("on", ["http", "stdio"])
@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (request("server/discover", meta=None), 400, -32602),
        (request("server/discover", meta="text"), 400, -32602),
        (request("server/discover", meta={CAPABILITIES: {}}), 400, -32602),
        (request("server/discover", meta={VERSION: "2026-07-28"}), 400, -32602),
        (request("initialize", LEGACY, meta=None), 400, -32022),
        (request("ping"), 404, -32601),
        (request("logging/setLevel", {"level": "info"}), 404, -32601),
        (request("resources/subscribe", {"uri": "model:///a"}), 404, -32601),
        (request("tools/list", {"cursor": "garbage"}), 200, -32602),
        (request("tools/call", {"name": "nothing"}), 200, -32602),
        (request("tools/call"), 200, -32602),
        (request("resources/read", {"uri": "model:///b"}), 200, -32602),
        (request("prompts/get", {"name": "greet"}), 200, -32602),
        (request("subscriptions/listen"), 200, -32602),
    ],
)
def test_requests_are_refused(on: Transport, message: JSONObject, status: int, code: int) -> None:
    exchange = drawn(sending(message, on), on)
    assert refused(exchange) == (status if on == "http" else None, code)
    assert exchange.message is not None
    assert exchange.message["id"] == 7


@pytest.mark.parametrize("on", ["http", "stdio"])
@pytest.mark.parametrize(
    ("message", "requested"),
    [
        (request("server/discover", meta={VERSION: "1999-01-01", CAPABILITIES: {}}), "1999-01-01"),
        (request("initialize", LEGACY, meta=None), "2025-11-25"),
    ],
)
def test_a_version_that_is_not_spoken_is_named_with_those_that_are(
    on: Transport, message: JSONObject, requested: str
) -> None:
    exchange = drawn(sending(message, on, headers={"Mcp-Protocol-Version": requested}), on)
    assert refused(exchange) == (400 if on == "http" else None, -32022)
    assert exchange.message is not None
    error = exchange.message["error"]
    assert isinstance(error, dict)
    assert error["data"] == {"supported": ["2026-07-28"], "requested": requested}


def encoded(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@pytest.mark.parametrize(
    ("message", "headers"),
    [
        (request("server/discover"), {"Mcp-Protocol-Version": None}),
        (request("server/discover"), {"Mcp-Protocol-Version": "1999-01-01"}),
        (request("server/discover", meta={VERSION: "1999-01-01", CAPABILITIES: {}}), {}),
        (request("server/discover"), {"MCP-METHOD": None}),
        (request("server/discover"), {"MCP-METHOD": "tools/list"}),
        (request("server/discover"), {"MCP-METHOD": "SERVER/DISCOVER"}),
        (request("tools/call", {"name": "now"}), {"Mcp-Name": None}),
        (request("tools/call", {"name": "now"}), {"Mcp-Name": "echo"}),
        (request("tools/call", {"name": "now"}), {"Mcp-Name": encoded("echo")}),
        (request("tools/call", {"name": "now"}), {"Mcp-Name": "=?base64?bm93"}),
        (request("prompts/get", {"name": "greet"}), {"Mcp-Name": "now"}),
        (request("resources/read", {"uri": "model:///a"}), {"Mcp-Name": None}),
        (request("resources/read", {"uri": "model:///a"}), {"Mcp-Name": "model:///b"}),
    ],
)
def test_headers_that_contradict_the_body_are_refused(message: JSONObject, headers: dict[str, str | None]) -> None:
    assert refused(drawn(sending(message, "http", headers=headers), "http")) == (400, -32020)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (request("tools/call", {"name": "now"}), "now"),
        (request("resources/read", {"uri": "model:///a"}), "model:///a"),
    ],
)
def test_an_encoded_name_is_decoded_before_it_is_compared(message: JSONObject, name: str) -> None:
    exchange = drawn(sending(message, "http", headers={"Mcp-Name": encoded(name)}), "http")
    assert exchange.message is not None
    assert "result" in exchange.message


@pytest.mark.parametrize("on", ["http", "stdio"])
@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("{not json", -32700),
        ("", -32700),
        ("[]", -32600),
        (json.dumps([request("server/discover"), request("server/discover", id=8)]), -32600),
        ('"text"', -32600),
        ("null", -32600),
        ('{"hello": 1}', -32600),
        (json.dumps(request("server/discover", id=None)), -32600),
        (json.dumps(request("server/discover", id=1.5)), -32600),
    ],
)
def test_what_is_no_message_is_refused_without_an_id(on: Transport, raw: str, code: int) -> None:
    try:
        value = json.loads(raw)
    except ValueError:
        value = None
    exchange = drawn(sending(value if isinstance(value, dict) else None, on, raw=raw), on)
    assert refused(exchange) == (400 if on == "http" else None, code)
    assert exchange.message is not None
    assert "id" not in exchange.message


def test_an_id_that_could_be_read_is_repeated() -> None:
    exchange = drawn(sending({"jsonrpc": "2.0", "id": "a"}, "http", raw='{"jsonrpc": "2.0", "id": "a"}'), "http")
    assert refused(exchange) == (400, -32600)
    assert exchange.message is not None
    assert exchange.message["id"] == "a"


def test_a_notification_is_accepted_without_a_body() -> None:
    note: JSONObject = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12}}
    exchange = drawn(sending(note, "http"), "http")
    assert exchange.http is not None
    assert (exchange.http.status, exchange.http.body) == (202, "")
    assert drawn(sending(note, "stdio"), "stdio").messages == ()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": None}, 415),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Authorization": "Bearer nobody-issued-this"}, 200),
        ({"Mcp-Session-Id": "invented"}, 200),
    ],
)
def test_what_else_headers_come_to(headers: dict[str, str | None], status: int) -> None:
    exchange = drawn(sending(request("server/discover"), "http", headers=headers), "http")
    assert exchange.http is not None
    assert exchange.http.status == status
    assert "mcp-session-id" not in exchange.http.headers


def test_a_foreign_origin_is_refused_without_an_id() -> None:
    exchange = drawn(sending(request("server/discover"), "http", headers={"Origin": "https://evil.example"}), "http")
    assert refused(exchange) == (403, -32600)
    assert exchange.message is not None
    assert "id" not in exchange.message


@pytest.mark.parametrize(
    ("verb", "url", "status"),
    [
        ("GET", None, 405),
        ("DELETE", None, 405),
        ("OPTIONS", None, 204),
        ("GET", "https://server.example/.well-known/oauth-protected-resource", 404),
        ("POST", "http://server.example/mcp", 308),
    ],
)
def test_other_verbs_and_places(verb: str, url: str | None, status: int) -> None:
    probe = Sending("probe", 15.0, http_method=verb, url=url, answers="none", body=b"{}" if verb == "POST" else None)
    exchange = drawn(probe, "http")
    assert exchange.http is not None
    assert exchange.http.status == status


@pytest.mark.parametrize("on", ["http", "stdio"])
@pytest.mark.parametrize("id", [1000, "a text"])
def test_a_subscription_begins_with_its_acknowledgment_and_stays_open(on: Transport, id: JSON) -> None:
    wanted: JSONObject = {"toolsListChanged": True, "resourceSubscriptions": ["model:///a"]}
    listen = request("subscriptions/listen", {"notifications": wanted}, id=id)
    exchange = drawn(sending(listen, on), on, stream=True)
    assert exchange.outcome == "open"
    assert exchange.message is None
    assert [item["payload"] for item in exchange.messages] == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": wanted, "_meta": {SUBSCRIPTION: id}},
        }
    ]
    if on == "http":
        assert exchange.http is not None
        assert (exchange.http.status, exchange.http.media_type) == (200, "text/event-stream")


def test_a_resource_that_is_missing_is_named() -> None:
    exchange = drawn(sending(request("resources/read", {"uri": "model:///é"}), "stdio"), "stdio")
    assert exchange.message is not None
    error = exchange.message["error"]
    assert isinstance(error, dict)
    assert error["data"] == {"uri": "model:///é"}
