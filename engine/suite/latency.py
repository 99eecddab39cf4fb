"""From single answer times to the figures that people compare."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Latency:
    """Times from request to answer in milliseconds. A percentile is a time that was measured (nearest rank): of 200
    answers 190 took ``p95`` or less.
    """

    min: float
    mean: float
    p50: float
    p90: float
    p95: float
    p99: float
    max: float


def latency(seconds: Sequence[float]) -> Latency | None:
    """The figures of these times in seconds; None where there are none."""
    if not seconds:
        return None
    times = sorted(second * 1000 for second in seconds)
    return Latency(
        min=times[0],
        mean=math.fsum(times) / len(times),
        p50=_percentile(times, 50),
        p90=_percentile(times, 90),
        p95=_percentile(times, 95),
        p99=_percentile(times, 99),
        max=times[-1],
    )


def _percentile(ordered: Sequence[float], share: int) -> float:
    # in whole numbers: 0.9 * 10 is more than 9 for some floating-point products, and the rank then one too high
    rank = -(-share * len(ordered) // 100)
    return ordered[max(rank, 1) - 1]
