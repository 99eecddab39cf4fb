"""Peers: the run's own session and those that rules open for themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.outgoing import Session
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.wire import Wire


class Starter(Protocol):
    """Makes the way to a server. Over HTTP every peer shares one wire; on stdio each is a process of its own."""

    async def start(self, peer: str) -> Wire:
        """Raises ``StartError`` when a command cannot be started."""
        ...

    async def release(self, wire: Wire) -> None:
        """The peer is done with it."""
        ...

    def speak(self, revision: Revision) -> None:
        """From now on requests of the server are answered, and streams told apart, as this revision says."""
        ...

    async def aclose(self) -> None:
        """Let go of everything that was started."""
        ...

    @property
    def redirected_to(self) -> str | None:
        """Where the target's endpoint redirected to, if it did."""
        ...


@dataclass
class Peer:
    """One client towards the server. ``opening`` is the exchange of its handshake, None until it is open."""

    name: str
    wire: Wire
    session: Session = Session()
    opening: Exchange | None = None
    answers: dict[str, Exchange] = field(default_factory=dict)
    """Fixtures fetched in this session."""
    reopened: int = 0
    lost: set[str] = field(default_factory=set)
    """Ids of its sessions that the server forgot."""

    @property
    def open(self) -> bool:
        return self.opening is not None and self.opening.message is not None and "result" in self.opening.message

    @property
    def session_view(self) -> JSONObject:
        return self.session.view(opened=self.open)

    @property
    def process_view(self) -> JSON:
        process = self.wire.process
        return None if process is None else process.view()
