"""Opens and closes peers: the handshake of the revision, a process, the end of a session."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.revision import Fixture, Sessions
from mcp_compliance.catalog.values import NOT_GIVEN
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.outgoing import Session
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.resend import after_limit
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.jsontypes import JSON, JSONObject


@dataclass
class Opener:
    """Opens peers of one run."""

    context: Context
    sender: Sender

    async def process(self, name: str) -> Peer:
        """A peer that has been sent nothing. Raises ``StartError`` when the command cannot be started."""
        return Peer(name, await self.context.starter.start(name))

    async def session(self, name: str, *, params: JSONObject | None = None, step: str | None = None) -> Peer:
        """A peer with the revision's handshake played on it; whether it succeeded is in ``peer.open``."""
        peer = await self.process(name)
        await self.handshake(peer, params=params, step=step)
        return peer

    async def handshake(
        self,
        peer: Peer,
        *,
        params: JSONObject | None = None,
        step: str | None = None,
        within: float | None = None,
    ) -> Exchange | None:
        """Play the opening on a peer: request, session id and version from its answer, notification.

        None where the revision has no handshake. ``params`` are merged over the fixture's own.
        """
        sessions = self.context.revision.sessions
        if sessions is None:
            return None
        fixture = self.context.revision.fixtures[sessions.open]
        draft = self.fixture_draft(fixture, params=params, step=step)
        if within is not None:
            draft = replace(draft, within=within)
        peer.session = Session()
        exchange = await after_limit(lambda: self.sender.send(draft, peer), self.context.revision.credit.resend)
        peer.opening = exchange
        if peer.open:
            peer.session = self._session_of(exchange, sessions)
            if fixture.then_notify is not None:
                note = Draft(fixture.then_notify, method=fixture.then_notify, notification=True, within=draft.within)
                await self.sender.send(note, peer)
        peer.opening = exchange.with_extra(session=peer.session_view, process=peer.process_view)
        peer.answers[fixture.name] = peer.opening
        return peer.opening

    def fixture_draft(self, fixture: Fixture, *, params: JSONObject | None = None, step: str | None = None) -> Draft:
        """The conformant request of a fixture."""
        scope = Scope(self.context.revision.library, self.context.root())
        given = NOT_GIVEN if fixture.params is None else self.sender.resolver().resolve(fixture.params, scope)
        if params:
            given = {**(given if isinstance(given, dict) else {}), **params}
        return Draft(
            step=step or fixture.name,
            method=fixture.call,
            params=given,
            credentials=fixture.credentials,
            within=self.context.budget(fixture.within),
        )

    def _session_of(self, exchange: Exchange, sessions: Sessions) -> Session:
        names: dict[str, JSON] = {**self.context.root(), sessions.open: exchange.view}
        scope = Scope(self.context.revision.library, names)
        found: list[str | None] = []
        for located in (sessions.id, sessions.version):
            try:
                value = scope.evaluate(located)
            except ExpressionRaised:
                value = None
            found.append(value if isinstance(value, str) and value else None)
        return Session(found[0] if self.context.transport == "http" else None, found[1])

    async def close(self, peer: Peer) -> None:
        """End the peer's session where the server gave one out, and let its wire go. Never raises for the server."""
        sessions = self.context.revision.sessions
        process = peer.wire.process
        if sessions is not None and peer.session.id is not None and process is None:
            bye = Draft(
                f"close {peer.name}" if peer.name != MAIN else "close",
                bare=True,
                http_method=sessions.close_method,
                within=self.context.budget(2.0),
            )
            await self.sender.send(bye, peer)
        await self.context.starter.release(peer.wire)
