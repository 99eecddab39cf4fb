"""The score, against cases worked out by hand."""

from __future__ import annotations

import pytest

from mcp_compliance.model.result import Result, Verdict
from mcp_compliance.model.scoring import counts, grade, half_up, overall, score


def results(verdict: Verdict, number: int, *, required: bool = False, force: str = "MUST") -> list[Result]:
    return [
        Result(f"{verdict}-{required}-{n}", "n", "tools", verdict, "m", required, 0, force=force)  # type: ignore[arg-type]
        for n in range(number)
    ]


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(74.5, 75), (74.49, 74), (0.5, 1), (1.5, 2), (2.5, 3), (0.0, 0), (99.5, 100), (100.0, 100)],
)
def test_rounds_halves_up(value: float, rounded: int) -> None:
    assert half_up(value) == rounded


def test_half_a_point_decides_the_grade() -> None:
    run = results("pass", 4, required=True) + results("pass", 3) + results("fail", 17)
    assert score(run) == 75  # 70 + 30 * 3/20 = 74.5
    assert grade(score(run)) == "B"


def test_skips_are_left_out() -> None:
    run = results("pass", 10, required=True) + results("pass", 15) + results("fail", 15) + results("skip", 20)
    assert score(run) == 85  # 70 + 30 * 15/30; with skips as passes it would be 91
    assert grade(85) == "B"


def test_everything_skipped_scores_nothing_but_fails_nothing() -> None:
    run = results("skip", 3) + results("skip", 2, required=True)
    assert (score(run), grade(score(run)), overall(run)) == (0, "F", "pass")


def test_nothing_ran() -> None:
    assert (score([]), grade(score([])), overall([])) == (0, "F", "fail")


def test_an_empty_pool_gives_its_weight_to_the_other() -> None:
    assert score(results("pass", 1, required=True) + results("fail", 2, required=True)) == 33
    assert score(results("pass", 2) + results("fail", 1)) == 67
    assert score(results("pass", 1) + results("fail", 1) + results("skip", 9, required=True)) == 50


def test_weights() -> None:
    assert score(results("pass", 1, required=True) + results("fail", 1)) == 70
    assert score(results("fail", 1, required=True) + results("pass", 1)) == 30


def test_what_cannot_be_evaluated_counts_as_failed() -> None:
    run = results("pass", 1, required=True) + results("not-evaluable", 1, required=True)
    assert score(run) == 50
    assert overall(run) == "fail"


def test_a_broken_rule_changes_neither_score_nor_verdict() -> None:
    run = results("pass", 2, required=True) + results("broken", 5, required=True)
    assert (score(run), overall(run)) == (100, "pass")


@pytest.mark.parametrize(
    ("points", "letter"),
    [
        (100, "A"),
        (90, "A"),
        (89, "B"),
        (75, "B"),
        (74, "C"),
        (60, "C"),
        (59, "D"),
        (40, "D"),
        (39, "F"),
        (0, "F"),
    ],
)
def test_grade_floors(points: int, letter: str) -> None:
    assert grade(points) == letter


def test_overall() -> None:
    assert overall(results("pass", 1) + results("skip", 1)) == "pass"
    assert overall(results("pass", 1, required=True) + results("fail", 1)) == "partial"
    assert overall(results("pass", 1) + results("fail", 1, required=True)) == "fail"


def test_counts_keep_skips_as_passes_and_beside_them() -> None:
    found = counts(
        results("pass", 3, required=True)
        + results("fail", 2, required=True)
        + results("fail", 1, force="SHOULD")
        + results("skip", 4)
        + results("not-evaluable", 1)
    )
    assert (found.total, found.passed, found.failed, found.skipped) == (11, 7, 4, 4)
    assert (found.required, found.required_passed) == (5, 3)
    assert (found.must_violations, found.not_evaluable) == (2, 1)
    assert (found.measured, found.measured_passed) == (7, 3)
