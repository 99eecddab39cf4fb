"""Questions to a report v1 and to single results in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .player.message import Json

NOT_EVALUABLE = "not evaluable"


@dataclass(frozen=True)
class Row:
    """One member of `tests`."""

    id: str
    passed: bool
    skipped: bool
    required: bool
    details: str
    duration_ms: float
    verdict: str
    cause: str = ""

    @property
    def not_evaluable(self) -> bool:
        return self.verdict == "not-evaluable" or self.details.lower().startswith(NOT_EVALUABLE)

    @property
    def measured(self) -> bool:
        return not self.skipped and not self.not_evaluable and self.verdict != "broken"

    @property
    def really_passed(self) -> bool:
        return self.passed and self.measured

    @property
    def failed(self) -> bool:
        """Failed on what was measured; "not evaluable" is no failure of the server."""
        return not self.passed and self.measured

    @property
    def reported(self) -> bool:
        return self.failed or self.not_evaluable


@dataclass(frozen=True)
class Report:
    """A report as the checker printed it."""

    rows: dict[str, Row]
    warnings: tuple[str, ...]
    error: str
    overall: str
    summary: dict[str, Json]
    revision: str
    named_version: str | None = None
    """The protocol version that the server itself named."""

    @property
    def texts(self) -> list[str]:
        """Every text that speaks about the server: details of results, warnings, the error."""
        return [
            *(row.details for row in self.rows.values()),
            *self.warnings,
            *([self.error] * bool(self.error)),
        ]

    @property
    def failed(self) -> frozenset[str]:
        return frozenset(row.id for row in self.rows.values() if row.failed)

    @property
    def remarks(self) -> list[str]:
        """Texts that report something: details of what is not passed, and the warnings."""
        return [*(row.details for row in self.rows.values() if row.reported), *self.warnings]


def read_report(document: Json) -> Report:
    """Read the JSON form. Raises KeyError or AssertionError when it is no report v1."""
    assert isinstance(document, dict)
    assert document["schemaVersion"] == "1"
    tests, warnings, summary = document["tests"], document["warnings"], document["summary"]
    server = document["serverInfo"]
    assert isinstance(tests, list)
    assert isinstance(warnings, list)
    assert isinstance(summary, dict)
    assert isinstance(server, dict)
    rows = [_row(test) for test in tests]
    assert len({row.id for row in rows}) == len(rows), "an id occurs twice"
    return Report(
        rows={row.id: row for row in rows},
        warnings=tuple(str(warning) for warning in warnings),
        error=_text(document.get("error")),
        overall=str(document["overall"]),
        summary=summary,
        revision=str(document["specVersion"]),
        named_version=None if server["protocolVersion"] is None else str(server["protocolVersion"]),
    )


def matches_all(patterns: Iterable[str], text: str) -> bool:
    """True when each pattern is found in the text, whatever the letter case."""
    return all(re.search(pattern, text, re.IGNORECASE | re.DOTALL) for pattern in patterns)


def _row(test: Json) -> Row:
    assert isinstance(test, dict)
    duration = test["durationMs"]
    assert isinstance(duration, int | float)
    passed, skipped = test["passed"], test.get("skipped", False)
    assert isinstance(passed, bool)
    assert isinstance(skipped, bool)
    return Row(
        id=str(test["id"]),
        passed=passed,
        skipped=skipped,
        required=test["required"] is True,
        details=str(test["details"]),
        duration_ms=float(duration),
        verdict=str(test.get("verdict", "")),
        cause=str(test.get("cause") or ""),
    )


def _text(error: Json) -> str:
    if isinstance(error, dict):
        return " ".join(str(value) for value in error.values())
    return str(error) if error else ""
