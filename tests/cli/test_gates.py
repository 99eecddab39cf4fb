"""Exit codes."""

from __future__ import annotations

from typing import get_args

import pytest

from mcp_compliance.cli import choices
from mcp_compliance.cli.gates import Gates, outcome
from mcp_compliance.model.options import FailOn
from mcp_compliance.model.result import Grade
from mcp_compliance.model.scoring import GRADE_FLOORS

from .conftest import report, result

CLEAN = report(result(required=True), result("skip"))
OPTIONAL = report(result(required=True), result(), result(), result("fail", force="SHOULD"))
MUST = report(result(required=True), result("fail", force="MUST"))
REQUIRED = report(result("fail", required=True, force="MUST"), result())
UNCLEAR = report(result("not-evaluable", required=True), result())


@pytest.mark.parametrize(
    ("run", "gates", "code"),
    [
        (REQUIRED, Gates(), 0),
        (CLEAN, Gates(strict=True, min_grade="A", fail_on="any"), 0),
        (OPTIONAL, Gates(strict=True), 0),
        (OPTIONAL, Gates(fail_on="must"), 0),
        (OPTIONAL, Gates(fail_on="required"), 0),
        (OPTIONAL, Gates(fail_on="any"), 1),
        (MUST, Gates(strict=True), 0),
        (MUST, Gates(fail_on="must"), 1),
        (REQUIRED, Gates(strict=True), 1),
        (REQUIRED, Gates(fail_on="required"), 1),
        (UNCLEAR, Gates(strict=True), 1),
        (UNCLEAR, Gates(fail_on="must"), 0),
        (OPTIONAL, Gates(min_grade="A"), 0),  # 70 + 30 * 2/3 = 90
        (MUST, Gates(min_grade="C"), 0),  # 70
        (MUST, Gates(min_grade="B"), 1),
        (report(result("skip")), Gates(), 0),
        (report(result("skip")), Gates(min_grade="D"), 1),
        (report(), Gates(), 2),
        (report(result("broken"), result()), Gates(), 2),
        (report(result("fail", required=True), error="unreachable"), Gates(strict=True), 2),
    ],
)
def test_exit_code(run: object, gates: Gates, code: int) -> None:
    ended = outcome(run, gates)  # type: ignore[arg-type]
    assert ended.code == code
    assert bool(ended.reasons) is (code != 0)


def test_reasons_name_the_gate() -> None:
    assert outcome(REQUIRED, Gates(strict=True, min_grade="A", fail_on="must")).reasons == (
        "--strict: 1 required rule failed",
        "--min-grade A: the grade is F",
        "--fail-on must: 1 MUST violation",
    )


def test_the_choices_are_those_of_the_model() -> None:
    assert choices.GRADES == get_args(Grade) == tuple(letter for letter, _ in GRADE_FLOORS)
    assert get_args(FailOn) == choices.FAIL_ON
