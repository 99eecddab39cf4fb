"""Scripted servers of either era or of both, and runs against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import trio

from mcp_compliance.catalog.load import load_revision
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.scripted import ENDPOINT, Script, ScriptedWire
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.model.result import Report
from mcp_compliance.suite.run import run_suite
from mcp_compliance.wire.wire import Wire
from tests.aio import run
from tests.starters import NothingToEnd

PROBE = "server/discover"

Answer = Callable[[Sending, "ServerWire"], JSONObject | None]
"""What a server answers instead of what its model says; ``died`` and ``timeout`` included."""


@dataclass
class Server(NothingToEnd, Silence):
    """A scripted server of one era or of both, and the run's listener. ``answers`` holds one for each process, the last
    for all after it; ``said`` the status lines of the run.
    """

    revisions: tuple[Revision, ...]
    transport: Literal["http", "stdio"] = "http"
    answers: tuple[Answer, ...] = (lambda sending, wire: None,)
    starts: int = 0
    log: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def status(self, message: str) -> None:
        self.said.append(message)

    def connect(self, target: object, revision: Revision, recorder: Recorder, *others: object) -> Server:
        self.recorder = recorder
        return self

    async def start(self, peer: str) -> Wire:
        answer = self.answers[min(self.starts, len(self.answers) - 1)]
        self.starts += 1
        return ServerWire(self, answer, peer)


class ServerWire(ScriptedWire):
    """Answers ``initialize`` and what follows it by the first model, everything else by the last."""

    def __init__(self, server: Server, answer: Answer, peer: str) -> None:
        super().__init__(server.transport, _EraScript(server), server.recorder, peer)
        self._server = server
        self._twist = answer

    async def exchange(self, sending: Sending) -> Exchange:
        self._server.log.append(sending.method or sending.http_method)
        reply = self._twist(sending, self)
        if reply is not None and reply.get("timeout") is True:
            await trio.sleep(sending.within)
        if reply is None:
            return await super().exchange(sending)
        entry = self._recorder.sent(sending)
        try:
            return self._play(sending, entry, reply)
        finally:
            self._recorder.ended(entry)


class _EraScript(Script):
    def __init__(self, server: Server) -> None:
        self._eras = [Script(revision, {}) for revision in server.revisions]
        self.replies = {}

    def reply(self, sending: Sending) -> JSONObject:
        params = (sending.message or {}).get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        return self._eras[-1 if meta else 0].reply(sending)


def served(rules: Path, *names: str, **more: Any) -> Server:
    return Server(tuple(load_revision(rules / name) for name in names), **more)


def graded(server: Server, rules: Path, **options: Any) -> Report:
    headers = options.pop("headers", ())
    target = HttpTarget(ENDPOINT, headers) if server.transport == "http" else StdioTarget(("server",))
    asked = RunOptions(target, seed=1, **options)
    return run(lambda: run_suite(asked, server, connect=server.connect, rules=rules), at_most=1000.0)


def on_probe(reply: JSONObject) -> Answer:
    return lambda sending, wire: reply if sending.method == PROBE else None
