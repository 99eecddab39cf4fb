"""Compares two reports of the same revision, rule by rule. Pure: no files, no wording for a particular format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mcp_compliance.model.past_report import PastReport
from mcp_compliance.model.result import Result

State: TypeAlias = Literal["pass", "fail", "skip"]


class NotComparableError(Exception):
    """The reports cannot be compared. One line for people."""


@dataclass(frozen=True)
class Change:
    """A rule in both reports, or in one."""

    id: str
    before: Result | None
    after: Result | None

    @property
    def was(self) -> State | None:
        return None if self.before is None else state(self.before)

    @property
    def now(self) -> State | None:
        return None if self.after is None else state(self.after)


@dataclass(frozen=True)
class Comparison:
    """What changed, in the order of the current report; what is only in the baseline, in that one's."""

    baseline: PastReport
    current: PastReport
    changes: tuple[Change, ...]

    @property
    def newly_failing(self) -> tuple[Change, ...]:
        """What passed or measured nothing, and fails now: these alone are a reason to fail."""
        return tuple(change for change in self.changes if change.was in ("pass", "skip") and change.now == "fail")

    @property
    def fixed(self) -> tuple[Change, ...]:
        return self._from_to("fail", "pass")

    @property
    def newly_skipped(self) -> tuple[Change, ...]:
        return (*self._from_to("pass", "skip"), *self._from_to("fail", "skip"))

    @property
    def no_longer_skipped(self) -> tuple[Change, ...]:
        """What measured nothing and passes now; what fails now is newly failing."""
        return self._from_to("skip", "pass")

    @property
    def still_failing(self) -> tuple[Change, ...]:
        return self._from_to("fail", "fail")

    @property
    def added(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.before is None)

    @property
    def removed(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.after is None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the two scores, and about differences that are no change of the server."""
        notes = [note for report in (self.baseline, self.current) if (note := _scored(report)) is not None]
        over = (self.baseline.transport, self.current.transport)
        if None not in over and over[0] != over[1]:
            notes.append(f"the baseline ran over {over[0]} and the current report over {over[1]}: other tests apply")
        return tuple(notes)

    def _from_to(self, was: State, now: State) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if (change.was, change.now) == (was, now))


def compare(baseline: PastReport, current: PastReport) -> Comparison:
    """Raises `NotComparableError` for reports of different revisions: an id means something in one of them only."""
    if baseline.spec_version != current.spec_version:
        raise NotComparableError(
            f"{baseline.name} grades MCP {baseline.spec_version} and {current.name} MCP {current.spec_version}, whose "
            f"tests are not the same; run again with --spec-version {baseline.spec_version}, or make a new baseline "
            f"with --spec-version {current.spec_version}"
        )
    before = {result.id: result for result in baseline.results}
    after = {result.id: result for result in current.results}
    return Comparison(
        baseline,
        current,
        tuple(Change(rule, before.get(rule), after.get(rule)) for rule in {**after, **before}),
    )


def state(result: Result) -> State:
    """A broken rule measured nothing, like a skip."""
    if result.verdict in ("skip", "broken"):
        return "skip"
    return "pass" if result.passed else "fail"


def _scored(report: PastReport) -> str | None:
    """Why the score is not the one in the file, where it is not, or where skips were read from the wording."""
    recorded, version = report.recorded, report.tool_version
    wrote = f"{report.name} ({f'mcp-compliance {version}' if version else 'an earlier version'})"
    if not report.flagged:
        named = "" if recorded is None else f"; the file recorded {recorded:g}/100"
        return (
            f"{wrote} does not mark skips: they are read from its wording and left out of the score, "
            f"which makes it {report.score}/100{named}"
        )
    if recorded is not None and recorded != report.score:
        return f"{wrote} recorded {recorded:g}/100; scored from its results as this version does, it is {report.score}"
    return None
