"""What the server is about: the notebook of a small harbour, kept in memory, one copy for each client."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from mcp_compliance.reference.jsonrpc import JSONObject

SCHEME = "note://harbour/"

# what a client may fill the memory with
NOTES_AT_MOST = 200
LONGEST_NOTE = 100_000

# is called with the URI of a note that was written, and whether it is a new one
Watcher = Callable[[str, bool], None]

# a single transparent pixel, so that there is one resource that is not text
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="


class Note(NamedTuple):
    """One note: ``text`` is its content, or the base64 of its bytes when ``binary``."""

    path: str
    title: str
    text: str
    mime_type: str = "text/plain"
    binary: bool = False

    @property
    def uri(self) -> str:
        return SCHEME + self.path

    def listed(self) -> JSONObject:
        """The note as an entry of resources/list."""
        return {
            "uri": self.uri,
            "name": self.path,
            "title": self.title,
            "description": f"A page of the harbour notebook: {self.title}",
            "mimeType": self.mime_type,
        }

    def contents(self) -> JSONObject:
        """The note as an item of the contents of resources/read."""
        return {
            "uri": self.uri,
            "mimeType": self.mime_type,
            ("blob" if self.binary else "text"): self.text,
        }


_FIRST_PAGES = (
    Note("tides.txt", "Tides", "High water comes about fifty minutes later every day."),
    Note("pilots.txt", "Pilots", "A pilot is compulsory for ships of more than ninety metres."),
    Note("fog.txt", "Fog", "In fog the horn sounds twice a minute, and the light stays on."),
    Note("buoys.txt", "Buoys", "Red buoys to port, green ones to starboard, when coming in."),
    Note("flag.png", "Flag", _PIXEL, mime_type="image/png", binary=True),
    Note("visitors.txt", "Visitors", ""),
)


class Notebook:
    """The notes of one client: ``notes`` has them by path, in the order in which they were written.

    May be used from several threads: a write replaces ``notes`` and leaves the old mapping as it is.
    """

    def __init__(self) -> None:
        self.notes = {note.path: note for note in _FIRST_PAGES}
        self._watchers: list[Watcher] = []
        self._lock = threading.Lock()

    def write(self, path: str, text: str) -> Note | None:
        """Write a note of this path, or add a line to the one that is there, and return it; None: no room left."""
        with self._lock:
            old = self.notes.get(path)
            lines = [old.text] if old and old.text else []
            title = old.title if old else path.removesuffix(".txt").capitalize()
            note = Note(path, title, "\n".join([*lines, text]))
            if len(note.text) > LONGEST_NOTE or (old is None and len(self.notes) >= NOTES_AT_MOST):
                return None
            self.notes = {**self.notes, path: note}
            for watcher in list(self._watchers):
                watcher(note.uri, old is None)
        return note

    def watch(self, watcher: Watcher) -> None:
        """Tell ``watcher`` of every write; it must not write itself."""
        with self._lock:
            self._watchers.append(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        """Stop telling ``watcher``."""
        with self._lock:
            self._watchers.remove(watcher)

    def texts(self) -> list[Note]:
        """All notes but the binary ones."""
        return [note for note in self.notes.values() if not note.binary]

    def at(self, uri: str) -> Note | None:
        """The note with exactly this URI."""
        return self.notes.get(uri.removeprefix(SCHEME)) if uri.startswith(SCHEME) else None
