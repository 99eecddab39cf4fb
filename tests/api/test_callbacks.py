"""What a caller is told, in which order, and what becomes of a function that raises."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
import trio

from mcp_compliance import run_compliance_suite, run_compliance_suite_async
from mcp_compliance.model.events import Listener

from .conftest import REPORT, ScriptedSuite, result

URL = "http://127.0.0.1:9/mcp"


def from_plain_code(**keywords: Any) -> object:
    return run_compliance_suite(URL, **keywords)


def from_trio(**keywords: Any) -> object:
    async def main() -> object:
        return await run_compliance_suite_async(URL, **keywords)

    return trio.run(main)


def from_asyncio(**keywords: Any) -> object:
    async def main() -> object:
        return await run_compliance_suite_async(URL, **keywords)

    return asyncio.run(main())


Way = Callable[..., object]
WAYS = pytest.mark.parametrize("run", [from_plain_code, from_trio, from_asyncio])


async def tells(listener: Listener) -> None:
    listener.status("waiting")
    listener.server_stderr("hello")
    listener.planned(5, "2025-11-25")
    for rule, verdict in (("a", "pass"), ("b", "skip"), ("c", "fail"), ("d", "not-evaluable"), ("e", "broken")):
        listener.started(rule)
        listener.finished(result(verdict, rule))  # type: ignore[arg-type]
        await trio.lowlevel.checkpoint()


@WAYS
def test_everything_is_told_in_order(run: Way, suite: ScriptedSuite) -> None:
    suite.script = tells
    told: list[object] = []
    report = run(
        on_planned=lambda *plan: told.append(plan),
        on_test_complete=lambda done: told.append((done.id, done.verdict, done.skipped)),
        on_progress=lambda *told_of: told.append(told_of),
        on_status=told.append,
        on_server_stderr=told.append,
    )
    assert report is REPORT
    assert told == [
        "waiting",
        "hello",
        (5, "2025-11-25"),
        ("a", "pass", False),
        ("a", True, "a: pass"),
        ("b", "skip", True),
        ("b", True, "b: skip"),
        ("c", "fail", False),
        ("c", False, "c: fail"),
        ("d", "not-evaluable", False),
        ("d", False, "d: not-evaluable"),
        ("e", "broken", False),
        ("e", True, "e: broken"),
    ]
    assert suite.seen[-1].forward_stderr


@WAYS
def test_what_a_function_raises_ends_the_run_in_order(run: Way, suite: ScriptedSuite) -> None:
    told: list[str] = []

    async def endless(listener: Listener) -> None:
        await tells(listener)
        await trio.sleep_forever()

    def one_too_many(done: Any) -> None:
        told.append(done.id)
        raise LookupError("enough")

    suite.script = endless
    with pytest.raises(LookupError, match="enough"):
        run(on_test_complete=one_too_many)
    assert told == ["a"]
    assert suite.cleaned_up


@WAYS
def test_what_the_last_call_raises_is_not_lost(run: Way, suite: ScriptedSuite) -> None:
    async def one(listener: Listener) -> None:
        listener.finished(result())

    def fails(done: Any) -> None:
        raise LookupError("too late")

    suite.script = one
    with pytest.raises(LookupError, match="too late"):
        run(on_test_complete=fails)


@WAYS
def test_an_async_function_is_refused(run: Way, suite: ScriptedSuite) -> None:
    async def never_awaited(done: Any) -> None:
        return

    with pytest.raises(TypeError, match="on_test_complete: expected a plain function"):
        run(on_test_complete=never_awaited)
    assert not suite.seen


@WAYS
def test_functions_are_called_in_the_thread_of_the_caller(run: Way, suite: ScriptedSuite) -> None:
    suite.script = tells
    threads: set[int] = set()
    run(on_test_complete=lambda done: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


@WAYS
def test_a_fault_of_the_suite_comes_through(run: Way, suite: ScriptedSuite) -> None:
    async def broken(listener: Listener) -> None:
        raise ExceptionGroup("of a nursery", [ZeroDivisionError()])

    suite.script = broken
    with pytest.raises(ZeroDivisionError):
        run()


def test_a_running_asyncio_loop_is_refused(suite: ScriptedSuite) -> None:
    async def main() -> None:
        run_compliance_suite(URL)

    with pytest.raises(RuntimeError, match=r"asyncio runs in this thread .* await run_compliance_suite_async"):
        asyncio.run(main())


def test_a_running_trio_loop_is_refused(suite: ScriptedSuite) -> None:
    async def main() -> None:
        run_compliance_suite(URL)

    with pytest.raises(RuntimeError, match=r"trio runs in this thread .* await run_compliance_suite_async"):
        trio.run(main)


def test_another_thread_of_an_asyncio_program_is_fine(suite: ScriptedSuite) -> None:
    async def main() -> object:
        return await asyncio.to_thread(run_compliance_suite, URL)

    assert asyncio.run(main()) is REPORT
