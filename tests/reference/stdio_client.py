"""A plain client of the stdio transport, on ``subprocess`` alone."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .http_client import INITIALIZE
from .quick import STDIO


class Child:
    """A reference server as a child process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._id = 100

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self) -> bytes:
        """The next line on stdout; b"" when the child has gone."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def send(self, message: Any) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        return json.loads(self.line())

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def call(self, method: str, params: Any = None) -> Any:
        """The response to a request with a new id; what comes before it is passed over."""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        while True:
            received = self.receive()
            if "method" not in received:
                return received

    def tool(self, name: str, **arguments: Any) -> Any:
        return self.call("tools/call", {"name": name, "arguments": arguments})

    def open(self) -> Any:
        self.send(INITIALIZE)
        response = self.receive()
        self.notify("notifications/initialized")
        return response

    def exit_code(self) -> int:
        """How the child ended, which it must have done by itself."""
        return self.process.wait(timeout=10)


@contextmanager
def child(*arguments: str, opened: bool = True, **environment: str) -> Iterator[Child]:
    """A child in an environment with these additions, after the handshake unless ``opened`` is false."""
    with subprocess.Popen(
        [*STDIO, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    ) as process:
        try:
            started = Child(process)
            if opened:
                started.open()
            yield started
        finally:
            process.kill()
