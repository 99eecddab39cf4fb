"""The stdio transport: one JSON-RPC message in each line, in UTF-8 whatever the locale says."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import BinaryIO

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.jsonrpc import INVALID_REQUEST, JSONObject, RpcError
from mcp_compliance.reference.modern import may_wait
from mcp_compliance.reference.session import Answer, Session

LONGEST_LINE = 4 * 1024 * 1024


def one_line(message: JSONObject) -> bytes:
    """``message`` as it goes to stdout."""
    return jsonrpc.encode(message) + b"\n"


class Pipe:
    """Serves one client on a pair of binary streams."""

    def __init__(
        self,
        source: BinaryIO,
        sink: BinaryIO,
        answer: Answer,
        frame: Callable[[JSONObject], bytes] = one_line,
    ) -> None:
        self._source = source
        self._sink = sink
        self._answer = answer
        self._frame = frame
        self._session = Session()
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Answer line by line until the input ends; then cancel what is still running, and return.

        Raises BrokenPipeError when nobody reads the answers any more.
        """
        self._session.listen(self._post)
        waiting: list[threading.Thread] = []
        try:
            while line := self._source.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    self._skip_rest(line)
                    self._refuse(RpcError(INVALID_REQUEST, "Invalid request: the line is too long"), None)
                elif line.strip():
                    waiting = [thread for thread in waiting if thread.is_alive()]
                    waiting += self._take(line)
        finally:
            self._session.end()
            for thread in waiting:
                thread.join()

    def _take(self, line: bytes) -> list[threading.Thread]:
        message: jsonrpc.JSON = None
        try:
            message = jsonrpc.decode(line)
            _, known = jsonrpc.classify(message)
        except RpcError as problem:
            self._refuse(problem, jsonrpc.request_id(message))
            return []
        if not may_wait(known):
            self._respond(known)
            return []
        # in a thread of its own, so that a cancellation can still be read
        thread = threading.Thread(target=self._respond, args=(known,), daemon=True)
        thread.start()
        return [thread]

    def _respond(self, message: JSONObject) -> None:
        for one in self._answer(self._session, message):
            self._write(one)

    def _refuse(self, problem: RpcError, id_: jsonrpc.RequestId | None) -> None:
        self._write(jsonrpc.error(id_, problem))

    def _post(self, message: JSONObject | None) -> None:
        if message is not None:
            self._write(message)

    def _write(self, message: JSONObject) -> None:
        with self._lock:
            self._sink.write(self._frame(message))
            self._sink.flush()

    def _skip_rest(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._source.readline(LONGEST_LINE)
