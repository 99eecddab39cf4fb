"""stdio: one JSON-RPC message per line, to and from a child process."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import trio

from mcp_compliance.exchange.exchange import Exchange, Outcome, Process
from mcp_compliance.exchange.recorder import Recorder, kind_of
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire import limits, process_group
from mcp_compliance.wire.child import Child
from mcp_compliance.wire.jsonrpc import Parsed, answer_to, encode, parse
from mcp_compliance.wire.stdio_routing import Pending, Router, StreamMarks
from mcp_compliance.wire.wire import Responder


class StdioWire:
    """A wire to one child; made by ``start_stdio``. Never raises for what a server does.

    Outcomes. ``answered``: the response that counts arrived, or nothing was awaited and the line went out.
    ``died``: the child exited first (``process`` has exit code, signal and the end of stderr). ``dropped``:
    it lives, but closed its stdout or stdin, or wrote without bounds. ``timeout``: nothing that counts within
    ``sending.within``. A response that can only be meant for the sending, but whose id no request had, counts
    when the right one does not follow within a second, or at once where it did not follow the last time: rules
    judge the id. A late answer is recorded and not delivered.

    Lines that are no JSON-RPC message are recorded as strays. Requests of the server are answered at once.
    """

    def __init__(
        self,
        child_of: Callable[[StdioWire], Child],
        recorder: Recorder,
        responder: Responder,
        peer: str,
        marks: StreamMarks,
    ) -> None:
        self._recorder = recorder
        self._responder = responder
        self._peer = peer
        self._router = Router(marks)
        self._child = child_of(self)
        self._misaddressed_grace = limits.MISADDRESSED_GRACE

    def speak(self, responder: Responder, marks: StreamMarks) -> None:
        """From now on answer the server's requests, and tell streams apart, in this way."""
        self._responder = responder
        self._router.marks = marks

    @property
    def transport(self) -> Literal["stdio"]:
        return "stdio"

    @property
    def process(self) -> Process:
        return self._child.facts()

    async def exchange(self, sending: Sending) -> Exchange:
        pending = self._begin(sending, is_stream=False)
        began = trio.current_time()
        try:
            with trio.move_on_after(sending.within):
                await self._send(pending)
                if sending.answers != "none":
                    await self._answered(pending)
            if sending.listen > 0 and not self._child.gone.is_set():
                with trio.move_on_after(sending.listen):
                    await self._child.gone.wait()
            return await self._exchange(pending, began)
        finally:
            self._end(pending)

    async def stream(self, sending: Sending, until: Until) -> StdioStream:
        """Outcomes beside those of ``exchange``: ``open`` (the condition holds), ``quiet`` (it did not come
        true).
        """
        pending = self._begin(sending, is_stream=True)
        began = trio.current_time()
        met = trio.Event()
        written = False

        def changed() -> None:
            if written and _holds(pending, until, self._now(pending, "open", began)):
                met.set()

        pending.on_change = changed
        try:
            with trio.move_on_after(sending.within):
                await self._send(pending)
                written = True
                changed()
                await _first(met, self._child.gone, pending.settled)
            pending.on_change = lambda: None
            if pending.message is not None or self._child.gone.is_set():
                exchange = await self._exchange(pending, began)
            else:
                exchange = self._now(pending, "open" if met.is_set() else "quiet", began)
        except BaseException:
            self._end(pending)
            raise
        return StdioStream(exchange, lambda: self._end(pending))

    async def watch(self, seconds: float) -> Process:
        """State of the child after the time given, or as soon as it ends."""
        with trio.move_on_after(seconds):
            await self._child.exited.wait()
        if self._child.exited.is_set():
            await self._child.settle()
        return self._child.facts()

    async def aclose(self) -> None:
        """End the child and what it started. Bounded, and done even when cancelled."""
        await self._child.stop()

    def _begin(self, sending: Sending, *, is_stream: bool) -> Pending:
        pending = Pending(sending, self._recorder.sent(sending), is_stream)
        self._router.add(pending)
        return pending

    def _end(self, pending: Pending) -> None:
        self._router.remove(pending)
        self._recorder.ended(pending.entry)

    async def _send(self, pending: Pending) -> None:
        sending = pending.sending
        body = sending.body
        if body is None:
            body = encode(sending.message) if sending.message is not None else b""
        pending.written = self._child.write(body)
        await _first(pending.written, self._child.gone)

    async def _answered(self, pending: Pending) -> None:
        """Wait for the answer that counts, or until none can come."""
        if self._child.write_problem is not None:
            with trio.move_on_after(limits.EXIT_SEEN):
                await _first(pending.settled, self._child.gone)
            return
        await _first(pending.settled, self._child.gone, pending.misled)
        if pending.misled.is_set() and not pending.settled.is_set():
            with trio.move_on_after(self._misaddressed_grace):
                await _first(pending.settled, self._child.gone)
        right_one = pending.settled.is_set()
        self._misaddressed_grace = limits.MISADDRESSED_GRACE if right_one else limits.MISADDRESSED_AGAIN

    async def _exchange(self, pending: Pending, began: float) -> Exchange:
        sending = pending.sending
        if pending.message is None:
            pending.message = pending.misaddressed
        answered = pending.message is not None or pending.settled.is_set()
        if answered:
            return self._now(pending, "answered", began)
        if self._child.gone.is_set() or self._child.write_problem is not None:
            ended = trio.current_time()
            await self._child.settle()
            process = self._child.facts()
            if not process.alive:
                how = f"signal {process.signal}" if process.signal is not None else f"exit code {process.exit_code}"
                return self._now(pending, "died", began, f"the server exited with {how}", ended)
            problem = self._child.problem or self._child.write_problem
            return self._now(pending, "dropped", began, problem, ended)
        if not pending.written.is_set():
            problem = f"the server did not read its standard input for {sending.within:g} s"
            return self._now(pending, "timeout", began, problem)
        if sending.answers == "none":
            return self._now(pending, "answered", began)
        return self._now(pending, "timeout", began, f"no answer within {sending.within:g} s")

    def _now(
        self,
        pending: Pending,
        outcome: Outcome,
        began: float,
        problem: str | None = None,
        ended: float | None = None,
    ) -> Exchange:
        return Exchange(
            sending=pending.sending,
            outcome=outcome,
            message=pending.message,
            messages=tuple(pending.items),
            process=self._child.facts(),
            problem=problem,
            ms=round(((trio.current_time() if ended is None else ended) - began) * 1000),
        )

    def take_line(self, data: bytes, cut: bool) -> None:
        """One line of stdout, from the child's reader."""
        if cut:
            shown = data.decode("utf-8", "backslashreplace")
            parsed = Parsed(None, shown, f"a line longer than {limits.LINE // limits.MIB} MiB", len(shown))
        else:
            parsed = parse(data)
        owner = None
        if parsed.problem is None and kind_of(parsed.payload) in ("response", "error"):
            owner = self._recorder.request_of(parsed.payload, self._peer)
            owner = owner or self._recorder.owner_of_stray(self._peer)
        item = self._recorder.received(
            parsed.payload, parsed.text, peer=self._peer, problem=parsed.problem, cost=parsed.cost
        )
        payload = parsed.payload
        self._router.deliver(item, owner)
        if item["kind"] == "request" and isinstance(payload, dict):
            self._answer(payload, item["era"])

    def _answer(self, request: JSONObject, era: JSON) -> None:
        message = answer_to(request, self._responder)
        body = encode(message)
        sending = Sending(
            step="answer",
            within=0,
            message=message,
            body=body,
            answers="none",
            peer=self._peer,
            era=era if isinstance(era, str) else None,
        )
        self._recorder.ended(self._recorder.sent(sending))
        self._child.write(body)


class StdioStream:
    """A subscription on stdio. Its messages go on being recorded by the wire; ``aclose`` ends its claim on
    them.
    """

    def __init__(self, exchange: Exchange, let_go: Callable[[], None]) -> None:
        self._exchange = exchange
        self._let_go = let_go

    @property
    def exchange(self) -> Exchange:
        return self._exchange

    async def aclose(self) -> None:
        self._let_go()


async def start_stdio(
    command: Sequence[str],
    *,
    nursery: trio.Nursery,
    recorder: Recorder,
    responder: Responder,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    peer: str = "main",
    forward_stderr: Callable[[str], None] | None = None,
    marks: StreamMarks | None = None,
) -> StdioWire:
    """Start the command and return the wire to it. Raises ``StartError`` when it cannot be started.

    ``env`` is added to the environment of this process. The child's tasks run in ``nursery`` and raise
    nothing into it; they end the child when ``aclose`` is called and also when the nursery is cancelled. A
    command that starts and exits at once is seen as ``died`` on the first exchange.
    """
    group = await process_group.start(command, {**os.environ, **(env or {})}, cwd)
    try:
        wire = StdioWire(
            lambda wire: Child(group, wire.take_line, forward_stderr),
            recorder,
            responder,
            peer,
            marks or StreamMarks(),
        )
        nursery.start_soon(wire._child.run)
    except BaseException:
        group.kill()
        group.close()
        raise
    return wire


def _holds(pending: Pending, until: Until, exchange: Exchange) -> bool:
    if until == "headers":
        return True
    if until == "message":
        return bool(pending.items)
    if until == "response":
        return pending.message is not None
    try:
        return until(exchange)
    except Exception:
        return False


async def _first(*events: trio.Event) -> None:
    """Return when one of the events is set."""
    if any(event.is_set() for event in events):
        await trio.lowlevel.checkpoint()
        return
    async with trio.open_nursery() as nursery:

        async def wait(event: trio.Event) -> None:
            await event.wait()
            nursery.cancel_scope.cancel()

        for event in events:
            nursery.start_soon(wait, event)
