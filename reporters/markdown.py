"""The report as Markdown for a comment: the grade, what failed with its evidence folded away, what was not measured.

GitHub refuses comments of more than 65,536 characters. What does not fit is shortened in the order in which it can be
missed, and the report says so: evidence and advice of the last findings first, then whole sections from the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.conclusions import follows_from_error, headline, level, tally, undone
from mcp_compliance.reporters.findings import Finding, findings
from mcp_compliance.reporters.markdown_text import block, code, plain, prose
from mcp_compliance.reporters.sarif_rules import is_link
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.warnings import capped

LONGEST = 65_000
_ROOM_FOR_THE_REST = 10_000
_SHORT = 160
_SKIP_PREFIX = "Skipped: "
_TRANSPORTS = {"http": "Streamable HTTP", "stdio": "stdio"}
CUT = "*The report goes on, but GitHub takes no longer comment: `--report html=FILE` and `json=FILE` hold all of it.*"


def render(report: Report, style: Style) -> str:
    """A whole document, ending in a line feed. ``style`` is not asked: Markdown has none."""
    text = ""
    for part in _parts(report):
        if len(text) + len(part) + len(CUT) + 2 > LONGEST:
            return f"{text}{CUT}\n"
        text += f"{part}\n\n"
    return text.rstrip("\n") + "\n"


def _parts(report: Report) -> Iterator[str]:
    """Pieces that can stand alone: cut between two of them, what is left is valid."""
    if report.error is not None:
        yield f"**Error:** {plain(undone(report))}"
    graded = bool(report.results) or report.error is None
    yield f"## MCP compliance: {f'{report.grade}, {report.score}/100' if graded else 'not graded'}"
    for caveat in report.caveats:
        yield f"> **Note:** {plain(caveat)}"
    yield f"**{headline(report)}.** {tally(report)}".strip()
    yield _target(report)
    if not follows_from_error(report):
        yield from _failures(findings(report.results))
    yield from _warnings(report)
    yield from _broken(report.results)
    yield from _skips(report.results)
    yield (
        f"<sub>mcp-compliance {plain(report.tool_version)}, {plain(report.timestamp)}; the same generated values "
        f"again: <code>--seed {report.seed}</code></sub>"
    )


def _target(report: Report) -> str:
    server = report.server
    named = " ".join(word for word in (server.name, server.version) if word)
    said = f", {plain(named)}" if named else ""
    target = code(report.url.removeprefix("stdio:"))
    return f"{target}{said}, MCP {plain(report.spec_version)} over {_TRANSPORTS[report.transport]}"


def _failures(found: Sequence[Finding]) -> Iterator[str]:
    if not found:
        return
    failed = sum(len(finding.results) for finding in found)
    yield f"### Failures ({failed})"
    short = ["\n".join(_line(result) for result in finding.results) for finding in found]
    room = LONGEST - _ROOM_FOR_THE_REST - sum(map(len, short))
    for finding, lines in zip(found, short, strict=True):
        whole = "\n\n".join(_finding(finding))
        room -= len(whole)
        yield whole if room > 0 else lines


def _line(result: Result) -> str:
    message = result.message if len(result.message) <= _SHORT else f"{result.message[:_SHORT]}…"
    return f"- ❌ {code(result.id)} ({level(result)}): {plain(message)}"


def _finding(finding: Finding) -> Iterator[str]:
    head = finding.head
    yield f"#### ❌ {plain(head.name)} ({code(head.id)}, {level(head)})"
    yield plain(head.message)
    if finding.cause != head.id:
        yield f"**Cause:** {code(finding.cause)}"
    if head.expected_because:
        yield f"**Expected:** {plain(head.expected_because)}"
    if head.fix:
        yield f"**Fix:** {prose(head.fix)}"
    if head.why:
        yield f"**Why:** {prose(head.why)}"
    if head.spec_ref:
        yield f"**Specification:** {_link(head.spec_ref)}"
    if finding.followers:
        yield "Failed for the same cause:\n\n" + "\n".join(_line(follower) for follower in finding.followers)
    if head.evidence:
        yield "<details>\n<summary>Sent and received</summary>"
        yield block(list(_evidence(head)))
        yield "</details>"


def _evidence(result: Result) -> Iterator[str]:
    for line in result.evidence:
        yield f"{line.step}:"
        yield f"  sent      {line.sent}"
        yield f"  received  {line.received}"
        if line.curl:
            yield f"  again     {line.curl}"


def _link(reference: str) -> str:
    """The page and section of the specification as the text of a link to it."""
    if not is_link(reference):
        return code(reference)
    return f"[{plain(reference.partition('://')[2].partition('/specification/')[2] or reference)}](<{reference}>)"


def _warnings(report: Report) -> Iterator[str]:
    warnings = [warning for warning in capped(report.warnings) if warning not in report.caveats]
    if warnings:
        yield f"### Warnings ({len(warnings)})"
        yield "\n".join(f"- {plain(warning)}" for warning in warnings)


def _broken(results: Sequence[Result]) -> Iterator[str]:
    broken = [result for result in results if result.verdict == "broken"]
    if broken:
        yield f"### Broken rules ({len(broken)})"
        yield "Not the fault of the server; left out of the score."
        yield "\n".join(f"- {code(result.id)}: {plain(result.message)}" for result in broken)


def _skips(results: Sequence[Result]) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.skipped:
            reasons.setdefault(result.message.removeprefix(_SKIP_PREFIX), []).append(code(result.id))
    if not reasons:
        return
    listed = "\n".join(f"- {plain(reason)}: {', '.join(ids)}" for reason, ids in reasons.items())
    count = sum(map(len, reasons.values()))
    yield (
        f"<details>\n<summary>Skipped checks ({count}): they measured nothing and do not count</summary>\n\n"
        f"{listed}\n\n</details>"
    )
