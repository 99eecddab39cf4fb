"""An Answer as HTTP/1.1 bytes."""

from __future__ import annotations

import select
import socket
import ssl
import threading
import time
from http import HTTPStatus

from .answer import Answer

JSON_TYPE = "application/json"
EVENT_STREAM = "text/event-stream"
# These carry neither a body nor a Content-Length.
BODILESS = frozenset({204, 304})


def write_answer(
    connection: socket.socket, answer: Answer, *, head: bool, sessions: bool, stop: threading.Event
) -> None:
    """Send the answer. A stream that is kept open ends when the peer or `stop` ends it. Raises OSError."""
    headers = _headers(answer, sessions)
    if answer.stream is not None:
        headers["Transfer-Encoding"] = "chunked"
        connection.sendall(_head(answer.status, headers))
        if not head:
            _write_stream(connection, answer, stop)
        return
    body = (answer.body or "").encode("utf-8")
    if answer.status not in BODILESS:
        headers.setdefault("Content-Length", str(len(body)))
    connection.sendall(_head(answer.status, headers) + (b"" if head else body))


def peer_has_closed(connection: socket.socket) -> bool:
    """True when the other side has hung up; waits for nothing."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        if not readable or isinstance(connection, ssl.SSLSocket):
            # MSG_PEEK does not exist under TLS; there the next write finds out.
            return False
        return connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


def _headers(answer: Answer, sessions: bool) -> dict[str, str]:
    headers = dict(answer.headers)
    if not sessions:
        headers = {name: value for name, value in headers.items() if name.lower() != "mcp-session-id"}
    if "content-type" not in {name.lower() for name in headers}:
        if answer.stream is not None:
            headers["Content-Type"] = EVENT_STREAM
        elif answer.body is not None:
            headers["Content-Type"] = JSON_TYPE
    return {name: value for name, value in headers.items() if name.lower() not in answer.without_headers}


def _head(status: int, headers: dict[str, str]) -> bytes:
    try:
        reason = HTTPStatus(status).phrase
    except ValueError:
        reason = ""
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _write_stream(connection: socket.socket, answer: Answer, stop: threading.Event) -> None:
    chunks = [chunk.encode("utf-8") for chunk in answer.stream or ()]
    for chunk in chunks:
        _write_chunk(connection, chunk)
    written = time.monotonic()
    while answer.keep_open and not peer_has_closed(connection) and not stop.wait(0.02):
        if answer.every_ms and chunks and time.monotonic() - written >= answer.every_ms / 1000:
            _write_chunk(connection, chunks[-1])
            written = time.monotonic()
    if not answer.keep_open:
        connection.sendall(b"0\r\n\r\n")


def _write_chunk(connection: socket.socket, chunk: bytes) -> None:
    if chunk:
        connection.sendall(f"{len(chunk):x}\r\n".encode("ascii") + chunk + b"\r\n")
