"""Which exchange a line on stdout belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from mcp_compliance.exchange.recorder import SentEntry, kind_of
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON, JSONObject, same_json
from mcp_compliance.wire import limits


@dataclass(frozen=True)
class StreamMarks:
    """How a revision marks the messages of a stream on stdio: the ``_meta`` key that holds the id of the
    request that opened it, and the beginning of the method names that occur on streams only. None: not
    marked.
    """

    id_key: str | None = None
    own_kind: str | None = None


@dataclass(eq=False)
class Pending:
    """A sending that still collects messages. ``written`` is set when it has left, ``settled``
    when its answer is there."""

    sending: Sending
    entry: SentEntry
    is_stream: bool = False
    message: JSONObject | None = None
    misaddressed: JSONObject | None = None
    items: list[JSONObject] = field(default_factory=list)
    written: trio.Event = field(default_factory=trio.Event)
    settled: trio.Event = field(default_factory=trio.Event)
    misled: trio.Event = field(default_factory=trio.Event)
    on_change: Callable[[], None] = lambda: None

    def take(self, item: JSONObject) -> None:
        if len(self.items) < limits.MESSAGES:
            self.items.append(item)

    def answer(self, payload: JSONObject) -> None:
        if self.message is None:
            self.message = payload
            self.settled.set()

    def mislead(self, payload: JSONObject) -> None:
        """A response that can only be meant for this sending, but carries an id that no request had."""
        if self.misaddressed is None:
            self.misaddressed = payload
            self.misled.set()


class Router:
    """Knows what is pending on one child and hands each item to its owners.

    A response goes to the sending with its id (value and JSON type); one whose id is null or missing to the
    oldest sending with ``answers: any``; any other to the sending that the recorder names as its owner. A
    progress notification goes to the request with its token. What a stream owns goes to that stream. All the
    rest (notifications, requests of the server, strays) goes to every sending that is pending.
    """

    def __init__(self, marks: StreamMarks) -> None:
        self.marks = marks
        self._pending: list[Pending] = []

    def add(self, pending: Pending) -> None:
        self._pending.append(pending)

    def remove(self, pending: Pending) -> None:
        if pending in self._pending:
            self._pending.remove(pending)

    def deliver(self, item: JSONObject, owner: SentEntry | None) -> None:
        """``owner`` is the sending that the recorder found for a response without usable id."""
        payload = item["payload"]
        if item["kind"] in ("response", "error") and isinstance(payload, dict):
            owners = self._response(payload, owner)
        elif item["kind"] == "batch" and isinstance(payload, list):
            owners = self._batch(payload)
        else:
            owners = self._unasked(payload)
        for pending in owners:
            pending.take(item)
        for pending in owners:
            pending.on_change()

    def _response(self, payload: JSONObject, owner: SentEntry | None) -> list[Pending]:
        exact = self._with_id(payload)
        if exact is not None:
            exact.answer(payload)
            return [exact]
        if payload.get("id") is None:
            for pending in self._pending:
                if pending.sending.answers == "any" and pending.message is None:
                    pending.answer(payload)
                    return [pending]
        for pending in self._pending:
            if pending.entry is owner:
                if pending.sending.answers != "none":
                    pending.mislead(payload)
                return [pending]
        return []

    def _batch(self, elements: list[JSON]) -> list[Pending]:
        owners: list[Pending] = []
        for element in elements:
            if isinstance(element, dict) and kind_of(element) in ("response", "error"):
                pending = self._with_id(element)
                if pending is not None:
                    pending.answer(element)
                    if pending not in owners:
                        owners.append(pending)
        if owners:
            return owners
        for pending in self._pending:
            if pending.sending.answers == "any" and pending.message is None:
                pending.settled.set()
                return [pending]
        return self._calls()

    def _unasked(self, payload: JSON) -> list[Pending]:
        if not isinstance(payload, dict):
            return self._calls()
        method, params = payload.get("method"), payload.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        if self.marks.id_key is not None and isinstance(meta, dict) and self.marks.id_key in meta:
            mark = meta[self.marks.id_key]
            named = [pending for pending in self._streams() if _same_text(pending.sending.id, mark)]
            if named:
                return named
        own_kind = self.marks.own_kind
        on_streams_only = own_kind is not None and isinstance(method, str) and method.startswith(own_kind)
        if on_streams_only and self._streams():
            return self._streams()
        if method == "notifications/progress" and params.get("progressToken") is not None:
            token = params["progressToken"]
            asked = [pending for pending in self._pending if same_json(_token(pending.sending), token)]
            if asked:
                return asked
        return self._calls()

    def _with_id(self, payload: JSONObject) -> Pending | None:
        if payload.get("id") is None:
            return None
        for pending in reversed(self._pending):
            expects = pending.sending.has_id and pending.sending.answers != "none"
            if expects and same_json(pending.sending.id, payload["id"]):
                return pending
        return None

    def _streams(self) -> list[Pending]:
        return [pending for pending in self._pending if pending.is_stream]

    def _calls(self) -> list[Pending]:
        """Everything pending; streams too where the revision does not mark what belongs to them."""
        if self.marks.id_key is None:
            return list(self._pending)
        return [pending for pending in self._pending if not pending.is_stream]


def _same_text(left: JSON, right: JSON) -> bool:
    """Equal in either JSON type: 7 and "7"."""
    return same_json(left, right) or (left is not None and right is not None and str(left) == str(right))


def _token(sending: Sending) -> JSON:
    params = (sending.message or {}).get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get("progressToken") if isinstance(meta, dict) else None
