"""First contact: which revision the server speaks, and the answer by which it let itself be met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import trio

from mcp_compliance.attribution.answers import status_of
from mcp_compliance.attribution.sentences import ending
from mcp_compliance.catalog.revision import Recognition, Revision
from mcp_compliance.exchange.exchange import Exchange, Process
from mcp_compliance.interpreter.context import MAIN
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.recognition import Recognised, read_answer
from mcp_compliance.interpreter.resend import after_limit
from mcp_compliance.model.result import Detection
from mcp_compliance.suite.lifeline import SILENT, once_more
from mcp_compliance.suite.setup import Setup, Side

QUIET_FOR = 2.0
"""Seconds without an answer after which people are told what is being waited for."""


@dataclass
class Met:
    """The side to be graded, the answer to its first contact, and what the report says about how it was chosen.

    ``caveats`` say that the grade means little; they come before all ``warnings``.
    """

    side: Side
    opening: Exchange | None
    detection: Detection
    caveats: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Greeter:
    """Meets the server of one run. ``meanwhile`` is called once something has been started and nothing been sent."""

    def __init__(self, setup: Setup, meanwhile: Callable[[Revision], None]) -> None:
        self.setup = setup
        self.meanwhile = meanwhile
        self.pinned = setup.options.spec_version
        self.transport = setup.options.target.transport

    def unmet(self) -> Side:
        """The side of a report about a server that could not even be started."""
        asking = self._asking()
        name = self.pinned or (asking[1].fallback if asking is not None else list(self.setup.folders)[-1])
        return self.setup.side(self.setup.revision(name))

    async def meet(self) -> Met:
        """Raises ``StartError`` when the command cannot be started."""
        asking = self._asking()
        if asking is None:
            return await self._plain(self.unmet())
        revision, recognition = asking
        elsewhere = self.pinned is not None and self.pinned != revision.revision
        if self.pinned is not None and not (elsewhere and self.transport in recognition.pinned):
            return await self._plain(self.unmet())
        side = self.setup.side(revision)
        await side.lifeline.start()
        self.meanwhile(revision if self.pinned is None else self.setup.revision(self.pinned))
        probe, gone = await self._ask(side, recognition)
        found = read_answer(recognition, side.context, probe)
        if self.pinned is None and found.revision == revision.revision:
            side.context.answers[recognition.fixture] = side.context.probe = probe
            return Met(side, probe, _detected(found, probe), _caveats(found), [_chosen(found, probe)])
        return await self._fall_back(side, recognition, found, probe, gone)

    def _asking(self) -> tuple[Revision, Recognition] | None:
        """The newest revision that a server can be asked about."""
        for name in reversed(list(self.setup.folders)):
            revision = self.setup.revision(name)
            if revision.recognition is not None:
                return revision, revision.recognition
        return None

    async def _plain(self, side: Side) -> Met:
        """No question before the first contact: that of the graded revision comes first."""
        await side.lifeline.start()
        self.meanwhile(side.revision)
        opening = await side.lifeline.first_contact()
        reason = f"pinned to {side.revision.revision}" if self.pinned is not None else "the only revision known"
        met = Met(side, opening, Detection("pinned", reason))
        recognition = side.revision.recognition
        if recognition is not None and opening is not None:
            side.context.probe = opening
            met.caveats += _caveats(read_answer(recognition, side.context, opening))
            if (status_of(opening) or 0) >= 500:
                # a gateway whose server was still waking up; it must not decide every rule, so they ask again
                side.context.answers.pop(recognition.fixture, None)
        return met

    async def _ask(self, side: Side, recognition: Recognition) -> tuple[Exchange, str | None]:
        """The answer that counts, and why nothing more is to be asked of a server that never answers."""
        context = side.context
        within = context.budget(recognition.within[self.transport])
        probe = await self._sent(side, recognition, within)
        if probe.outcome == "unreachable":
            return probe, probe.problem or "unreachable"
        longer = recognition.again.get(self.transport)
        # a pinned run asks only to warn of a mismatch; it goes on, whatever the answer
        if probe.outcome not in SILENT or longer is None or self.pinned is not None:
            return probe, None
        seconds = context.budget(longer)
        self.setup.listener.status(once_more(probe, within, seconds))
        probe = await self._sent(side, recognition, seconds)
        if probe.outcome not in SILENT:
            return probe, None
        gone = probe.problem or probe.outcome
        if probe.outcome == "timeout":
            other = self.setup.revision(recognition.fallback)
            asks = other.fixtures[other.preflight].call
            gone += f"; --startup-timeout waits longer, --spec-version {other.revision} tries {asks}"
        return probe, gone

    async def _sent(self, side: Side, recognition: Recognition, within: float) -> Exchange:
        main = side.context.main
        if main is None:
            raise RuntimeError("start() comes first")
        draft = replace(side.opener.fixture_draft(side.revision.fixtures[recognition.fixture]), within=within)
        async with trio.open_nursery() as nursery:
            if self.transport == "stdio":
                nursery.start_soon(self._tell_of_the_wait, draft.method or "", recognition)
            probe = await after_limit(lambda: side.sender.send(draft, main), side.revision.credit.resend)
            nursery.cancel_scope.cancel()
        return probe

    async def _tell_of_the_wait(self, method: str, recognition: Recognition) -> None:
        await trio.sleep(QUIET_FOR)
        pin = f"--spec-version {recognition.fallback}"
        self.setup.listener.status(f"Waiting for the server's answer to {method}; {pin} skips this question")

    async def _fall_back(
        self, asked: Side, recognition: Recognition, found: Recognised, probe: Exchange, gone: str | None
    ) -> Met:
        """Go on in the other revision, with the same process as long as that lives."""
        main = asked.context.main
        died = _dead(main)
        goes_on = self.transport == "stdio" and main is not None and died is None
        self.setup.recorder.set_apart(asked.revision.revision, lives_on=goes_on)
        side = self.setup.side(self.setup.revision(self.pinned or recognition.fallback))
        if main is not None and died is None:
            side.context.main = Peer(MAIN, main.wire)
        else:
            await self._start_afresh(side, main)
        side.context.probe = probe
        side.sender.waited_ms += asked.sender.waited_ms
        side.lifeline.gone = gone
        opening = None if gone is not None else await side.lifeline.first_contact(asked=True)
        if died is None and opening is not None and opening.outcome == "died":
            # it outlived the question by no more than a moment: the question may be what it died of
            died = opening.process
            await self._start_afresh(side, side.context.main)
            opening = await side.lifeline.first_contact(asked=True)
        if self.pinned is not None:
            return Met(side, opening, Detection("pinned", f"pinned to {self.pinned}"), _caveats(found))
        met = Met(side, opening, _detected(found, probe), _caveats(found), [_chosen(found, probe)])
        if opening is not None and opening.outcome == "died":
            met.detection = replace(met.detection, era="undetermined")
        if died is not None:
            met.warnings.append(_of_the_death(probe, died, side.revision, opening))
        return met

    async def _start_afresh(self, side: Side, before: Peer | None) -> None:
        if before is not None:
            await self.setup.starter.release(before.wire)
        await side.lifeline.start()


def _detected(found: Recognised, probe: Exchange) -> Detection:
    return Detection("undetermined" if found.undetermined else "detected", f"{probe.sending.method}: {found.note}")


def _chosen(found: Recognised, probe: Exchange) -> str:
    note = f"{found.note}; the era could not be determined" if found.undetermined else found.note
    chosen = f"Spec version auto-detected as {found.revision} ({probe.sending.method} -> {note})."
    return f"{chosen} Pin with --spec-version to override."


def _caveats(found: Recognised) -> list[str]:
    return [] if found.warning is None else [found.warning]


def _dead(peer: Peer | None) -> Process | None:
    """What is left of the peer's process when it has ended."""
    process = None if peer is None else peer.wire.process
    return None if process is None or process.alive else process


def _of_the_death(probe: Exchange, died: Process, graded: Revision, opening: Exchange | None) -> str:
    """A child that died of the question, or one that would have died anyway: which, the fresh one's answer tells."""
    asked, words = probe.sending.method, ending(died)
    if opening is not None and opening.outcome == "died":
        return (
            f"The server exits at startup with or without the {asked} probe ({words}). "
            "Check the command, its arguments and its environment."
        )
    did = f"exited on the {asked} probe" if probe.message is None else f"answered the {asked} probe and then exited"
    return (
        f"The server {did} ({words}), so a fresh instance was started and graded as "
        f"{graded.revision}. A server should survive a request that it does not know; "
        f"--spec-version {graded.revision} skips the probe."
    )
