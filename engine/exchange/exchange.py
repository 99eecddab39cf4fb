"""An exchange: what one sending drew. Always the same keys, so that a path is never wrong because of the
transport.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from mcp_compliance.exchange.sending import Headers, Sending
from mcp_compliance.jsontypes import JSON, JSONObject

Outcome: TypeAlias = Literal["answered", "timeout", "dropped", "died", "unreachable", "unparsable", "open", "quiet"]
OUTCOMES: Mapping[Outcome, str] = {
    "answered": "a response that counts arrived, or a status of 300 and above, or, where no response is awaited, any "
    "status; on stdio what awaits none has left",
    "timeout": "nothing that counts came within the budget",
    "dropped": "the connection was accepted and then closed without an answer; on stdio stdout or stdin was closed",
    "died": "the stdio server exited",
    "unreachable": "no connection: refused, DNS, TLS",
    "unparsable": "a request drew HTTP 2xx with a whole body that holds no JSON-RPC message (a web page, nothing)",
    "open": "a stream whose condition was met without a response",
    "quiet": "a stream whose condition was not met in time; a peer that was watched and lives on, or was sent nothing",
}


@dataclass(frozen=True)
class Event:
    """One server-sent event. ``event`` is None where the field was absent; ``data`` joins its lines with
    newline.
    """

    event: str | None
    id: str | None
    data: str
    retry: int | None = None

    def view(self) -> JSONObject:
        return {"event": self.event, "id": self.id, "data": self.data, "retry": self.retry}


@dataclass(frozen=True)
class Http:
    """Facts of an HTTP answer. ``header_list`` keeps order and letter case; ``body`` is the text, cut to a
    bound.
    """

    status: int
    url: str
    header_list: Headers
    body: str = ""
    bytes: int = 0
    """Length of the body after content decoding, counted up to the bound."""
    redirects: tuple[str, ...] = ()
    truncated: bool = False
    problem: str | None = None
    """Why the body could not be read whole or decoded, in words, else None."""

    @property
    def headers(self) -> dict[str, str]:
        """Lower-case names; repeated headers joined with a comma and a space."""
        joined: dict[str, str] = {}
        for name, value in self.header_list:
            key = name.lower()
            joined[key] = f"{joined[key]}, {value}" if key in joined else value
        return joined

    @property
    def media_type(self) -> str | None:
        """Type and subtype in lower case, without parameters."""
        value = self.headers.get("content-type")
        return None if value is None else value.split(";", 1)[0].strip().lower()

    def view(self) -> JSONObject:
        return {
            "status": self.status,
            "url": self.url,
            "headers": dict(self.headers),
            "header_list": [[name, value] for name, value in self.header_list],
            "media_type": self.media_type,
            "body": self.body,
            "bytes": self.bytes,
            "redirects": list(self.redirects),
            "truncated": self.truncated,
            "problem": self.problem,
        }


@dataclass(frozen=True)
class Process:
    """Facts of a stdio child at the end of the exchange. ``signal`` is the number of the signal that ended
    it.
    """

    alive: bool
    exit_code: int | None = None
    signal: int | None = None
    stderr_tail: str = ""

    def view(self) -> JSONObject:
        return {
            "alive": self.alive,
            "exit_code": self.exit_code,
            "signal": self.signal,
            "stderr_tail": self.stderr_tail,
        }


@dataclass(frozen=True)
class Exchange:
    """Immutable record of one sending and all that came back for it.

    ``message`` is the JSON-RPC response that counts, as received. ``messages`` holds everything that arrived
    for this request in order, as recording items (see ``Recorder``). ``problem`` says in words why there is
    no answer.
    """

    sending: Sending
    outcome: Outcome
    message: JSONObject | None = None
    messages: tuple[JSONObject, ...] = ()
    http: Http | None = None
    events: tuple[Event, ...] = ()
    process: Process | None = None
    problem: str | None = None
    ms: int = 0
    extra: JSONObject = field(default_factory=dict)
    """Further keys of the view: session, credit, pages, items, circle, cut, after, item."""
    further: tuple[Exchange, ...] = ()
    """The exchanges that it was judged together with: other pages, a twin, what was asked after it."""

    def together(self) -> Iterator[Exchange]:
        """This exchange and all that it was judged together with."""
        yield self
        for exchange in self.further:
            yield from exchange.together()

    @property
    def result(self) -> JSON:
        return None if self.message is None else self.message.get("result")

    @property
    def error(self) -> JSON:
        return None if self.message is None else self.message.get("error")

    def with_extra(self, **more: JSON) -> Exchange:
        return replace(self, extra={**self.extra, **more})

    @cached_property
    def view(self) -> JSONObject:
        """What expressions see (a JSON object; treat as read-only)."""
        sending = self.sending
        params = None if sending.message is None else sending.message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        return {
            "outcome": self.outcome,
            "message": self.message,
            "result": self.result,
            "error": self.error,
            "messages": list(self.messages),
            "sent": {
                "id": sending.id,
                "method": sending.method or sending.http_method,
                "params": params,
                "meta": meta,
                "headers": {name.lower(): value for name, value in sending.headers},
            },
            "item": None,
            "http": None if self.http is None else self.http.view(),
            "events": [event.view() for event in self.events],
            "process": None if self.process is None else self.process.view(),
            "session": None,
            "credit": None,
            "pages": None,
            "items": None,
            "circle": None,
            "cut": False,
            "after": None,
            "ms": self.ms,
            "problem": self.problem,
            "unusable": None,
            "unserved": None,
            **self.extra,
        }
