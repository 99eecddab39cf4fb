"""The score: a pure function of the results.

Required rules weigh 70 %, optional ones 30 %, over the rules that measured something. Skips and broken rules are left
out. When one of the two pools is empty the other carries everything; when nothing was measured the score is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mcp_compliance.model.result import Grade, Overall, Result

REQUIRED_WEIGHT = 70
OPTIONAL_WEIGHT = 30
GRADE_FLOORS: tuple[tuple[Grade, int], ...] = (("A", 90), ("B", 75), ("C", 60), ("D", 40), ("F", 0))


def half_up(value: float) -> int:
    """Round to the nearest integer, halves upwards (74.5 becomes 75; Python's ``round`` gives 74)."""
    return math.floor(value + 0.5)


def score(results: Sequence[Result]) -> int:
    """0 to 100."""
    required = [result.passed for result in results if result.scored and result.required]
    optional = [result.passed for result in results if result.scored and not result.required]
    if not required and not optional:
        return 0
    if not required:
        return half_up(100 * sum(optional) / len(optional))
    if not optional:
        return half_up(100 * sum(required) / len(required))
    return half_up(REQUIRED_WEIGHT * sum(required) / len(required) + OPTIONAL_WEIGHT * sum(optional) / len(optional))


def grade(points: int) -> Grade:
    return next(letter for letter, floor in GRADE_FLOORS if points >= floor)


def overall(results: Sequence[Result]) -> Overall:
    """``fail`` if nothing ran or a required rule failed, ``pass`` if nothing failed, else ``partial``."""
    failed = [result for result in results if not result.passed and result.verdict != "broken"]
    if not results or any(result.required for result in failed):
        return "fail"
    return "partial" if failed else "pass"


@dataclass(frozen=True)
class Counts:
    """Counts of some results. A skip counts as passed and is reported beside it; ``measured`` leaves skips out."""

    total: int
    passed: int
    failed: int
    skipped: int
    required: int
    required_passed: int
    must_violations: int
    not_evaluable: int
    broken: int

    @property
    def measured(self) -> int:
        return self.total - self.skipped - self.broken

    @property
    def measured_passed(self) -> int:
        return self.passed - self.skipped


def counts(results: Sequence[Result]) -> Counts:
    return Counts(
        total=len(results),
        passed=sum(result.passed for result in results),
        failed=sum(not result.passed for result in results),
        skipped=sum(result.skipped for result in results),
        required=sum(result.required for result in results),
        required_passed=sum(result.required and result.passed for result in results),
        must_violations=sum(result.violates_must for result in results),
        not_evaluable=sum(result.verdict == "not-evaluable" for result in results),
        broken=sum(result.verdict == "broken" for result in results),
    )
