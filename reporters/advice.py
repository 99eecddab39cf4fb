"""What to do about a run that did not come about."""

from __future__ import annotations

from mcp_compliance.model.result import Report


def after_error(report: Report) -> str:
    """One sentence or two for a report with an error."""
    if report.transport == "http":
        return "Check that the server runs and the URL ends in its MCP endpoint, often /mcp. Then try again."
    return "Run the command by itself: it must start, and wait for messages on standard input."
