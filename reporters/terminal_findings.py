"""What a terminal report explains: failures by root cause, skipped checks by reason, broken rules."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.findings import Finding, findings
from mcp_compliance.reporters.page import LABEL, Page
from mcp_compliance.reporters.terminal_overview import SKIP_PREFIX
from mcp_compliance.reporters.untrusted import visible


def add_failures(page: Page, report: Report) -> None:
    found = findings(report.results)
    if not found:
        return
    failed = [result for finding in found for result in finding.results]
    causes = "1 cause" if len(found) == 1 else f"{len(found)} causes"
    remarks = [f"{len(failed)} rules, {causes}"] if len(failed) > len(found) else []
    if len(found) > 1 and not remarks:
        remarks.append("required first")
    expected = sum(result.expected for result in failed)
    if expected:
        remarks.append("all expected" if expected == len(failed) else f"{expected} expected")
    page.heading(f"FAILURES ({len(failed)})", ", ".join(remarks))
    for number, finding in enumerate(found, start=1):
        page.blank()
        _add_finding(page, number, finding)


def add_skips(page: Page, report: Report) -> None:
    skips = [result for result in report.results if result.skipped]
    if not skips:
        return
    page.heading(f"SKIPPED CHECKS ({len(skips)})", "they measured nothing and do not count")
    for reason, results in _by_message(skips):
        page.wrapped(reason, indent=2)
        page.wrapped(", ".join(result.id for result in results), "dim", indent=4)


def add_broken(page: Page, report: Report) -> None:
    broken = [result for result in report.results if result.verdict == "broken"]
    if not broken:
        return
    page.heading(f"BROKEN RULES ({len(broken)})", "not the fault of the server; left out of the score")
    for result in broken:
        page.line((result.id, "magenta"), indent=2)
        page.wrapped(visible(result.message), indent=4)


def _add_finding(page: Page, number: int, finding: Finding) -> None:
    head = finding.head
    colour = "red" if any(result.required and not result.expected for result in finding.results) else "yellow"
    page.line(
        (f"{number:>2}  ", "dim"),
        (head.id, f"bold {colour}"),
        ("  required" if head.required else "  optional", "dim"),
        (", expected" if head.expected else "", "dim"),
    )
    page.wrapped(visible(head.name), "dim", indent=4)
    page.wrapped(visible(head.message), colour, indent=4)
    if finding.cause != head.id:
        page.wrapped(visible(finding.cause), indent=4, label="cause")
    for evidence in head.evidence:
        step = f"{evidence.step}: " if len(head.evidence) > 1 else ""
        page.wrapped(visible(step + evidence.sent), indent=4, label="sent")
        page.wrapped(visible(evidence.received), indent=4, label="received")
    if head.expected_because:
        page.wrapped(visible(head.expected_because), indent=4, label="expected")
    if head.why:
        page.wrapped(visible(head.why.strip(), lines=True), indent=4, label="why")
    if head.fix:
        page.wrapped(visible(head.fix.strip(), lines=True), indent=4, label="fix")
    if head.spec_ref:
        page.labelled("spec", visible(head.spec_ref), "cyan", indent=4)
    if finding.followers:
        count = len(finding.followers)
        more = "1 more rule" if count == 1 else f"{count} more rules"
        page.wrapped(f"{more} failed for the same cause:", indent=4, label="follows")
        told = [follower for follower in finding.followers if follower.message == head.message]
        if told:
            page.wrapped(", ".join(map(_name, told)), "dim", indent=4 + LABEL)
        for follower in finding.followers:
            if follower not in told:
                page.wrapped(f"{_name(follower)}: {visible(follower.message)}", "dim", indent=4 + LABEL)


def _name(follower: Result) -> str:
    return f"{follower.id} (expected)" if follower.expected else follower.id


def _by_message(skips: Sequence[Result]) -> list[tuple[str, list[Result]]]:
    groups: dict[str, list[Result]] = {}
    for result in skips:
        groups.setdefault(visible(result.message).removeprefix(SKIP_PREFIX), []).append(result)
    return list(groups.items())
