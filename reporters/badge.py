"""An SVG image of the grade, for a README: it loads nothing, and says in words what it shows."""

from __future__ import annotations

from xml.sax.saxutils import escape

from mcp_compliance.model.result import Grade, Report
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import visible

LABEL = "MCP compliance"
# White on each of them has a contrast of 4.5 at least.
COLORS: dict[Grade, str] = {"A": "#1a7f37", "B": "#4d7c0f", "C": "#946200", "D": "#bc4c00", "F": "#cf222e"}
UNMEASURED = "#57606a"
_PADDING = 7
# Widths of Verdana at 11 px; where another font is drawn, the text is fitted to them.
_WIDTHS = {3.0: "il", 3.9: " ", 4.5: "rt", 5.0: "/", 5.7: "cs", 6.5: "aeFP", 7.7: "ABC", 8.5: "D", 9.3: "M", 10.7: "m"}
_USUAL = 6.9


def render(report: Report, style: Style) -> str:
    """A whole SVG document. ``style`` is not asked: an image is one."""
    measured = report.error is None and report.counts.measured > 0
    value = f"{report.grade} {report.score}/100" if measured else "not measured"
    color = COLORS[report.grade] if measured else UNMEASURED
    left, right = _width(LABEL), _width(value)
    title = escape(f"{LABEL}: {value} (MCP {visible(report.spec_version)})", {'"': "&quot;"})
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{title}">
  <title>{title}</title>
  <rect width="{left + right}" height="20" rx="3" fill="{color}"/>
  <path d="M3 0H{left}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#24292f"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" aria-hidden="true">
    <text x="{_PADDING}" y="14" textLength="{left - 2 * _PADDING}">{LABEL}</text>
    <text x="{left + _PADDING}" y="14" textLength="{right - 2 * _PADDING}">{value}</text>
  </g>
</svg>
"""


def _width(text: str) -> int:
    return round(sum(map(_advance, text))) + 2 * _PADDING


def _advance(character: str) -> float:
    return next((width for width, characters in _WIDTHS.items() if character in characters), _USUAL)
