"""The report as workflow commands of GitHub Actions, which makes annotations of them.

GitHub shows the first ten errors and the first ten warnings of a step: one line is one finding, with all the rules
that failed for its cause, and what takes the meaning from a grade stands in front.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.conclusions import follows_from_error, headline, tally, undone
from mcp_compliance.reporters.excerpt import excerpt
from mcp_compliance.reporters.findings import Finding, findings
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import visible
from mcp_compliance.reporters.warnings import capped

TITLE = "MCP compliance"


def render(report: Report, style: Style) -> str:
    """A line for each command. ``style`` is not asked: GitHub draws what it reads."""
    return "\n".join(_commands(report)) + "\n"


def command(kind: str, title: str, message: str) -> str:
    """One workflow command; its message may have several lines."""
    data = visible(message, lines=True).replace("%", "%25").replace("\n", "%0A")
    name = visible(title).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={name}::{data}"


def _commands(report: Report) -> Iterator[str]:
    if report.error is not None:
        yield command("error", TITLE, excerpt(visible(undone(report))))
    for caveat in report.caveats:
        yield command("warning", TITLE, excerpt(caveat))
    found = () if follows_from_error(report) else findings(report.results)
    yield from (_finding(finding) for finding in found if _kind(finding) == "error")
    for result in report.results:
        if result.verdict == "broken":
            yield command("error", result.id, f"broken rule, left out of the score: {excerpt(result.message)}")
    for warning in capped(report.warnings):
        if warning not in report.caveats:
            yield command("warning", TITLE, excerpt(warning))
    for kind in ("warning", "notice"):
        yield from (_finding(finding) for finding in found if _kind(finding) == kind)
    yield command("notice", TITLE, _summary(report))


def _kind(finding: Finding) -> str:
    """An error where a required rule fails, a warning for others; what the user expects is neither."""
    unexpected = [result for result in finding.results if not result.expected]
    if not unexpected:
        return "notice"
    return "error" if any(result.required for result in unexpected) else "warning"


def _finding(finding: Finding) -> str:
    head = finding.head
    lines = [f"{head.name}. {_message(head)}" if head.name else _message(head)]
    if finding.cause != head.id:
        lines.append(f"Cause: {excerpt(finding.cause)}")
    if head.fix:
        lines.append(f"Fix: {excerpt(head.fix.strip())}")
    if head.spec_ref:
        lines.append(f"Specification: {head.spec_ref}")
    lines += [f"Also for this cause: {follower.id}: {_message(follower)}" for follower in finding.followers]
    return command(_kind(finding), head.id, "\n".join(lines))


def _message(result: Result) -> str:
    message = excerpt(visible(result.message))
    if not result.expected:
        return message
    because = f" ({excerpt(visible(result.expected_because))})" if result.expected_because else ""
    return f"Expected{because}: {message}"


def _summary(report: Report) -> str:
    graded = f"Grade {report.grade}, {report.score}/100" if report.results or report.error is None else "Not graded"
    return f"{graded}, MCP {report.spec_version}. {headline(report)}. {tally(report)}".strip()
