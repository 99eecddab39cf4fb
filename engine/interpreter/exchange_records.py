"""Makes the records of exchanges that an evidence file holds: masked, bounded, one for each sending of a run."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from mcp_compliance.exchange.exchange import Event, Exchange, Http, Process
from mcp_compliance.exchange.sending import Headers, Sending
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.credentials import is_credential
from mcp_compliance.interpreter.curl import SESSION, curl_line
from mcp_compliance.interpreter.evidence import short_session
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.evidence import (
    RECORDED,
    EventRecord,
    ExchangeRecord,
    HeaderList,
    HttpRecord,
    MessageRecord,
    ProcessRecord,
    SentRecord,
)
from mcp_compliance.model.secrets import MASK

LONGEST = 64 * 1024
"""Characters of one text: a body, an event's data, a message, the end of a standard error."""
MOST = 200
"""Events of one exchange, and messages of one."""
ROOM = 64 * 1024 * 1024
"""Characters of all texts together; of what comes later only a beginning is kept."""
BEGINNING = 200


@dataclass
class ExchangeRecords:
    """The records of one run. An exchange that several rules were judged by has one record, under one key."""

    context: Context
    _kept: dict[int, tuple[Sending, ExchangeRecord]] = field(default_factory=dict)
    """By the identity of the sending, which is kept so that it stays its own."""
    _sessions: dict[str, str] = field(default_factory=dict)
    """What is shown in the place of each session id."""
    _room: int = field(default_factory=lambda: ROOM)
    _made: int = 0

    def of(self, exchanges: Iterable[Exchange]) -> tuple[ExchangeRecord, ...]:
        """Records of these exchanges and of what was exchanged beside them, each once, in order."""
        found: dict[str, ExchangeRecord] = {}
        for exchange in chain.from_iterable(each.together() for each in exchanges):
            sending = exchange.sending
            if id(sending) not in self._kept:
                self._kept[id(sending)] = sending, self._record(exchange)
            record = self._kept[id(sending)][1]
            found.setdefault(record.key, record)
        return tuple(found.values())

    def of_item(self, item: JSONObject, sending: Sending | None) -> ExchangeRecord:
        """The record of one item of the recording, with what it answers or came during."""
        message = self._message(item)
        return ExchangeRecord(
            key=self._key(),
            step="" if sending is None else sending.step,
            peer=str(item.get("peer") or ""),
            outcome=RECORDED,
            ms=0,
            sent=SentRecord() if sending is None else self._sent(sending),
            messages=(message,),
            curl=None if sending is None else curl_line(sending, self.context),
        )

    def _record(self, exchange: Exchange) -> ExchangeRecord:
        sending, http = exchange.sending, exchange.http
        for name, value in (*sending.headers, *(() if http is None else http.header_list)):
            if name.lower() == SESSION and (short := short_session(name, value)) != value:
                self._sessions[value] = short
        return ExchangeRecord(
            key=self._key(),
            step=sending.step,
            peer=sending.peer,
            outcome=exchange.outcome,
            ms=exchange.ms,
            sent=self._sent(sending),
            problem=None if exchange.problem is None else self._text(exchange.problem),
            http=None if http is None else self._http(http),
            events=tuple(map(self._event, exchange.events[:MOST])),
            messages=tuple(self._message(item) for item in exchange.messages[:MOST]),
            process=None if exchange.process is None else self._process(exchange.process),
            curl=curl_line(sending, self.context, exchange),
        )

    def _key(self) -> str:
        self._made += 1
        return f"e{self._made}"

    def _sent(self, sending: Sending) -> SentRecord:
        body, coded = None, False
        if sending.body is not None:
            try:
                body = self._text(sending.body.decode())
            except UnicodeDecodeError:
                # Any byte is a character of Latin-1, so that secrets are found among those that are no UTF-8.
                shown = self._text(sending.body.decode("latin-1"))
                body, coded = base64.b64encode(shown.encode("latin-1", "replace")).decode(), True
        endpoint = self.context.endpoint
        if endpoint is None:
            return SentRecord(sending.method, body=body, base64=coded)
        url = self._text(sending.url or endpoint)
        return SentRecord(sending.method, sending.http_method, url, self._headers(sending.headers), body, coded)

    def _http(self, http: Http) -> HttpRecord:
        return HttpRecord(
            status=http.status,
            url=self._text(http.url),
            headers=self._headers(http.header_list),
            body=self._text(http.body),
            bytes=http.bytes,
            redirects=tuple(map(self._text, http.redirects)),
            problem=None if http.problem is None else self._text(http.problem),
        )

    def _headers(self, headers: Headers) -> HeaderList:
        return tuple((name, self._header(name, value)) for name, value in headers)

    def _header(self, name: str, value: str) -> str:
        """A server hands out credentials, too, which nobody has listed: those go by the name of their header."""
        lowered = name.lower()
        if lowered == SESSION:
            return short_session(name, value)
        told = lowered.endswith("-authenticate") or lowered.startswith("access-control-")
        if lowered == "set-cookie" or (is_credential(name) and not told):
            scheme, blank, _ = value.partition(" ")
            return f"{scheme} {MASK}" if blank and lowered.endswith("authorization") else MASK
        return self._text(value)

    def _event(self, event: Event) -> EventRecord:
        name, event_id = (None if text is None else self._text(text) for text in (event.event, event.id))
        return EventRecord(name, event_id, self._text(event.data), event.retry)

    def _message(self, item: JSONObject) -> MessageRecord:
        payload = item.get("payload")
        text = str(item.get("raw") or "") if payload is None else self._json(payload)
        return MessageRecord(str(item.get("kind")), self._text(text))

    @staticmethod
    def _json(payload: JSON) -> str:
        pieces: list[str] = []
        size = 0
        for piece in json.JSONEncoder(ensure_ascii=False).iterencode(payload):
            pieces.append(piece)
            size += len(piece)
            if size > LONGEST:
                break
        return "".join(pieces)

    def _process(self, process: Process) -> ProcessRecord:
        return ProcessRecord(process.alive, process.exit_code, process.signal, self._text(process.stderr_tail))

    def _text(self, text: str) -> str:
        """Cut first, as a huge text would take long to look through; what a cut leaves of a secret is masked, too."""
        longest = LONGEST if self._room > 0 else BEGINNING
        shown = self.context.secrets.mask(text[:longest])
        for session, short in self._sessions.items():
            shown = shown.replace(session, short)
        self._room -= len(shown)
        return shown if len(text) <= longest else f"{shown}... [{len(text) - longest} characters left out]"
