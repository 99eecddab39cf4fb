"""The numbers of the page on scoring, each computed anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from mcp_compliance.cli.gates import Gates, outcome
from mcp_compliance.model.options import FailOn
from mcp_compliance.model.result import Force, Grade, Report, Result, Verdict
from mcp_compliance.model.scoring import (
    GRADE_FLOORS,
    OPTIONAL_WEIGHT,
    REQUIRED_WEIGHT,
    counts,
    grade,
    overall,
    score,
)

PAGE = (Path(__file__).resolve().parents[2] / "methodology" / "scoring.md").read_text(encoding="utf-8")


def table(heading: str, head: str) -> list[list[str]]:
    """The rows of the table below a heading whose first column has this title."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = section[section.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def passed_and_measured(cell: str) -> tuple[int, int]:
    passed, _, measured = cell.partition("/")
    return int(passed), int(measured)


def run_of(row: list[str]) -> list[Result]:
    """A run with these numbers. Failures that the row does not name otherwise violate a SHOULD."""
    doubtful, musts = int(row[5]), int(row[6])
    results: list[Result] = []

    def add(verdict: Verdict, required: bool, force: Force | None = None) -> None:
        results.append(Result(f"rule-{len(results)}", "n", "tools", verdict, "m", required, 0, force=force))

    for required, cell in ((True, row[1]), (False, row[2])):
        passed, measured = passed_and_measured(cell)
        for _ in range(passed):
            add("pass", required)
        for _ in range(measured - passed):
            if doubtful:
                doubtful -= 1
                add("not-evaluable", required)
            else:
                add("fail", required, "MUST" if musts else "SHOULD")
                musts = max(0, musts - 1)
    for _ in range(int(row[3])):
        add("skip", False)
    for _ in range(int(row[4])):
        add("broken", False)
    assert doubtful == musts == 0, "the example has fewer failures than it says"
    return results


EXAMPLES = {row[0][0]: row for row in table("Worked examples", "example")}
ENDS = {row[0]: row for row in table("Exit codes", "example")}
DEMANDS = (
    Gates(),
    Gates(strict=True),
    Gates(min_grade="B"),
    *(Gates(fail_on=word) for word in get_args(FailOn)),
)


@pytest.mark.parametrize("letter", EXAMPLES)
def test_score_grade_and_overall(letter: str) -> None:
    row = EXAMPLES[letter]
    results = run_of(row)
    assert counts(results).must_violations == int(row[6])
    assert (score(results), grade(score(results)), overall(results)) == (int(row[7]), row[8], row[9])


@pytest.mark.parametrize("letter", EXAMPLES)
def test_exit_codes(letter: str) -> None:
    report = Report("r", "0", "u", "http", "t", tuple(run_of(EXAMPLES[letter])))
    assert [outcome(report, demand).code for demand in DEMANDS] == [int(cell) for cell in ENDS[letter][1:]]


def test_every_example_has_its_end() -> None:
    assert list(EXAMPLES) == list(ENDS)
    assert len(EXAMPLES) == 10


def test_grades() -> None:
    said = [(row[0], int(re.findall(r"\d+", row[1])[0])) for row in table("Score and grade", "grade")]
    assert said[:-1] == [(letter, floor) for letter, floor in GRADE_FLOORS if floor]
    assert said[-1] == ("F", said[-2][1])


def test_weights() -> None:
    assert f"{REQUIRED_WEIGHT} %, optional ones {OPTIONAL_WEIGHT} %" in " ".join(PAGE.split())
    assert f"score = {REQUIRED_WEIGHT} x required passed / required measured + {OPTIONAL_WEIGHT} x" in PAGE


def test_the_halves_that_the_page_works_out() -> None:
    half = REQUIRED_WEIGHT * 4 / 4 + OPTIONAL_WEIGHT * 3 / 20
    assert half == 74.5
    assert f"= {half:g}, which is rounded to {EXAMPLES['D'][7]}" in " ".join(PAGE.split())
    skips = int(EXAMPLES["E"][3])
    as_passes = score([*run_of(EXAMPLES["E"]), *(result("pass") for _ in range(skips))])
    assert f"had its skips counted as passes it would be {as_passes}" in " ".join(PAGE.split())


def result(verdict: Verdict) -> Result:
    return Result("more", "n", "tools", verdict, "m", False, 0)


def test_grade_is_a_letter_of_the_table() -> None:
    letters: set[Grade] = {letter for letter, _ in GRADE_FLOORS}
    assert {row[8] for row in EXAMPLES.values()} <= letters
