"""Keeps the run attached to a live server: first contact, restart of a dead child, and when to stop asking."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from mcp_compliance.attribution.sentences import ending, exit_words
from mcp_compliance.catalog.revision import Settling
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.declared import is_declared
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.wire.errors import StartError

CLOSING = 3.0
"""Seconds for ending a session that was only opened to see whether the server answers."""
MOST_FAILED_RESTARTS = 2
MOST_MUTE = 3
"""Hangs in a row, with no answer but to handshakes between them, after which nothing more is asked."""
MOST_HANGS = 8
"""Hangs in a run after which nothing more is asked: each costs time-outs, so rules must not multiply them."""
SILENT = ("timeout", "dropped", "unreachable")


def once_more(silent: Exchange, within: float, longer: float) -> str:
    """What people are told when a first contact that came to nothing is repeated; both times in seconds."""
    happened = f"No answer within {within:g} s" if silent.outcome == "timeout" else "The connection was dropped"
    return f"{happened}; asking once more, for up to {longer:g} s"


@dataclass
class Lifeline:
    """``gone`` is set, with the reason, once nothing more is to be asked of the server."""

    context: Context
    sender: Sender
    opener: Opener
    gone: str | None = None
    failed_restarts: int = 0
    mute: int = 0
    hangs: int = 0
    _deadly: set[str] = field(default_factory=set)
    """What of the revision's settling a process did not survive: fixtures, and methods of plain calls."""
    _lock: trio.Lock = field(default_factory=trio.Lock)

    async def start(self) -> None:
        """Start what has to be started, and send nothing yet. Raises ``StartError``."""
        self.context.main = await self.opener.process(MAIN)

    async def first_contact(self, *, asked: bool = False) -> Exchange:
        """Send the revision's preflight on the main peer; where that is the handshake, it opens the run's session.

        Over HTTP a time-out is followed by one more try within the start-up budget, unless the server was ``asked``
        something before: then that budget is the first.
        """
        context = self.context
        if context.main is None:
            raise RuntimeError("start() comes first")
        short = context.transport == "http" and not asked
        within = context.preflight if short else context.startup
        opening = await self.opener.greet(context.main, within=within)
        if opening.outcome in SILENT and short:
            if opening.outcome == "unreachable":
                self.gone = opening.problem or "unreachable"
                return opening
            if context.on_wait is not None:
                context.on_wait(once_more(opening, within, context.startup))
            opening = await self.opener.greet(context.main, within=context.startup)
        if opening.outcome in SILENT:
            self.gone = opening.problem or f"no answer ({opening.outcome})"
            if opening.outcome == "timeout":
                self.gone += "; --startup-timeout waits longer"
        return opening

    async def ensure(self) -> Peer | None:
        """Before a rule: a live child, and the peer that it will meet. One that died since is started again, which is
        charged to nobody.
        """
        async with self._lock:
            main = self.context.main
            process = None if main is None else main.wire.process
            if self.gone is None and process is not None and not process.alive:
                await self.restart(f"The server exited between two rules ({ending(process)})")
            return self.context.main

    async def after(self, rule_id: str, exchanges: tuple[Exchange, ...], met: Peer | None) -> None:
        """After a rule: start a child that died or hangs again; give up on a server that answers nothing any more.

        ``met`` is the peer that the rule began with. When another rule's end has replaced it, nothing is left to do.
        """
        async with self._lock:
            if self.gone is None and met is not None and met is self.context.main:
                await self._look_after(met, rule_id, exchanges)

    async def _look_after(self, met: Peer, rule_id: str, exchanges: tuple[Exchange, ...]) -> None:
        if any(self._is_answer(exchange) for exchange in exchanges):
            self.mute = 0
        process = met.wire.process
        if process is not None and not process.alive:
            died = next((exchange for exchange in exchanges if exchange.outcome == "died"), None)
            words = ending(process) if died is None else exit_words(died)
            await self.restart(f"The server exited during {rule_id} ({words})")
        elif exchanges and exchanges[-1].outcome in SILENT and not await self._answers(met):
            self.mute += 1
            self.hangs += 1
            if self.mute >= MOST_MUTE or self.hangs >= MOST_HANGS:
                self.gone = f"the server stopped answering {self.hangs} times, the last time during {rule_id}"
            elif process is not None:
                await self.restart(f"The server stopped answering during {rule_id}")
            elif not await self._greets(met):
                self.gone = f"the server stopped answering during {rule_id}"

    def _is_answer(self, exchange: Exchange) -> bool:
        """Whether the server said something, other than that it is willing to begin."""
        sessions = self.context.revision.sessions
        opening = None if sessions is None else self.context.revision.fixtures[sessions.open].call
        said = exchange.message is not None or exchange.http is not None
        return said and _is_answered(exchange) and exchange.sending.method != opening

    async def _answers(self, main: Peer) -> bool:
        """Whether a conformant request is answered at all, by the server or by something in front of it."""
        fixture = self.context.revision.fixtures[self.context.revision.credit.default.twin]
        exchange = await self.sender.send(self.opener.fixture_draft(fixture, step="alive?"), main)
        return _is_answered(exchange)

    async def _greets(self, main: Peer) -> bool:
        """The second probe over HTTP: a session of its own, as a server may answer that though it ignores the first."""
        sessions = self.context.revision.sessions
        if sessions is None:
            return await self._answers(main)
        peer = await self.opener.process("alive?")
        try:
            opening = await self.opener.handshake(peer, step="alive?", within=self.context.timeout)
        finally:
            with trio.move_on_after(CLOSING, shield=True):
                await self.opener.close(peer)
        return opening is not None and opening.outcome not in SILENT

    async def restart(self, why: str) -> None:
        """A new process with a new session in the main peer's place. Lists and capabilities stay as they were."""
        context = self.context
        before = context.main
        try:
            peer, first = await self._started_anew(before)
        except StartError as problem:
            self.gone = f"the server could not be started again: {problem}"
            context.warn(f"{why}; it could not be started again: {problem}")
            return
        context.main = peer
        sessions = context.revision.sessions
        if first is None or (peer.open if sessions is not None else _is_answered(first)):
            self.failed_restarts = 0
            context.warn(f"{why}; it was started again for the rules after it.")
            return
        self.failed_restarts += 1
        if sessions is None or (before is not None and before.open):
            context.warn(f"{why}; the new process did not answer {first.sending.method} ({first.outcome}).")
        if self.failed_restarts >= MOST_FAILED_RESTARTS:
            self.gone = "the server exited and does not come up again"

    async def _started_anew(self, before: Peer | None) -> tuple[Peer, Exchange | None]:
        """A settled process in the place of another, and what its first request drew.

        One request of the settling after another is left out as long as processes do not survive them.
        """
        old = before
        while True:
            if old is not None:
                await self.context.starter.release(old.wire)
            peer = await self.opener.process(MAIN)
            if before is not None:
                peer.answers.update(before.answers)  # what the server declared stays known, should it not say it again
            first, survived = await self._settle(peer)
            if survived:
                return peer, first
            old = peer

    async def settle_in(self, fixtures: Fixtures) -> None:
        """What the first process of a run gets before rules meet it: of the revision's settling what stands under
        ``first_of``, as a shared answer. Over HTTP there is no process to settle.
        """
        main = self.context.main
        if main is None or main.wire.process is None or self.gone is not None:
            return
        for settling in self.context.revision.settle:
            if settling.otherwise is None:
                continue
            process = main.wire.process
            if process is not None and not process.alive:
                await self.restart(f"The server answered its first request and exited ({ending(process)})")
                return
            wanted = self._wanted(settling)
            if wanted is None:
                continue
            plain = self._plain(wanted) if wanted == settling.otherwise else None
            exchange = await (fixtures.get(wanted, main) if plain is None else self.sender.send(plain, main))
            if exchange is not None and not _is_answered(exchange):
                self._deadly.add(wanted)
                await self.restart(_loss(exchange))
                return

    async def _settle(self, peer: Peer) -> tuple[Exchange | None, bool]:
        """Send what the revision says that a fresh process gets before the next rule.

        What the first request drew, and whether the process survived those after it.
        """
        revision = self.context.revision
        first: Exchange | None = None
        for settling in revision.settle:
            wanted = self._wanted(settling)
            if wanted is None:
                continue
            exchange: Exchange | None
            if wanted == settling.otherwise:
                exchange = await self.sender.send(self._plain(wanted), peer)
            elif revision.sessions is not None and wanted == revision.sessions.open:
                exchange = await self.opener.handshake(peer)
            else:
                exchange = await self.sender.send(self.opener.fixture_draft(revision.fixtures[wanted]), peer)
            if exchange is None or _is_answered(exchange):
                first = first or exchange
            elif first is None:
                return exchange, True
            else:
                self._deadly.add(wanted)
                return first, False
        return first, True

    def _wanted(self, settling: Settling) -> str | None:
        """The first of the fixtures whose capability is declared, or that needs none; else the plain call.

        Only what no process has died of; None when nothing is left.
        """
        root = self.context.root()
        for name in settling.fixtures:
            capability = self.context.revision.fixtures[name].capability
            if name not in self._deadly and (capability is None or is_declared(capability, root)):
                return name
        return None if settling.otherwise in self._deadly else settling.otherwise

    def _plain(self, method: str) -> Draft:
        return Draft("settle", method=method, within=self.context.timeout)


def _is_answered(exchange: Exchange) -> bool:
    return exchange.outcome not in (*SILENT, "died")


def _loss(exchange: Exchange) -> str:
    """How a process was lost on a request."""
    if exchange.outcome == "died":
        return f"The server exited on {exchange.sending.method} ({exit_words(exchange)})"
    return f"The server did not answer {exchange.sending.method}"
