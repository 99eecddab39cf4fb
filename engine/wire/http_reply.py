"""What one sending has drawn over HTTP so far, and the exchange that it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import httpx
import trio

from mcp_compliance.exchange.exchange import Event, Exchange, Http, Outcome
from mcp_compliance.exchange.recorder import Recorder, SentEntry, kind_of
from mcp_compliance.exchange.sending import Headers, Sending
from mcp_compliance.jsontypes import JSON, JSONObject, same_json
from mcp_compliance.wire import limits
from mcp_compliance.wire.decoding import BodyDecoder
from mcp_compliance.wire.http_client import header_text
from mcp_compliance.wire.jsonrpc import Parsed, parse
from mcp_compliance.wire.sse import Frame, SseParser

EVENT_TEXT = 64 * 1024
"""Characters of an event's data that an exchange keeps beside the parsed message."""


class Allowance:
    """Bytes of bodies that the replies of one wire may hold together."""

    def __init__(self) -> None:
        self.left = limits.BODIES


class HttpReply:
    """Takes in status, headers and raw bytes; hands out server requests and, at any time, an ``Exchange``.

    Which response counts: the one whose id equals the request's in value and JSON type; under ``answers:
    any`` also one whose id is null or missing, and every one when the sending has no id. Over HTTP a reply
    belongs to its request by construction, so when the reply is over (or the time is up) without such a
    response, the first response in it counts, whatever its id: rules judge the id. On a stream that a bare
    request opened (``answers: none``) no response counts.
    """

    def __init__(self, sending: Sending, entry: SentEntry, recorder: Recorder, allowance: Allowance) -> None:
        self.sending = sending
        self.entry = entry
        self._recorder = recorder
        self._allowance = allowance
        self._began = trio.current_time()
        self.http: Http | None = None
        self.is_stream = False
        self.items: list[JSONObject] = []
        self.events: list[Event] = []
        self.message: JSONObject | None = None
        self.over = False
        self.failure: tuple[Outcome, str] | None = None
        self.problem: str | None = None
        self.full = False
        self.redirects: list[str] = []
        self.on_change: Callable[[], None] = lambda: None
        self._first_response: JSONObject | None = None
        self._decoder = BodyDecoder(None)
        self._body = bytearray()
        self._size = 0
        self._sse = SseParser()

    @property
    def status(self) -> int | None:
        return None if self.http is None else self.http.status

    @property
    def last_event_id(self) -> str:
        return self._sse.last_event_id

    @property
    def retry(self) -> int | None:
        """Milliseconds that the stream asked to wait before a reconnection."""
        return self._sse.retry

    def head(self, response: httpx.Response) -> None:
        """Status and headers are in. For a stream that is continued the first head stays."""
        headers: Headers = tuple((header_text(name), header_text(value)) for name, value in response.headers.raw)
        http = Http(response.status_code, str(response.url), headers, redirects=tuple(self.redirects))
        self._decoder = BodyDecoder(http.headers.get("content-encoding"))
        self._sse = _continued(self._sse)
        if self.http is None:
            self.http = http
            self.is_stream = http.media_type == "text/event-stream"
        self.on_change()

    def feed(self, raw: bytes) -> list[JSONObject]:
        """Take in the next raw bytes of the body; return the requests of the server that they completed."""
        bound = limits.STREAM if self.is_stream else limits.BODY
        shared = self._allowance.left if not self.is_stream else bound
        data = self._decoder.feed(raw, max(min(bound - self._size, shared), 0))
        self._size += len(data)
        if self._decoder.exceeded:
            self.full = True
            self.problem = f"reading stopped at {bound // limits.MIB} MiB"
            if self._size < bound:
                self.problem = (
                    f"reading stopped: more than {limits.BODIES // limits.MIB} MiB of bodies at the same moment"
                )
        if not self.is_stream:
            self._allowance.left -= len(data)
            self._body += data
            return []
        if len(self._body) < limits.BODY_TEXT:
            self._body += data[: limits.BODY_TEXT - len(self._body)]
        requests = [request for frame in self._sse.feed(data) if (request := self._frame(frame)) is not None]
        self.on_change()
        return requests

    def _frame(self, frame: Frame) -> JSONObject | None:
        if self.full:
            return None
        event = frame.event
        self.events.append(replace(event, data=event.data[:EVENT_TEXT]) if len(event.data) > EVENT_TEXT else event)
        if len(self.events) >= limits.EVENTS or len(self.items) >= limits.MESSAGES:
            self.full = True
            self.problem = f"reading stopped after {len(self.events)} events"
        if frame.problem is not None:
            self._record(Parsed(None, "", frame.problem))
        elif frame.data:
            return self._record(parse(frame.data))
        return None

    def _record(self, parsed: Parsed) -> JSONObject | None:
        item = self._recorder.received(
            parsed.payload,
            parsed.text,
            peer=self.sending.peer,
            status=self.status,
            during=self.entry,
            era=self.sending.era,
            problem=parsed.problem,
            cost=parsed.cost,
        )
        self.items.append(item)
        payload = parsed.payload
        if item["kind"] == "batch" and isinstance(payload, list):
            for element in payload:
                self._response(element, only_exact=True)
        elif item["kind"] in ("response", "error"):
            self._response(payload, only_exact=False)
        elif item["kind"] == "request" and isinstance(payload, dict):
            return payload
        return None

    def _response(self, payload: JSON, *, only_exact: bool) -> None:
        if self.message is not None or not isinstance(payload, dict):
            return
        if kind_of(payload) not in ("response", "error"):
            return
        answers = self.sending.answers
        mine = answers != "none" and self.sending.has_id and "id" in payload
        if mine and same_json(payload["id"], self.sending.id):
            self.message = payload
        elif only_exact:
            return
        elif answers == "any" and (payload.get("id") is None or not self.sending.has_id):
            self.message = payload
        elif self._first_response is None:
            self._first_response = payload

    def body_ended(self) -> None:
        """The body arrived whole."""
        if self.is_stream:
            if self._sse.unfinished:
                self.problem = "the stream ended inside an event: the blank line that ends it is missing"
        elif self.full:
            pass
        elif self._decoder.problem is None and self._body.strip():
            parsed = parse(bytes(self._body))
            if parsed.problem is None and kind_of(parsed.payload) != "stray":
                self._record(parsed)
            else:
                self.problem = parsed.problem or "JSON, but no JSON-RPC message"
        self.finished()

    def broke(self, error: Exception) -> None:
        """The connection ended before the body did."""
        self.problem = "the connection ended before the body did"
        if isinstance(error, httpx.DecodingError):
            self.problem = f"the body cannot be decoded: {error}"
        self.finished()

    def failed(self, outcome: Outcome, problem: str) -> None:
        """No status arrived, or reading went wrong in an unforeseen way."""
        self.failure = outcome, problem
        self.problem = problem
        self.finished()

    def finished(self) -> None:
        if not self.over:
            self.over = True
            if not self.is_stream:
                self._allowance.left += len(self._body)
            self.on_change()

    def exchange(self, outcome: Outcome | None = None) -> Exchange:
        """The exchange as it stands; ``outcome`` overrides the one that follows from what arrived."""
        message = self.message
        if message is None and outcome is None and (not self.is_stream or self.sending.answers != "none"):
            message = self._first_response
        if outcome is None:
            outcome, problem = self._outcome(message)
        else:
            problem = self.problem
        return Exchange(
            sending=self.sending,
            outcome=outcome,
            message=message,
            messages=tuple(self.items),
            http=self._http(),
            events=tuple(self.events),
            problem=problem,
            ms=round((trio.current_time() - self._began) * 1000),
        )

    def _http(self) -> Http | None:
        if self.http is None:
            return None
        text = bytes(self._body[: 4 * limits.BODY_TEXT]).decode("utf-8", "backslashreplace")
        cut = self.full or len(text) > limits.BODY_TEXT or (self.is_stream and self._size > len(self._body))
        return replace(
            self.http,
            body=text[: limits.BODY_TEXT],
            bytes=self._size,
            truncated=cut,
            problem=self._decoder.problem or self.problem,
        )

    def _outcome(self, message: JSONObject | None) -> tuple[Outcome, str | None]:
        if self.status is None:
            return self.failure or ("timeout", f"no answer within {self.sending.within:g} s")
        if message is not None:
            return "answered", None
        if self.status >= 300 or self.sending.answers == "none":
            return "answered", self.problem
        if any(item["kind"] == "batch" for item in self.items):
            return "answered", self.problem
        problem = self._decoder.problem or self.problem
        if self.failure is not None:
            return self.failure
        if not self.over and not self.full:
            kind = "an event stream opened, but no response came" if self.is_stream else "the body did not end"
            return "timeout", f"HTTP {self.status}: {kind} within {self.sending.within:g} s"
        if self.full:
            return "unparsable", problem
        if self.is_stream:
            return "dropped", problem or "the event stream ended before the response"
        if problem == "the connection ended before the body did":
            return "dropped", problem
        media = self.http.media_type if self.http is not None else None
        what = (
            "the body is empty" if not self._body else f"the body ({media or 'no Content-Type'}) is no JSON-RPC message"
        )
        return "unparsable", f"HTTP {self.status}, but {what}" + (f": {problem}" if problem else "")


def _continued(old: SseParser) -> SseParser:
    """A parser for the next connection of the same stream: it keeps the id and the delay."""
    new = SseParser()
    new.last_event_id, new.retry = old.last_event_id, old.retry
    return new
