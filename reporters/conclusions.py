"""What a finished run comes to, in the words that every format shares."""

from __future__ import annotations

from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.advice import after_error

NOTHING_RAN = "No tests ran -- check --only/--skip"
NOTHING_MEASURED = "No test measured anything"


def note(report: Report) -> str:
    """Why score and grade say nothing, or nothing when they say something."""
    found = report.counts
    if not found.total:
        return NOTHING_RAN if report.error is None else "Nothing was graded"
    return "" if found.measured else NOTHING_MEASURED


def undone(report: Report) -> str:
    """Why the job could not be done and what to do, or nothing when it was done."""
    if report.error is None:
        return "" if report.results else NOTHING_RAN
    stop = "" if report.error.endswith((".", "?", "!")) else "."
    return f"{report.error}{stop} {after_error(report)}"


def headline(report: Report) -> str:
    """One sentence, without its full stop: what was found."""
    found = report.counts
    if follows_from_error(report):
        return f"{found.failed} of {rules(found.total)} failed, all for this reason" if found.total else note(report)
    if note(report):
        return note(report)
    failed = found.failed - found.broken
    return f"{failed} of {rules(found.measured)} failed" if failed else "Everything that was measured conforms"


def tally(report: Report) -> str:
    """The counts as a sentence; parts that are seldom there only when they are. Nothing where the headline says all."""
    found = report.counts
    if not found.measured or follows_from_error(report):
        return ""
    apart = f" ({found.not_evaluable} not evaluable)" if found.not_evaluable else ""
    parts = [
        f"{found.measured_passed} passed",
        f"{found.failed - found.broken} failed{apart}",
        f"{found.skipped} skipped",
        *([f"{found.broken} broken"] if found.broken else []),
        f"{found.must_violations} MUST violation{'' if found.must_violations == 1 else 's'}",
    ]
    return f"{', '.join(parts)}."


def rules(number: int) -> str:
    return f"{number} {'rule' if number == 1 else 'rules'}"


def level(result: Result) -> str:
    """``required`` or ``optional``, and whether the user has listed the failure as known."""
    word = "required" if result.required else "optional"
    return f"{word}, expected" if result.expected else word


def follows_from_error(report: Report) -> bool:
    """Whether all failures have one cause, which the error of the report names: then they are told once."""
    causes = {result.cause for result in report.results if result.scored and not result.passed}
    one = len(causes) == 1 and None not in causes
    return report.error is not None and (one or not report.results)
