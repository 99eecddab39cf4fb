"""The server's sockets: HTTP/1.1 on 127.0.0.1, one thread for each connection."""

from __future__ import annotations

import http.server
import selectors
import socket
import socketserver
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.endpoint import PATH
from mcp_compliance.reference.http_messages import Event, Feed, Headers, Request, Response, refusal
from mcp_compliance.reference.jsonrpc import JSONObject

LARGEST_BODY = 4 * 1024 * 1024
# a body that is too large is still read up to here, so that the client gets to see the answer
LARGEST_DISCARDED = 64 * 1024 * 1024
# a connection that is silent for so many seconds is closed
IDLE = 300.0
# a stream that is quiet for so many seconds gets a comment, lest somebody on the way takes it for dead
KEEP_ALIVE = 15.0

Respond = Callable[[Request], Response]

_STREAM: Headers = (
    ("Content-Type", "text/event-stream"),
    ("Cache-Control", "no-store"),
    ("X-Accel-Buffering", "no"),
)


class Server(http.server.ThreadingHTTPServer):
    """Listens on a port of 127.0.0.1; with port 0 on a free one, which ``url`` then names.

    ``respond`` has to be set before :meth:`serve_forever`. Raises OSError when the port is taken.
    """

    daemon_threads = True
    request_queue_size = 128
    respond: Respond

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Connection)
        self.url = f"http://127.0.0.1:{self.server_address[1]}{PATH}"

    def server_bind(self) -> None:
        # not the inherited one, which asks the name service who 127.0.0.1 is
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, request: object, client_address: object) -> None:
        # a client that goes away in the middle is no news; anything else is a defect and is shown
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Connection(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = IDLE
    server: Server

    def _serve(self) -> None:
        request = self._read()
        if request is not None:
            self._write(self.server.respond(request))

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_OPTIONS = do_HEAD = _serve  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: stderr holds the line with the URL and what went wrong."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what the standard library could not read as HTTP, and hang up."""
        self.close_connection = True
        self._write(refusal(code, HTTPStatus(code).phrase))

    def _read(self) -> Request | None:
        """The request with its body; None when that has been refused, or has not come completely."""
        if "transfer-encoding" in self.headers:
            self.send_error(411)
            return None
        declared = self.headers.get("content-length", "0")
        length = int(declared) if declared.isascii() and declared.isdigit() and len(declared) < 16 else -1
        if length < 0:
            self.send_error(400)
            return None
        if length > LARGEST_BODY:
            left = length if length <= LARGEST_DISCARDED else 0
            while left > 0 and (read := len(self.rfile.read(min(left, 65536)))):
                left -= read
            self.send_error(413)
            return None
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return None
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            lower = name.lower()
            value = value.strip(" \t")
            headers[lower] = f"{headers[lower]}, {value}" if lower in headers else value
        target = urlsplit(self.path)
        peer, spelled = self.client_address[:2], tuple(self.headers)
        return Request(self.command, target.path, target.query, headers, body, peer, spelled)

    def _write(self, response: Response) -> None:
        if response.events is None and response.feed is None:
            length = () if response.status == 204 else (("Content-Length", str(len(response.body))),)
            body = b"" if self.command == "HEAD" else response.body
            self.wfile.write(self._head(response.status, (*response.headers, *length)) + body)
            return
        # HTTP/1.0 has no chunks: there the end of the connection is the end of the stream
        framing = (("Transfer-Encoding", "chunked"),) if self._chunked else ()
        self.close_connection = self.close_connection or not self._chunked
        self.wfile.write(self._head(response.status, (*response.headers, *_STREAM, *framing)))
        if response.feed is not None:
            self._follow(response.feed)
            return
        for event in response.events or ():
            # a client that goes away has not cancelled its call (basic/transports), so it runs to its end
            with suppress(OSError):
                self._chunk(event.encode())
        self._end_chunks()

    def _follow(self, feed: Feed) -> None:
        """Send what ``feed`` gives until it ends or the client closes the stream."""
        waker, wake = socket.socketpair()
        wake.setblocking(False)
        given: deque[JSONObject | None] = deque()

        def listener(message: JSONObject | None) -> None:
            given.append(message)
            # either enough wake-up calls wait there already, or the stream is closed
            with suppress(OSError):
                wake.send(b".")

        feed.listen(listener)
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self.connection, selectors.EVENT_READ)
                selector.register(waker, selectors.EVENT_READ)
                while True:
                    ready = [key.fileobj for key, _ in selector.select(KEEP_ALIVE)]
                    if self.connection in ready:
                        if not self.connection.recv(1, socket.MSG_PEEK):
                            self.close_connection = True
                            return
                        selector.unregister(self.connection)  # it is the next request, which has to wait
                    if not ready:
                        self._chunk(b":\n\n")
                    if waker in ready:
                        waker.recv(1024)
                    while given:
                        message = given.popleft()
                        if message is None:
                            self._end_chunks()
                            return
                        self._chunk(Event(jsonrpc.encode(message).decode()).encode())
        finally:
            feed.leave(listener)
            waker.close()
            wake.close()

    def _end_chunks(self) -> None:
        if self._chunked:
            self.wfile.write(b"0\r\n\r\n")

    @property
    def _chunked(self) -> bool:
        return self.request_version != "HTTP/1.0"

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if self._chunked else data)

    def _head(self, status: int, headers: Headers) -> bytes:
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"Date: {self.date_time_string()}"]
        lines += [f"{name}: {value}" for name, value in headers]
        lines += ["Connection: close"] if self.close_connection else []
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
