"""What counts as failed, passed, skipped, reported in the comparison of a report with a case."""

from __future__ import annotations

from typing import Any

import pytest

from .corpus_case import Expect
from .report_rows import Report, read_report
from .verdicts import disagreements

NONE: frozenset[str] = frozenset()


def report(*tests: dict[str, Any], warnings: list[str] | None = None) -> Report:
    """A report of these results; what a result does not say is a pass."""
    rest: dict[str, Any] = {"passed": True, "required": False, "details": "fine", "durationMs": 1}
    return read_report(
        {
            "schemaVersion": "1",
            "specVersion": "2025-11-25",
            "serverInfo": {"protocolVersion": None},
            "tests": [{**rest, **test} for test in tests],
            "warnings": list(warnings or []),
            "overall": "pass",
            "summary": {},
        }
    )


PASSED = {"id": "a"}
FAILED = {"id": "a", "passed": False, "details": "status 204"}
SKIPPED = {"id": "a", "skipped": True}
NOT_EVALUABLE = {"id": "a", "passed": False, "details": "Not evaluable: a gate answered"}
NOT_EVALUABLE_SKIP = {"id": "a", "skipped": True, "verdict": "not-evaluable"}
REMARKED = {"id": "a", "details": "refused, though with 404"}


@pytest.mark.parametrize(
    ("expect", "good", "bad"),
    [
        (Expect(fail=("a",)), [FAILED, NOT_EVALUABLE, NOT_EVALUABLE_SKIP], [PASSED, SKIPPED, REMARKED]),
        (Expect(any_fail=("a", "b")), [FAILED, NOT_EVALUABLE], [PASSED, SKIPPED]),
        (Expect(flag={"a": ("404",)}), [FAILED, NOT_EVALUABLE, REMARKED], [PASSED, SKIPPED]),
        (Expect(passed=("a",)), [PASSED, REMARKED], [FAILED, SKIPPED, NOT_EVALUABLE, NOT_EVALUABLE_SKIP]),
        (Expect(not_fail=("a",)), [PASSED, SKIPPED, NOT_EVALUABLE, NOT_EVALUABLE_SKIP], [FAILED]),
        (Expect(not_pass=("a",)), [FAILED, SKIPPED, NOT_EVALUABLE, NOT_EVALUABLE_SKIP], [PASSED, REMARKED]),
        (Expect(skip=("a",)), [SKIPPED], [PASSED, FAILED, NOT_EVALUABLE]),
        (Expect(may=("a",)), [PASSED, FAILED, SKIPPED], []),
        (Expect(may=("*",)), [PASSED, FAILED, SKIPPED], []),
        (Expect(), [PASSED, SKIPPED, NOT_EVALUABLE], [FAILED]),
    ],
)
def test_states(expect: Expect, good: list[dict[str, Any]], bad: list[dict[str, Any]]) -> None:
    for test in good:
        assert disagreements(expect, report(test), NONE) == [], test
    for test in bad:
        assert len(disagreements(expect, report(test), NONE)) == 1, test


def test_warning_flags_a_pass_when_it_matches_all_patterns() -> None:
    expect = Expect(flag={"a": ("404", "session")})
    assert disagreements(expect, report(PASSED, warnings=["Session missing: 404 where 400 is recommended"]), NONE) == []
    assert disagreements(expect, report(PASSED, warnings=["404", "session"]), NONE) != []


@pytest.mark.parametrize(
    "expect", [Expect(fail=("b",)), Expect(passed=("b",)), Expect(skip=("b",)), Expect(flag={"b": ()})]
)
def test_missing_result_is_a_disagreement(expect: Expect) -> None:
    assert "not in the report" in disagreements(expect, report(PASSED), NONE)[0]
    assert disagreements(Expect(not_pass=("b",)), report(PASSED), NONE) == []


def test_unnamed_failures_are_forgiven_where_the_baseline_fails_or_the_site_decides() -> None:
    assert disagreements(Expect(), report(FAILED), frozenset({"a"})) == []
    assert disagreements(Expect(), report({**FAILED, "id": "security-rate-limiting"}), NONE) == []
    named = Expect(not_fail=("security-rate-limiting",))
    assert disagreements(named, report({**FAILED, "id": "security-rate-limiting"}), NONE) != []


def test_broken_rule_is_always_a_disagreement() -> None:
    broken = report({"id": "a", "passed": False, "verdict": "broken"})
    assert disagreements(Expect(may=("*",)), broken, NONE) != []
