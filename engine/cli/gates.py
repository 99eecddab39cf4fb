"""From a finished report to an exit code: ``--strict``, ``--min-grade``, ``--fail-on``, ``--expected-failures``."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.cli.choices import GRADES
from mcp_compliance.cli.errors import EXIT_CANNOT, EXIT_DONE, EXIT_FINDINGS
from mcp_compliance.cli.expectations import Expectations
from mcp_compliance.model.options import FailOn
from mcp_compliance.model.result import Grade, Report
from mcp_compliance.model.scoring import counts, grade, score
from mcp_compliance.reporters.conclusions import undone


@dataclass(frozen=True)
class Gates:
    """What the user demands of a run; without any, findings do not change the exit code."""

    strict: bool = False
    min_grade: Grade | None = None
    fail_on: FailOn | None = None
    expected: Expectations | None = None

    def marked(self, report: Report) -> Report:
        """The report with its known failures marked as such."""
        return report if self.expected is None else self.expected.mark(report)


@dataclass(frozen=True)
class Outcome:
    """Exit code, and one line for each reason why it is not 0; ``notes`` are reasons for nothing."""

    code: int
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def outcome(report: Report, gates: Gates) -> Outcome:
    """2 when the job could not be done, else 1 when a gate is not met, else 0."""
    undone = _undone(report)
    if undone:
        return Outcome(EXIT_CANNOT, undone)
    unmet = _unmet(report, gates)
    stale = None if gates.expected is None else gates.expected.stale(report)
    return Outcome(EXIT_FINDINGS if unmet else EXIT_DONE, unmet, () if stale is None else (stale,))


def _undone(report: Report) -> tuple[str, ...]:
    if words := undone(report):
        return (words,)
    broken = [result.id for result in report.results if result.verdict == "broken"]
    if broken:
        return (f"{_count(len(broken), 'broken rule')}, left out of the score: {', '.join(broken)}",)
    return ()


def _unmet(report: Report, gates: Gates) -> tuple[str, ...]:
    """What is not as demanded. Expected failures count for the grade, and for nothing else."""
    found = counts([result for result in report.results if not result.expected])
    required = found.required - found.required_passed
    letter = grade(score(report.results))
    reasons: list[str] = []
    if gates.strict and required:
        reasons.append(f"--strict: {_count(required, 'required rule')} failed")
    if gates.min_grade is not None and GRADES.index(letter) > GRADES.index(gates.min_grade):
        reasons.append(f"--min-grade {gates.min_grade}: the grade is {letter}")
    if gates.fail_on == "must" and found.must_violations:
        reasons.append(f"--fail-on must: {_count(found.must_violations, 'MUST violation')}")
    if gates.fail_on == "required" and required:
        reasons.append(f"--fail-on required: {_count(required, 'required rule')} failed")
    if gates.fail_on == "any" and found.failed:
        reasons.append(f"--fail-on any: {_count(found.failed, 'rule')} failed")
    if gates.expected is not None and (unlisted := gates.expected.unmet(report)) is not None:
        reasons.append(unlisted)
    return tuple(reasons)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
