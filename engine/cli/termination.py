"""Being told to end by another program: a run then ends as by Ctrl+C, with the server's processes cleaned up."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import trio

T = TypeVar("T")


class Termination:
    """While it is entered, SIGTERM (as CI systems send it) and its like on each system (a closed terminal) raise
    KeyboardInterrupt. What is ignored, as by ``nohup``, stays ignored.

    SIGINT is not sent on for this: a script that starts the tool with ``&`` has that ignored.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._token: trio.lowlevel.TrioToken | None = None
        self._scope: trio.CancelScope | None = None
        self._asked = False

    def __enter__(self) -> Termination:
        from mcp_compliance.wire.process_group import ending_signals

        try:
            for number in ending_signals():
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._end)
        except ValueError:  # not the main thread; then signals are not ours to handle
            pass
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    async def guard(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work in trio, where an exception out of nowhere would leave things in pieces: it is cancelled."""
        import trio

        self._token, self._scope = trio.lowlevel.current_trio_token(), trio.CancelScope()
        try:
            with self._scope:
                result = await work()
        finally:
            self._token = None
        if self._asked:
            raise KeyboardInterrupt
        return result

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._asked = True
        if self._token is None or self._scope is None:
            raise KeyboardInterrupt
        self._token.run_sync_soon(self._scope.cancel)
