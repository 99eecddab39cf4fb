"""One incoming message, sorted the way a JSON-RPC 2.0 server has to sort it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

REQUEST = "request"
NOTIFICATION = "notification"
RESPONSE = "response"
BATCH = "batch"
NOT_JSON = "not-json"
INVALID = "invalid"
NOTHING = "nothing"

MAX_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True)
class Message:
    """The bytes of one message and what they amount to; `payload` is None unless they are JSON."""

    raw: bytes
    kind: str
    payload: Json = None

    @property
    def fields(self) -> dict[str, Json]:
        return self.payload if isinstance(self.payload, dict) else {}

    @property
    def method(self) -> str | None:
        method = self.fields.get("method")
        return method if isinstance(method, str) else None

    @property
    def params(self) -> dict[str, Json]:
        params = self.fields.get("params")
        return params if isinstance(params, dict) else {}

    @property
    def id(self) -> Json:
        """The request id; None for everything that is not a request."""
        return self.fields.get("id") if self.kind == REQUEST else None

    @property
    def meta(self) -> dict[str, Json] | None:
        """`params._meta`, or None where there is none."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else None

    @property
    def tool(self) -> str | None:
        """The name of the tool that a tools/call wants."""
        name = self.params.get("name")
        return name if self.method == "tools/call" and isinstance(name, str) else None


def read_message(raw: bytes, *, may_be_empty: bool = False) -> Message:
    """Sort `raw`; with `may_be_empty` no bytes at all are no message instead of unreadable JSON."""
    if not raw and may_be_empty:
        return Message(raw, NOTHING)
    try:
        payload: Json = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return Message(raw, NOT_JSON)
    if isinstance(payload, list):
        return Message(raw, BATCH, payload)
    return Message(raw, _kind(payload), payload)


def is_number(value: Json) -> bool:
    """A JSON number; Python counts True and False among its integers, JSON does not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def _kind(payload: Json) -> str:
    if not isinstance(payload, dict) or payload.get("jsonrpc") != "2.0":
        return INVALID
    if "method" not in payload:
        return RESPONSE if ("result" in payload) != ("error" in payload) else INVALID
    if not isinstance(payload["method"], str) or not isinstance(payload.get("params", {}), dict):
        return INVALID
    if "id" not in payload:
        return NOTIFICATION
    identifier = payload["id"]
    return REQUEST if isinstance(identifier, str) or is_number(identifier) else INVALID
