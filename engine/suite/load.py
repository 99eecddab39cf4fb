"""Sends one request over and over, by several workers side by side, and keeps how long each answer took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import trio

from mcp_compliance.attribution.sentences import exit_words, failure
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.sender import Sender

WARM_UP = 3
"""Requests of each worker that are left out of the figures: connections are made, code is compiled, caches fill."""
LEAST_SILENT = 3
"""Requests in a row without an answer after which nothing more is sent; with many workers twice as many as those."""
_SILENT = ("timeout", "dropped", "unreachable")

FailureKind: TypeAlias = Literal["json-rpc", "http", "timeout", "dropped", "unreachable", "died", "unparsable"]


@dataclass(frozen=True)
class Failure:
    """What went wrong with ``count`` requests in the same way. ``code`` is that of the JSON-RPC error, ``status`` that
    of HTTP; ``example`` is the first of them in words, bounded, as the server gave it.
    """

    kind: FailureKind
    code: int | None
    status: int | None
    count: int
    example: str


@dataclass
class Load:
    """``total`` requests by ``workers``, after a warm-up of as many as each worker's share in it."""

    sender: Sender
    peer: Peer
    draft: Draft
    total: int
    workers: int
    seconds: list[float] = field(default_factory=list)
    """Of each request that drew a result, from its first byte out to the end of its answer."""
    elapsed: float = 0.0
    """Seconds from the first request that counts to the end of the last answer."""
    sent: int = 0
    warm_up: int = 0
    stopped: str | None = None
    """Why not all were sent."""
    _counts: Counter[tuple[FailureKind, int | None, int | None]] = field(default_factory=Counter)
    _examples: dict[tuple[FailureKind, int | None, int | None], str] = field(default_factory=dict)
    _silent: int = 0

    async def run(self) -> None:
        """Returns when all answers are there, or the server answers no more. Never raises for what a server does."""
        workers = min(self.workers, self.total)
        await self._side_by_side(workers, workers * WARM_UP, self._warm_up)
        self.warm_up = workers * WARM_UP if self.stopped is None else 0
        if self.stopped is None:
            self._silent = 0
            began = trio.current_time()
            await self._side_by_side(workers, self.total, self._measure)
            self.elapsed = trio.current_time() - began

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The most frequent first."""
        return tuple(Failure(*key, count, self._examples[key]) for key, count in self._counts.most_common())

    async def _side_by_side(self, workers: int, total: int, keep: Callable[[Exchange, float], None]) -> None:
        left = total

        async def work() -> None:
            nonlocal left
            while left > 0 and self.stopped is None:
                left -= 1
                keep(*await self._timed())

        async with trio.open_nursery() as nursery:
            for _ in range(workers):
                nursery.start_soon(work)

    async def _timed(self) -> tuple[Exchange, float]:
        exchange, seconds = await self._once()
        if await self.sender.renewed(exchange):  # an expired credential is asked for once more, as in a graded run
            exchange, seconds = await self._once()
        return exchange, seconds

    async def _once(self) -> tuple[Exchange, float]:
        sending = self.sender.compose(self.draft, self.peer)
        began = trio.current_time()
        exchange = await self.peer.wire.exchange(sending)
        seconds = trio.current_time() - began
        return self.sender.finish(exchange, self.peer), seconds

    def _warm_up(self, exchange: Exchange, seconds: float) -> None:
        self._look_after(exchange)
        if self.stopped is not None:
            self._count(exchange)

    def _measure(self, exchange: Exchange, seconds: float) -> None:
        self.sent += 1
        self._look_after(exchange)
        status = None if exchange.http is None else exchange.http.status
        if exchange.message is not None and "result" in exchange.message and (status is None or status < 300):
            self.seconds.append(seconds)
        else:
            self._count(exchange)

    def _look_after(self, exchange: Exchange) -> None:
        process = self.peer.wire.process
        if exchange.outcome == "died" or (process is not None and not process.alive):
            words = "" if exchange.process is None else f" ({exit_words(exchange)})"
            self.stopped = self.stopped or f"the server exited{words}"
        self._silent = self._silent + 1 if exchange.outcome in _SILENT else 0
        if self._silent >= max(LEAST_SILENT, 2 * self.workers):
            self.stopped = self.stopped or f"the server did not answer {self._silent} requests in a row"

    def _count(self, exchange: Exchange) -> None:
        key = _key(exchange)
        self._counts[key] += 1
        if key not in self._examples:
            self._examples[key] = self.sender.context.secrets.mask(failure(exchange))


def _key(exchange: Exchange) -> tuple[FailureKind, int | None, int | None]:
    status = None if exchange.http is None else exchange.http.status
    error = exchange.error
    if error is not None:
        code = error.get("code") if isinstance(error, dict) else None
        return "json-rpc", code if isinstance(code, int) else None, status
    if status is not None and exchange.outcome != "unparsable":
        return "http", None, status
    outcome = exchange.outcome
    if outcome in ("timeout", "dropped", "unreachable", "died"):
        return outcome, None, status
    return "unparsable", None, status
