"""What the HTML report says, ready for its template: counted, grouped and put into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcp_compliance.model.result import Grade, Listing, Report, Result, Verdict
from mcp_compliance.model.scoring import Counts, counts, grade, score
from mcp_compliance.reporters.advice import after_error
from mcp_compliance.reporters.findings import Finding, findings
from mcp_compliance.reporters.warnings import capped

TRANSPORTS = {"http": "Streamable HTTP", "stdio": "stdio"}
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
_LONGEST_NAME = 200
_MOST_NAMES = 25


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
    one_cause = report.error is not None and not _other_causes(results)
    grouped = () if one_cause else findings(results)
    return Page(
        graded=bool(results) or report.error is None,
        points=points,
        grade=grade(points),
        counts=found,
        graded_title="What was graded" if results or report.error is None else "What was to be graded",
        headline=_headline(report.results, found, one_cause=one_cause),
        measured=_measured(found),
        error_advice=after_error(report) if report.error is not None else "",
        one_cause=one_cause,
        shares=_shares(found),
        facts=tuple(_facts(report)),
        time=report.timestamp.removesuffix("Z").replace("T", " ") + " UTC",
        took=_took(report),
        findings=grouped,
        findings_remark=_findings_remark(grouped),
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


def _other_causes(results: Sequence[Result]) -> bool:
    causes = {result.cause for result in results if result.scored and not result.passed}
    return None in causes or len(causes) > 1


def _headline(results: Sequence[Result], found: Counts, *, one_cause: bool) -> str:
    if one_cause:
        if not found.total:
            return "Nothing was graded"
        return f"{found.failed} of {found.total} rules failed, all for one reason"
    if not found.total:
        return "No tests ran -- check --only/--skip"
    if not found.measured:
        return "No test measured anything"
    failed = found.failed - found.broken
    if not failed:
        return "Everything that was measured conforms"
    said = f"{failed} of {found.measured} {_rules(found.measured)} failed"
    expected = _expected(result for result in results if result.scored and not result.passed)
    return f"{said}, {expected}" if expected else said


def _expected(failures: Iterable[Result]) -> str:
    known = [failure.expected for failure in failures]
    return "" if not any(known) else "all expected" if all(known) else f"{sum(known)} expected"


def _findings_remark(found: Sequence[Finding]) -> str:
    order = "by root cause, required rules in front" if len(found) > 1 else ""
    expected = _expected(result for finding in found for result in finding.results)
    return "; ".join(remark for remark in (order, expected) if remark)


def _measured(found: Counts) -> str:
    if not found.measured:
        return ""
    return f"{found.measured} of {found.total} {_rules(found.total)} measured something; only these are scored."


def _rules(number: int) -> str:
    return "rule" if number == 1 else "rules"


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


def _facts(report: Report) -> list[tuple[str, str]]:
    """What was graded, as labels and values."""
    facts = [("Specification", f"MCP {report.spec_version}")]
    if report.detection is not None:
        how = {"detected": "auto-detected from", "undetermined": "assumed;"}.get(report.detection.era, "")
        facts.append(("Chosen because", " ".join(word for word in (how, report.detection.reason) if word)))
    if report.error is None or report.server.name:
        name = " ".join(word[:_LONGEST_NAME] for word in (report.server.name, report.server.version) if word)
        facts.append(("Server", name or "did not say its name"))
        facts.append(("Protocol, says the server", (report.server.protocol_version or "no version")[:_LONGEST_NAME]))
    facts.append(("Transport", TRANSPORTS[report.transport]))
    listed = (("tool", report.tools), ("resource", report.resources), ("prompt", report.prompts))
    facts.extend((f"{kind.title()}s", _listing(listing)) for kind, listing in listed if listing.count)
    facts.append(("Seed", str(report.seed)))
    facts.append(("Graded by", f"mcp-compliance {report.tool_version}"))
    return facts


def _listing(listing: Listing) -> str:
    names = ", ".join(name[:_LONGEST_NAME] for name in listing.names[:_MOST_NAMES])
    more = listing.count - min(len(listing.names), _MOST_NAMES)
    if not names:
        return str(listing.count)
    return f"{listing.count}: {names}{f' and {more} more' if more > 0 else ''}"


def _took(report: Report) -> str:
    total, waiting = report.durations.get("total"), report.durations.get("waiting")
    if total is None:
        return ""
    took = f"{len(report.results)} {_rules(len(report.results))} in {total / 1000:.1f} s"
    # Waits overlap when requests do; then their sum says nothing about the server.
    if waiting is None or waiting > total:
        return took
    return f"{took}, {waiting / 1000:.1f} s of it waiting for the server"


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
