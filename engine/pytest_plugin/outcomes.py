"""What became of each rule, in the words of pytest, and as plain data that can be sent to worker processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.untrusted import visible


@dataclass(frozen=True)
class Outcome:
    """``kind``: passed, skipped or failed. ``message`` is one line, ``text`` what a failure shows, ``seconds`` how long
    the rule took. ``follows`` marks what only follows from the run's error."""

    kind: str
    message: str
    text: str = ""
    required: bool = False
    seconds: float = 0.0
    follows: bool = False


@dataclass(frozen=True)
class Outcomes:
    """One run. ``error`` is set when the server could not be tested; ``headline`` is the line of the summary."""

    headline: str
    spec_version: str
    by_id: Mapping[str, Outcome]
    error: str | None = None
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, report: Report) -> Outcomes:
        head = f"grade {report.grade} ({report.score} of 100) as MCP {report.spec_version}: {visible(report.url)}"
        return cls(
            head,
            report.spec_version,
            {result.id: _outcome(result, report) for result in report.results},
            None if report.error is None else visible(report.error),
            tuple(visible(warning) for warning in report.warnings),
        )

    @property
    def nothing_tested(self) -> bool:
        return self.error is not None and all(self.untested(rule) for rule in self.by_id)

    def untested(self, rule: str) -> bool:
        """Whether the run's error is all that there is to say of this rule."""
        found = self.by_id.get(rule)
        return found is None or found.follows

    def as_data(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Outcomes:
        """From what ``as_data`` gave, here or in another process."""
        rows = data["by_id"]
        assert isinstance(rows, Mapping)
        warnings = data["warnings"]
        assert isinstance(warnings, Sequence)
        return cls(
            str(data["headline"]),
            str(data["spec_version"]),
            {rule: Outcome(**row) for rule, row in rows.items()},
            None if data["error"] is None else str(data["error"]),
            tuple(str(warning) for warning in warnings),
        )


def _outcome(result: Result, report: Report) -> Outcome:
    message = visible(result.message)
    kind = "skipped" if result.skipped else "passed" if result.passed else "failed"
    return Outcome(
        kind,
        message,
        _text(result) if kind == "failed" else "",
        result.required,
        result.duration_ms / 1000,
        follows=report.error is not None and result.cause is not None,
    )


def _text(result: Result) -> str:
    """A failure for people: what is wrong, what was sent and received, why it matters, what to do, where it is said."""
    if result.verdict == "broken":
        return f"The rule is broken, not the server: {visible(result.message)}"
    lines = [visible(result.message), ""]
    if result.cause is not None:
        lines.append(f"cause     {visible(result.cause)}")
    for evidence in result.evidence:
        lines += [f"sent      {visible(evidence.sent)}", f"received  {visible(evidence.received)}"]
    lines += [f"why       {' '.join(result.why.split())}"] if result.why else []
    lines += [f"fix       {' '.join(result.fix.split())}"] if result.fix else []
    lines += [f"spec      {result.spec_ref}"] if result.spec_ref else []
    return "\n".join(lines)
