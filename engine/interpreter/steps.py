"""Runs the steps of one rule, in order; ``RuleRun`` decides what their outcome means."""

from __future__ import annotations

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
from mcp_compliance.interpreter.peers import Peer
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
        self.credited = CreditedSender(self.context, self.fixtures)
        self.sender = self.fixtures.sender

    async def run(self, step: Step) -> Decision | None:
        """Send what the step sends, name the outcome, judge it."""
        if step.only not in (None, self.context.transport) or not self._wanted(step.condition):
            self._name_all(step, None)
            return None
        if step.for_each is not None:
            decision = await self._for_each(step)
        else:
            self._let(step)
            decision = await self._verb(step)
        return decision or self.judge.run(step.checks, self.scope)

    def _wanted(self, condition: Located | None) -> bool:
        try:
            return condition is None or is_true(self.scope.evaluate(condition))
        except ExpressionRaised:
            return False

    def _name_all(self, step: Step, value: JSON) -> None:
        self.scope.set(step.name, value)
        for name, _ in step.let:
            self.scope.names.setdefault(name, None)

    def _let(self, step: Step) -> None:
        for name, value in step.let:
            self.scope.set(name, self.resolver.comparable(value, self.scope))

    def peer(self, step: Step) -> Peer | None:
        """The peer that the step sends through; None when the step that opens it was not run."""
        if step.on is not None:
            return self.peers.get(step.on)
        return self.context.main

    async def _verb(self, step: Step) -> Decision | None:
        if step.verb == "none":
            return None
        if step.verb == "open":
            return await self._open(step)
        if step.verb == "watch":
            return await self._watch(step)
        if step.verb == "run":
            return await self._run_primitive(step)
        peer = self.peer(step)
        if peer is None:
            self.scope.set(step.name, None)
            return None
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
            plain = Draft(f"{step.name}.after", method=step.then_alive, within=self.context.budget(2.0))
            after = await self.sender.send(plain, peer)
            exchange = exchange.with_extra(after=after.view)
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
            peer = self.peer(step)
            if peer is None:
                break
            exchange = (await self._request(step, peer)).with_extra(item=item)
            if step.credit is not None and (decision := decision_of(step.credit, exchange)) is not None:
                return decision
            rounds.append(exchange.view)
            self.scope.set(step.name, rounds)
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
        members = [
            replace(member, name=f"{step.name}") for _ in range(min(step.times, MOST_TIMES)) for member in step.members
        ]
        drafts = [draft_of(member, self.scope, self.resolver, self.context) for member in members]
        self._sent(step.name)
        exchanges = await self._at_once(drafts, peer)
        for draft, exchange in zip(drafts, exchanges, strict=True):
            if await self.credited.renewed(exchange, draft, peer):
                exchanges = await self._at_once(drafts, peer)
                break
        self.exchanges[step.name] = exchanges
        views: list[JSON] = [exchange.view for exchange in exchanges]
        self.scope.set(step.name, views)
        return None

    async def _at_once(self, drafts: list[Draft], peer: Peer) -> list[Exchange]:
        found: dict[int, Exchange] = {}

        async def one(index: int) -> None:
            found[index] = await self.sender.send(drafts[index], peer)

        async with trio.open_nursery() as nursery:
            for index in range(len(drafts)):
                nursery.start_soon(one, index)
                await trio.lowlevel.checkpoint()  # they leave in order: trio starts waiting tasks in any
        return [found[index] for index in range(len(drafts))]

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
        bare = step.opening == "none" or self.context.revision.sessions is None
        if bare:
            peer = await opener.process(step.name)
        else:
            peer = await opener.session(step.name, params=params if isinstance(params, dict) else None, step=step.name)
        self.peers[step.name] = peer
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
        name = self._target(step)
        peer = self.context.main if name == MAIN else self.peers.get(name)
        if peer is None:
            self.scope.set(step.name, None)
            return None
        process = await peer.wire.watch(self.context.budget(step.within))
        outcome = "quiet" if process is None or process.alive else "died"
        sending = Sending(step.name, self.context.budget(step.within), peer=peer.name)
        exchange = Exchange(sending, "died" if outcome == "died" else "quiet", process=process)
        self.scope.set(step.name, exchange.view)
        return None

    async def _stream(self, step: Step, peer: Peer) -> Decision | None:
        draft = self._draft(step)
        self._sent(step.name)
        stream = await self.sender.stream(draft, peer, self._until(step))
        exchange = self.sender.finish(stream.exchange, peer)
        if await self.credited.renewed(exchange, draft, peer):
            await stream.aclose()
            stream = await self.sender.stream(draft, peer, self._until(step))
            exchange = self.sender.finish(stream.exchange, peer)
        if step.credit is not None:
            exchange = await self.credited.attributed(step, step.credit, draft, exchange, peer)
        self.keep(step.name, exchange)
        self.scope.set(step.name, exchange.view)
        if step.close == "rule":
            self.streams.append((stream, peer))
        else:
            await self.close_stream(stream, peer)
        return None if step.credit is None else decision_of(step.credit, exchange)

    def _until(self, step: Step) -> Until:
        until = step.until
        if isinstance(until, Located):
            return lambda exchange: self._holds(until, {**exchange.view, step.name: exchange.view})
        return "headers" if until == "headers" else "message" if until == "message" else "response"

    async def close_stream(self, stream: Stream, peer: Peer) -> None:
        """Let go of a stream: dropped over HTTP, cancelled by the revision's notification on stdio."""
        revision = self.context.revision
        if (
            self.context.transport == "stdio"
            and revision.cancel_method is not None
            and stream.exchange.outcome == "open"
        ):
            scope = self.scope.child({"stream": stream.exchange.view})
            params = self.resolver.comparable(revision.cancel_params, scope) if revision.cancel_params else None
            bye = Draft("cancel", method=revision.cancel_method, params=params, notification=True, within=2.0)
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
        """Close streams and peers of the rule, whatever happened; at most a few seconds."""
        for stream, peer in self.streams:
            await self.close_stream(stream, peer)
        for peer in self.peers.values():
            await self.fixtures.opener.close(peer)
