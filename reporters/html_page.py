"""What the HTML report says, ready for its template: counted, grouped and put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_compliance.model.result import Grade, Report, Result, Verdict
from mcp_compliance.model.scoring import Counts, counts, grade, score
from mcp_compliance.reporters.advice import after_error
from mcp_compliance.reporters.conclusions import follows_from_error
from mcp_compliance.reporters.findings import Finding, findings
from mcp_compliance.reporters.html_words import facts, findings_remark, headline, measured, took
from mcp_compliance.reporters.warnings import capped

LABELS: dict[Verdict, str] = {
    "fail": "Failed",
    "not-evaluable": "Not evaluable",
    "pass": "Passed",
    "skip": "Skipped",
    "broken": "Broken",
}
BADGES: dict[Verdict, str] = {
    "fail": "FAIL",
    "not-evaluable": "FAIL",
    "pass": "PASS",
    "skip": "SKIP",
    "broken": "BROKEN",
}
_SKIP_PREFIX = "Skipped: "


@dataclass(frozen=True)
class Share:
    """A part of all rules: a segment of the bar and an entry of its legend. ``start`` and ``size`` in percent."""

    kind: str
    label: str
    count: int
    start: float
    size: float


@dataclass(frozen=True)
class Category:
    """``percent`` of what was measured, rounded down: 100 only when nothing failed."""

    name: str
    results: tuple[Result, ...]
    counts: Counts
    percent: int
    kind: str


@dataclass(frozen=True)
class Reason:
    """Skips that give the same reason."""

    text: str
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Page:
    """Everything that the template prints beside the report itself."""

    graded: bool
    """False when the run did not even come to its first rule."""
    points: int
    grade: Grade
    counts: Counts
    graded_title: str
    headline: str
    measured: str
    error_advice: str
    one_cause: bool
    """All failures follow from the error of the report, so they are told once."""
    shares: tuple[Share, ...]
    facts: tuple[tuple[str, str], ...]
    time: str
    took: str
    findings: tuple[Finding, ...]
    findings_remark: str
    urgent: tuple[Finding, ...]
    """Those with a required rule that nobody expected to fail."""
    failed: int
    categories: tuple[Category, ...]
    reasons: tuple[Reason, ...]
    broken: tuple[Result, ...]
    warnings: tuple[str, ...]
    verdicts: tuple[tuple[Verdict, str, int], ...]
    """Those that occur, with their label and count."""
    badges: dict[Verdict, str]

    @property
    def failing(self) -> frozenset[str]:
        """Ids of the rules that a finding explains: a link to one of them leads there."""
        return frozenset(result.id for finding in self.findings for result in finding.results)


def page(report: Report) -> Page:
    results = report.results
    found = counts(results)
    points = score(results)
    one_cause = follows_from_error(report)
    grouped = () if one_cause else findings(results)
    return Page(
        graded=bool(results) or report.error is None,
        points=points,
        grade=grade(points),
        counts=found,
        graded_title="What was graded" if results or report.error is None else "What was to be graded",
        headline=headline(report),
        measured=measured(found),
        error_advice=after_error(report) if report.error is not None else "",
        one_cause=one_cause,
        shares=_shares(found),
        facts=tuple(facts(report)),
        time=report.timestamp.removesuffix("Z").replace("T", " ") + " UTC",
        took=took(report),
        findings=grouped,
        findings_remark=findings_remark(grouped),
        urgent=tuple(found for found in grouped if any(r.required and not r.expected for r in found.results)),
        failed=sum(len(finding.results) for finding in grouped),
        categories=_categories(results),
        reasons=_reasons(results),
        broken=tuple(result for result in results if result.verdict == "broken"),
        warnings=capped(report.warnings),
        verdicts=tuple(
            (verdict, label, number)
            for verdict, label in LABELS.items()
            if (number := sum(result.verdict == verdict for result in results))
        ),
        badges=BADGES,
    )


def _shares(found: Counts) -> tuple[Share, ...]:
    numbers = (
        ("pass", "passed", found.measured_passed),
        ("fail", "failed", found.failed - found.broken),
        ("skip", "skipped", found.skipped),
        ("broken", "broken", found.broken),
    )
    shares: list[Share] = []
    start = 0.0
    for kind, label, number in numbers:
        size = round(100 * number / found.total, 2) if found.total else 0.0
        if number or kind != "broken":
            shares.append(Share(kind, label, number, round(start, 2), size))
        start += size
    return tuple(shares)


def _categories(results: Sequence[Result]) -> tuple[Category, ...]:
    """In the order in which they first ran."""
    found = []
    for name in dict.fromkeys(result.category for result in results):
        members = tuple(result for result in results if result.category == name)
        tally = counts(members)
        percent = 100 * tally.measured_passed // tally.measured if tally.measured else 0
        kind = "none" if not tally.measured else "good" if percent == 100 else "fair" if percent >= 60 else "poor"
        found.append(Category(name, members, tally, percent, kind))
    return tuple(found)


def _reasons(results: Sequence[Result]) -> tuple[Reason, ...]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        if result.skipped:
            groups.setdefault(result.message.removeprefix(_SKIP_PREFIX), []).append(result)
    return tuple(Reason(text, tuple(members)) for text, members in groups.items())
