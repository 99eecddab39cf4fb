"""Reports read back, of this version and of older ones, and what two of them say differently."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_compliance.model.comparison import Change, Comparison, NotComparableError, compare
from mcp_compliance.model.past_report import NotAReportError, PastReport, read_report
from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.json import document


def row(rule: str, state: str = "pass", *, required: bool = False, **more: Any) -> dict[str, Any]:
    passed = state != "fail"
    flag = {"skipped": True} if state == "skip" else {}
    return {"id": rule, "passed": passed, "required": required, "details": f"{state} it is", **flag, **more}


def written(*rows: dict[str, Any], flagged: bool = True, **more: Any) -> dict[str, Any]:
    summary = {"skipped": 0} if flagged else {}
    return {"schemaVersion": "1", "specVersion": "2025-11-25", "summary": summary, "tests": list(rows), **more}


def past(*rows: dict[str, Any], name: str = "a.json", **more: Any) -> PastReport:
    return read_report(json.dumps(written(*rows, **more)), name)


def verdicts(report: PastReport) -> list[str]:
    return [result.verdict for result in report.results]


def ids(changes: tuple[Change, ...]) -> list[str]:
    return [change.id for change in changes]


def test_a_report_of_this_version_keeps_its_verdicts_and_its_score() -> None:
    kinds = ("pass", "fail", "skip", "not-evaluable", "broken")
    results = tuple(Result(kind, "Does", "tools", kind, "so", kind == "fail", 1) for kind in kinds)  # type: ignore[arg-type]
    made = document(Report("2025-11-25", "1.2.3", "http://x/", "http", "2026-01-02T03:04:05Z", results))
    report = read_report(json.dumps(made), "now.json")
    assert verdicts(report) == list(kinds)
    assert [result.required for result in report.results] == [False, True, False, False, False]
    assert (report.score, report.grade, report.recorded) == (15, "F", 15)
    assert (report.tool_version, report.url, report.transport) == ("1.2.3", "http://x/", "http")


@pytest.mark.parametrize(
    ("details", "verdict"),
    [
        ("Skipped: no tools declared", "skip"),
        ("skipped", "skip"),
        ("no --auth given (skipped)", "skip"),
        ("Not applicable on stdio", "skip"),
        ("DELETE is not applicable here", "skip"),
        ("3 frames skipped over", "pass"),
        ("all is well", "pass"),
    ],
)
def test_without_flags_the_wording_tells_a_skip(details: str, verdict: str) -> None:
    report = past(row("a", details=details), row("b", "fail", details=details), flagged=False)
    assert verdicts(report) == [verdict, "fail"]


def test_with_flags_the_wording_tells_nothing() -> None:
    assert verdicts(past(row("a", details="Skipped: so it says"), row("b", "skip"))) == ["pass", "skip"]


def test_a_score_without_skips() -> None:
    """70 for all required; 30 * 2/3 for the optional ones that measured something, where 30 * 3/4 would be 92.5."""
    rows = [row("r", required=True), row("a"), row("b"), row("c", "fail"), row("d", details="Skipped: nothing there")]
    report = past(*rows, flagged=False, score=92.5, toolVersion="0.18.0")
    assert (report.score, report.grade) == (90, "A")
    (note,) = compare(report, past(*rows, name="b.json", score=93)).notes[:1]
    assert note == (
        "a.json (mcp-compliance 0.18.0) does not mark skips: they are read from its wording and left out of the score, "
        "which makes it 90/100; the file recorded 92.5/100"
    )


def test_a_flagged_report_that_scored_its_skips() -> None:
    old = past(row("a"), row("b", "fail"), row("c", "skip"), score=67, toolVersion="0.19.0")
    assert compare(old, past(row("a"), name="b.json", score=100)).notes == (
        "a.json (mcp-compliance 0.19.0) recorded 67/100; scored from its results as this version does, it is 50",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a":\n 1,}', "is not JSON: Expecting property name enclosed in double quotes (line 2, column 4)"),
        ("", "is not JSON: Expecting value (line 1, column 1)"),
        ("[1]", "is no report: expected a JSON object, found array"),
        ("[" * 100_000, "is no report: it is nested too deeply"),
        ("{}", "is no report of mcp-compliance: it has no schemaVersion (write one with --format json)"),
        (
            '{"schemaVersion": "2"}',
            'has the schemaVersion "2", and this version reads "1" alone; '
            "compare with the version of mcp-compliance that wrote it",
        ),
        ('{"schemaVersion": "1"}', "is no report: specVersion is missing"),
        ('{"schemaVersion": "1", "specVersion": 5}', "is no report: specVersion is no text"),
        ('{"schemaVersion": "1", "specVersion": "2025-11-25"}', "is no report: it has no list of tests"),
        (json.dumps(written(5)), "is no report: tests[0] is no object"),  # type: ignore[arg-type]
        (json.dumps(written({})), "is no report: tests[0] has no id"),
        (
            json.dumps(written(row("a"), row("b", required="yes"))),  # type: ignore[arg-type]
            "is no report: tests[1].required (b) is neither true nor false",
        ),
        (
            json.dumps(written(row("a", "fail"), error="the server cannot be\nreached")),
            "holds nothing to compare: its run ended with an error (the server cannot be reached)",
        ),
    ],
)
def test_what_is_no_report(text: str, message: str) -> None:
    with pytest.raises(NotAReportError) as refused:
        read_report(text, "a.json")
    assert str(refused.value) == message


def both(before: str, after: str) -> Comparison:
    return compare(past(row("a", before)), past(row("a", after)))


@pytest.mark.parametrize(
    ("before", "after", "group"),
    [
        ("pass", "fail", "newly_failing"),
        ("skip", "fail", "newly_failing"),
        ("fail", "pass", "fixed"),
        ("pass", "skip", "newly_skipped"),
        ("fail", "skip", "newly_skipped"),
        ("skip", "pass", "no_longer_skipped"),
        ("fail", "fail", "still_failing"),
        ("pass", "pass", None),
        ("skip", "skip", None),
    ],
)
def test_every_change_is_in_one_group(before: str, after: str, group: str | None) -> None:
    found = both(before, after)
    groups = ("newly_failing", "fixed", "newly_skipped", "no_longer_skipped", "still_failing", "added", "removed")
    assert [name for name in groups if getattr(found, name)] == ([] if group is None else [group])


def test_tests_that_come_and_go_are_no_regression() -> None:
    found = compare(past(row("old", "fail"), row("same")), past(row("same"), row("new", "fail")))
    assert (ids(found.added), ids(found.removed), found.newly_failing) == (["new"], ["old"], ())


def test_a_broken_rule_is_a_skip_and_an_answer_that_cannot_be_credited_a_failure() -> None:
    broken = row("a", "skip", verdict="broken")
    unclear = row("b", "fail", verdict="not-evaluable")
    found = compare(past(row("a"), row("b")), past(broken, unclear))
    assert (ids(found.newly_skipped), ids(found.newly_failing)) == (["a"], ["b"])


def test_different_revisions_are_refused_with_the_pin() -> None:
    with pytest.raises(NotComparableError) as refused:
        compare(past(name="old.json"), past(name="new.json", specVersion="2026-07-28"))
    assert str(refused.value) == (
        "old.json grades MCP 2025-11-25 and new.json MCP 2026-07-28, whose tests are not the same; run again with "
        "--spec-version 2025-11-25, or make a new baseline with --spec-version 2026-07-28"
    )


def test_different_transports_are_noted() -> None:
    assert compare(past(transport="http"), past(transport="stdio")).notes == (
        "the baseline ran over http and the current report over stdio: other tests apply",
    )
