"""Plays a script over real sockets: one plain listener and, where asked for, one with TLS."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from typing import Any

from .answer import Answer
from .context import Context, HttpFacts
from .http_wire import peer_has_closed, write_answer
from .journal import Seen, seen_over_http
from .message import read_message
from .script import Script
from .sessions import Sessions


class HttpPlayer:
    """A context manager that serves while it is entered; `seen` holds the requests in order of arrival."""

    def __init__(self, script: Script, tls: ssl.SSLContext | None = None) -> None:
        self.seen: list[Seen] = []
        self.stopping = threading.Event()
        self._script = script
        self._sessions = Sessions(on=script.sessions)
        self._lock = threading.Lock()
        self._recent: deque[float] = deque(maxlen=1000)
        self._connections: set[socket.socket] = set()
        self._plain = Listener(self, "http", None)
        self._tls = Listener(self, "https", tls) if tls else None
        self.ports: Mapping[str, int] = {
            "port": self._plain.port,
            "plainport": self._plain.port,
            "tlsport": self._tls.port if self._tls else 0,
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._plain.port}/mcp"

    @property
    def open_connections(self) -> int:
        with self._lock:
            return len(self._connections)

    def __enter__(self) -> HttpPlayer:
        for listener in self._listeners:
            threading.Thread(target=listener.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        for listener in self._listeners:
            listener.shutdown()
            listener.server_close()
        with self._lock:
            left = list(self._connections)
        for connection in left:
            # A handler may be reading here; shutting the socket down wakes it, closing it would not.
            _shut_down(connection)

    def connected(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.add(connection)

    def disconnected(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)

    def answer(self, facts: HttpFacts, target: str, raw: bytes) -> tuple[Answer, Seen]:
        """Decide the answer to one request and write it down."""
        message = read_message(raw, may_be_empty=facts.verb != "POST")
        given = facts.headers.get("mcp-session-id")
        with self._lock:
            self._recent.append(time.monotonic())
            context = Context(
                message=message,
                http=facts,
                session=self._sessions.standing(given, message),
                progress=self._sessions.progress(given),
                recent=self._recent,
                ports=self.ports,
            )
            answer = self._script.answer(context, self._sessions.issue)
            self._sessions.after(given, facts.verb, message, answer.status)
            seen = seen_over_http(context, target)
            seen.status = 0 if answer.hang or answer.drop else answer.status
            self.seen.append(seen)
        return answer, seen

    @property
    def sessions_on(self) -> bool:
        return self._sessions.on

    @property
    def _listeners(self) -> list[Listener]:
        return [self._plain, self._tls] if self._tls else [self._plain]


class Listener(ThreadingMixIn, TCPServer):
    """A listening socket on a free loopback port; each connection gets a thread."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, player: HttpPlayer, scheme: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.player = player
        self.scheme = scheme
        self._tls = tls
        address = self.server_address
        assert isinstance(address[1], int)
        self.port: int = address[1]

    def finish_request(self, request: Any, client_address: Any) -> None:
        # The TLS handshake belongs in the connection's thread: in get_request it would block all others.
        if self._tls:
            request = self._tls.wrap_socket(request, server_side=True)
        self.player.connected(request)
        try:
            super().finish_request(request, client_address)
        finally:
            self.player.disconnected(request)
            if self._tls:
                request.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: peers that hang up or refuse the certificate are what some cases are about."""


class Connection(BaseHTTPRequestHandler):
    """One connection, kept alive as HTTP/1.1 has it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Listener

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self.respond
        raise AttributeError(name)

    def respond(self) -> None:
        """Read the body of the request and put the scripted answer on the wire."""
        raw = self._body()
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            headers.setdefault(name.lower(), value)
        facts = HttpFacts(self.command, self.path.partition("?")[0], self.server.scheme, headers)
        player = self.server.player
        answer, seen = player.answer(facts, self.path, raw)
        if answer.hang:
            while not player.stopping.is_set() and not peer_has_closed(self.connection):
                player.stopping.wait(0.05)
        if answer.hang or answer.drop:
            self.close_connection = True
            return
        seen.streamed, seen.held_open = answer.stream is not None, answer.keep_open
        try:
            write_answer(
                self.connection,
                answer,
                head=self.command == "HEAD",
                sessions=player.sessions_on,
                stop=player.stopping,
            )
        except OSError:
            self.close_connection = True
        finally:
            if seen.streamed:
                seen.closed_at = time.monotonic()
        if answer.keep_open:
            self.close_connection = True

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed: the requests are in the player's `seen`."""


def _shut_down(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
