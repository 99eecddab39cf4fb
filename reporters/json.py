"""The JSON report, version 1: the stable contract, described by ``model/schemas/report.v1.json``.

Optional fields appear only where they say something: ``skipped`` on skips, ``force`` and ``fix`` on findings,
``cause`` on what only follows, ``evidence`` where an evidence file was asked for. A broken rule measured nothing,
so in the words of version 1 it is a skip; its ``verdict`` says ``broken``. That way a reader who recomputes score,
counts and overall verdict from the tests alone arrives at those of the report.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.result import Listing, Report, Result
from mcp_compliance.model.scoring import Counts, counts, grade, overall, score
from mcp_compliance.reporters.json_text import json_text
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.warnings import capped

SCHEMA_VERSION = "1"


def render(report: Report, style: Style) -> str:
    """One JSON document, ending in a line feed. ``style`` is not asked: data looks the same everywhere."""
    return json_text(document(report), indent=2)


def document(report: Report) -> JSONObject:
    """The report as JSON values, ready to be validated."""
    points = score(report.results)
    found: JSONObject = {
        "schemaVersion": SCHEMA_VERSION,
        "specVersion": report.spec_version,
        "toolVersion": report.tool_version,
        "url": report.url,
        "transport": report.transport,
        "timestamp": report.timestamp,
        "score": points,
        "grade": grade(points),
        "overall": overall(report.results),
        "summary": _summary(report.results),
        "categories": _categories(report.results),
        "tests": [test_entry(result) for result in report.results],
        "warnings": list(capped(report.warnings)),
        "serverInfo": {
            "protocolVersion": report.server.protocol_version,
            "name": report.server.name,
            "version": report.server.version,
            "capabilities": _finite(report.server.capabilities),
        },
        **_listing("tool", report.tools),
        **_listing("resource", report.resources),
        **_listing("prompt", report.prompts),
        "badge": {"imageUrl": "", "reportUrl": "", "markdown": "", "html": ""},
        "seed": report.seed,
    }
    if report.detection is not None:
        found["detection"] = {"era": report.detection.era, "reason": report.detection.reason}
    if report.error is not None:
        found["error"] = report.error
    return found


def _summary(results: Sequence[Result]) -> JSONObject:
    found = counts(results)
    return {
        "total": found.total,
        "passed": _passed(found),
        "failed": found.total - _passed(found),
        "required": found.required,
        "requiredPassed": sum(result.required and _counts_as_passed(result) for result in results),
        "skipped": found.skipped + found.broken,
        "mustViolations": found.must_violations,
        "notEvaluable": found.not_evaluable,
    }


def _categories(results: Sequence[Result]) -> JSONObject:
    names = dict.fromkeys(result.category for result in results)
    groups = {name: counts([result for result in results if result.category == name]) for name in names}
    return {
        name: {"passed": _passed(found), "total": found.total, "skipped": found.skipped + found.broken}
        for name, found in groups.items()
    }


def _passed(found: Counts) -> int:
    return found.passed + found.broken


def _counts_as_passed(result: Result) -> bool:
    return result.passed or not result.scored


def test_entry(result: Result) -> JSONObject:
    """A member of ``tests``."""
    found: JSONObject = {
        "id": result.id,
        "name": result.name,
        "category": result.category,
        "passed": _counts_as_passed(result),
        "required": result.required,
        "details": result.message,
        "durationMs": result.duration_ms,
        "verdict": result.verdict,
    }
    if not result.scored:
        found["skipped"] = True
    finding = result.verdict in ("fail", "not-evaluable")
    optional: dict[str, JSON] = {
        "specRef": result.spec_ref,
        "force": result.force if finding else None,
        "requirements": list(result.requirements),
        "cause": result.cause,
        "fix": result.fix if finding else None,
        "origin": result.origin,
        "evidence": [record.key for record in result.exchanges],
    }
    return {**found, **{name: value for name, value in optional.items() if value}}


def _listing(kind: str, listing: Listing) -> JSONObject:
    return {f"{kind}Count": listing.count, f"{kind}Names": list(listing.names)}


def _finite(value: JSON) -> JSON:
    """A number too large for a double arrives as infinity, which JSON cannot say: null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list) else value
