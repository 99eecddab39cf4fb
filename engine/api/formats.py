"""A report in the formats of the command line."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.result import Report


def report_document(report: Report) -> JSONObject:
    """The report as JSON values: version 1 of the published schema, what ``--format json`` prints."""
    from mcp_compliance.reporters.json import document

    return document(report)


def render_report(report: Report, format: str = "json", *, width: int = 100) -> str:
    """The report as text in a format of the command line: ``json``, ``markdown``, ``html``, ``junit``, ``sarif``,
    ``terminal`` (without colours, ``width`` columns wide) and the others. Raises ``ValueError`` for another name.
    """
    from mcp_compliance.reporters import REPORTERS
    from mcp_compliance.reporters.style import Style

    if format not in REPORTERS:
        raise ValueError(f"unknown format {format!r}: choose one of {', '.join(REPORTERS)}")
    return REPORTERS[format](report, Style(width=width, color=False, unicode=True, whole_lines=True))
