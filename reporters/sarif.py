"""The report as SARIF 2.1.0, as code scanning accepts it: failures are results, skips stand in the invocation.

Every failed rule has its result, also where many fail for one cause: with fewer, an outage would close the alerts of
those that are left out as if they were mended. ``executionSuccessful`` is false wherever the command ends with 2.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.conclusions import note, undone
from mcp_compliance.reporters.excerpt import excerpt
from mcp_compliance.reporters.json_text import json_text
from mcp_compliance.reporters.sarif_location import location_of
from mcp_compliance.reporters.sarif_rules import descriptors, level_of
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import visible
from mcp_compliance.reporters.warnings import capped

NAME = "mcp-compliance"
VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
INFORMATION = "https://pypi.org/project/mcp-compliance/"


def render(report: Report, style: Style) -> str:
    """One JSON document, ending in a line feed. ``style`` is not asked: data looks the same everywhere."""
    return json_text(document(report), indent=2)


def document(report: Report) -> JSONObject:
    """The log as JSON values, ready to be validated."""
    rules = descriptors(report.results)
    places = {str(rule["id"]): index for index, rule in enumerate(rules)}
    failed = [result for result in report.results if result.verdict in ("fail", "not-evaluable")]
    location = location_of(report)
    run: JSONObject = {
        "tool": {
            "driver": {
                "name": NAME,
                "version": report.tool_version,
                "semanticVersion": report.tool_version,
                "informationUri": INFORMATION,
                "rules": list(rules),
            }
        },
        "automationDetails": {"id": f"{NAME}/{report.spec_version}/"},
        "invocations": [_invocation(report)],
        "results": [_result(report, result, places[result.id], location) for result in failed],
        "properties": _properties(report),
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _result(report: Report, result: Result, index: int, location: str) -> JSONObject:
    found: JSONObject = {
        "ruleId": result.id,
        "ruleIndex": index,
        "level": level_of(result),
        "message": _message("\n".join(_lines(result))),
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": location}, "region": {"startLine": 1}},
                "logicalLocations": [{"fullyQualifiedName": excerpt(visible(report.url)), "kind": "resource"}],
            }
        ],
        # of the rule alone: the words of a failure may change without it being another one
        "partialFingerprints": {"primaryLocationLineHash": f"{_digest(result.id)}:1"},
        "properties": {
            "category": visible(result.category),
            "verdict": result.verdict,
            **({"force": result.force} if result.force else {}),
            **({"cause": visible(result.cause)} if result.cause else {}),
        },
    }
    if result.expected:
        why = {"justification": excerpt(visible(result.expected_because))} if result.expected_because else {}
        found["suppressions"] = [{"kind": "external", "status": "accepted", **why}]
    return found


def _lines(result: Result) -> Iterator[str]:
    yield visible(result.message)
    for evidence in result.evidence:
        yield f"Sent: {visible(evidence.sent)}"
        yield f"Received: {visible(evidence.received)}"
    if result.cause and result.cause != result.id:
        yield f"Follows from {visible(result.cause)}."


def _invocation(report: Report) -> JSONObject:
    skipped = [result.id for result in report.results if result.skipped]
    broken = [result for result in report.results if result.verdict == "broken"]
    why = undone(report)
    notifications: list[JSONObject] = [{"level": "error", "message": _message(visible(why))}] if why else []
    notifications += [
        {
            "level": "error",
            "message": _message(f"broken rule {result.id}, left out of the score: {result.message}"),
            "associatedRule": {"id": result.id},
        }
        for result in broken
    ]
    notifications += [
        {"level": "warning", "message": _message(visible(warning))} for warning in capped(report.warnings)
    ]
    said = note(report)
    return {
        "executionSuccessful": not why and not broken,
        "endTimeUtc": report.timestamp,
        "toolExecutionNotifications": list(notifications),
        "properties": {
            "testsSkipped": len(skipped),
            "skippedTests": list(skipped),
            **({"note": said} if said else {}),
        },
    }


def _properties(report: Report) -> JSONObject:
    found = report.counts
    return {
        "specVersion": report.spec_version,
        "target": excerpt(visible(report.url)),
        "transport": report.transport,
        "grade": report.grade,
        "score": report.score,
        "overall": report.overall,
        "mustViolations": found.must_violations,
        "seed": report.seed,
    }


def _message(text: str) -> JSONObject:
    """Text of a message, in which SARIF sees links in brackets and placeholders in braces."""
    plain = visible(excerpt(text), lines=True).replace("](", "] (")
    return {"text": plain.replace("{", "{{").replace("}", "}}")}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
