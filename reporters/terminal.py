"""The report for people: grade first, then what failed and why, what was measured, and what to do next."""

from __future__ import annotations

from mcp_compliance.model.result import Report
from mcp_compliance.model.scoring import counts
from mcp_compliance.reporters.advice import after_error
from mcp_compliance.reporters.findings import findings
from mcp_compliance.reporters.page import Page
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.terminal_findings import add_broken, add_failures, add_skips
from mcp_compliance.reporters.terminal_overview import (
    add_categories,
    add_error,
    add_grade,
    add_grade_again,
    add_header,
    add_one_cause,
    add_results,
)
from mcp_compliance.reporters.untrusted import visible
from mcp_compliance.reporters.warnings import capped


def render(report: Report, style: Style) -> str:
    """The whole report. Failures that all follow from the report's error are told once, not rule by rule."""
    page = Page(style)
    add_header(page, report)
    if report.error is not None:
        add_error(page, report)
    if report.error is None or _other_causes(report):
        for caveat in report.caveats:
            page.wrapped(visible(caveat), "bold yellow")
        page.blank()
        add_grade(page, report)
        add_failures(page, report)
        add_categories(page, report)
        add_results(page, report)
        add_skips(page, report)
        add_broken(page, report)
    elif report.results:
        add_one_cause(page, report)
    _add_warnings(page, report)
    _add_next(page, report)
    return page.text()


def _other_causes(report: Report) -> bool:
    causes = {result.cause for result in report.results if result.scored and not result.passed}
    return None in causes or len(causes) > 1


def _add_warnings(page: Page, report: Report) -> None:
    warnings = capped(report.warnings)
    if warnings:
        page.heading(f"WARNINGS ({len(warnings)})")
        page.bullets(visible(warning) for warning in warnings)


def _add_next(page: Page, report: Report) -> None:
    page.heading("NEXT")
    page.bullets(_advice(report))
    if report.error is None and "total" in report.durations:
        page.blank()
        if counts(report.results).measured and not report.caveats:  # the head has left a screen by now
            add_grade_again(page, report)
        page.line((_took(report), "dim"))


def _took(report: Report) -> str:
    total, waiting = report.durations["total"], report.durations.get("waiting")
    rules = "1 rule" if len(report.results) == 1 else f"{len(report.results)} rules"
    took = f"{rules} in {total / 1000:.1f} s"
    # Waits overlap when requests do; then their sum says nothing about the server.
    return (
        took if waiting is None or waiting > total else f"{took}, {waiting / 1000:.1f} s of it waiting for the server"
    )


def _advice(report: Report) -> list[str]:
    if report.error is not None:
        return [after_error(report)]
    if not report.results:
        return ["mcp-compliance test --list shows the rules and their categories."]
    advice = []
    found = findings(report.results)
    if found:
        advice.append(f"One rule alone: the same command with --only {found[0].head.id}.")
        if not any(result.exchanges for result in report.results):
            curl = ", with curl commands" if report.transport == "http" else ""
            advice.append(f"Everything sent and received{curl}: --evidence FILE.")
    advice.append("In CI: --strict exits 1 when a required rule fails, --min-grade B when the grade is below B.")
    advice.append(f"The same generated values again: --seed {report.seed}. The same report as data: --format json.")
    return advice
