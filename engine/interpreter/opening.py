"""Opens and closes peers: the handshake of the revision, a process, the end of a session."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.revision import Fixture, Sessions
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.credentials import is_credential
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
        if peer.open or fixture.name not in peer.answers:
            # what the server declared stays known when it does not let itself be opened anew
            peer.answers[fixture.name] = peer.opening
        return peer.opening

    async def greet(self, peer: Peer, *, within: float | None = None) -> Exchange:
        """The revision's first contact with a server: its handshake, or the request of its preflight fixture, whose
        answer is then the run's own.
        """
        opening = await self.handshake(peer, within=within)
        if opening is not None:
            return opening
        fixture = self.context.revision.fixtures[self.context.revision.preflight]
        draft = self.fixture_draft(fixture)
        if within is not None:
            draft = replace(draft, within=within)
        answer = await after_limit(lambda: self.sender.send(draft, peer), self.context.revision.credit.resend)
        self.context.answers[fixture.name] = answer
        return answer

    def fixture_draft(self, fixture: Fixture, *, params: JSONObject | None = None, step: str | None = None) -> Draft:
        """The conformant request of a fixture."""
        return self.sender.fixture_draft(fixture, params=params, step=step)

    def handed_out(self, exchange: Exchange) -> Session | None:
        """The session that an answer to the revision's opening hands out; None for all other answers."""
        sessions = self.context.revision.sessions
        if sessions is None or exchange.sending.method != self.context.revision.fixtures[sessions.open].call:
            return None
        session = self._session_of(exchange, sessions)
        return None if session.id is None else session

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
        try:
            if peer.session.id is not None and peer.wire.process is None:
                await self.end(peer.session, peer)
        finally:
            await self.context.starter.release(peer.wire)

    async def end(self, session: Session, peer: Peer, opened_by: Exchange | None = None) -> None:
        """End a session: the peer's own, or one that another request opened, with that one's credential and address."""
        sessions = self.context.revision.sessions
        if sessions is None:
            return
        bye = Draft(
            f"close {peer.name}" if peer.name != MAIN else "close",
            bare=True,
            http_method=sessions.close_method,
            within=self.context.budget(2.0),
        )
        if opened_by is not None:
            sending = opened_by.sending
            credentials: JSONObject = {name: value for name, value in sending.headers if is_credential(name)}
            bye = replace(bye, url=sending.url, credentials="none", headers=credentials)
        composed = self.sender.composer().compose(bye, session, peer.name)
        await self.sender.deliver(composed, peer)
