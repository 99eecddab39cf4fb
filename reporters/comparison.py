"""From a comparison of two reports to text for people, in a terminal or in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mcp_compliance.model.comparison import Change, Comparison
from mcp_compliance.model.past_report import PastReport
from mcp_compliance.model.result import Result
from mcp_compliance.reporters.comparison_data import render_github, render_json
from mcp_compliance.reporters.markdown_text import plain
from mcp_compliance.reporters.page import Page
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import visible

GROUPS: tuple[tuple[str, str, str], ...] = (
    ("Newly failing", "newly_failing", "red"),
    ("Fixed", "fixed", "green"),
    ("Newly skipped", "newly_skipped", "yellow"),
    ("No longer skipped", "no_longer_skipped", "green"),
    ("New tests", "added", ""),
    ("Removed tests", "removed", ""),
    ("Still failing", "still_failing", "yellow"),
)
"""Title, attribute of the comparison, colour."""
WORDS = {"pass": "passed", "fail": "failed", "skip": "skipped"}


def render_terminal(found: Comparison, style: Style) -> str:
    page = Page(style)
    page.line(("mcp-compliance diff", "bold"), f"  MCP {visible(found.current.spec_version)}")
    page.blank()
    page.wrapped(_about(found.baseline), label="Baseline")
    page.wrapped(_about(found.current), label="Current")
    for title, name, colour in GROUPS:
        changes: Sequence[Change] = getattr(found, name)
        if changes:
            page.heading(f"{title} ({len(changes)})")
            _add_changes(page, name, changes, colour)
    if found.notes:
        page.heading("Notes")
        page.bullets(visible(note) for note in found.notes)
    page.blank()
    page.wrapped(verdict(found), "bold red" if found.newly_failing else "bold green")
    return page.text()


def _add_changes(page: Page, name: str, changes: Sequence[Change], colour: str) -> None:
    if name in ("removed", "still_failing"):
        page.wrapped(", ".join(visible(change.id) for change in changes), "dim", indent=2)
        return
    for change in changes:
        page.line((visible(change.id), f"bold {colour}".strip()), (f"  {_remark(name, change)}", "dim"), indent=2)
        if change.now == "fail" or name == "newly_skipped":
            page.wrapped(visible(_message(change)), indent=4)


def render_markdown(found: Comparison, style: Style) -> str:
    """``style`` is not asked: Markdown has none."""
    lines = [
        f"## MCP compliance: {_score(found.baseline)} → {_score(found.current)}",
        "",
        f"**{verdict(found)}** (MCP {plain(found.current.spec_version)})",
    ]
    for title, name, _ in GROUPS:
        changes: Sequence[Change] = getattr(found, name)
        if changes:
            lines += ["", f"### {title} ({len(changes)})", ""]
            lines += [_item(name, change) for change in changes]
    if found.notes:
        lines += ["", *(f"> {plain(note)}" for note in found.notes)]
    return "\n".join(lines) + "\n"


def _item(name: str, change: Change) -> str:
    text = f"- {plain(change.id)} ({_remark(name, change)})"
    if change.now == "fail" or name == "newly_skipped":
        text += f": {plain(_message(change))}"
    return text


def verdict(found: Comparison) -> str:
    """One sentence: what the exit code says."""
    count = len(found.newly_failing)
    if count:
        return f"{count} {'test fails' if count == 1 else 'tests fail'} that did not before."
    return "Nothing fails that did not before."


def _about(report: PastReport) -> str:
    written = ", ".join(word for word in (report.timestamp, report.url.removeprefix("stdio:")) if word)
    return visible(f"{_score(report)}  {report.name}" + (f" ({written})" if written else ""))


def _score(report: PastReport) -> str:
    return f"{report.grade} {report.score}/100"


def _remark(name: str, change: Change) -> str:
    """Level, and what the title of the group leaves open."""
    result = change.after or change.before
    level = "required" if result is not None and result.required else "optional"
    if name == "added" and change.now is not None:
        return f"{level}, {WORDS[change.now]}"
    if name in ("newly_failing", "newly_skipped") and change.was is not None:
        return f"{level}, {WORDS[change.was]} before"
    return level


def _message(change: Change) -> str:
    result: Result | None = change.after
    return "" if result is None else result.message


RENDERERS: Mapping[str, Callable[[Comparison, Style], str]] = {
    "terminal": render_terminal,
    "json": render_json,
    "markdown": render_markdown,
    "github": render_github,
}
