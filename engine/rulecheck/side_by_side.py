"""Does the same work for many rules on all processors, where the system can fork."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar, cast

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

FEWEST = 12
"""Items for which starting processes pays."""
MOST_PROCESSES = 4

_inherited: dict[str, Callable[[int], object]] = {}
"""What a child does, by the one name ``work``."""


def on_all(work: Callable[[Item], Outcome], items: Sequence[Item]) -> list[Outcome]:
    """``work`` for each item, results in their order. Exceptions of ``work`` arrive here.

    Children inherit the items by fork: compiled rules cannot be pickled, and reading them again would cost more
    than it saves. Elsewhere, and beside other threads, which a fork would tear away, all is done one by one.
    """
    processes = min(_processors(), MOST_PROCESSES)
    alone = threading.active_count() == 1
    if len(items) < FEWEST or processes < 2 or not sys.platform.startswith("linux") or not alone:
        return [work(item) for item in items]
    _inherited["work"] = lambda index: work(items[index])
    try:
        with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
            return cast("list[Outcome]", list(pool.map(_one, range(len(items)))))
    finally:
        del _inherited["work"]


def _one(index: int) -> object:
    return _inherited["work"](index)


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
