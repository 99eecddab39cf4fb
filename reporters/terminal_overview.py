"""What a terminal report counts: what was graded, the grade, a bar a category, a line a rule."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_compliance.model.result import Grade, Report, Result, Verdict
from mcp_compliance.model.scoring import Counts, counts, grade, score
from mcp_compliance.reporters.page import Page
from mcp_compliance.reporters.untrusted import visible

GRADE_STYLES: dict[Grade, str] = {"A": "green", "B": "green", "C": "yellow", "D": "yellow", "F": "red"}
VERDICTS: dict[Verdict, tuple[str, str]] = {
    "pass": ("PASS", "green"),
    "fail": ("FAIL", "red"),
    "not-evaluable": ("FAIL", "red"),
    "skip": ("SKIP", "dim"),
    "broken": ("BROKEN", "magenta"),
}
TRANSPORTS = {"http": "Streamable HTTP", "stdio": "stdio"}
SKIP_PREFIX = "Skipped: "
_LONGEST_NAME = 200


def add_header(page: Page, report: Report) -> None:
    page.line(("mcp-compliance", "bold"), f" {report.tool_version}")
    page.blank()
    page.wrapped(visible(report.url.removeprefix("stdio:")), label="Target")
    if report.error is None or report.server.name:
        page.wrapped(visible(_server(report)), label="Server")
    page.wrapped(visible(_spec(report)), label="Spec")
    page.wrapped(TRANSPORTS[report.transport], label="Transport")
    page.blank()


def add_error(page: Page, report: Report) -> None:
    page.heading("ERROR")
    page.wrapped(visible(report.error or ""), "bold red", indent=2)


def add_one_cause(page: Page, report: Report) -> None:
    """In place of a long list of failures that all say the same."""
    found = counts(report.results)
    points = score(report.results)
    failed = f"{found.failed} of {found.total} rules failed, all for this reason"
    page.wrapped(f"Grade {grade(points)}, {points}/100: {failed}.", indent=2)


def add_grade(page: Page, report: Report) -> None:
    points = score(report.results)
    letter = grade(points)
    colour = GRADE_STYLES[letter]
    found = counts(report.results)
    top, side, bottom = (
        page.glyph("╭─────╮", "+-----+"),
        page.glyph("│", "|"),
        page.glyph("╰─────╯", "+-----+"),
    )
    page.line((top, colour), "  ", (f"{points}/100", f"bold {colour}"))
    rows = _rows([*_tally(found), _measured(found)], page.style.width - len(top) - 2)
    page.line((f"{side}  ", colour), (letter, f"bold {colour}"), (f"  {side}", colour), "  ", rows[0])
    page.line((bottom, colour), "  ", (rows[1], "dim"))
    for row in rows[2:]:
        page.line((row, "dim"), indent=len(top) + 2)


def add_grade_again(page: Page, report: Report) -> None:
    """The grade in one line, for the end of a long report."""
    points = score(report.results)
    letter = grade(points)
    failed = counts(report.results).failed
    page.line((f"Grade {letter}, {points}/100", f"bold {GRADE_STYLES[letter]}"), f", {failed} failed" if failed else "")


def add_categories(page: Page, report: Report) -> None:
    groups = list(by_category(report))
    if not groups:
        return
    page.heading("CATEGORIES", "what was measured, skips left out")
    names = max(len(name) for name, _ in groups)
    cells = max(10, min(page.style.width - 60, 40))
    full, empty = page.glyph("█", "#"), page.glyph("░", ".")
    for name, results in groups:
        found = counts(results)
        share = found.measured_passed / found.measured if found.measured else 0
        # Floor: a bar is full only when nothing failed.
        filled = int(cells * share)
        colour = "green" if share == 1 else "yellow" if share >= 0.6 else "red"
        tally = f"{found.measured_passed}/{found.measured}" if found.measured else "nothing measured"
        page.line(
            f"{name:<{names}}  ",
            (full * filled, colour),
            (empty * (cells - filled), "dim"),
            f"  {tally:<7}",
            (f"  {found.skipped} skipped" if found.skipped else "", "dim"),
            indent=2,
        )


def add_results(page: Page, report: Report) -> None:
    if not report.results:
        return
    page.heading("RESULTS")
    width = max(len(result.id) for result in report.results)
    for name, results in by_category(report):
        page.line((name, "bold"), indent=2)
        for result in results:
            word, colour = VERDICTS[result.verdict]
            message = visible(result.message).removeprefix(SKIP_PREFIX)
            if result.expected:
                colour, message = "yellow", f"(expected) {message}"
            page.cut((f"{word:<8}", colour), f"{result.id:<{width}}  ", (message, "dim"), indent=4)


def by_category(report: Report) -> Iterator[tuple[str, list[Result]]]:
    """Categories in the order in which they first ran, each with its results."""
    for name in dict.fromkeys(result.category for result in report.results):
        yield name, [result for result in report.results if result.category == name]


def _server(report: Report) -> str:
    """What the server said of itself. The version is its own word; the graded one stands elsewhere."""
    server = report.server
    name = " ".join(word[:_LONGEST_NAME] for word in (server.name, server.version) if word)
    if server.protocol_version:
        return f"{name or 'did not say its name'}, protocol {server.protocol_version[:_LONGEST_NAME]}"
    return f"{name}, which named no protocol version" if name else "named neither itself nor a protocol version"


def _spec(report: Report) -> str:
    detection = report.detection
    if detection is None:
        return f"MCP {report.spec_version}"
    how = {"detected": "auto-detected from", "undetermined": "assumed;", "pinned": ""}.get(detection.era, "")
    return f"MCP {report.spec_version} ({' '.join(word for word in (how, detection.reason) if word)})"


def _tally(found: Counts) -> list[str]:
    failed = found.failed - found.broken
    apart = f" ({found.not_evaluable} not evaluable)" if found.not_evaluable else ""
    parts = [f"{found.measured_passed} passed", f"{failed} failed{apart}", f"{found.skipped} skipped"]
    if found.broken:
        parts.append(f"{found.broken} broken")
    parts.append(f"{found.must_violations} MUST violation{'' if found.must_violations == 1 else 's'}")
    return parts


def _rows(parts: list[str], width: int) -> list[str]:
    """The parts in as few rows as the width allows, two at least; the last part is a sentence of its own."""
    *counted, measured = parts
    rows = [counted[0]]
    for part in counted[1:]:
        longer = f"{rows[-1]}, {part}"
        rows[-1:] = [longer] if len(longer) <= width else [rows[-1], part]
    longer = f"{rows[-1]}; {measured}"
    return [*rows[:-1], longer] if len(rows) > 1 and len(longer) <= width else [*rows, measured]


def _measured(found: Counts) -> str:
    if not found.total:
        return "No tests ran -- check --only/--skip"
    if not found.measured:
        return "No test measured anything"
    return f"{found.measured} of {found.total} {'rule' if found.total == 1 else 'rules'} measured something"
