"""Sends drafts through peers: composes, waits, and looks after a session that the server lost."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.attribution.sentences import unusable
from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Until
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.outgoing import Composer
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Resolver
from mcp_compliance.jsontypes import JSON
from mcp_compliance.wire.wire import Stream

MOST_REOPENED = 3
"""How often in a run a lost main session is opened anew."""


@dataclass
class Sender:
    """Everything that leaves goes through here."""

    context: Context
    waited_ms: int = 0
    """Sum of the times from request to answer."""

    def resolver(self) -> Resolver:
        picker = Picker(self.context.revision.picks, self.context.consent, self.context.passed_over)
        return Resolver(self.context.generator, picker, self.context.credential)

    def composer(self) -> Composer:
        context = self.context
        return Composer(
            revision=context.revision,
            resolver=self.resolver(),
            secrets=context.secrets,
            root=context.root(),
            endpoint=context.endpoint,
            user_headers=context.headers,
        )

    async def send(self, draft: Draft, peer: Peer) -> Exchange:
        """One exchange. Raises ``Unbuildable`` when the message cannot be made."""
        sending = self.composer().compose(draft, peer.session, peer.name)
        return self.finish(await peer.wire.exchange(sending), peer)

    async def stream(self, draft: Draft, peer: Peer, until: Until) -> Stream:
        sending = self.composer().compose(draft, peer.session, peer.name)
        return await peer.wire.stream(sending, until)

    def finish(self, exchange: Exchange, peer: Peer) -> Exchange:
        """Add what every exchange of a view has: the session, and the sentence for a missing result."""
        self.waited_ms += exchange.ms
        mask = self.context.secrets.mask
        return exchange.with_extra(
            unusable=None if (whole := unusable(exchange)) is None else mask(whole),
            unserved=None if (short := unusable(exchange, quote=False)) is None else mask(short),
            session=peer.session_view,
        )

    @staticmethod
    def session_sent(exchange: Exchange, peer: Peer) -> str | None:
        """The id of the peer's session, open or lost by now, that the request carried."""
        sent = {value for _, value in exchange.sending.headers}
        return next((session for session in (peer.session.id, *peer.lost) if session in sent), None)

    def seems_lost(self, exchange: Exchange, peer: Peer, draft: Draft) -> bool:
        """Whether an answer looks as if the server had forgotten a session that worked."""
        sessions = self.context.revision.sessions
        if sessions is None or sessions.lost is None or not draft.session:
            return False
        if self.session_sent(exchange, peer) is None:
            return False
        names: dict[str, JSON] = dict(exchange.view)
        try:
            return is_true(Scope(self.context.revision.library, names).evaluate(sessions.lost))
        except ExpressionRaised:
            return False
