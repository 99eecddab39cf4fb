"""From a comparison of two reports to text for programs: JSON, and annotations of GitHub Actions."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.comparison import Change, Comparison
from mcp_compliance.model.past_report import PastReport
from mcp_compliance.model.result import Result
from mcp_compliance.reporters.github import command
from mcp_compliance.reporters.json_text import json_text
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import visible

SCHEMA_VERSION = "1"


def render_json(found: Comparison, style: Style) -> str:
    """One JSON document. ``style`` is not asked: data looks the same everywhere."""
    document: JSONObject = {
        "schemaVersion": SCHEMA_VERSION,
        "specVersion": found.current.spec_version,
        "baseline": _report(found.baseline),
        "current": _report(found.current),
        "regressed": bool(found.newly_failing),
        "newlyFailing": _changes(found.newly_failing),
        "fixed": _changes(found.fixed),
        "newlySkipped": _changes(found.newly_skipped),
        "noLongerSkipped": _changes(found.no_longer_skipped),
        "stillFailing": _changes(found.still_failing),
        "added": _changes(found.added),
        "removed": _changes(found.removed),
        "notes": list(found.notes),
    }
    return json_text(document, indent=2)


def _report(report: PastReport) -> JSONObject:
    return {
        "file": report.name,
        "toolVersion": report.tool_version,
        "url": report.url,
        "timestamp": report.timestamp,
        "score": report.score,
        "grade": report.grade,
        "recordedScore": report.recorded,
    }


def _changes(changes: Sequence[Change]) -> JSON:
    return [
        {"id": change.id, "before": _verdict(change.before), "after": _verdict(change.after), **_about(change)}
        for change in changes
    ]


def _about(change: Change) -> JSONObject:
    result = change.after or change.before
    return {} if result is None else {"required": result.required, "details": result.message}


def _verdict(result: Result | None) -> JSON:
    return None if result is None else result.verdict


def render_github(found: Comparison, style: Style) -> str:
    """An error for each test that newly fails, a notice for the rest. ``style`` is not asked."""
    lines = [
        command("error", f"Newly failing: {change.id}", "" if change.after is None else visible(change.after.message))
        for change in found.newly_failing
    ]
    quiet = (
        ("Fixed", found.fixed),
        ("Newly skipped", found.newly_skipped),
        ("No longer skipped", found.no_longer_skipped),
        ("New tests", found.added),
        ("Removed tests", found.removed),
    )
    lines += [
        command("notice", title, ", ".join(change.id for change in changes)) for title, changes in quiet if changes
    ]
    lines += [command("warning", "MCP compliance diff", visible(note)) for note in found.notes]
    before, after = found.baseline, found.current
    summary = f"{before.grade} {before.score}/100 to {after.grade} {after.score}/100 (MCP {after.spec_version})"
    lines.append(command("notice", "MCP compliance diff", f"{summary}, {len(found.newly_failing)} newly failing"))
    return "\n".join(lines) + "\n"
