"""``--expected-failures``: failures that are known, and that fail no build."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from mcp_compliance.cli.errors import UserError
from mcp_compliance.model.result import Report


@dataclass(frozen=True)
class Expectations:
    """The rules that may fail, as the file lists them."""

    path: Path
    rules: frozenset[str]

    def mark(self, report: Report) -> Report:
        """The report with the listed failures marked."""
        results = tuple(
            replace(result, expected=result.id in self.rules and not result.passed) for result in report.results
        )
        return replace(report, results=results)


def read_expectations(path: Path) -> Expectations:
    """The rules that ``path`` lists, one id a line. Raises `UserError`."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"--expected-failures {path}: cannot be read: {error.strerror or error}") from error
    return Expectations(path, frozenset(line.strip() for line in lines if line.strip()))
