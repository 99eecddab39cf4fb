"""Keeps everything that was sent and received in a run, in order, within a bound of memory."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON, JSONObject

Kind: TypeAlias = Literal["request", "notification", "response", "error", "batch", "stray"]

RAW_KEPT = 4096
"""Characters of a message's text that an item keeps."""
PAYLOADS_KEPT = 96 * 1024 * 1024
"""Estimated bytes of payload that a recording keeps in all; later items keep their kind and their first
characters.
"""
ITEMS_KEPT = 50_000
"""Items that a recording keeps of what is received, and of what is sent (a server decides how many of its requests are
answered); what arrives later is delivered to its exchange and only counted here."""
NOT_KEPT = "payload not kept: the recording is full"


def kind_of(payload: JSON) -> Kind:
    """What a parsed message is in JSON-RPC's terms. ``stray`` is everything that is no JSON-RPC message.

    Lenient where a finding is to be made of it (a response without ``jsonrpc`` is a bad response), strict
    where other JSON looks alike: the error document of a gateway, a log line with a ``method``.
    """
    if isinstance(payload, list):
        return "batch"
    if not isinstance(payload, dict):
        return "stray"
    marked = "jsonrpc" in payload or "id" in payload
    method = payload.get("method")
    if isinstance(method, str):
        if "id" in payload:
            return "request"
        return "notification" if marked or method.startswith("notifications/") else "stray"
    error = payload.get("error")
    if "error" in payload and not ("result" in payload and error is None):
        code = error.get("code") if isinstance(error, dict) else None
        reserved = isinstance(code, int) and code <= -32000
        return "error" if "jsonrpc" in payload or (marked and isinstance(error, dict)) or reserved else "stray"
    if "result" in payload:
        return "response" if marked else "stray"
    return "stray"


@dataclass(eq=False)
class SentEntry:
    """One sending in the recording. ``open`` until its exchange has ended; ``answered`` once a response named
    its id.
    """

    seq: int
    sending: Sending
    open: bool = True
    answered: bool = False
    owns_stray: bool = False
    kept: bool = True
    """Whether the recording still names it when its exchange has ended."""

    @property
    def expects_response(self) -> bool:
        return self.sending.has_id and self.sending.answers != "none"

    def view(self) -> JSONObject:
        """What expressions see of it (one shared JSON object; treat as read-only)."""
        return self._view

    @cached_property
    def _view(self) -> JSONObject:
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
            "raw": self.sending.raw or self.sending.message is None,
            "media_type": self.sending.media_type,
        }


@dataclass
class Recorder:
    """Recording of a run. One per run; every transport reports here, fresh processes included."""

    most: int = field(default_factory=lambda: ITEMS_KEPT)
    """Items that it keeps of what is sent, and of what is received. What is sent beyond them is forgotten when its
    exchange has ended.
    """
    _sent: list[SentEntry] = field(default_factory=list)
    _received: list[JSONObject] = field(default_factory=list)
    _by_id: dict[tuple[str, str], SentEntry] = field(default_factory=dict)
    _latest: dict[str, SentEntry] = field(default_factory=dict)
    """The latest sending of each peer that expects a response."""
    _last: dict[str, SentEntry] = field(default_factory=dict)
    """The latest sending of each peer, whatever it expects."""
    _answered: dict[str, int] = field(default_factory=dict)
    """The highest number of a sending of each peer that was answered by its id."""
    _open: dict[str, list[SentEntry]] = field(default_factory=dict)
    _seq: int = 0
    _kept: int = 0
    _uncounted: int = 0
    weight: int = 0
    """Estimated bytes of all payloads so far, kept or not."""

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def sent(self, sending: Sending) -> SentEntry:
        """Record what leaves now. Call ``ended`` when its exchange is over."""
        entry = SentEntry(self._next(), sending)
        if len(self._sent) < self.most:
            self._sent.append(entry)
        else:
            entry.kept = False
        self._open.setdefault(sending.peer, []).append(entry)
        self._last[sending.peer] = entry
        if entry.expects_response:
            self._latest[sending.peer] = entry
            self._by_id[sending.peer, _id_key(sending.id)] = entry
        return entry

    def ended(self, entry: SentEntry) -> None:
        """The exchange is over: nothing that arrives later can belong to it."""
        if entry.open:
            entry.open = False
            self._open[entry.sending.peer].remove(entry)
            if not entry.kept and entry.expects_response:
                self._forget(entry)

    def _forget(self, entry: SentEntry) -> None:
        key = entry.sending.peer, _id_key(entry.sending.id)
        if self._by_id.get(key) is entry:
            del self._by_id[key]

    def set_apart(self, era: str, *, lives_on: bool = False) -> None:
        """Everything sent and received so far was traffic of another revision, and so is what still answers it.

        With ``lives_on`` the child that was spoken to is the one that goes on to be graded. What it printed beside
        messages, such as a banner, is a message of no revision, and stays with what is graded.
        """
        for entry in self._sent:
            entry.sending = replace(entry.sending, era=era)
            entry.__dict__.pop("_view", None)
        self._received = [
            item if lives_on and item["kind"] == "stray" and item["status"] is None else {**item, "era": era}
            for item in self._received
        ]

    def request_of(self, payload: JSON, peer: str) -> SentEntry | None:
        """The latest request of this peer whose id the message names, in value and JSON type."""
        if not isinstance(payload, dict) or payload.get("id") is None:
            return None
        return self._by_id.get((peer, _id_key(payload["id"])))

    def received(
        self,
        payload: JSON,
        raw: str,
        *,
        peer: str,
        status: int | None = None,
        during: SentEntry | None = None,
        era: str | None = None,
        problem: str | None = None,
        cost: int | None = None,
    ) -> JSONObject:
        """Record one message, or one line or event that is none, and return its item.

        ``payload`` is the parsed JSON (None when unparsable), ``raw`` its text, ``during`` the sending whose
        HTTP exchange carried it, ``problem`` why it is no JSON, ``cost`` the estimated memory of the payload
        in bytes. Item keys: seq, kind, payload, raw, status, era, peer, problem, request (the sent item whose
        id the message names), owner (the one that a response without usable id belongs to), in_flight (the
        latest sending still open). The item returned always has its payload; the recording lets go of
        payloads when it is full.
        """
        kind: Kind = "stray" if problem is not None else kind_of(payload)
        request = owner = None
        if kind in ("response", "error"):
            request = owner = self.request_of(payload, peer)
            if request is not None:
                request.answered = True
                self._answered[peer] = max(self._answered.get(peer, 0), request.seq)
            else:
                owner = during if during is not None else self.owner_of_stray(peer)
                if owner is not None:
                    owner.owns_stray = True
        in_flight = during or self._in_flight(peer)
        # what a peer says unasked belongs to the revision that it was last spoken to in
        context = in_flight or self._last.get(peer)
        era = era if era is not None else (context.sending.era if context is not None else None)
        if request is not None and request.sending.era is not None:
            era = request.sending.era
        item: JSONObject = {
            "seq": self._next(),
            "kind": kind,
            "payload": payload,
            "raw": raw[:RAW_KEPT],
            "status": status,
            "era": era,
            "peer": peer,
            "problem": problem,
            "request": None if request is None else request.view(),
            "owner": None if owner is None else owner.view(),
            "in_flight": None if in_flight is None else in_flight.view(),
        }
        cost = len(raw) if cost is None else cost
        self.weight += cost
        self._keep(item, cost)
        return item

    def _keep(self, item: JSONObject, cost: int) -> None:
        if len(self._received) >= self.most:
            self._uncounted += 1
        elif self._kept + cost > PAYLOADS_KEPT and item["payload"] is not None:
            self._received.append({**item, "payload": None, "problem": NOT_KEPT})
        else:
            self._kept += cost
            self._received.append(item)

    def item(self, seq: int) -> tuple[JSONObject, Sending | None] | None:
        """The item received under this number, with what it answers or, where it answers nothing, what was open when
        it came; None when the number is not that of an item kept.
        """
        item = next((item for item in self._received if item["seq"] == seq), None)
        if item is None:
            return None
        source = next((view for key in ("request", "owner", "in_flight") if isinstance(view := item[key], dict)), {})
        return item, next((entry.sending for entry in self._sent if entry.seq == source.get("seq")), None)

    def owner_of_stray(self, peer: str) -> SentEntry | None:
        """Walk back through the sends: the first that can still answer owns a response without usable id; if none can,
        the latest request is to blame. Only what is still open can answer, so no more is looked at, but for a
        notification that nothing has followed yet: its exchange ends when it is written.
        """
        latest, answered = self._latest.get(peer), self._answered.get(peer)
        for entry in reversed(self._open.get(peer, [])):
            if entry.expects_response:
                if not (entry.answered or entry.owns_stray):
                    return entry
            elif answered is None or entry.seq > answered:
                return entry
        last = self._last.get(peer)
        return latest if last is None or last.expects_response else last

    def _in_flight(self, peer: str) -> SentEntry | None:
        waiting = self._open.get(peer)
        return waiting[-1] if waiting else None

    @property
    def left_out(self) -> int:
        """How many items arrived after the recording was full."""
        return self._uncounted

    def view(self) -> JSONObject:
        """The root name ``recording``: ``received`` and ``sent`` of the graded revision, ``other`` of other
        eras.
        """
        return {
            "received": [item for item in self._received if item["era"] is None],
            "other": [item for item in self._received if item["era"] is not None],
            "sent": [entry.view() for entry in self._sent if entry.sending.era is None],
        }


def _id_key(value: JSON) -> str:
    """One text per JSON value: 1 and 1.0 are the same id, "1" and true are not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)
