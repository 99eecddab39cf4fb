"""Exchanges as an evidence file keeps them: whole, but secrets masked and long texts cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

HeaderList: TypeAlias = tuple[tuple[str, str], ...]
RECORDED = "recorded"
"""Outcome of a message that was judged by itself, out of the recording of the whole run."""


@dataclass(frozen=True)
class SentRecord:
    """What left. ``url`` and ``headers`` are those of an HTTP request; without ``url`` it was a line on stdio."""

    method: str | None = None
    """The JSON-RPC method."""
    http_method: str = ""
    url: str | None = None
    headers: HeaderList = ()
    body: str | None = None
    base64: bool = False
    """Whether the body is written as Base64, since it is no UTF-8."""


@dataclass(frozen=True)
class HttpRecord:
    """Status, headers and body of an HTTP answer. ``bytes`` is the length of the body after content decoding."""

    status: int
    url: str
    headers: HeaderList
    body: str
    bytes: int
    redirects: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True)
class EventRecord:
    """One server-sent event."""

    event: str | None
    id: str | None
    data: str
    retry: int | None = None


@dataclass(frozen=True)
class MessageRecord:
    """One message that arrived; ``kind`` in the words of the recording (response, error, request, ..., stray)."""

    kind: str
    text: str
    """As JSON, cut where it is long; of what is no JSON the text itself."""


@dataclass(frozen=True)
class ProcessRecord:
    """The stdio server at the end of the exchange."""

    alive: bool
    exit_code: int | None
    signal: int | None
    stderr_tail: str


@dataclass(frozen=True)
class ExchangeRecord:
    """One sending and all that came back for it. ``key`` names it within its run; rules share records."""

    key: str
    step: str
    peer: str
    outcome: str
    ms: int
    sent: SentRecord
    problem: str | None = None
    http: HttpRecord | None = None
    events: tuple[EventRecord, ...] = ()
    messages: tuple[MessageRecord, ...] = ()
    process: ProcessRecord | None = None
    curl: str | None = None
