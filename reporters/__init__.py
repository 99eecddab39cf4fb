"""From a finished report to text. A reporter is a pure function of the report and of how it should look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

# --help and --list need the names of the reporters, and nothing that is slow to load.
if TYPE_CHECKING:
    from mcp_compliance.model.result import Report
    from mcp_compliance.reporters.style import Style

Reporter: TypeAlias = "Callable[[Report, Style], str]"


def _terminal(report: Report, style: Style) -> str:
    from mcp_compliance.reporters.terminal import render

    return render(report, style)


def _json(report: Report, style: Style) -> str:
    from mcp_compliance.reporters.json import render

    return render(report, style)


REPORTERS: Mapping[str, Reporter] = {"terminal": _terminal, "json": _json}
