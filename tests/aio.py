"""Runs async tests with plain pytest: ``run(test)`` on a clock that jumps over waits, or on the real one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import trio
import trio.testing

T = TypeVar("T")


def run(test: Callable[..., Awaitable[T]], *args: Any, jump: bool = True, at_most: float = 60.0) -> T:
    """Run ``test(*args)``. With ``jump`` the clock jumps whenever all tasks wait (memory streams, no sockets
    or processes); without, it is the real clock. Fails after ``at_most`` seconds of that clock. Of exception
    groups with one member only that member is raised, so that ``pytest.raises`` sees it.
    """

    async def bounded() -> T:
        with trio.fail_after(at_most):
            return await test(*args)

    clock = trio.testing.MockClock(autojump_threshold=0) if jump else None
    try:
        return trio.run(bounded, clock=clock)
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raise error from None
