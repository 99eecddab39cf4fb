"""Payload sets: what is sent to an argument of a tool, and by what its effect would be recognised.

A set is data (``_payloads.yaml`` of the rules). Each kind of payload has one kind of evidence, chosen so that a server
that only repeats what it was sent can never produce it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from mcp_compliance.catalog.functions.schemas import schema_violations
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.payload_schema import PAYLOAD_SET

Where: TypeAlias = Literal["harmless", "near", "far"]
"""harmless: only on tools declared read-only or not destructive. near: only when the server runs on this machine.
far: only when it does not."""


class PayloadError(Exception):
    """A payload set is not as it must be. The message says which and what."""


@dataclass(frozen=True)
class Computes:
    """A product goes between ``before`` and ``after``; an interpreter that runs it shows what it comes to."""

    before: str
    times: str = "*"
    after: str = ""

    def written(self, left: int, right: int) -> str:
        return f"{self.before}{left}{self.times}{right}{self.after}"


@dataclass(frozen=True)
class Shows:
    """``value`` makes the server show what the pattern set ``shows`` finds. ``unlike`` is a value of the same words
    that would not: what its answer shows too, is the tool's own text and proves nothing."""

    value: str
    shows: str
    unlike: str | None = None


@dataclass(frozen=True)
class Condition:
    """Put behind a harmless value and followed by a comparison of two words in ``quote``, the last quote left to the
    statement around it.

    ``like_plain`` is the truth value for which the answer has to be that to the harmless value alone; for the other it
    has to differ. ``plain`` replaces the harmless value.
    """

    behind: str
    like_plain: bool
    quote: str = "'"
    plain: str | None = None


@dataclass(frozen=True)
class Callback:
    """A URL on this host of the machine that the tool runs on, where a listener waits for the request."""

    callback: str


@dataclass(frozen=True)
class OwnEndpoint:
    """The server's own endpoint, addressed through this host name; its answer is recognised by a pattern set."""

    endpoint: str
    shows: str


Payload: TypeAlias = Computes | Shows | Condition | Callback | OwnEndpoint


@dataclass(frozen=True)
class PayloadSet:
    """``plain`` is a harmless value, used unless the argument's schema offers one, or in any case (``only_plain``);
    ``on_purpose`` are some that only a tool whose purpose it is would compute."""

    name: str
    plain: str
    payloads: tuple[tuple[Payload, Where | None], ...]
    only_plain: bool = False
    on_purpose: tuple[Computes, ...] = ()


def read_payload_set(data: JSON, name: str) -> PayloadSet:
    """Raises ``PayloadError``."""
    problems = schema_violations(data, PAYLOAD_SET)
    if problems or not isinstance(data, dict):
        raise PayloadError(f"payload set {name}: {problems[0] if problems else 'it is no mapping'}")
    values = cast("list[JSONObject]", data["values"])
    purposes = cast("list[JSONObject]", data.get("on_purpose", []))
    return PayloadSet(
        name=name,
        plain=str(data["plain"]),
        payloads=tuple((_payload(value), cast("Where | None", value.get("only"))) for value in values),
        only_plain=data.get("only_plain") is True,
        on_purpose=tuple(map(_computes, purposes)),
    )


def _computes(data: JSONObject) -> Computes:
    return Computes(str(data["before"]), str(data.get("times", "*")), str(data.get("after", "")))


def _payload(data: JSONObject) -> Payload:
    computes = data.get("computes")
    if isinstance(computes, dict):
        return _computes(computes)
    if "condition" in data:
        plain = data.get("plain")
        return Condition(
            str(data["condition"]),
            data["like_plain"] is True,
            str(data.get("quote", "'")),
            plain if isinstance(plain, str) else None,
        )
    if "callback" in data:
        return Callback(str(data["callback"]))
    if "endpoint" in data:
        return OwnEndpoint(str(data["endpoint"]), str(data["shows"]))
    unlike = data.get("unlike")
    return Shows(str(data["value"]), str(data["shows"]), unlike if isinstance(unlike, str) else None)
