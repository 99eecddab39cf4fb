"""Sends drafts through peers: composes, and waits for what comes."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.attribution.sentences import unusable
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.outgoing import Composer
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.values import Resolver
from mcp_compliance.wire.wire import Stream


@dataclass
class Sender:
    """Everything that leaves goes through here."""

    context: Context
    waited_ms: int = 0
    """Sum of the times from request to answer."""

    def resolver(self, purpose: str) -> Resolver:
        """For the values of one purpose, such as the id of a rule."""
        context = self.context
        # headers, and so what they repeat, exist over HTTP alone
        mirrors = context.revision.mirror_keyword if context.transport == "http" else None
        picker = Picker(context.revision.picks, context.consent, mirrors)
        return Resolver(context.generator.apart(purpose), picker, context.credential)

    def composer(self) -> Composer:
        context = self.context
        return Composer(
            revision=context.revision,
            resolver=self.resolver("envelope"),
            secrets=context.secrets,
            root=context.root(),
            endpoint=context.endpoint,
            user_headers=context.headers,
            tools=context.listed_tools,
        )

    def compose(self, draft: Draft, peer: Peer) -> Sending:
        """Raises ``Unbuildable`` when the message cannot be made."""
        return self.composer().compose(draft, peer.session, peer.name)

    async def send(self, draft: Draft, peer: Peer) -> Exchange:
        """One exchange. Raises what ``compose`` raises."""
        return await self.deliver(self.compose(draft, peer), peer)

    async def deliver(self, sending: Sending, peer: Peer) -> Exchange:
        """One exchange. Never raises for what a server does."""
        return self.finish(await peer.wire.exchange(sending), peer)

    async def stream(self, draft: Draft, peer: Peer, until: Until) -> Stream:
        """Raises what ``compose`` raises; the stream is to be closed."""
        return await peer.wire.stream(self.compose(draft, peer), until)

    def finish(self, exchange: Exchange, peer: Peer) -> Exchange:
        """Add what every exchange of a view has: the session, and the sentence for a missing result."""
        self.waited_ms += exchange.ms
        mask = self.context.secrets.mask
        return exchange.with_extra(
            unusable=None if (whole := unusable(exchange)) is None else mask(whole),
            unserved=None if (short := unusable(exchange, quote=False)) is None else mask(short),
            session=peer.session_view,
        )
