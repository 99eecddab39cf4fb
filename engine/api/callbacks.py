"""The functions of a caller that are told what a run does."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeAlias

from mcp_compliance.model.events import Silence
from mcp_compliance.model.result import Result

OnPlanned: TypeAlias = Callable[[int, str], object]
OnTestComplete: TypeAlias = Callable[[Result], object]
OnProgress: TypeAlias = Callable[[str, bool, str], object]
OnText: TypeAlias = Callable[[str], object]


@dataclass(frozen=True)
class Callbacks:
    """Plain functions; what they return is not looked at. Raises ``TypeError`` for what cannot be called so."""

    on_planned: OnPlanned | None = None
    on_test_complete: OnTestComplete | None = None
    on_progress: OnProgress | None = None
    on_status: OnText | None = None
    on_server_stderr: OnText | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and not callable(value):
                raise TypeError(f"{each.name}: expected a function, not {type(value).__name__}")
            if inspect.iscoroutinefunction(value):
                raise TypeError(f"{each.name}: expected a plain function; an async one would never be awaited")


class CallbackListener(Silence):
    """Hands events on through ``tell``, which calls a function now or later and takes care of what it raises."""

    def __init__(self, callbacks: Callbacks, tell: Callable[[Callable[[], object]], None]) -> None:
        self._callbacks = callbacks
        self._tell = tell

    def planned(self, total: int, spec_version: str) -> None:
        if (planned := self._callbacks.on_planned) is not None:
            self._tell(lambda: planned(total, spec_version))

    def finished(self, result: Result) -> None:
        complete, progress = self._callbacks.on_test_complete, self._callbacks.on_progress
        if complete is not None:
            self._tell(lambda: complete(result))
        if progress is not None:
            # as in the JSON report: what measured nothing has not failed
            passed = result.passed or not result.scored
            self._tell(lambda: progress(result.id, passed, result.message))

    def status(self, message: str) -> None:
        if (status := self._callbacks.on_status) is not None:
            self._tell(lambda: status(message))

    def server_stderr(self, line: str) -> None:
        if (stderr := self._callbacks.on_server_stderr) is not None:
            self._tell(lambda: stderr(line))
