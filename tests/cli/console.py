"""The console script in a process of its own, and an MCP server in a thread that remembers what it was asked."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SCRIPT = str(Path(sys.executable).with_name("mcp-compliance"))


def console(*words: str, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``mcp-compliance words`` in ``cwd``, with ``env`` beside what is set already."""
    return subprocess.run(
        (SCRIPT, *words),
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def on_a_terminal(*words: str, cwd: Path) -> str:
    """What ``mcp-compliance words`` writes to a terminal that is its standard output."""
    import pty

    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        (SCRIPT, *words),
        cwd=cwd,
        env={**environment, "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ):
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
    os.close(ours)
    return seen.decode()


@dataclass
class Harbour:
    """A server of 2025-11-25 whose first answer to a ping is an error. ``seen``: what each request came with."""

    port: int = 0
    seen: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    """Target of the request line, method of the message, headers with names in lower case."""

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        method = message["method"]
        if method == "initialize":
            info = {"name": "harbour", "version": "1"}
            return {"result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}}
        if method == "ping":
            pings = [asked for _, asked, _ in self.seen if asked == "ping"]
            return {"result": {}} if len(pings) > 1 else {"error": {"code": -32603, "message": "not yet"}}
        return {"error": {"code": -32601, "message": "no such method"}}


@contextmanager
def harbour(tls: ssl.SSLContext | None = None) -> Iterator[Harbour]:
    """Serve on loopback, whatever host and path the request line names, so as a proxy to everywhere as well."""
    place = Harbour()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            place.seen.append((self.path, message["method"], headers))
            body = b""
            if "id" in message:
                body = json.dumps({"jsonrpc": "2.0", "id": message["id"], **place.answer(message)}).encode()
            self.send_response(200 if body else 202)
            if body:
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on the standard error of the tests."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A client that does not trust the certificate hangs up; that is one of the tests."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        place.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield place
        finally:
            server.shutdown()
            thread.join()
