"""Keeps the run attached to a live server: first contact, restart of a dead child, and when to stop asking."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.sentences import exit_words
from mcp_compliance.wire.errors import StartError

MOST_FAILED_RESTARTS = 2
SILENT = ("timeout", "dropped", "unreachable")


@dataclass
class Lifeline:
    """``gone`` is set, with the reason, once nothing more is to be asked of the server."""

    context: Context
    sender: Sender
    opener: Opener
    gone: str | None = None
    failed_restarts: int = 0

    async def start(self) -> None:
        """Start what has to be started, and send nothing yet. Raises ``StartError``."""
        self.context.main = await self.opener.process(MAIN)

    async def first_contact(self) -> Exchange | None:
        """Open the run's own session on its main peer; None where the revision has no handshake.

        Over HTTP the opening is the preflight: a time-out is followed by one more try within the start-up budget.
        """
        context = self.context
        if context.main is None:
            raise RuntimeError("start() comes first")
        within = context.preflight if context.transport == "http" else context.startup
        opening = await self.opener.handshake(context.main, within=within)
        if opening is not None and opening.outcome in SILENT and context.transport == "http":
            if opening.outcome == "unreachable":
                self.gone = opening.problem or "unreachable"
                return opening
            if context.on_wait is not None:
                context.on_wait(f"No answer within {within:g} s; asking once more, for up to {context.startup:g} s")
            opening = await self.opener.handshake(context.main, within=context.startup)
        if opening is not None and opening.outcome in SILENT:
            self.gone = opening.problem or f"no answer ({opening.outcome})"
        return opening

    async def ensure(self) -> None:
        """Before a rule: a live child. One that died since is started again, which is charged to nobody."""
        main = self.context.main
        if self.gone is not None or main is None or main.wire.process is None or main.wire.process.alive:
            return
        await self.restart("The server exited between two rules")

    async def after(self, rule_id: str, exchanges: tuple[Exchange, ...]) -> None:
        """After a rule: start a child that died or hangs again; give up on a server that answers nothing any more."""
        if self.gone is not None or self.context.main is None:
            return
        process = self.context.main.wire.process
        if process is not None and not process.alive:
            died = next((exchange for exchange in exchanges if exchange.outcome == "died"), None)
            words = f" ({exit_words(died)})" if died is not None else f" (exit code {process.exit_code})"
            await self.restart(f"The server exited during {rule_id}{words}")
        elif exchanges and exchanges[-1].outcome in SILENT and not await self._answers():
            if process is not None:
                await self.restart(f"The server stopped answering during {rule_id}")
            elif not await self._answers():
                self.gone = f"the server stopped answering during {rule_id}"

    async def _answers(self) -> bool:
        """Whether a conformant request is answered at all, by the server or by something in front of it."""
        main = self.context.main
        if main is None:
            return False
        fixture = self.context.revision.fixtures[self.context.revision.credit.default.twin]
        exchange = await self.sender.send(self.opener.fixture_draft(fixture, step="alive?"), main)
        return exchange.outcome not in (*SILENT, "died")

    async def restart(self, why: str) -> None:
        """A new process with a new session in the main peer's place. Lists and capabilities stay as they were."""
        context = self.context
        if context.main is not None:
            await context.starter.release(context.main.wire)
        try:
            peer = await self.opener.process(MAIN)
        except StartError as problem:
            self.gone = f"the server could not be started again: {problem}"
            context.warn(f"{why}; it could not be started again: {problem}")
            return
        before = context.main
        context.main = peer
        await self.opener.handshake(peer)
        if peer.open or context.revision.sessions is None:
            self.failed_restarts = 0
            context.warn(f"{why}; it was started again for the rules after it.")
            return
        self.failed_restarts += 1
        if before is not None and before.open and peer.opening is not None:
            context.warn(f"{why}; the new process did not answer the handshake ({peer.opening.outcome}).")
        if self.failed_restarts >= MOST_FAILED_RESTARTS:
            self.gone = "the server exited and does not come up again"
