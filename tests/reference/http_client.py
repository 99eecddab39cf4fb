"""A plain client of the HTTP transport, on ``http.client`` alone."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import quick

BOTH = "application/json, text/event-stream"

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def messages(self) -> list[Any]:
        """The JSON-RPC messages of the body, whichever framing it has."""
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            return [json.loads(line[6:]) for line in self.body.decode().splitlines() if line.startswith("data: ")]
        return [json.loads(self.body)] if self.body else []

    @property
    def message(self) -> Any:
        """The response, which comes last."""
        return self.messages[-1]

    @property
    def result(self) -> Any:
        return self.message["result"]

    @property
    def code(self) -> int:
        return self.message["error"]["code"]


class Client:
    """Sends requests to one server over one connection; ``headers`` go with each of them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.headers: dict[str, str] = {}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self._id = 100

    def send(self, verb: str, body: Any = None, *, path: str = "/mcp", **headers: str | None) -> Reply:
        """One request; a header named ``a_b`` goes out as ``a-b``, and one that is None is left out."""
        sent = {"content-type": "application/json", "accept": BOTH, **self.headers}
        for name, value in headers.items():
            sent[name.replace("_", "-")] = value  # type: ignore[assignment]
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        kept = {name: value for name, value in sent.items() if value is not None}
        self._connection.request(verb, path, data, kept)
        response = self._connection.getresponse()
        return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())

    def post(self, body: Any, **headers: str | None) -> Reply:
        return self.send("POST", body, **headers)

    def call(self, method: str, params: Any = None, **headers: str | None) -> Reply:
        """A request with a new id."""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method}
        return self.post(message if params is None else {**message, "params": params}, **headers)

    def notify(self, method: str, params: Any = None) -> Reply:
        return self.post({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def tool(self, name: str, **arguments: Any) -> Any:
        """The result of a tool call."""
        return self.call("tools/call", {"name": name, "arguments": arguments}).result

    def open(self) -> Reply:
        """The handshake; from now on every request carries the session."""
        reply = self.post(INITIALIZE, mcp_session_id=None, mcp_protocol_version=None)
        self.headers["mcp-session-id"] = reply.headers["mcp-session-id"]
        self.headers["mcp-protocol-version"] = "2025-11-25"
        assert self.notify("notifications/initialized").status == 202
        return reply

    def close(self) -> None:
        self._connection.close()


@contextmanager
def serving(*arguments: str, token: str | None = None) -> Iterator[int]:
    """A reference server in a process of its own; gives its port."""
    with quick.http(*arguments, token=token) as line:
        assert line.startswith("listening on http://127.0.0.1:"), line
        assert line.endswith("/mcp\n"), line
        yield int(line.rpartition(":")[2].partition("/")[0])


@contextmanager
def connected(*arguments: str, token: str | None = None) -> Iterator[Client]:
    """A client with an open session at a server of its own."""
    with serving(*arguments, token=token) as port:
        client = Client(port)
        if token:
            client.headers["authorization"] = f"Bearer {token}"
        client.open()
        try:
            yield client
        finally:
            client.close()
