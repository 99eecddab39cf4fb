"""Ways to the target: one shared wire over HTTP, a process for each peer on stdio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.interpreter.peers import Starter
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.wire.http import HttpWire
from mcp_compliance.wire.http_client import HttpOptions
from mcp_compliance.wire.stdio import StdioWire, start_stdio
from mcp_compliance.wire.stdio_routing import StreamMarks
from mcp_compliance.wire.wire import Responder, Wire


def responder(revision: Revision) -> Responder:
    """Answers the server's own requests as the revision file says: by method, or by its ``*`` line."""
    answers = {answer.method: answer.answer for answer in revision.answers}
    unknown: JSONObject = {"error": {"code": -32601, "message": "method not found"}}

    def respond(request: JSONObject) -> JSONObject:
        return answers.get(str(request.get("method")), answers.get("*", unknown))

    return respond


def marks(revision: Revision) -> StreamMarks:
    """How the revision marks what belongs to a stream on stdio."""
    return StreamMarks(revision.streams.id_key, revision.streams.own_kind)


@dataclass
class HttpStarter:
    """All peers share one wire: over HTTP a peer is only a session."""

    wire: HttpWire

    def speak(self, revision: Revision) -> None:
        self.wire.speak(responder(revision), resumes=revision.streams.resume)

    async def start(self, peer: str) -> Wire:
        return self.wire

    async def release(self, wire: Wire) -> None:
        return

    @property
    def redirected_to(self) -> str | None:
        return self.wire.redirected_to

    async def aclose(self) -> None:
        await self.wire.aclose()


@dataclass
class StdioStarter:
    """Starts the command anew for each peer. Raises ``StartError`` when it cannot be started."""

    target: StdioTarget
    nursery: trio.Nursery
    recorder: Recorder
    revision: Revision
    forward_stderr: Callable[[str], None] | None = None
    open: list[StdioWire] = field(default_factory=list)

    def speak(self, revision: Revision) -> None:
        self.revision = revision
        for wire in self.open:
            wire.speak(responder(revision), marks(revision))

    @property
    def redirected_to(self) -> str | None:
        return None

    async def start(self, peer: str) -> Wire:
        wire = await start_stdio(
            self.target.command,
            nursery=self.nursery,
            recorder=self.recorder,
            responder=responder(self.revision),
            env=self.target.env,
            cwd=None if self.target.cwd is None else str(self.target.cwd),
            peer=peer,
            forward_stderr=self.forward_stderr,
            marks=marks(self.revision),
        )
        self.open.append(wire)
        return wire

    async def release(self, wire: Wire) -> None:
        self.open = [other for other in self.open if other is not wire]
        await wire.aclose()

    async def aclose(self) -> None:
        for wire in list(self.open):
            await self.release(wire)


Connect = Callable[[RunOptions, Revision, Recorder, trio.Nursery, Callable[[str], None] | None], Starter]


def connect(
    options: RunOptions,
    revision: Revision,
    recorder: Recorder,
    nursery: trio.Nursery,
    forward_stderr: Callable[[str], None] | None,
) -> Starter:
    """The way to the target, with the connections that the options ask for. Nothing is opened yet."""
    target = options.target
    if isinstance(target, HttpTarget):
        wire = HttpWire(
            target.url,
            recorder=recorder,
            responder=responder(revision),
            nursery=nursery,
            options=HttpOptions(options.network),
        )
        starter = HttpStarter(wire)
        starter.speak(revision)
        return starter
    return StdioStarter(target, nursery, recorder, revision, forward_stderr)
