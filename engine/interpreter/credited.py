"""Sends a step's request and settles whose answer it was: setup, twin, credit."""

from __future__ import annotations

from collections.abc import Callable
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

TWIN = "twin"


class CreditedSender:
    """Sends for one rule. At most one twin is sent per rule, request and credential. ``warn`` takes what is odd about a
    refusal that counts."""

    def __init__(self, context: Context, fixtures: Fixtures, warn: Callable[[str], None]) -> None:
        self.context = context
        self.fixtures = fixtures
        self._warn = warn
        self._twins: dict[str, Exchange] = {}

    async def send(self, step: Step, draft: Draft, peer: Peer) -> Exchange:
        """The exchange that counts, with ``credit`` in its view where the step declares it."""
        credit = step.credit
        exchange = await self.fixtures.keeper.send(draft, peer, resends=self.resends(peer))
        if credit is None:
            return exchange
        return await self.attributed(step, credit, draft, exchange, peer)

    def resends(self, peer: Peer) -> bool:
        """Whether a rate limit is worth waiting for: not where nothing else is served either."""
        setup = self._setup(peer)
        return setup is None or is_served(setup)

    async def attributed(self, step: Step, credit: Credit, draft: Draft, exchange: Exchange, peer: Peer) -> Exchange:
        """The exchange with its attribution."""

        async def send_twin() -> Exchange | None:
            return await self._twin(step, credit, draft, peer)

        question = Question(credit, exchange, self._setup(peer), self.context.revision.credit.before_rpc, send_twin)
        found = await attribute(question)
        if found.warning is not None:
            self._warn(f"{step.name}: {found.warning}")
        if found.twin is not None:
            exchange = replace(exchange, further=(*exchange.further, found.twin))
        return exchange.with_extra(credit=found.view())

    def _setup(self, peer: Peer) -> Exchange | None:
        name = self.context.revision.credit.setup
        return peer.answers.get(name) or self.context.known_answer(name)

    async def _twin(self, step: Step, credit: Credit, draft: Draft, peer: Peer) -> Exchange | None:
        if credit.twin == "self":
            return None
        twin = self._twin_draft(step, credit, draft)
        key = repr((peer.name, twin))
        if key not in self._twins:
            sender, resend = self.fixtures.sender, self.context.revision.credit.resend
            self._twins[key] = await after_limit(lambda: sender.send(twin, peer), resend)
        return self._twins[key]

    def _twin_draft(self, step: Step, credit: Credit, draft: Draft) -> Draft:
        """The conformant request: the probe without its defect, or a fixture's with the step's credential."""
        if credit.twin == "same_without_defect":
            return replace(draft.without(defects_of(step, draft)), step=TWIN)
        fixture = self.context.revision.fixtures[credit.twin]
        conformant = self.fixtures.opener.fixture_draft(fixture, step=TWIN)
        return replace(conformant, credentials=draft.credentials)


def decision_of(credit: Credit, exchange: Exchange) -> Decision | None:
    """The verdict when an answer cannot be credited; None when the rule's checks go on."""
    view = exchange.extra.get("credit")
    if not isinstance(view, dict):
        return None
    outcome, reason = view.get("outcome"), str(view.get("reason"))
    if outcome == "unattributed":
        return Decision("not-evaluable" if credit.unattributed == "fail" else "skip", reason)
    if outcome in ("unreachable", "dropped") and credit.no_answer != "judge":
        return Decision("not-evaluable" if credit.no_answer == "fail" else "skip", reason)
    if outcome == "server_failed":
        return Decision("fail", reason)
    return None
