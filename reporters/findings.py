"""Failures by root cause: what follows from one refused prerequisite reads as one finding, in every format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_compliance.model.result import Result


@dataclass(frozen=True)
class Finding:
    """One cause with all the failures it explains: ``head`` is the one to read, ``followers`` only follow."""

    cause: str
    head: Result
    followers: tuple[Result, ...]

    @property
    def results(self) -> tuple[Result, ...]:
        return (self.head, *self.followers)

    @property
    def required(self) -> bool:
        return any(result.required for result in self.results)


def findings(results: Sequence[Result]) -> tuple[Finding, ...]:
    """Failures grouped by cause, in order of appearance; those with a required rule in front."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if result.verdict in ("fail", "not-evaluable"):
            groups.setdefault(result.cause or result.id, []).append(result)
    found = []
    for cause, members in groups.items():
        head = next((member for member in members if member.id == cause), members[0])
        found.append(Finding(cause, head, tuple(member for member in members if member is not head)))
    return tuple(sorted(found, key=lambda finding: not finding.required))
