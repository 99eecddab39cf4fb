"""A client for the tests of the HTTP player, and players made of single entries."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .corpus_files import read_case
from .player.http_server import HttpPlayer
from .player.script import Script

REVISION = "2025-11-25"
JSON_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@contextmanager
def playing(*entries: dict[str, Any], **more: Any) -> Iterator[HttpPlayer]:
    """A player of these entries over the baseline."""
    document = {"id": "made", "transport": "http", "server": list(entries), "expect": {}, **more}
    with HttpPlayer(Script.from_json(read_case(document, REVISION).script)) as player:
        yield player


class Client:
    """Sends one request after the other over one connection."""

    def __init__(self, player: HttpPlayer) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", player.ports["port"], timeout=5)
        self.headers = dict(JSON_HEADERS)

    def send(
        self, body: object, verb: str = "POST", path: str = "/mcp", /, **headers: str | None
    ) -> tuple[http.client.HTTPResponse, str]:
        """Bytes go out as they are, None is no body, the rest is JSON; a header of None is left out."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in (self.headers | named).items() if value is not None}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        self.connection.request(verb, path, data, sent)
        response = self.connection.getresponse()
        return response, response.read().decode()

    def ask(self, method: str, params: dict[str, Any] | None = None, **headers: str | None) -> tuple[int, Any]:
        response, text = self.send(request(method, params), **headers)
        return response.status, json.loads(text) if text else None

    def open_session(self) -> str:
        response, _ = self.send(request("initialize", {"protocolVersion": REVISION}))
        session = response.getheader("MCP-Session-Id")
        assert session is not None
        self.headers |= {"MCP-Session-Id": session, "MCP-Protocol-Version": REVISION}
        return session


def request(method: str, params: dict[str, Any] | None = None, identifier: object = 5) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": identifier, "method": method}
    return message if params is None else {**message, "params": params}
