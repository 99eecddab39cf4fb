"""Workflow commands: one line each, escaped, the most important first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from mcp_compliance.model.result import Report
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.style import Style

from . import samples
from .every_report import ALL, HOSTILE_TEXTS
from .golden import compare
from .html_states import CAVEAT, FULL, filled

every_report = pytest.mark.parametrize("report", ALL.values(), ids=ALL)


@dataclass(frozen=True)
class Command:
    """As the runner reads it."""

    kind: str
    title: str
    message: str


def render(report: Report) -> str:
    return REPORTERS["github"](report, Style())


def commands(report: Report) -> list[Command]:
    """Raises AssertionError for a line that is no command."""
    return [_read(line) for line in render(report).splitlines()]


def _read(line: str) -> Command:
    found = re.fullmatch(r"::(error|warning|notice) title=([^:,]*)::(.*)", line)
    assert found is not None, line
    kind, title, message = found.groups()
    assert not re.search("%(?!25|0A|3A|2C)", title + message)
    title = title.replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    return Command(kind, title, message.replace("%0A", "\n").replace("%25", "%"))


def test_golden() -> None:
    compare(Path("mixed.github.txt"), render(FULL))


@every_report
def test_every_line_is_a_command(report: Report) -> None:
    render(report).encode("utf-8")
    assert commands(report)
    assert commands(report)[-1].kind == "notice"
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ud800-\udfff]", render(report))


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_no_server_can_add_a_command(text: str) -> None:
    kinds = [[command.kind for command in commands(filled(said))] for said in (text, "x" * len(text))]
    assert kinds[0] == kinds[1]


def test_required_failures_are_errors_and_optional_ones_warnings() -> None:
    kinds = {command.title: command.kind for command in commands(samples.MIXED)}
    assert kinds["transport-batch-reject"] == "error"
    assert kinds["tools-list"] == "error"
    assert kinds["error-parse-code"] == "warning"
    assert kinds["tools-annotations"] == "error"


def test_a_command_says_what_failed_and_what_to_do() -> None:
    [batch] = [command for command in commands(samples.MIXED) if command.title == "transport-batch-reject"]
    assert batch.message == (
        f"Refuses JSON-RPC batches. {samples.BATCH.message}\nFix: {samples.BATCH.fix}\n"
        f"Specification: {samples.BATCH.spec_ref}"
    )


def test_failures_of_one_cause_are_one_command() -> None:
    [listed] = [command for command in commands(samples.MIXED) if command.title == "tools-list"]
    assert listed.message.endswith(f"\nAlso for this cause: tools-schema: {samples.TOOLS_SCHEMA.message}")
    assert "tools-schema" not in [command.title for command in commands(samples.MIXED)]


def test_each_warning_of_the_report_is_a_warning_in_order_and_the_first_is_first() -> None:
    warnings = [command for command in commands(FULL) if command.kind == "warning"]
    assert [command.message for command in warnings[:3]] == list(FULL.warnings)
    assert commands(FULL)[0].message == CAVEAT
    capped = commands(replace(samples.MIXED, warnings=tuple(f"warning {number}" for number in range(60))))
    assert "10 more warnings were left out" in [command.message for command in capped]


def test_an_expected_failure_is_a_notice_and_hides_no_other() -> None:
    kinds = {command.title: command.kind for command in commands(FULL)}
    assert kinds["error-parse-code"] == "notice"
    expected = replace(samples.TOOLS_LIST, expected=True)
    found = commands(replace(samples.MIXED, results=(expected, samples.TOOLS_SCHEMA)))
    assert found[0].title == "error" or found[0].title == "tools-list"
    kinds = {command.title: command.kind for command in found}
    assert kinds["tools-list"] == "error"  # for the sake of the one that follows


def test_the_summary_names_grade_and_revision() -> None:
    summary = commands(samples.MIXED)[-1]
    assert (summary.kind, summary.title) == ("notice", "MCP compliance")
    assert summary.message == (
        "Grade D, 55/100, MCP 2025-11-25. 4 of 9 rules failed. "
        "5 passed, 4 failed (1 not evaluable), 3 skipped, 1 broken, 3 MUST violations."
    )


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (samples.ALL_SKIPPED, "Grade F, 0/100, MCP 2025-11-25. No test measured anything."),
        (samples.NOTHING, "Grade F, 0/100, MCP 2025-11-25. No tests ran -- check --only/--skip."),
        (samples.NOT_STARTABLE, "Not graded, MCP 2025-11-25. Nothing was graded."),
        (samples.CLEAN, "Grade A, 100/100, MCP 2025-11-25. Everything that was measured conforms."),
    ],
)
def test_the_summary_of_a_run_that_says_little(report: Report, said: str) -> None:
    assert commands(report)[-1].message.startswith(said)


def test_an_error_is_one_error_not_88() -> None:
    first, *others = commands(samples.UNREACHABLE)
    assert first.kind == "error"
    assert "connection refused" in first.message
    assert "Check that the server runs" in first.message
    assert [command.kind for command in others] == ["notice"]
    assert "88 of 88 rules failed, all for this reason" in others[0].message
