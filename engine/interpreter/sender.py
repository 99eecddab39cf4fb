"""Sends drafts through peers: composes, and waits for what comes."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.attribution.sentences import unusable
from mcp_compliance.catalog.revision import Fixture
from mcp_compliance.catalog.values import NOT_GIVEN
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.outgoing import Composer
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.renewal import Renewal
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Resolver
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.wire.errors import CredentialError
from mcp_compliance.wire.wire import Stream

ASKS = "twin"
"""Step name of the request by which an expired credential is told from a refusal."""


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
        """One exchange. Raises what ``compose`` raises.

        When the run's credential has expired and can be asked for anew, the request is sent again with the new one.
        """
        exchange = await self.deliver(self.compose(draft, peer), peer)
        if await self.renewed(exchange):
            exchange = await self.deliver(self.compose(draft, peer), peer)
        return exchange

    async def deliver(self, sending: Sending, peer: Peer) -> Exchange:
        """One exchange. Never raises for what a server does."""
        return self.finish(await peer.wire.exchange(sending), peer)

    async def stream(self, draft: Draft, peer: Peer, until: Until) -> Stream:
        """Raises what ``compose`` raises; the stream is to be closed. A credential is renewed as by ``send``."""
        stream = await peer.wire.stream(self.compose(draft, peer), until)
        if await self.renewed(stream.exchange):
            await stream.aclose()
            stream = await peer.wire.stream(self.compose(draft, peer), until)
        return stream

    def fixture_draft(self, fixture: Fixture, *, params: JSONObject | None = None, step: str | None = None) -> Draft:
        """The conformant request of a fixture. ``params`` are merged over its own."""
        scope = Scope(self.context.revision.library, self.context.root())
        given = NOT_GIVEN if fixture.params is None else self.resolver(fixture.name).resolve(fixture.params, scope)
        if params:
            given = {**(given if isinstance(given, dict) else {}), **params}
        return Draft(
            step=step or fixture.name,
            method=fixture.call,
            params=given,
            credentials=fixture.credentials,
            within=self.context.budget(fixture.within),
        )

    async def renewed(self, exchange: Exchange) -> bool:
        """Whether a refused request is to be sent again, because there is a new credential."""
        context, renewal = self.context, self.context.renewal
        if renewal is None or not renewal.refused(exchange):
            return False
        async with context.lock("credential"):
            if renewal.sent_with(exchange) != renewal.value:
                return True
            if renewal.over or not renewal.worked or not await self._is_expired(renewal):
                return False
            return await self._renew(renewal, exchange)

    async def _is_expired(self, renewal: Renewal) -> bool:
        """Ask with a conformant request: a rule's own may have been refused for something else in it."""
        context = self.context
        if context.main is None:
            return False
        fixture = context.revision.fixtures[context.revision.credit.default.twin]
        draft = self.fixture_draft(fixture, step=ASKS)
        return renewal.refused(await self.deliver(self.compose(draft, context.main), context.main))

    async def _renew(self, renewal: Renewal, exchange: Exchange) -> bool:
        context, asked_for = self.context, exchange.sending.method or exchange.sending.http_method
        why = f"The server refused in mid-run a credential that had worked (HTTP 401 on {asked_for})"
        if renewal.asked_again:
            renewal.over = True
            context.warn(f"{why}; --auth-command is asked only once more in a run, and that was before.")
            return False
        renewal.asked_again = True
        try:
            value = await renewal.ask()
        except CredentialError as error:
            renewal.over = True
            context.warn(f"{why}; asking --auth-command for a new one failed: {error}.")
            return False
        if value == renewal.value:
            renewal.over = True
            context.warn(f"{why}; --auth-command was asked once more, and printed the same.")
            return False
        renewal.take(value)
        context.headers = renewal.over_headers(context.headers)
        context.warn(f"{why}; --auth-command was asked once more, and the request sent again with the new one.")
        return True

    def finish(self, exchange: Exchange, peer: Peer) -> Exchange:
        """Add what every exchange of a view has: the session, and the sentence for a missing result."""
        self.waited_ms += exchange.ms
        if self.context.renewal is not None:
            self.context.renewal.note(exchange)
        mask = self.context.secrets.mask
        return exchange.with_extra(
            unusable=None if (whole := unusable(exchange)) is None else mask(whole),
            unserved=None if (short := unusable(exchange, quote=False)) is None else mask(short),
            session=peer.session_view,
        )
