"""A run that is cancelled ends what it has started, and then lets the cancellation through."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest
import trio

from mcp_compliance import run_compliance_suite_async
from mcp_compliance.model.events import Listener

from .conftest import ScriptedSuite

URL = "http://127.0.0.1:9/mcp"


def _runs() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "mcp-compliance run"]


async def endless(listener: Listener) -> None:
    listener.status("begun")
    try:
        await trio.sleep_forever()
    finally:
        with trio.CancelScope(shield=True):
            await trio.sleep(0.01)


def test_from_asyncio(suite: ScriptedSuite) -> None:
    suite.script = endless

    async def main() -> None:
        begun = asyncio.Event()
        task = asyncio.create_task(run_compliance_suite_async(URL, on_status=lambda line: begun.set()))
        async with asyncio.timeout(20):
            await begun.wait()
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()  # impatience does not keep it from cleaning up
        with pytest.raises(asyncio.CancelledError):
            await task
        assert suite.cleaned_up

    asyncio.run(main())
    for thread in _runs():
        thread.join(5)
    assert not _runs()


def test_from_asyncio_before_it_has_begun(suite: ScriptedSuite) -> None:
    suite.script = endless

    async def main() -> None:
        task = asyncio.create_task(run_compliance_suite_async(URL))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    for thread in _runs():
        thread.join(5)
    assert not _runs()


def test_a_timeout_of_asyncio(suite: ScriptedSuite) -> None:
    suite.script = endless

    async def main() -> None:
        async with asyncio.timeout(0.02):
            await run_compliance_suite_async(URL)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert suite.cleaned_up


def test_from_trio(suite: ScriptedSuite) -> None:
    suite.script = endless

    async def main() -> bool:
        with trio.CancelScope() as scope:
            await run_compliance_suite_async(URL, on_status=lambda line: scope.cancel())
        return scope.cancelled_caught

    assert trio.run(main)
    assert suite.cleaned_up


def test_the_process_of_a_real_server_is_gone() -> None:
    told: list[str] = []
    silent = "import os, sys; print(os.getpid(), file=sys.stderr, flush=True); sys.stdin.read()"

    async def main() -> None:
        begun = asyncio.Event()

        def heard(line: str) -> None:
            told.append(line)
            begun.set()

        run = run_compliance_suite_async([sys.executable, "-c", silent], on_server_stderr=heard)
        task = asyncio.create_task(run)
        async with asyncio.timeout(20):
            await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    with pytest.raises(ProcessLookupError):
        os.kill(int(told[0]), 0)
