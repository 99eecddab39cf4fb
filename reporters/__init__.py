"""From a finished report to text. A reporter is a pure function of the report and of how it should look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

# --help and --list need the names of the reporters, and nothing that is slow to load.
if TYPE_CHECKING:
    from mcp_compliance.model.result import Report
    from mcp_compliance.reporters.style import Style

Reporter: TypeAlias = "Callable[[Report, Style], str]"
FORMATS = ("terminal", "json", "ndjson", "sarif", "github", "markdown", "html", "junit")


def _from(module: str) -> Reporter:
    """The ``render`` of a module here, which is loaded when it is called."""

    def reporter(report: Report, style: Style) -> str:
        render = import_module(f"mcp_compliance.reporters.{module}").render
        return cast("Reporter", render)(report, style)

    return reporter


REPORTERS: Mapping[str, Reporter] = {name: _from(name) for name in FORMATS}
BADGE = _from("badge")
"""An SVG image of the grade; not a report, so not a format."""
