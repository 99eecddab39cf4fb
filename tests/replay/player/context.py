"""Everything a script may look at when it decides how to answer one message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .message import Json, Message


@dataclass
class Progress:
    """How far a session (or a stdio process) has come with the handshake."""

    initialize_seen: bool = False
    initialized_seen: bool = False


@dataclass(frozen=True)
class HttpFacts:
    """The HTTP side of a message. Header names are lower case; `path` carries no query."""

    verb: str
    path: str
    scheme: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Context:
    """`session` holds every word of known, unknown, absent that is true; it is empty on stdio.

    `recent` are the arrival times (seconds, monotonic) of the messages so far, this one included.
    """

    message: Message
    http: HttpFacts | None = None
    session: frozenset[str] = frozenset()
    progress: Progress = field(default_factory=Progress)
    recent: Sequence[float] = ()
    ports: Mapping[str, int] = field(default_factory=dict)

    def header(self, name: str) -> str | None:
        return self.http.headers.get(name.lower()) if self.http else None


def media_type(value: str | None) -> str:
    """The media type without its parameters, in lower case; empty when the header is missing."""
    return (value or "").split(";", 1)[0].strip().lower()


def dig(value: Json, path: str) -> Json:
    """The member at a dotted path, None where it (or a step to it) is missing."""
    for step in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(step)
    return value
