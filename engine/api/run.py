"""Runs for programs: from plain code, and from trio or asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Unpack

import trio

from mcp_compliance.api.callbacks import Callbacks, OnPlanned, OnProgress, OnTestComplete, OnText
from mcp_compliance.api.options import SuiteKeywords, SuiteOptions, run_options
from mcp_compliance.api.single_run import SingleRun
from mcp_compliance.model.options import Target
from mcp_compliance.model.result import Report

ASYNC_NAME = "run_compliance_suite_async"


def run_compliance_suite(
    target: str | Sequence[str] | Target,
    options: SuiteOptions | None = None,
    *,
    on_planned: OnPlanned | None = None,
    on_test_complete: OnTestComplete | None = None,
    on_progress: OnProgress | None = None,
    on_status: OnText | None = None,
    on_server_stderr: OnText | None = None,
    **keywords: Unpack[SuiteKeywords],
) -> Report:
    """Grade one server and return the report.

    ``target`` is the URL of a Streamable HTTP endpoint, or the command that starts a stdio server: as one text, or
    word by word. ``HttpTarget`` and ``StdioTarget`` say the same in full. Options are the fields of ``SuiteOptions``,
    as an object, as keywords, or both; then keywords win.

    ``on_planned(total, spec_version)`` is called once, when it is clear how many rules of which revision will run.
    ``on_test_complete(result)`` is called when a rule has ended; ``result.skipped`` says that it measured nothing.
    ``on_progress(id, passed, details)`` is called then, too; there a skip is told as passed. ``on_status(message)``
    gets the lines for people about a wait before the first rule, ``on_server_stderr(line)`` what a stdio server
    writes to its standard error. They are plain functions and are called one at a time, in order. When one raises,
    the run ends there, is cleaned up (what it started is gone), and the same exception leaves this function.

    A server that cannot be reached or started is no exception: ``report.error`` says why. Raises ``ValueError`` and
    ``TypeError`` for a target and for options that cannot be used, before anything is connected, and
    ``RuntimeError`` where an event loop runs already: await ``run_compliance_suite_async`` there.
    """
    _refuse_a_running_loop()
    callbacks = Callbacks(on_planned, on_test_complete, on_progress, on_status, on_server_stderr)
    run = SingleRun(run_options(target, options, keywords, forward_stderr=on_server_stderr is not None), callbacks)
    return run.blocking()


async def run_compliance_suite_async(
    target: str | Sequence[str] | Target,
    options: SuiteOptions | None = None,
    *,
    on_planned: OnPlanned | None = None,
    on_test_complete: OnTestComplete | None = None,
    on_progress: OnProgress | None = None,
    on_status: OnText | None = None,
    on_server_stderr: OnText | None = None,
    **keywords: Unpack[SuiteKeywords],
) -> Report:
    """As ``run_compliance_suite``, to be awaited from trio or from asyncio.

    Under asyncio the run has a thread of its own, so the loop goes on; callbacks are called in the loop's thread.
    Cancelled, it first ends what it has started (the processes of a stdio server), and then lets the cancellation
    through.
    """
    callbacks = Callbacks(on_planned, on_test_complete, on_progress, on_status, on_server_stderr)
    run = SingleRun(run_options(target, options, keywords, forward_stderr=on_server_stderr is not None), callbacks)
    if trio.lowlevel.in_trio_task():
        return await run.report()
    from mcp_compliance.api.asyncio_run import in_asyncio

    return await in_asyncio(run)


def _refuse_a_running_loop() -> None:
    running = "trio" if trio.lowlevel.in_trio_run() else None
    try:
        asyncio.get_running_loop()
        running = running or "asyncio"
    except RuntimeError:
        pass
    if running is not None:
        raise RuntimeError(f"{running} runs in this thread and would stand still: await {ASYNC_NAME} instead")
