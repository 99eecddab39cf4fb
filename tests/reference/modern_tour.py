"""A fixed tour through the modern era of a server, in this process; see ``tour``."""

from __future__ import annotations

import json
import queue
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from mcp_compliance.reference.assembly import eras_with, framer, responder
from mcp_compliance.reference.authorization import Authorization
from mcp_compliance.reference.endpoint import Endpoint
from mcp_compliance.reference.fault_model import Fault
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.session import Session
from mcp_compliance.reference.streams import Stream

from .http_client import BOTH, INITIALIZE
from .modern_messages import CAPABILITIES, CLIENT, LOG_LEVEL, META, VERSION, headers_for, request, without
from .tour import TOKEN, URL, Tour

_STATE = re.compile(r'"requestState":"[^"]*"')
_DISCOVER = "server/discover"


def _call(name: str, meta: Any = None, **arguments: Any) -> dict[str, Any]:
    return request("tools/call", meta=meta, name=name, arguments=arguments)


# exchanges that are the same on both transports
STEPS: dict[str, dict[str, Any]] = {
    "discover": request(_DISCOVER),
    "discover with a text id": request(_DISCOVER, id_="seven"),
    "discover, anonymous": request(_DISCOVER, meta=without(CLIENT)),
    "discover with a strange key": request(_DISCOVER, meta={**META, "org.example/probe": "1"}),
    "no _meta": {"jsonrpc": "2.0", "id": 1, "method": _DISCOVER, "params": {}},
    "_meta without version": request(_DISCOVER, meta=without(VERSION)),
    "_meta without capabilities": request(_DISCOVER, meta=without(CAPABILITIES)),
    "unknown version": request(_DISCOVER, meta={**META, VERSION: "1999-01-01"}),
    "unknown log level": request(_DISCOVER, meta={**META, LOG_LEVEL: "loud"}),
    "ping": request("ping"),
    "set level": request("logging/setLevel", level="info"),
    "subscribe": request("resources/subscribe", uri="note://harbour/tides.txt"),
    "initialize with _meta": request("initialize", protocolVersion="2025-11-25"),
    "unknown method": request("nobody/knows"),
    "discover after it": request(_DISCOVER),
    "tools": request("tools/list"),
    "tools again": request("tools/list"),
    "tools, third page": request("tools/list", cursor="dG9vbHM6Ng=="),
    "tools, last page": request("tools/list", cursor="dG9vbHM6OQ=="),
    "resources": request("resources/list"),
    "resources, last page": request("resources/list", cursor="cmVzb3VyY2VzOjM="),
    "templates": request("resources/templates/list"),
    "prompts": request("prompts/list"),
    "prompts, last page": request("prompts/list", cursor="cHJvbXB0czoz"),
    "bad cursor": request("tools/list", cursor="garbage"),
    "read": request("resources/read", uri="note://harbour/tides.txt"),
    "read nothing": request("resources/read", uri="note://harbour/nothing.txt"),
    "prompt": request("prompts/get", name="greeting"),
    "completion": request(
        "completion/complete",
        ref={"type": "ref/prompt", "name": "summarise"},
        argument={"name": "tone", "value": ""},
    ),
    "call": _call("survey"),
    "tools after a call": request("tools/list", cursor="dG9vbHM6Ng=="),
    "call with progress": _call("survey", meta={**META, "progressToken": "token"}),
    "call with log": _call("survey", meta={**META, LOG_LEVEL: "debug"}),
    "berth": _call("reserve_berth", ship="Ida"),
    "berth, not asked": _call("reserve_berth", meta={**META, CAPABILITIES: {}}, ship="Ida"),
    "state made up": request("tools/call", name="survey", requestState="AAAA"),
    "dues": _call("pay_dues", ship="Ida"),
    "call without name": request("tools/call"),
    "unknown tool": _call("nobody"),
    "echo": _call("echo", text="é 漢字 🎉"),
    "shell": _call("echo", text="x; expr 1234 \\* 5678"),
    "query": _call("search_notes", query="it's"),
    "path": _call("read_note", path="../../../../etc/passwd"),
    "encoded path": _call("read_note", path="..%2f..%2fetc%2fpasswd"),
    "url": _call("fetch_page", url="http://127.0.0.1:1/x"),
    "long text": _call("echo", text="x" * 1_048_576),
    "extra argument": _call("echo", text="x", __proto__={"polluted": True}),
    "listen": request("subscriptions/listen", id_=77, notifications={"resourcesListChanged": True}),
}
CANCELLED = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}


def modern_stdio_tour(faults: Sequence[Fault] = (), alone: str | None = None) -> Tour:
    """What each exchange writes to stdout; "died" where the process would have ended."""
    answer, frame = eras_with(faults, alone).answer, framer(faults)

    def ask(session: Session, message: dict[str, Any]) -> Any:
        try:
            return _STATE.sub("state", b"".join(frame(one) for one in answer(session, message)).decode())
        except SystemExit:
            return "died"

    session, ended = Session(), Session()
    ended.end()
    found: Tour = {
        name: ask(ended if name == "listen" else session, message)  # it would not end by itself
        for name, message in STEPS.items()
    }
    return found | {"cancelled": ask(session, CANCELLED), "handshake": ask(Session(), {**INITIALIZE})}


class _HttpTour:
    def __init__(self, faults: Sequence[Fault], authorized: bool, alone: str | None) -> None:
        authorization = Authorization(URL, [TOKEN] if authorized else [])
        self._respond = responder(Endpoint(authorization, eras_with(faults, alone)).respond, faults)
        self._headers = {"content-type": "application/json", "accept": BOTH}
        if authorized:
            self._headers["authorization"] = f"Bearer {TOKEN}"
        self.found: Tour = {}

    def send(
        self,
        name: str,
        message: Any = None,
        verb: str = "POST",
        url: str = URL,
        spelled: tuple[str, ...] = ("MCP-Protocol-Version", "Mcp-Method"),
        **headers: str | None,
    ) -> None:
        body = message if isinstance(message, bytes) else b"" if message is None else json.dumps(message).encode()
        sent: dict[str, str | None] = {
            **self._headers,
            **headers_for(message if isinstance(message, dict) else {}),
            **{key.replace("_", "-"): value for key, value in headers.items()},
        }
        kept = {key: value for key, value in sent.items() if value is not None}
        target = urlsplit(url)
        response = self._respond(Request(verb, target.path, target.query, kept, body, ("127.0.0.1", 50_000), spelled))
        self.found[name] = _outcome(response, name == "listen")


def _outcome(response: Response, ends: bool) -> Any:
    headers = {key.lower(): value for key, value in response.headers}
    messages: list[Any] = []
    if isinstance(response.feed, Stream):
        given: queue.SimpleQueue[Any] = queue.SimpleQueue()
        response.feed.listen(given.put)
        if ends:
            response.feed.end()
        messages = list(iter(given.get, None))
        response.feed.leave(given.put)
    body = _STATE.sub("state", response.body.decode())
    return response.status, headers, body, messages, response.feed is not None


def modern_http_tour(faults: Sequence[Fault] = (), authorized: bool = False, alone: str | None = None) -> Tour:
    """Status, headers, body and messages of each exchange."""
    tour = _HttpTour(faults, authorized, alone)
    discover = request(_DISCOVER)
    for name, message in STEPS.items():
        unknown = {"mcp_protocol_version": "1999-01-01"} if name == "unknown version" else {}
        tour.send(name, message, **unknown)
    tour.send("no version header", discover, mcp_protocol_version=None)
    tour.send("other version header", discover, mcp_protocol_version="2025-11-25")
    tour.send("other version in the body", STEPS["unknown version"])
    tour.send("no method header", discover, mcp_method=None)
    tour.send("other method header", discover, mcp_method="tools/list")
    tour.send("no name header", STEPS["read"], mcp_name=None)
    tour.send("other name header", STEPS["read"], mcp_name="note://harbour/fog.txt")
    tour.send("encoded name header", STEPS["read"], mcp_name="=?base64?bm90ZTovL2hhcmJvdXIvdGlkZXMudHh0?=")
    tour.send("headers in capitals", discover, spelled=("MCP-PROTOCOL-VERSION", "MCP-METHOD"))
    tour.send("argument header", _call("tide_table", port="east"), mcp_param_port="east")
    tour.send("no argument header", _call("tide_table", port="east"))
    tour.send("other argument header", _call("tide_table", port="east"), mcp_param_port="west")
    tour.send("GET", verb="GET")
    tour.send("DELETE", verb="DELETE")
    tour.send("with a session", discover, mcp_session_id="x" * 43)
    tour.send("cancelled", CANCELLED)
    tour.send("batch", [discover, request(_DISCOVER, id_=2)])
    tour.send("broken JSON", b'{"jsonrpc": "2.0", "id": 1, "method": "pi')
    tour.send("strange object", {"not": "a message"})
    tour.send("request without method", {"jsonrpc": "2.0", "id": 9})
    tour.send("a response", {"jsonrpc": "2.0", "id": 9, "result": {}})
    tour.send("plain text", discover, content_type="text/plain")
    tour.send("foreign origin", discover, origin="https://attacker.example")
    tour.send("preflight", verb="OPTIONS", origin="https://attacker.example")
    for number in range(30):
        tour.send(f"burst {number}", _call("survey"))
    if authorized:
        tour.send("metadata", verb="GET", url="http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp")
        tour.send("without token", discover, authorization=None)
        tour.send("wrong token", discover, authorization="Bearer nobody")
        tour.send("token in the query", discover, url=f"{URL}?access_token={TOKEN}", authorization=None)
    return tour.found
