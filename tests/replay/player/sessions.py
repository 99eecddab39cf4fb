"""The sessions an HTTP player has given out."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from .context import Progress
from .message import Message


@dataclass
class Sessions:
    """Known ids and their progress. With `on` false every request is in one nameless session."""

    on: bool = True
    _known: dict[str, Progress] = field(default_factory=dict)
    _nameless: Progress = field(default_factory=Progress)

    def issue(self) -> str:
        """A fresh id of 32 hexadecimal digits, known from now on."""
        new = secrets.token_hex(16)
        self._known[new] = Progress(initialize_seen=True)
        return new

    def standing(self, given: str | None, message: Message) -> frozenset[str]:
        """The words known, unknown, absent that are true of a request with this MCP-Session-Id."""
        if not self.on:
            return frozenset({"known", "absent"} if message.method == "initialize" else {"known"})
        if given is None:
            return frozenset({"absent"})
        return frozenset({"known" if given in self._known else "unknown"})

    def progress(self, given: str | None) -> Progress:
        """How far the session of this id has come; an unknown one has not begun."""
        if not self.on:
            return self._nameless
        return self._known.get(given or "", Progress())

    def after(self, given: str | None, verb: str, message: Message, status: int) -> None:
        """Take note of a request that was answered with `status`."""
        note_progress(self.progress(given), message)
        if verb == "DELETE" and 200 <= status < 300:
            self._known.pop(given or "", None)


def note_progress(progress: Progress, message: Message) -> None:
    """Remember that a message of the handshake has come."""
    progress.initialize_seen |= message.method == "initialize"
    progress.initialized_seen |= message.method == "notifications/initialized"
