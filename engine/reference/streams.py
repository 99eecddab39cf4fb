"""The event stream that answers one POST, made in a thread of its own while the connection is watched."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.session import Listener, Session


class Stream:
    """Gives ``messages`` to the listener, and None after the last.

    A listener that leaves has closed the stream, which cancels the request (basic/transports/streamable-http,
    cancellation). :meth:`end` is for the server: what is in progress ends, and says so if it can.
    ``left`` is called once, when the listener has left.
    """

    def __init__(self, session: Session, messages: Iterator[JSONObject], left: Callable[[Stream], None]) -> None:
        self._session = session
        self._messages = messages
        self._left = left
        self._closed = threading.Event()

    def listen(self, listener: Listener) -> None:
        """Begin to give the messages; returns at once."""
        threading.Thread(target=self._give, args=(listener,), daemon=True).start()

    def leave(self, listener: Listener) -> None:
        """Give no more messages, and stop making them."""
        self._closed.set()
        self._session.end()
        self._left(self)

    def end(self) -> None:
        """Let the stream come to its end."""
        self._session.end()

    def _give(self, listener: Listener) -> None:
        for message in self._messages:
            if self._closed.is_set():
                return
            listener(message)
        if not self._closed.is_set():
            listener(None)
