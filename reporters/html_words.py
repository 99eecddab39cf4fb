"""The sentences of the HTML report: what came out, how long it took, and what was graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcp_compliance.model.result import Listing, Report, Result
from mcp_compliance.model.scoring import Counts
from mcp_compliance.reporters import conclusions
from mcp_compliance.reporters.conclusions import rules
from mcp_compliance.reporters.findings import Finding

TRANSPORTS = {"http": "Streamable HTTP", "stdio": "stdio"}
_LONGEST_NAME = 200
_MOST_NAMES = 25


def headline(report: Report) -> str:
    expected = _expected(result for result in report.results if result.scored and not result.passed)
    return ", ".join(part for part in (conclusions.headline(report), expected) if part)


def _expected(failures: Iterable[Result]) -> str:
    known = [failure.expected for failure in failures]
    return "" if not any(known) else "all expected" if all(known) else f"{sum(known)} expected"


def findings_remark(found: Sequence[Finding]) -> str:
    order = "by root cause, required rules in front" if len(found) > 1 else ""
    expected = _expected(result for finding in found for result in finding.results)
    return "; ".join(remark for remark in (order, expected) if remark)


def measured(found: Counts) -> str:
    if not found.measured:
        return ""
    return f"{found.measured} of {rules(found.total)} measured something; only these are scored."


def facts(report: Report) -> list[tuple[str, str]]:
    """What was graded, as labels and values."""
    rows = [("Specification", f"MCP {report.spec_version}")]
    if report.detection is not None:
        how = {"detected": "auto-detected from", "undetermined": "assumed;"}.get(report.detection.era, "")
        rows.append(("Chosen because", " ".join(word for word in (how, report.detection.reason) if word)))
    if report.error is None or report.server.name:
        name = " ".join(word[:_LONGEST_NAME] for word in (report.server.name, report.server.version) if word)
        rows.append(("Server", name or "did not say its name"))
        rows.append(("Protocol, says the server", (report.server.protocol_version or "no version")[:_LONGEST_NAME]))
    rows.append(("Transport", TRANSPORTS[report.transport]))
    listed = (("tool", report.tools), ("resource", report.resources), ("prompt", report.prompts))
    rows.extend((f"{kind.title()}s, first page", _listing(listing)) for kind, listing in listed if listing.count)
    rows.append(("Seed", str(report.seed)))
    rows.append(("Graded by", f"mcp-compliance {report.tool_version}"))
    return rows


def _listing(listing: Listing) -> str:
    names = ", ".join(name[:_LONGEST_NAME] for name in listing.names[:_MOST_NAMES])
    more = listing.count - min(len(listing.names), _MOST_NAMES)
    if not names:
        return str(listing.count)
    return f"{listing.count}: {names}{f' and {more} more' if more > 0 else ''}"


def took(report: Report) -> str:
    total, waiting = report.durations.get("total"), report.durations.get("waiting")
    if total is None:
        return ""
    took = f"{rules(len(report.results))} in {total / 1000:.1f} s"
    # Waits overlap when requests do; then their sum says nothing about the server.
    if waiting is None or waiting > total:
        return took
    return f"{took}, {waiting / 1000:.1f} s of it waiting for the server"
