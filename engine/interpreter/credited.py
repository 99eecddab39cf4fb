"""Sends a step's request and settles whose answer it was: resend, lost session, twin, credit."""

from __future__ import annotations

from dataclasses import replace

from mcp_compliance.attribution.answers import is_served
from mcp_compliance.attribution.credit import Question, attribute
from mcp_compliance.catalog.rule import Credit, Step
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.checks import Decision
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.drafting import defects_of
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.resend import after_limit
from mcp_compliance.interpreter.sender import MOST_REOPENED

TWIN = "twin"


class CreditedSender:
    """Sends for one rule. At most one twin is sent per rule and kind of twin."""

    def __init__(self, context: Context, fixtures: Fixtures) -> None:
        self.context = context
        self.fixtures = fixtures
        self.sender = fixtures.sender
        self._twins: dict[str, Exchange] = {}

    async def send(self, step: Step, draft: Draft, peer: Peer) -> Exchange:
        """The exchange that counts, with ``credit`` in its view where the step declares it."""
        credit = step.credit
        setup = self._setup(peer)
        resends = credit is not None and credit.mode == "attributable" and (setup is None or is_served(setup))
        exchange = await self._send(draft, peer, resends=resends)
        if await self.renewed(exchange, draft, peer):
            exchange = await self._send(draft, peer, resends=resends)
        if credit is None:
            return exchange
        return await self.attributed(step, credit, draft, exchange, peer)

    async def attributed(self, step: Step, credit: Credit, draft: Draft, exchange: Exchange, peer: Peer) -> Exchange:
        """The exchange with its attribution."""

        async def send_twin() -> Exchange | None:
            return await self._twin(step, credit, draft, peer)

        question = Question(credit, exchange, self._setup(peer), self.context.revision.credit.before_rpc, send_twin)
        found = await attribute(question)
        if found.warning is not None:
            self.context.warn(f"{step.name}: {found.warning}")
        return exchange.with_extra(credit=found.view())

    def _setup(self, peer: Peer) -> Exchange | None:
        name = self.context.revision.credit.setup
        return peer.answers.get(name) or self.context.known_answer(name)

    async def _send(self, draft: Draft, peer: Peer, *, resends: bool) -> Exchange:
        if resends:
            return await after_limit(lambda: self.sender.send(draft, peer), self.context.revision.credit.resend)
        return await self.sender.send(draft, peer)

    async def _twin(self, step: Step, credit: Credit, draft: Draft, peer: Peer) -> Exchange | None:
        if credit.twin == "self":
            return None
        if credit.twin not in self._twins:
            self._twins[credit.twin] = await self._send(self._twin_draft(step, credit, draft), peer, resends=True)
        return self._twins[credit.twin]

    def _twin_draft(self, step: Step, credit: Credit, draft: Draft) -> Draft:
        """The conformant request: the probe without its defect, or a fixture's with the step's credential."""
        if credit.twin == "same_without_defect":
            return replace(draft.without(defects_of(step, draft)), step=TWIN)
        fixture = self.context.revision.fixtures[credit.twin]
        conformant = self.fixtures.opener.fixture_draft(fixture, step=TWIN)
        return replace(conformant, credentials=draft.credentials)

    async def renewed(self, exchange: Exchange, draft: Draft, peer: Peer) -> bool:
        """Whether the request is to be sent again: the server had lost the run's session, and a new one is open."""
        sent = self.sender.session_sent(exchange, peer)
        if sent is None or not self.sender.seems_lost(exchange, peer, draft):
            return False
        async with self.context.lock("lost session"):
            if sent in peer.lost:
                return peer.open
            return await self._is_lost(peer) and await self._reopen(draft, peer, exchange)

    async def _is_lost(self, peer: Peer) -> bool:
        """Ask with a conformant request: only if that draws the same answer is the session gone."""
        fixture = self.context.revision.fixtures[self.context.revision.credit.default.twin]
        draft = self.fixtures.opener.fixture_draft(fixture, step=TWIN)
        return self.sender.seems_lost(await self.sender.send(draft, peer), peer, draft)

    async def _reopen(self, draft: Draft, peer: Peer, lost: Exchange) -> bool:
        if peer is not self.context.main or peer.reopened >= MOST_REOPENED:
            return False
        peer.reopened += 1
        if peer.session.id is not None:
            peer.lost.add(peer.session.id)
        await self.fixtures.opener.handshake(peer)
        status = lost.http.status if lost.http is not None else "no answer"
        self.context.warn(
            f"The server lost a session that worked (HTTP {status} on {draft.method or draft.http_method}); "
            "it was initialized anew and the request sent again."
        )
        return peer.open


def decision_of(credit: Credit, exchange: Exchange) -> Decision | None:
    """The verdict when an answer cannot be credited; None when the rule's checks go on, as they always do when off."""
    view = exchange.extra.get("credit")
    if credit.mode == "off" or not isinstance(view, dict):
        return None
    outcome, reason = view.get("outcome"), str(view.get("reason"))
    if outcome == "unattributed":
        return Decision("not-evaluable" if credit.unattributed == "fail" else "skip", reason)
    if outcome in ("unreachable", "dropped") and credit.no_answer != "judge":
        return Decision("not-evaluable" if credit.no_answer == "fail" else "skip", reason)
    if outcome == "server_failed":
        return Decision("fail", reason)
    return None
