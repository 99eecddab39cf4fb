"""Demands on the texts of the report."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..report_rows import matches_all
from ..stage import Stage


def _measured(stage: Stage, ids: list[str]) -> None:
    """These rules had something to measure: the run did not stop before them."""
    for rule in ids:
        row = stage.rated.rows.get(rule)
        assert row is not None, f"{rule} is not in the report"
        assert row.measured, f"{rule} was not measured: {row.details}"


def _details(stage: Stage, wanted: dict[str, list[str]]) -> None:
    """The details of each rule match all of its patterns."""
    for rule, patterns in wanted.items():
        text = stage.rated.rows[rule].details
        patterns = _filled(stage, patterns)
        assert matches_all(patterns, text), f"{rule} does not show {patterns}: {text}"


def _details_shorter(stage: Stage, limits: dict[str, int]) -> None:
    """The details of each rule have fewer characters."""
    for rule, limit in limits.items():
        length = len(stage.rated.rows[rule].details)
        assert length < limit, f"the details of {rule} have {length} characters"


def _warning(stage: Stage, patterns: list[str]) -> None:
    """One warning matches all patterns."""
    patterns = _filled(stage, patterns)
    warnings = stage.rated.warnings
    assert _one_of(patterns, list(warnings)), f"no warning matches {patterns}: {warnings}"


def _reported(stage: Stage, patterns: list[str]) -> None:
    """One warning, or the details of one rule that is not passed, match all patterns."""
    patterns = _filled(stage, patterns)
    remarks = stage.rated.remarks
    assert _one_of(patterns, remarks), f"nothing reported matches {patterns}: {remarks}"


def _reported_or_said(stage: Stage, patterns: list[str]) -> None:
    """One text of the report matches all patterns, whatever the verdict."""
    patterns = _filled(stage, patterns)
    assert _one_of(patterns, stage.rated.texts), f"no text matches {patterns}"


def _says(stage: Stage, patterns: list[str]) -> None:
    """Report and stderr together match all patterns."""
    everything = "\n".join([*stage.rated.texts, stage.outcome.stderr])
    for pattern in _filled(stage, patterns):
        assert matches_all([pattern], everything), f"{pattern} is nowhere in: {everything[:3000]}"


def _said_once(stage: Stage, text: str) -> None:
    """The text occurs once in details and warnings."""
    details = [row.details for row in stage.rated.rows.values()]
    count = "\n".join([*details, *stage.rated.warnings]).count(text)
    assert count == 1, f"{text!r} occurs {count} times"


def _never_says(stage: Stage, wanted: dict[str, Any]) -> None:
    """The pattern is in none of the named places: rule ids, `warnings`, `error`, `stderr`."""
    places = {
        **{rule: row.details for rule, row in stage.rated.rows.items()},
        "warnings": "\n".join(stage.rated.warnings),
        "error": stage.rated.error,
        "stderr": stage.outcome.stderr,
    }
    for place in wanted["in"]:
        text = places[place]
        assert not re.search(wanted["pattern"], text), f"{place} says {wanted['pattern']}: {text}"


def _error_member(stage: Stage, patterns: list[str]) -> None:
    """The report has an `error` that matches all patterns, and stderr matches them, too."""
    patterns = _filled(stage, patterns)
    assert stage.rated.error, "the report has no error member"
    for text in (stage.rated.error, stage.outcome.stderr):
        assert matches_all(patterns, text), f"{patterns} not in: {text}"


def _no_results(stage: Stage, _: None) -> None:
    """No rule has a result."""
    assert not stage.rated.rows


def _hang_on(stage: Stage, rule: str) -> None:
    """What was not evaluable names this rule as its cause, in a field and in words; so do some skips."""
    rows = stage.rated.rows.values()
    for row in rows:
        if row.not_evaluable or row.cause == rule:
            assert row.cause == rule, f"{row.id} names no cause: {row.details}"
            assert rule in row.details, f"{row.id} does not say on what it hangs: {row.details}"
    assert any(row.skipped for row in rows if row.cause == rule), f"no skipped rule hangs on {rule}"


def _server_named(stage: Stage, version: str | None) -> None:
    """The protocol version that the report has as the server's own word."""
    assert stage.rated.named_version == version, f"the report has {stage.rated.named_version}"


def _passes_never_rest_on(stage: Stage, wanted: dict[str, Any]) -> None:
    """The details of no rule that passed, but for some, match the pattern."""
    for row in stage.rated.rows.values():
        if row.really_passed and row.id not in wanted["except"]:
            assert not re.search(wanted["pattern"], row.details), f"{row.id} passed: {row.details}"


def _shows_ids(stage: Stage, rule: str) -> None:
    """The details of the rule have the id received, which is 0, and one of the ids sent."""
    details = stage.rated.rows[rule].details
    numbers = set(re.findall(r"\b\d+\b", details))
    sent = {str(seen.message.id) for seen in stage.seen if seen.message.id is not None}
    assert "0" in numbers, f"the id received is missing: {details}"
    assert numbers & sent, f"none of the ids sent is shown: {details}"


def _one_of(patterns: list[str], texts: list[str]) -> bool:
    return any(matches_all(patterns, text) for text in texts)


def _filled(stage: Stage, patterns: list[str]) -> list[str]:
    return [stage.fill(pattern) for pattern in patterns]


DEMANDS: dict[str, Callable[[Stage, Any], None]] = {
    "measured": _measured,
    "details": _details,
    "details-shorter": _details_shorter,
    "warning": _warning,
    "reported": _reported,
    "reported-or-said": _reported_or_said,
    "says": _says,
    "said-once": _said_once,
    "never-says": _never_says,
    "error-member": _error_member,
    "no-results": _no_results,
    "hang-on": _hang_on,
    "server-named": _server_named,
    "passes-never-rest-on": _passes_never_rest_on,
    "shows-sent-and-received-id": _shows_ids,
}
