"""One run with the callbacks of a caller: where they are called, and what becomes of what they raise."""

from __future__ import annotations

from collections.abc import Callable

import trio

from mcp_compliance.api.callbacks import CallbackListener, Callbacks
from mcp_compliance.model.options import RunOptions
from mcp_compliance.model.result import Report
from mcp_compliance.suite.run import run_suite


class SingleRun:
    """To be run once. ``hand_over`` may be set before: it takes a call to where callbacks are to be made."""

    def __init__(self, options: RunOptions, callbacks: Callbacks) -> None:
        self._options = options
        self._callbacks = callbacks
        self._scope = trio.CancelScope()
        self._token: trio.lowlevel.TrioToken | None = None
        self._cancelled = False
        self._raised: BaseException | None = None
        self.hand_over: Callable[[Callable[[], None]], None] = lambda call: call()

    @property
    def raised(self) -> BaseException | None:
        """What a callback raised."""
        return self._raised

    def blocking(self) -> Report:
        """Run from start to end. Raises KeyboardInterrupt, after everything is cleaned up, on Ctrl+C."""
        try:
            # elsewhere than at checkpoints Ctrl+C may hit the starting of a task, and leave trio in pieces
            return trio.run(self.report, restrict_keyboard_interrupt_to_checkpoints=True)
        except BaseExceptionGroup as group:
            if group.split(KeyboardInterrupt)[0] is not None:
                raise KeyboardInterrupt from None
            raise

    async def report(self) -> Report:
        """The report, in trio. Raises what a callback raised, and ``trio.Cancelled`` after ``cancel``."""
        self._token = trio.lowlevel.current_trio_token()
        if self._cancelled:
            self._scope.cancel()
        report: Report | None = None
        try:
            with self._scope:
                report = await run_suite(self._options, CallbackListener(self._callbacks, self._tell))
        except ExceptionGroup as group:  # a fault of the suite; which nursery it came from says nothing to a caller
            raise _only(group) from group
        if self._raised is not None:
            raise self._raised
        if report is None:
            raise RunCancelled
        return report

    def cancel(self) -> None:
        """End the run early, from any thread and at any time; what it has started is ended first."""
        self._cancelled = True
        if self._token is not None:
            try:
                self._token.run_sync_soon(self._scope.cancel)
            except trio.RunFinishedError:
                return

    def _tell(self, call: Callable[[], object]) -> None:
        self.hand_over(lambda: self._call(call))

    def _call(self, call: Callable[[], object]) -> None:
        """Call, unless a call before has raised: a caller is not told more than it wants to know."""
        if self._raised is not None:
            return
        try:
            call()
        except BaseException as error:  # a listener must not raise: it would do so in the middle of a rule
            self._raised = error
            self.cancel()


class RunCancelled(BaseException):
    """The run was ended by ``cancel``. Does not leave this package."""


def _only(group: ExceptionGroup[Exception]) -> Exception:
    """The one exception of a group of one; else the group."""
    only: Exception = group
    while isinstance(only, ExceptionGroup) and len(only.exceptions) == 1:
        only = only.exceptions[0]
    return only
