"""Sends so that it arrives: once more after a rate limit, and in a new session when the server lost the old one."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.resend import after_limit
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.sender import Sender

MOST_REOPENED = 3
"""How often in a run a lost main session is opened anew."""
ASKS = "twin"
"""Step name of the request by which a lost session is told from a refusal."""


@dataclass
class SessionKeeper:
    """Keeps the run's own session alive, for rules, shared answers and primitives alike."""

    context: Context
    sender: Sender
    opener: Opener

    async def send(self, draft: Draft, peer: Peer, *, resends: bool = True) -> Exchange:
        """The exchange that counts. With ``resends`` a rate limit is waited for, once and within bounds."""
        exchange = await self._send(draft, peer, resends=resends)
        if await self.renewed(exchange, draft, peer):
            exchange = await self._send(draft, peer, resends=resends)
        return exchange

    async def _send(self, draft: Draft, peer: Peer, *, resends: bool) -> Exchange:
        if resends:
            return await after_limit(lambda: self.sender.send(draft, peer), self.context.revision.credit.resend)
        return await self.sender.send(draft, peer)

    async def renewed(self, exchange: Exchange, draft: Draft, peer: Peer) -> bool:
        """Whether the request is to be sent again: the server had lost the run's session, and a new one is open."""
        sent = _session_sent(exchange, peer)
        if sent is None or not self._seems_lost(exchange, peer, draft):
            return False
        async with self.context.lock("lost session"):
            if sent in peer.lost:
                return peer.open
            return await self._is_lost(peer) and await self._reopen(draft, peer, exchange)

    def _seems_lost(self, exchange: Exchange, peer: Peer, draft: Draft) -> bool:
        """Whether an answer looks as if the server had forgotten a session that worked."""
        sessions = self.context.revision.sessions
        if sessions is None or sessions.lost is None or not draft.session:
            return False
        if _session_sent(exchange, peer) is None:
            return False
        try:
            return is_true(Scope(self.context.revision.library, dict(exchange.view)).evaluate(sessions.lost))
        except ExpressionRaised:
            return False

    async def _is_lost(self, peer: Peer) -> bool:
        """Ask with a conformant request: only if that draws the same answer is the session gone."""
        fixture = self.context.revision.fixtures[self.context.revision.credit.default.twin]
        draft = self.opener.fixture_draft(fixture, step=ASKS)
        return self._seems_lost(await self.sender.send(draft, peer), peer, draft)

    async def _reopen(self, draft: Draft, peer: Peer, lost: Exchange) -> bool:
        if peer is not self.context.main or peer.reopened >= MOST_REOPENED:
            return False
        peer.reopened += 1
        if peer.session.id is not None:
            peer.lost.add(peer.session.id)
        await self.opener.handshake(peer)
        status = lost.http.status if lost.http is not None else "no answer"
        self.context.warn(
            f"The server lost a session that worked (HTTP {status} on {draft.method or draft.http_method}); "
            "it was initialized anew and the request sent again."
        )
        return peer.open


def _session_sent(exchange: Exchange, peer: Peer) -> str | None:
    """The id of the peer's session, open or lost by now, that the request carried."""
    sent = {value for _, value in exchange.sending.headers}
    return next((session for session in (peer.session.id, *peer.lost) if session in sent), None)
