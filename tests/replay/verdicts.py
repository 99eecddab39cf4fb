"""Compares a report with what a case expects of single rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .corpus_case import Expect
from .report_rows import Report, Row, matches_all

# These depend on how a site is run, so no case that does not name them can say anything about them.
FREE = frozenset(
    {
        "security-auth-required",
        "security-auth-malformed",
        "security-www-authenticate",
        "security-oauth-metadata",
        "security-token-in-uri",
        "security-session-not-auth",
        "security-tls-required",
        "security-rate-limiting",
    }
)


def disagreements(expect: Expect, report: Report, failed_by_baseline: frozenset[str] = frozenset()) -> list[str]:
    """One line for each expectation that the report does not meet; empty when it meets all.

    ``failed_by_baseline``: ids that the unchanged baseline fails as well, which nothing is demanded of.
    """
    return [
        *_each(expect.fail, report, "failed", lambda row: row.reported),
        *_any_failed(expect.any_fail, report),
        *_flags(expect, report),
        *_each(expect.passed, report, "passed", lambda row: row.really_passed),
        *_each(expect.not_fail, report, "anything but failed", lambda row: not row.failed),
        *_each(expect.skip, report, "skipped", lambda row: row.skipped and row.passed),
        *_not_passed(expect.not_pass, report),
        *_unnamed(expect, report, failed_by_baseline),
        *(f"{row.id}: the rule itself broke: {row.details}" for row in _broken(report)),
    ]


def _each(ids: Iterable[str], report: Report, wanted: str, holds: Callable[[Row], bool]) -> list[str]:
    found = []
    for rule in ids:
        row = report.rows.get(rule)
        if row is None:
            found.append(f"{rule}: wanted {wanted}, but it is not in the report")
        elif not holds(row):
            found.append(f"{rule}: wanted {wanted}, but {_shown(row)}")
    return found


def _any_failed(ids: tuple[str, ...], report: Report) -> list[str]:
    rows = [report.rows[rule] for rule in ids if rule in report.rows]
    if not ids or any(row.reported for row in rows):
        return []
    return [f"none of {', '.join(ids)} failed: {'; '.join(_shown(row) for row in rows)}"]


def _flags(expect: Expect, report: Report) -> list[str]:
    found = []
    for rule, patterns in expect.flag.items():
        row = report.rows.get(rule)
        if row is None:
            found.append(f"{rule}: wanted a report of it, but it is not in the report")
            continue
        remarked = row.really_passed and any(matches_all(patterns, text) for text in (row.details, *report.warnings))
        if not row.reported and not remarked:
            found.append(f"{rule}: silent about {' and '.join(patterns)}; {_shown(row)}")
    return found


def _not_passed(ids: tuple[str, ...], report: Report) -> list[str]:
    """A run that could not be made may have no results at all, and that is no pass either."""
    rows = (report.rows[rule] for rule in ids if rule in report.rows)
    return [f"{row.id}: wanted anything but passed, but {_shown(row)}" for row in rows if row.really_passed]


def _unnamed(expect: Expect, report: Report, failed_by_baseline: frozenset[str]) -> list[str]:
    if "*" in expect.may:
        return []
    free = expect.named | FREE | failed_by_baseline
    return [
        f"{row.id}: nothing is wrong there, but {_shown(row)}"
        for row in report.rows.values()
        if row.failed and row.id not in free
    ]


def _broken(report: Report) -> list[Row]:
    return [row for row in report.rows.values() if row.verdict == "broken"]


def _shown(row: Row) -> str:
    if row.not_evaluable:
        state = "not evaluable"
    elif row.skipped:
        state = "skipped"
    else:
        state = "passed" if row.passed else "failed"
    return f"it is {state}: {row.details[:300]}"
