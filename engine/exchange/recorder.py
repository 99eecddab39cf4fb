"""Keeps everything that was sent and received in a run, in order, within a bound of memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON, JSONObject, same_json

Kind: TypeAlias = Literal["request", "notification", "response", "error", "batch", "stray"]

RAW_KEPT = 4096
"""Characters of a message's text that an item keeps."""
PAYLOADS_KEPT = 64 * 1024 * 1024
"""Bytes of payload that a recording keeps in all; later items keep their kind and the first characters only."""


def kind_of(payload: JSON) -> Kind:
    """What a parsed message is in JSON-RPC's terms. ``stray`` is everything that is no JSON-RPC message."""
    if isinstance(payload, list):
        return "batch"
    if not isinstance(payload, dict):
        return "stray"
    if isinstance(payload.get("method"), str):
        return "request" if "id" in payload else "notification"
    if "error" in payload:
        return "error"
    if "result" in payload:
        return "response"
    return "stray"


@dataclass(eq=False)
class SentEntry:
    """One sending in the recording. ``open`` until its exchange has ended; ``answered`` once a response named its id."""

    seq: int
    sending: Sending
    open: bool = True
    answered: bool = False
    owns_stray: bool = False

    @property
    def expects_response(self) -> bool:
        return self.sending.has_id

    def view(self) -> JSONObject:
        message = self.sending.message or {}
        params = message.get("params")
        return {
            "seq": self.seq,
            "step": self.sending.step,
            "peer": self.sending.peer,
            "era": self.sending.era,
            "id": self.sending.id,
            "method": self.sending.method,
            "params": params,
            "meta": params.get("_meta") if isinstance(params, dict) else None,
            "raw": self.sending.message is None,
        }


@dataclass
class Recorder:
    """Recording of a run. One per run; every transport reports here, fresh processes included."""

    _sent: list[SentEntry] = field(default_factory=list)
    _received: list[JSONObject] = field(default_factory=list)
    _seq: int = 0
    _kept: int = 0

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def sent(self, sending: Sending) -> SentEntry:
        entry = SentEntry(self._next(), sending)
        self._sent.append(entry)
        return entry

    def ended(self, entry: SentEntry) -> None:
        """The exchange is over: nothing that arrives later can belong to it."""
        entry.open = False

    def received(
        self,
        payload: JSON,
        raw: str,
        *,
        peer: str,
        status: int | None = None,
        during: SentEntry | None = None,
        era: str | None = None,
    ) -> JSONObject:
        """Record one message, or one line or event that is none, and return its item.

        ``payload`` is the parsed JSON (None when unparsable), ``raw`` its text, ``during`` the sending whose HTTP
        exchange carried it. Item keys: seq, kind, payload, raw, status, era, peer, request (the sent item whose id
        the message names), owner (the one that a response without usable id belongs to), in_flight (the latest
        sending still open).
        """
        kind = kind_of(payload)
        request = self._request_of(payload, peer) if kind in ("response", "error") else None
        owner = request
        if request is None and kind in ("response", "error"):
            owner = during if during is not None else self._owner_of_stray(peer)
            if owner is not None:
                owner.owns_stray = True
        elif request is not None:
            request.answered = True
        in_flight = during or self._in_flight(peer)
        era = era if era is not None else (in_flight.sending.era if in_flight is not None else None)
        self._kept += len(raw)
        keep = self._kept <= PAYLOADS_KEPT
        item: JSONObject = {
            "seq": self._next(),
            "kind": kind,
            "payload": payload if keep else None,
            "raw": raw[:RAW_KEPT],
            "status": status,
            "era": era,
            "peer": peer,
            "request": None if request is None else request.view(),
            "owner": None if owner is None else owner.view(),
            "in_flight": None if in_flight is None else in_flight.view(),
        }
        self._received.append(item)
        return item

    def _request_of(self, payload: JSON, peer: str) -> SentEntry | None:
        if not isinstance(payload, dict) or payload.get("id") is None:
            return None
        for entry in reversed(self._sent):
            if entry.sending.peer == peer and entry.sending.has_id and same_json(entry.sending.id, payload["id"]):
                return entry
        return None

    def _owner_of_stray(self, peer: str) -> SentEntry | None:
        """Walk back through the sends: the first that can still answer owns a response without usable id."""
        latest: SentEntry | None = None
        later_answered = False
        for entry in reversed(self._sent):
            if entry.sending.peer != peer:
                continue
            if entry.expects_response:
                latest = latest or entry
                if not (entry.answered or entry.owns_stray) and entry.open:
                    return entry
                later_answered = later_answered or entry.answered
            elif entry.open and not later_answered:
                return entry
        return latest

    def _in_flight(self, peer: str) -> SentEntry | None:
        for entry in reversed(self._sent):
            if entry.open and entry.sending.peer == peer:
                return entry
        return None

    @property
    def anything_received(self) -> bool:
        return bool(self._received)

    def view(self) -> JSONObject:
        """The root name ``recording``: ``received`` and ``sent`` of the graded revision, ``other`` of other eras."""
        return {
            "received": [item for item in self._received if item["era"] is None],
            "other": [item for item in self._received if item["era"] is not None],
            "sent": [entry.view() for entry in self._sent if entry.sending.era is None],
        }
