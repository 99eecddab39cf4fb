"""Runs the steps of one rule, in order; ``RuleRun`` decides what their outcome means."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import trio

from mcp_compliance.attribution.sentences import unusable
from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.catalog.rule import Rule, Step
from mcp_compliance.catalog.values import Located
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.interpreter.checks import Decision, Judge
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.credited import CreditedSender, decision_of
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.drafting import draft_of
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.outgoing import Session
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.resend import is_limited, wait_seconds
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Resolver, Unbuildable
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.wire import Stream

MOST_TIMES = 100


@dataclass
class StepRunner:
    """The steps of one rule against one target. ``exchanges`` keeps what each step drew, for evidence."""

    rule: Rule
    context: Context
    fixtures: Fixtures
    scope: Scope
    resolver: Resolver
    judge: Judge
    peers: dict[str, Peer] = field(default_factory=dict)
    exchanges: dict[str, list[Exchange]] = field(default_factory=dict)
    sends: list[str] = field(default_factory=list)
    streams: list[tuple[Stream, Peer]] = field(default_factory=list)
    drafts: dict[str, Draft] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.credited = CreditedSender(self.context, self.fixtures, self.judge.warnings.append)
        self.sender = self.fixtures.sender

    async def run(self, step: Step) -> Decision | None:
        """Send what the step sends, name the outcome, judge it. A step that is not wanted is named null."""
        try:
            wanted = self._wanted(step)
        except ExpressionRaised as raised:
            return self.judge.unjudgeable(raised, step.at)
        if not wanted:
            self.scope.set(step.name, None)
            for name, _ in step.let:
                self.scope.names.setdefault(name, None)
            return None
        if step.for_each is not None:
            decision = await self._for_each(step)
        else:
            self._let(step)
            decision = await self._verb(step)
        return decision or self.judge.run(step.checks, self.scope)

    def _wanted(self, step: Step) -> bool:
        """Whether the step is for this transport, through a peer that was opened, and its ``if`` holds."""
        if step.only not in (None, self.context.transport):
            return False
        through = step.on or (self._target(step) if step.verb == "watch" else None)
        if through is not None and through != MAIN and through not in self.peers:
            return False
        return step.condition is None or is_true(self.scope.evaluate(step.condition))

    def _let(self, step: Step) -> None:
        for name, value in step.let:
            self.scope.set(name, self.resolver.named(value, self.scope))

    def _peer(self, name: str | None) -> Peer:
        """The peer of that name; the run's own by default. Raises ``Unbuildable`` when there is none."""
        peer = self.context.main if name in (None, MAIN) else self.peers.get(str(name))
        if peer is None:
            raise Unbuildable("there is no session")
        return peer

    async def _verb(self, step: Step) -> Decision | None:
        if step.verb == "none":
            return None
        if step.verb == "open":
            return await self._open(step)
        if step.verb == "watch":
            return await self._watch(step)
        if step.verb == "run":
            return await self._run_primitive(step)
        peer = self._peer(step.on)
        if step.verb == "refetch":
            return await self._refetch(step, peer)
        if step.verb == "together":
            return await self._together(step, peer)
        if step.verb == "stream":
            return await self._stream(step, peer)
        exchange = await self._request(step, peer)
        self.scope.set(step.name, exchange.view)
        return None if step.credit is None else decision_of(step.credit, exchange)

    async def _request(self, step: Step, peer: Peer) -> Exchange:
        draft = self._draft(step)
        self._sent(step.name)
        exchange = await self.credited.send(step, draft, peer)
        if step.then_alive is not None:
            plain = Draft(f"{step.name}.after", method=step.then_alive, within=self.context.patience)
            after = await self.sender.send(plain, peer)
            exchange = replace(exchange.with_extra(after=after.view), further=(*exchange.further, after))
        self.keep(step.name, exchange)
        return exchange

    def _draft(self, step: Step) -> Draft:
        if step.verb != "repeat":
            draft = draft_of(step, self.scope, self.resolver, self.context)
        else:
            name = self._target(step)
            before = self.drafts.get(name)
            if before is None:
                raise Unbuildable(f"step {name} was not sent, so it cannot be repeated")
            meta = {key: self.resolver.resolve(value, self.scope) for key, value in step.meta.items()}
            headers = {key: self.resolver.resolve(value, self.scope) for key, value in step.headers.items()}
            draft = before.anew(step.omit, meta, headers, step.name)
            if step.credentials != "configured":
                draft = replace(draft, credentials=step.credentials)
        self.drafts[step.name] = draft
        return draft

    async def _for_each(self, step: Step) -> Decision | None:
        loop = step.for_each
        assert loop is not None
        found = self.resolver.comparable(loop.items, self.scope)
        items = found if isinstance(found, list) else []
        if len(items) > loop.most:
            self.judge.warnings.append(f"{step.name}: {len(items) - loop.most} of {len(items)} left out")
        rounds: list[JSON] = []
        for item in items[: loop.most]:
            self.scope.set(loop.name, item)
            self._let(step)
            exchange = (await self._request(step, self._peer(step.on))).with_extra(item=item)
            rounds.append(exchange.view)
            self.scope.set(step.name, rounds)
            if step.credit is not None and (decision := decision_of(step.credit, exchange)) is not None:
                return decision
            if loop.until is not None and self._holds(loop.until, {"round": exchange.view}):
                break
        self.scope.set(step.name, rounds)
        return None

    def _holds(self, located: Located, more: JSONObject) -> bool:
        try:
            return is_true(self.scope.child(more).evaluate(located))
        except ExpressionRaised:
            return False

    async def _together(self, step: Step, peer: Peer) -> Decision | None:
        members = [replace(member, name=step.name) for member in step.members] * min(step.times, MOST_TIMES)
        drafts = [draft_of(member, self.scope, self.resolver, self.context) for member in members]
        self._sent(step.name)
        exchanges = await self._at_once(drafts, peer)
        if any([await self.sender.renewed(exchange) for exchange in exchanges]):
            exchanges = await self._at_once(drafts, peer)
        for draft, exchange in zip(drafts, exchanges, strict=True):
            if await self.fixtures.keeper.renewed(exchange, draft, peer):
                exchanges = await self._at_once(drafts, peer)
                break
        self.exchanges[step.name] = exchanges
        views: list[JSON] = [exchange.view for exchange in exchanges]
        self.scope.set(step.name, views)
        return None

    async def _at_once(self, drafts: list[Draft], peer: Peer) -> list[Exchange]:
        sendings = [self.sender.compose(draft, peer) for draft in drafts]
        found: dict[int, Exchange] = {}

        async def one(index: int) -> None:
            found[index] = await self.sender.deliver(sendings[index], peer)

        async with trio.open_nursery() as nursery:
            for index in range(len(sendings)):
                nursery.start_soon(one, index)
                await trio.lowlevel.checkpoint()  # they leave in order: trio starts waiting tasks in any
        return [found[index] for index in range(len(sendings))]

    async def _refetch(self, step: Step, peer: Peer) -> Decision | None:
        fixture = self.context.revision.fixtures[self._target(step)]
        self._sent(step.name)
        exchange = await self.fixtures.fetch(fixture, peer, step.name)
        self.keep(step.name, exchange)
        self.scope.set(step.name, exchange.view)
        return None

    async def _open(self, step: Step) -> Decision | None:
        opener = self.fixtures.opener
        params = self.resolver.resolve(step.params, self.scope) if step.params is not None else None
        self._sent(step.name)
        peer = self.peers[step.name] = await opener.process(step.name)
        if step.opening != "none":
            await opener.handshake(peer, params=params if isinstance(params, dict) else None, step=step.name)
        exchange = peer.opening
        if exchange is None:
            view: JSONObject = Exchange(Sending(step.name, 0.0), "quiet").view
            self.scope.set(step.name, {**view, "session": peer.session_view, "process": peer.process_view})
            return None
        self.keep(step.name, exchange)
        self.scope.set(step.name, exchange.view)
        if peer.open or step.checks:
            return None
        return Decision("not-evaluable", f"a session of its own could not be opened: {unusable(exchange)}")

    async def _watch(self, step: Step) -> Decision | None:
        peer = self._peer(self._target(step))
        process = await peer.wire.watch(self.context.budget(step.within))
        outcome = "quiet" if process is None or process.alive else "died"
        sending = Sending(step.name, self.context.budget(step.within), peer=peer.name)
        exchange = Exchange(sending, "died" if outcome == "died" else "quiet", process=process)
        self.scope.set(step.name, exchange.view)
        return None

    async def _stream(self, step: Step, peer: Peer) -> Decision | None:
        draft = self._draft(step)
        self._sent(step.name)
        exchange = await self._opened_stream(step, draft, peer)
        resend = self.context.revision.credit.resend
        if self.credited.resends(peer) and is_limited(exchange, resend):
            await self._close_last_stream()
            await trio.sleep(wait_seconds(exchange, resend))
            exchange = await self._opened_stream(step, draft, peer)
        if await self.fixtures.keeper.renewed(exchange, draft, peer):
            await self._close_last_stream()
            exchange = await self._opened_stream(step, draft, peer)
        if step.credit is not None:
            exchange = await self.credited.attributed(step, step.credit, draft, exchange, peer)
        self.keep(step.name, exchange)
        self.scope.set(step.name, exchange.view)
        if step.close == "step":
            await self._close_last_stream()
        return None if step.credit is None else decision_of(step.credit, exchange)

    async def _opened_stream(self, step: Step, draft: Draft, peer: Peer) -> Exchange:
        stream = await self.sender.stream(draft, peer, self._until(step))
        self.streams.append((stream, peer))
        return self.sender.finish(stream.exchange, peer)

    async def _close_last_stream(self) -> None:
        stream, peer = self.streams[-1]
        await self._close_stream(stream, peer)
        self.streams.remove((stream, peer))

    def _until(self, step: Step) -> Until:
        until = step.until
        if isinstance(until, Located):
            return lambda exchange: self._holds(until, {**exchange.view, step.name: exchange.view})
        return "headers" if until == "headers" else "message" if until == "message" else "response"

    async def _close_stream(self, stream: Stream, peer: Peer) -> None:
        """Let go of a stream: dropped over HTTP, cancelled by the revision's notification on stdio."""
        streams = self.context.revision.streams
        if (
            self.context.transport == "stdio"
            and streams.cancel_method is not None
            and stream.exchange.outcome in ("open", "quiet")
        ):
            scope = self.scope.child({"stream": stream.exchange.view})
            params = self.resolver.comparable(streams.cancel_params, scope) if streams.cancel_params else None
            bye = Draft("cancel", method=streams.cancel_method, params=params, notification=True, within=2.0)
            await self.sender.send(bye, peer)
        await stream.aclose()

    async def _run_primitive(self, step: Step) -> Decision | None:
        from mcp_compliance.interpreter.primitive_run import run_primitive

        result = await run_primitive(self, step)
        self.scope.set(step.name, result)
        return None

    def _target(self, step: Step) -> str:
        return "" if step.target is None else str(self.resolver.resolve(step.target, self.scope))

    def _sent(self, name: str) -> None:
        if name not in self.sends:
            self.sends.append(name)

    def keep(self, name: str, exchange: Exchange) -> None:
        self.exchanges.setdefault(name, []).append(exchange)

    async def close(self) -> None:
        """Close streams, peers and sessions of the rule, whatever happened; all at once, as one may hang."""
        streams, self.streams = self.streams, []
        async with trio.open_nursery() as nursery:
            for stream, peer in streams:
                nursery.start_soon(_whatever_comes, self._close_stream, stream, peer)
        async with trio.open_nursery() as nursery:
            for exchange, session in self._left_open():
                nursery.start_soon(_whatever_comes, self.fixtures.opener.end, session, self._peer(None), exchange)
            for peer in self.peers.values():
                nursery.start_soon(_whatever_comes, self.fixtures.opener.close, peer)
        self.peers = {}

    def _left_open(self) -> list[tuple[Exchange, Session]]:
        """Sessions that answers to the rule's own requests handed out, beside those of its peers and the run's."""
        main = self._peer(None)
        known = {main.session.id, *main.lost, *(peer.session.id for peer in self.peers.values())}
        found: dict[str, tuple[Exchange, Session]] = {}
        for exchange in (exchange for drawn in self.exchanges.values() for exchange in drawn):
            session = self.fixtures.opener.handed_out(exchange)
            if session is not None and session.id is not None and session.id not in known:
                found[session.id] = exchange, session
        return list(found.values())


async def _whatever_comes(close: Callable[..., Awaitable[None]], *arguments: object) -> None:
    """The verdict stands by now: what goes wrong in closing one thing must neither change it nor keep others open."""
    with suppress(Exception):
        await close(*arguments)
