"""A run for asyncio: trio, which carries it out, gets a thread of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress

from mcp_compliance.api.single_run import SingleRun
from mcp_compliance.model.result import Report


async def in_asyncio(run: SingleRun) -> Report:
    """The report. Callbacks are called in the thread of the loop; cancellation waits until all is cleaned up."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Report] = loop.create_future()

    def hand_over(call: Callable[[], None]) -> None:
        try:
            loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop was closed above this run: nobody is left to be told
            run.cancel()

    def work() -> None:
        try:
            report = run.blocking()
        except BaseException as error:
            hand_over(lambda error=error: _fail(done, error))  # type: ignore[misc]
        else:
            hand_over(lambda: _succeed(done, report))

    run.hand_over = hand_over
    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="mcp-compliance run").start()
    try:
        report = await asyncio.shield(done)
    except asyncio.CancelledError:
        run.cancel()
        while not done.done():
            with suppress(BaseException):
                await asyncio.shield(done)
        if not done.cancelled():
            done.exception()  # looked at, so that nothing is said of it
        raise
    if run.raised is not None:  # by a callback of the last rule, after the run
        raise run.raised
    return report


def _succeed(done: asyncio.Future[Report], report: Report) -> None:
    if not done.done():
        done.set_result(report)


def _fail(done: asyncio.Future[Report], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
