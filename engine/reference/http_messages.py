"""An HTTP request and response as values, between the sockets and the endpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.jsonrpc import INVALID_REQUEST, JSONObject, RequestId, RpcError, as_object
from mcp_compliance.reference.session import Listener

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Request:
    """A request, read completely. Header names are lower-case, repeated ones joined by commas.

    ``spelled`` has the header names as they were sent.
    """

    verb: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""
    peer: tuple[str, int] = ("", 0)
    spelled: tuple[str, ...] = ()

    def header(self, name: str) -> str | None:
        """The value of the header with this lower-case name, None when it was not sent."""
        return self.headers.get(name)

    @property
    def message(self) -> JSONObject:
        """The body as a JSON object, {} when it is none."""
        try:
            return as_object(jsonrpc.decode(self.body))
        except RpcError:
            return {}


@dataclass(frozen=True)
class Event:
    """One server-sent event: its data (without line ends) and its type."""

    data: str
    name: str = "message"

    def encode(self) -> bytes:
        """The event as it stands in a text/event-stream."""
        return f"event: {self.name}\ndata: {self.data}\n\n".encode()


class Feed(Protocol):
    """Messages for a listener, which is also told when there are no more."""

    def listen(self, listener: Listener) -> None:
        """Send everything to ``listener``, from any thread."""

    def leave(self, listener: Listener) -> None:
        """Stop sending to ``listener``."""


@dataclass(frozen=True)
class Response:
    """A response: a body, or a stream of ``events``, or (``feed``) of messages that come when they do."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    events: Iterator[Event] | None = None
    feed: Feed | None = None


def json_response(status: int, message: JSONObject, headers: Headers = ()) -> Response:
    """``message`` as the JSON body of a response."""
    return Response(status, (("Content-Type", "application/json"), *headers), jsonrpc.encode(message))


def refusal(status: int, text: str, headers: Headers = (), id_: RequestId | None = None) -> Response:
    """An HTTP refusal whose body says the same as a JSON-RPC error -32600."""
    return json_response(status, jsonrpc.error(id_, RpcError(INVALID_REQUEST, text)), headers)


def media_types(header: str | None) -> set[str]:
    """The media types in an Accept or Content-Type header, in lower case and without parameters."""
    return {part.partition(";")[0].strip().lower() for part in (header or "").split(",")} - {""}
