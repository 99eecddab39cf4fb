"""What the server remembers about one client between its messages."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue

from mcp_compliance.reference.jsonrpc import JSONObject, RequestId, notification
from mcp_compliance.reference.notes import Notebook

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# messages that wait for a client that listens to none; the oldest are dropped beyond this number
WAITING_AT_MOST = 100

# is called with each message, and with None when the session is over
Listener = Callable[[JSONObject | None], None]


class Call:
    """One request in progress. ``stopped`` is set when no more work should go into it.

    ``cancelled`` says that the client stopped it, so that nothing may be sent for it any more; otherwise the
    server did, which is about to end. ``post`` may be called from any thread.
    """

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.cancelled = False
        self._posted: SimpleQueue[JSONObject | None] = SimpleQueue()

    def post(self, message: JSONObject) -> None:
        """Let :meth:`posted` give ``message``."""
        self._posted.put(message)

    def posted(self) -> Iterator[JSONObject]:
        """What is posted for this request, as it comes, until the request is stopped."""
        yield from iter(self._posted.get, None)

    def stop(self, *, cancelled: bool) -> None:
        """Stop the request, because the client has cancelled it or because the server ends."""
        self.cancelled = self.cancelled or cancelled
        self.stopped.set()
        self._posted.put(None)


class Session:
    """State between initialize and the end of the session.

    ``version`` is the negotiated revision, None before initialize. Messages that belong to no request
    (a changed list, an updated resource) go through :meth:`post` to the listener that came last.

    Revisions without sessions use one of these for the requests of a pipe, or for a single POST, and then take
    from it the ``notebook`` alone, whose ``client`` it is, and which requests are in progress. ``modern`` says
    that a request of such a revision has come.
    """

    def __init__(self, notebook: Notebook | None = None, client: str = "") -> None:
        self.version: str | None = None
        self.modern = False
        self.client = client
        self.log_level = "warning"
        self.notebook = notebook or Notebook()
        if notebook is None:
            self.notebook.watch(self.changed)
        self.subscriptions: set[str] = set()
        self._running: dict[RequestId, Call] = {}
        self._listeners: list[Listener] = []
        self._waiting: deque[JSONObject] = deque(maxlen=WAITING_AT_MOST)
        self._over = False
        self._lock = threading.Lock()

    @contextmanager
    def running(self, id_: RequestId) -> Iterator[Call]:
        """Marks a request as in progress, so that :meth:`cancel` finds it."""
        call = Call()
        with self._lock:
            self._running[id_] = call
            if self._over:
                call.stop(cancelled=False)
        try:
            yield call
        finally:
            self._running.pop(id_, None)

    def cancel(self, id_: RequestId) -> None:
        """Cancel a request in progress; an id that is unknown or done is ignored."""
        call = self._running.get(id_)
        if call is not None:
            call.stop(cancelled=True)

    def end(self) -> None:
        """End the session: what is in progress is stopped, and every listener is told with None."""
        with self._lock:
            for call in list(self._running.values()):
                call.stop(cancelled=False)
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
        if self.version is None:
            return
        if new:
            self.post("notifications/resources/list_changed")
        elif uri in self.subscriptions:
            self.post("notifications/resources/updated", {"uri": uri})

    def log(self, level: str, text: str) -> Iterator[JSONObject]:
        """The log notification for ``text``, or nothing when the client asked for more serious ones only."""
        if LOG_LEVELS.index(level) >= LOG_LEVELS.index(self.log_level):
            yield notification("notifications/message", {"level": level, "logger": "harbour", "data": text})


# how a message is answered, of whatever revision
Answer = Callable[[Session, JSONObject], Iterator[JSONObject]]
