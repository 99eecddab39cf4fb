"""Reads a JSON report of version 1 back, by whatever version or tool it was written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TypeGuard

from mcp_compliance.jsontypes import JSON, JSONObject, type_name
from mcp_compliance.model.result import VERDICTS, Grade, Result, Verdict
from mcp_compliance.model.scoring import grade, score

SCHEMA_VERSION = "1"
_SKIPPED = re.compile(r"\s*skipped\b|.*(\(skipped\)|\bnot applicable\b)", re.IGNORECASE | re.DOTALL)
"""How a report without flags says of a passed test that it measured nothing."""


class NotAReportError(Exception):
    """The text is no report that can be read or compared. One line for people, without the name of the file."""


@dataclass(frozen=True)
class PastReport:
    """What a comparison needs of a report. ``recorded`` is the score that the file names, if it names one."""

    name: str
    """Of the file."""
    spec_version: str
    tool_version: str
    url: str
    timestamp: str
    transport: str | None
    results: tuple[Result, ...]
    """In their order; each with id, name, category, verdict, message and level."""
    recorded: float | None
    flagged: bool
    """Whether the file marks its skips; else they were read from the wording of the results."""

    @property
    def score(self) -> int:
        """As this version scores the results: skips left out."""
        return score(self.results)

    @property
    def grade(self) -> Grade:
        return grade(self.score)


def read_report(text: str, name: str) -> PastReport:
    """The report that ``text`` holds. Raises `NotAReportError`."""
    document = _document(text)
    version = document.get("schemaVersion")
    if version is None:
        raise NotAReportError("is no report of mcp-compliance: it has no schemaVersion (write one with --format json)")
    if version != SCHEMA_VERSION:
        raise NotAReportError(
            f"has the schemaVersion {json.dumps(version)[:40]}, and this version reads {json.dumps(SCHEMA_VERSION)} "
            "alone; compare with the version of mcp-compliance that wrote it"
        )
    spec_version = _text(document, "specVersion", needed=True)
    error = document.get("error")
    if error is not None:
        raise NotAReportError(f"holds nothing to compare: its run ended with an error ({' '.join(str(error).split())})")
    tests = document.get("tests")
    if not isinstance(tests, list):
        raise NotAReportError("is no report: it has no list of tests")
    summary = document.get("summary")
    flagged = isinstance(summary, dict) and "skipped" in summary
    flagged = flagged or any(isinstance(test, dict) and "skipped" in test for test in tests)
    recorded = document.get("score")
    return PastReport(
        name=name,
        spec_version=spec_version,
        tool_version=_text(document, "toolVersion"),
        url=_text(document, "url"),
        timestamp=_text(document, "timestamp"),
        transport=_text(document, "transport") or None,
        results=tuple(_result(test, f"tests[{number}]", flagged=flagged) for number, test in enumerate(tests)),
        recorded=recorded if _is_score(recorded) else None,
        flagged=flagged,
    )


def _is_score(value: JSON) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 100


def _document(text: str) -> JSONObject:
    try:
        found: JSON = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotAReportError(f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from error
    except ValueError as error:
        raise NotAReportError("is no report: a number in it is too long") from error
    except RecursionError as error:
        raise NotAReportError("is no report: it is nested too deeply") from error
    if not isinstance(found, dict):
        raise NotAReportError(f"is no report: expected a JSON object, found {type_name(found)}")
    return found


def _text(document: JSONObject, key: str, *, needed: bool = False) -> str:
    value = document.get(key)
    if isinstance(value, str) and (value or not needed):
        return value
    if needed:
        raise NotAReportError(f"is no report: {key} is {'missing' if value is None else 'no text'}")
    return ""


def _result(test: JSON, where: str, *, flagged: bool) -> Result:
    if not isinstance(test, dict):
        raise NotAReportError(f"is no report: {where} is no object")
    rule = test.get("id")
    if not isinstance(rule, str) or not rule:
        raise NotAReportError(f"is no report: {where} has no id")
    passed, required = test.get("passed"), test.get("required")
    for key, value in (("passed", passed), ("required", required)):
        if not isinstance(value, bool):
            raise NotAReportError(f"is no report: {where}.{key} ({rule}) is neither true nor false")
    message = _text(test, "details")
    return Result(
        id=rule,
        name=_text(test, "name"),
        category=_text(test, "category"),
        verdict=_verdict(test, passed=passed is True, message=message, flagged=flagged),
        message=message,
        required=required is True,
        duration_ms=0,
    )


def _verdict(test: JSONObject, *, passed: bool, message: str, flagged: bool) -> Verdict:
    """What ``passed`` and ``skipped`` say; the finer word only where it agrees with them."""
    skipped = test.get("skipped") is True if flagged else _SKIPPED.match(message) is not None
    plain: Verdict = "fail" if not passed else "skip" if skipped else "pass"
    finer = test.get("verdict")
    for verdict in VERDICTS:
        if finer == verdict and (plain, verdict) in (("fail", "not-evaluable"), ("skip", "broken")):
            return verdict
    return plain
