"""Holds what was received in a run against the wire schema of its revision."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.catalog.wire_schema import NOTHING, SHOWN, Place, Violation, WireSchema, pointer, shown
from mcp_compliance.jsontypes import JSON, JSONObject, type_name

MOST = 100
"""Different violations that are told apart; what comes beyond is not named."""


@dataclass
class _Tally:
    """A violation with how often it occurred, and the first ``item`` of the recording that it occurred in. Items of one
    list, and messages of one kind, are not told apart."""

    message: str
    violation: Violation
    item: JSONObject
    times: int = 0

    def view(self) -> JSONObject:
        path, problem = self.violation.path, self.violation.problem
        times = f" ({self.times} times)" if self.times > 1 else ""
        return {
            "message": self.message,
            "path": path,
            "problem": problem,
            "found": self.violation.found,
            "times": self.times,
            "item": self.item,
            "text": f"{self.message}{': ' if path else ''}{path} {problem}{times}",
        }


def check_received(schema: WireSchema | None, items: JSON) -> JSONObject:
    """The value of the function ``wire_check``: how many items were held against the schema, how many left out, and
    what was wrong."""
    tallies: dict[tuple[str, str, str, str], _Tally] = {}
    judged = left_out = 0
    for item in items if isinstance(items, list) else []:
        if schema is None or not isinstance(item, dict):
            left_out += 1
            continue
        message = Message(item)
        found = message.violations(schema)
        if found is None:
            left_out += 1
            continue
        judged += 1
        for violation in found:
            key = (message.name, _without_indexes(violation.place), violation.found, violation.rule)
            if key in tallies or len(tallies) < MOST:
                tallies.setdefault(key, _Tally(message.name, violation, item)).times += 1
    return {"judged": judged, "left_out": left_out, "violations": [tally.view() for tally in tallies.values()]}


class Message:
    """An item of the recording, as the schema sees it."""

    def __init__(self, item: JSONObject) -> None:
        self.kind = str(item.get("kind"))
        self.payload = item.get("payload")
        status = item.get("status")
        self.status = status if isinstance(status, int) else None
        self.named, self.owner, self.in_flight = (_object(item.get(key)) for key in ("request", "owner", "in_flight"))
        self.id = self.payload.get("id") if isinstance(self.payload, dict) else None

    @property
    def method(self) -> str | None:
        """The method that it carries or answers; None when that is not known."""
        own = self.payload.get("method") if self.kind == "notification" and isinstance(self.payload, dict) else None
        method = own if self.kind == "notification" else self._answered.get("method")
        return method if isinstance(method, str) else None

    @property
    def name(self) -> str:
        method = (self.method or "")[:SHOWN]
        return method or self.kind if self.kind == "notification" else f"{method} {self._word}".strip()

    @property
    def _word(self) -> str:
        return self.kind if self.kind == "error" else "response"

    @property
    def _answered(self) -> JSONObject:
        """The request that it answers. With an unknown id on stdio nobody knows: it may be late."""
        if self.named or self.kind == "stray":
            return self.named or self.in_flight
        return self.owner if self.status is not None or self.id is None else {}

    def violations(self, schema: WireSchema) -> tuple[Violation, ...] | None:
        """None when the message is left out."""
        if not isinstance(self.payload, dict):
            return None
        if self.kind == "notification":
            return schema.violations(self.kind, self.method, self.payload)
        if self._answers_raw() or self._of_another():
            return None
        if self.kind == "stray":
            return (_no_message(self.payload),)
        return schema.violations(self.kind, self.method, self.payload)

    def _answers_raw(self) -> bool:
        """What answers a broken request is judged by the rule that sent it."""
        sources = [self.named or self.owner, *([self.in_flight] if self.status is not None else [])]
        return any(source.get("raw") is True for source in sources)

    def _of_another(self) -> bool:
        """Whether it may come from a gateway, or is no message at all: a log line, the page of a proxy."""
        payload = _object(self.payload)
        if self.status is not None and self.status >= 400:
            return "jsonrpc" not in payload and not self.named
        if self.kind != "stray":
            return False
        if self.status is None:
            return "jsonrpc" not in payload or self.in_flight.get("raw") is True
        return self.status >= 300 or self.in_flight.get("id") is None


def _no_message(payload: JSONObject) -> Violation:
    if "method" in payload:
        value = payload["method"]
        if not isinstance(value, str):
            return Violation(("method",), f"is {shown(value)}, not a string", type_name(value), "type")
    if "jsonrpc" in payload:
        return Violation((), "has none of method, result and error", NOTHING, "kind")
    return Violation((), "is no JSON-RPC message", "object", "kind")


def _without_indexes(place: Place) -> str:
    return pointer(tuple("*" if isinstance(part, int) else part for part in place))


def _object(value: JSON) -> JSONObject:
    return value if isinstance(value, dict) else {}
