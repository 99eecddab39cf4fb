"""What the server remembers about one client between its messages."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mcp_compliance.reference.jsonrpc import JSONObject, RequestId, notification
from mcp_compliance.reference.notes import Notebook

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# messages that wait for a client that listens to none; the oldest are dropped beyond this number
WAITING_AT_MOST = 100

# is called with each message, and with None when the session is over
Listener = Callable[[JSONObject | None], None]


class Session:
    """State between initialize and the end of the session.

    ``version`` is the negotiated revision, None before initialize. Messages that belong to no request
    (a changed list, an updated resource) go through :meth:`post` to the listener that came last.
    """

    def __init__(self) -> None:
        self.version: str | None = None
        self.log_level = "warning"
        self.notebook = Notebook()
        self.subscriptions: set[str] = set()
        self._running: dict[RequestId, threading.Event] = {}
        self._listeners: list[Listener] = []
        self._waiting: deque[JSONObject] = deque(maxlen=WAITING_AT_MOST)
        self._over = False
        self._lock = threading.Lock()

    @contextmanager
    def running(self, id_: RequestId) -> Iterator[threading.Event]:
        """Marks a request as in progress; the event that it gives is set when the client cancels it."""
        cancelled = threading.Event()
        self._running[id_] = cancelled
        try:
            yield cancelled
        finally:
            self._running.pop(id_, None)

    def cancel(self, id_: RequestId) -> None:
        """Cancel a request in progress; an id that is unknown or done is ignored."""
        event = self._running.get(id_)
        if event is not None:
            event.set()

    def end(self) -> None:
        """End the session: what is in progress is cancelled, and every listener is told with None."""
        for event in list(self._running.values()):
            event.set()
        with self._lock:
            self._over = True
            for listener in self._listeners:
                listener(None)

    def listen(self, listener: Listener) -> None:
        """Send what waits, and everything that is posted from now on, to ``listener``."""
        with self._lock:
            self._listeners.append(listener)
            while self._waiting:
                listener(self._waiting.popleft())
            if self._over:
                listener(None)

    def leave(self, listener: Listener) -> None:
        """Stop sending to ``listener``."""
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)

    def post(self, method: str, params: JSONObject | None = None) -> None:
        """Send a notification of the server's own accord, to one listener only (never to several streams)."""
        message = notification(method, params)
        with self._lock:
            if self._listeners:
                self._listeners[-1](message)
            else:
                self._waiting.append(message)

    def changed(self, uri: str, new: bool) -> None:
        """Tell the client of a new resource, or of a change to one that it has subscribed to."""
        if new:
            self.post("notifications/resources/list_changed")
        elif uri in self.subscriptions:
            self.post("notifications/resources/updated", {"uri": uri})

    def log(self, level: str, text: str) -> Iterator[JSONObject]:
        """The log notification for ``text``, or nothing when the client asked for more serious ones only."""
        if LOG_LEVELS.index(level) >= LOG_LEVELS.index(self.log_level):
            yield notification("notifications/message", {"level": level, "logger": "harbour", "data": text})
