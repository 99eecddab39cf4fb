"""A fixed tour through a server, in this process: named exchanges, and what became of each.

Two tours are compared to see what a fault changes. Values that differ from run to run are left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from mcp_compliance.reference.assembly import eras_with, framer, responder
from mcp_compliance.reference.authorization import Authorization
from mcp_compliance.reference.endpoint import Endpoint
from mcp_compliance.reference.fault_model import Fault
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.session import Session

from .http_client import BOTH, INITIALIZE

URL = "http://127.0.0.1:8000/mcp"
TOKEN = "harbour-master"

Tour = dict[str, Any]


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


def _initialize(version: str) -> dict[str, Any]:
    params: Any = INITIALIZE["params"]
    return {"method": "initialize", "params": {**params, "protocolVersion": version}}


# exchanges of one session that are the same on both transports; those without id are notifications
STEPS: dict[str, dict[str, Any]] = {
    "initialized": {"method": "notifications/initialized"},
    "ping": {"method": "ping"},
    "ping with a text id": {"method": "ping", "id": "seven"},
    "ping with meta": {"method": "ping", "params": {"_meta": {"org.example/probe": "1"}}},
    "cancelled": {"method": "notifications/cancelled", "params": {"requestId": 1}},
    "progress": {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 5}},
    "list changed": {"method": "notifications/tools/list_changed"},
    "second initialize": _initialize("2025-11-25"),
    "level": {"method": "logging/setLevel", "params": {"level": "error"}},
    "unknown level": {"method": "logging/setLevel", "params": {"level": "loud"}},
    "completion": {
        "method": "completion/complete",
        "params": {
            "ref": {"type": "ref/prompt", "name": "summarise"},
            "argument": {"name": "tone", "value": ""},
        },
    },
    "tools": {"method": "tools/list"},
    "tools, last page": {"method": "tools/list", "params": {"cursor": "dG9vbHM6Ng=="}},
    "resources": {"method": "resources/list"},
    "resources, last page": {"method": "resources/list", "params": {"cursor": "cmVzb3VyY2VzOjM="}},
    "prompts": {"method": "prompts/list"},
    "prompts, last page": {"method": "prompts/list", "params": {"cursor": "cHJvbXB0czoz"}},
    "templates": {"method": "resources/templates/list"},
    "bad cursor": {"method": "tools/list", "params": {"cursor": "garbage"}},
    "read": {"method": "resources/read", "params": {"uri": "note://harbour/tides.txt"}},
    "subscribe": {"method": "resources/subscribe", "params": {"uri": "note://harbour/tides.txt"}},
    "unsubscribe": {"method": "resources/unsubscribe", "params": {"uri": "note://harbour/tides.txt"}},
    "prompt": {"method": "prompts/get", "params": {"name": "greeting"}},
    "unknown method": {"method": "nobody/knows"},
    "ping after it": {"method": "ping"},
    "call": _call("survey"),
    "tools, after a call": {"method": "tools/list", "params": {"cursor": "dG9vbHM6Ng=="}},
    "call with progress": {
        "method": "tools/call",
        "params": {"name": "survey", "_meta": {"progressToken": "token"}},
    },
    "call without name": {"method": "tools/call", "params": {}},
    "unknown tool": _call("nobody"),
    "echo": _call("echo", text="é 漢字 🎉"),
    "shell": _call("echo", text="x; expr 1234 \\* 5678"),
    "query": _call("search_notes", query="it's"),
    "path": _call("read_note", path="../../../../etc/passwd"),
    "encoded path": _call("read_note", path="..%2f..%2fetc%2fpasswd"),
    "url": _call("fetch_page", url="http://127.0.0.1:1/x"),
    "long text": _call("echo", text="x" * 1_048_576),
    "extra argument": _call("echo", text="x", __proto__={"polluted": True}),
}


def _message(position: int, step: dict[str, Any]) -> dict[str, Any]:
    notification = step["method"].startswith("notifications/")
    return {"jsonrpc": "2.0", **({} if notification else {"id": 100 + position}), **step}


def stdio_tour(faults: Sequence[Fault] = ()) -> Tour:
    """What each exchange writes to stdout; "died" where the process would have ended."""
    answer, frame = eras_with(faults).answer, framer(faults)

    def ask(session: Session, message: dict[str, Any]) -> Any:
        try:
            return b"".join(frame(one) for one in answer(session, message)).decode()
        except SystemExit:
            return "died"

    session = Session()
    found: Tour = {
        "initialize": ask(session, {**INITIALIZE}),
        "initialize, unknown version": ask(Session(), {**INITIALIZE, **_initialize("2099-01-01")}),
    }
    for position, (name, step) in enumerate(STEPS.items()):
        found[name] = ask(session, _message(position, step))
    return found


class _HttpTour:
    def __init__(self, faults: Sequence[Fault], authorized: bool) -> None:
        authorization = Authorization(URL, [TOKEN] if authorized else [])
        self._respond = responder(Endpoint(authorization, eras_with(faults)).respond, faults)
        self._headers = {"content-type": "application/json", "accept": BOTH}
        if authorized:
            self._headers["authorization"] = f"Bearer {TOKEN}"
        self.session: str | None = None
        self.found: Tour = {}

    def send(self, name: str, body: Any = None, verb: str = "POST", url: str = URL, **headers: str | None) -> Response:
        sent: dict[str, str | None] = {**self._headers, "mcp-session-id": self.session}
        sent |= {key.replace("_", "-"): value for key, value in headers.items()}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        target = urlsplit(url)
        kept = {key: value for key, value in sent.items() if value is not None}
        response = self._respond(Request(verb, target.path, target.query, kept, data))
        self.found[name] = self._outcome(response)
        return response

    def leave(self) -> Tour:
        self.send("DELETE", verb="DELETE")
        self.send("ping after DELETE", {"jsonrpc": "2.0", "id": 9, "method": "ping"})
        return self.found

    @staticmethod
    def _outcome(response: Response) -> Any:
        headers = {key.lower(): value for key, value in response.headers}
        issued = headers.pop("mcp-session-id", None)
        events = [(event.name, event.data) for event in response.events or ()]
        random = issued is not None and not issued.isdigit()
        return response.status, headers, response.body, events, response.feed is not None, random


def http_tour(faults: Sequence[Fault] = (), authorized: bool = False) -> Tour:
    """Status, headers, body and events of each exchange."""
    tour = _HttpTour(faults, authorized)
    ping = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
    tour.send("ping before the session", ping)
    tour.send("GET before the session", verb="GET")
    tour.send("initialize, unknown version", {**INITIALIZE, **_initialize("2099-01-01")})
    response = tour.send("initialize", INITIALIZE)
    tour.session = next(value for name, value in response.headers if name == "MCP-Session-Id")
    for position, (name, step) in enumerate(STEPS.items()):
        tour.send(name, _message(position, step))
    tour.send("ping without session", ping, mcp_session_id=None)
    tour.send("ping in an unknown session", ping, mcp_session_id="x" * 43)
    tour.send("ping of another version", ping, mcp_protocol_version="2099-01-01")
    tour.send("GET", verb="GET")
    tour.send("batch", [ping, {**ping, "id": 8}])
    tour.send("broken JSON", b'{"jsonrpc": "2.0", "id": 1, "method": "pi')
    tour.send("strange object", {"not": "a message"})
    tour.send("request without method", {"jsonrpc": "2.0", "id": 9})
    tour.send("plain text", ping, content_type="text/plain")
    tour.send("foreign origin", ping, origin="https://attacker.example")
    tour.send("preflight", verb="OPTIONS", origin="https://attacker.example")
    for number in range(30):
        tour.send(f"burst {number}", _message(500 + number, _call("survey")))
    if not authorized:
        return tour.leave()
    tour.send("metadata", verb="GET", url="http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp")
    tour.send("without token", ping, authorization=None)
    tour.send("initialize without token", INITIALIZE, authorization=None, mcp_session_id=None)
    tour.send("wrong token", ping, authorization="Bearer nobody")
    tour.send("token in the query", ping, url=f"{URL}?access_token={TOKEN}", authorization=None)
    return tour.leave()


def changed(before: Tour, after: Tour) -> set[str]:
    """The exchanges with another outcome; all of a burst count as one."""
    names = {name for name in before | after if before.get(name) != after.get(name)}
    return {name.partition(" ")[0] if name.startswith("burst ") else name for name in names}
