"""Findings as text for people, as JSON, and as annotations of a GitHub workflow."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from mcp_compliance.cli.output import is_terminal
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.rulecheck.codes import PAGE
from mcp_compliance.rulecheck.findings import Checked, Finding

WIDEST = 120
"""Characters of a source line that are shown around the place of a finding; fewer where the terminal has fewer."""
_MARGIN = 14
"""Columns for the number of the line and for the dots on either side."""


def text(checked: Checked) -> str:
    """Place, code and message; the line with what is meant underlined; what to write instead."""
    return "".join(f"{block}\n" for block in map(_block, checked.findings))


def as_json(checked: Checked) -> str:
    """One document; each finding with ``file``, ``line``, ``column`` (from 1), ``code``, ``message``, ``hint`` (or
    null) and ``url``, the page that explains its code."""
    findings: list[JSONObject] = [
        {
            "file": shown_path(finding.path),
            "line": finding.line,
            "column": finding.column,
            "code": finding.code,
            "message": finding.message,
            "hint": finding.hint,
            "url": PAGE,
        }
        for finding in checked.findings
    ]
    document = {
        "files": checked.files,
        "rules": checked.rules,
        "cases": checked.cases,
        "findings": findings,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def github(checked: Checked) -> str:
    """Workflow commands, which the run shows beside the lines of a pull request."""
    return "".join(
        f"::error file={_property(shown_path(finding.path))},line={finding.line},col={finding.column},"
        f"title={finding.code}::{_data(_sentence(finding))}\n"
        for finding in checked.findings
    )


FORMATS: dict[str, Callable[[Checked], str]] = {"text": text, "json": as_json, "github": github}


def summary(checked: Checked) -> str:
    """One line: how much was looked at, and what came of it."""
    looked = f"{counted(checked.rules, 'rule')}, {counted(checked.cases, 'case')}"
    if not checked.findings:
        return f"{looked}: no findings"
    files = len({finding.path for finding in checked.findings})
    found = f"{counted(len(checked.findings), 'finding')} in {counted(files, 'file')}"
    return f"{looked}: {found}; rulecheck explain {checked.findings[0].code} says more"


def shown_path(path: Path) -> str:
    """Relative to the working directory where it lies below it, with slashes on every system."""
    here = Path.cwd()
    absolute = path if path.is_absolute() else here / path
    shown = absolute.relative_to(here) if absolute.is_relative_to(here) else path
    return shown.as_posix()


def _block(finding: Finding) -> str:
    return "\n".join(_lines(finding))


def _lines(finding: Finding) -> Iterator[str]:
    place = f"{shown_path(finding.path)}:{finding.line}:{finding.column}"
    yield f"{place}  {finding.code}  {finding.message}"
    if finding.source is not None:
        shown, column = _window(finding.source, finding.column)
        number = f"{finding.line:>5}"
        yield f"{number} | {shown}"
        yield f"{' ' * len(number)} | {' ' * (column - 1)}{'^' * min(finding.width, len(shown) - column + 2)}"
    if finding.hint:
        yield f"   {finding.hint}"


def _window(line: str, column: int) -> tuple[str, int]:
    """The part of a long line around a column, and the column in it."""
    line = line.expandtabs(1)
    widest = WIDEST
    if is_terminal(sys.stdout):
        widest = max(40, min(WIDEST, shutil.get_terminal_size().columns - _MARGIN))
    if len(line) <= widest:
        return line, column
    start = min(max(0, column - widest // 2), len(line) - widest)
    before, after = ("..." if start else ""), ("..." if start + widest < len(line) else "")
    return f"{before}{line[start : start + widest]}{after}", column - start + len(before)


def _sentence(finding: Finding) -> str:
    return f"{finding.message} ({finding.hint})" if finding.hint else finding.message


def counted(number: int, word: str) -> str:
    """The number with the word in its plural where it needs one."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
