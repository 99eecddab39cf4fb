"""What a player saw: the evidence for demands on the tool's own requests."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .context import Context
from .message import Json, Message, read_message

# A recorded message keeps this many bytes; probes with a megabyte in them need not be kept whole.
KEPT_BYTES = 16_384


@dataclass
class Seen:
    """One message. `at` and `closed_at` are monotonic seconds; the HTTP fields are empty on stdio."""

    message: Message
    at: float
    process: int = 0
    verb: str = ""
    scheme: str = ""
    target: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 0
    streamed: bool = False
    held_open: bool = False
    closed_at: float | None = None

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


def seen_over_http(context: Context, target: str) -> Seen:
    """The record of an HTTP request that has just been read."""
    assert context.http is not None
    return Seen(
        message=context.message,
        at=time.monotonic(),
        verb=context.http.verb,
        scheme=context.http.scheme,
        target=target,
        headers=dict(context.http.headers),
    )


class ProcessJournal:
    """Appends to a file from the played process; each record is one write, so that processes can share it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(self, event: str, raw: bytes = b"") -> None:
        """Record `start`, `message`, `stdin-eof`, `exit`."""
        record = {
            "event": event,
            "process": os.getpid(),
            "at": time.monotonic(),
            "raw": raw[:KEPT_BYTES].decode("utf-8", "surrogateescape"),
        }
        os.write(self._file, json.dumps(record).encode("ascii") + b"\n")


@dataclass(frozen=True)
class ProcessLog:
    """What all processes of one case wrote down."""

    processes: tuple[int, ...]
    messages: tuple[Seen, ...]


def read_process_log(path: Path) -> ProcessLog:
    """Read the file of a ProcessJournal; a file that was never made is an empty log."""
    lines = path.read_text("ascii").splitlines() if path.exists() else []
    records: list[dict[str, Json]] = [json.loads(line) for line in lines]
    return ProcessLog(
        processes=tuple(_integer(record["process"]) for record in records if record["event"] == "start"),
        messages=tuple(_seen(record) for record in records if record["event"] == "message"),
    )


def _seen(record: dict[str, Json]) -> Seen:
    at = record["at"]
    assert isinstance(at, float)
    raw = str(record["raw"]).encode("utf-8", "surrogateescape")
    return Seen(message=read_message(raw), at=at, process=_integer(record["process"]))


def _integer(value: Json) -> int:
    assert isinstance(value, int)
    return value
