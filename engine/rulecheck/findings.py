"""What is wrong with a rule file, and where: the one record that every output of rulecheck prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Finding:
    """One mistake. Line and column count from 1; ``width`` characters from there are meant.

    ``source`` is the line of the file, None when there is none to show; ``hint`` says what to write instead.
    """

    path: Path
    line: int
    column: int
    code: str
    message: str
    hint: str | None = None
    source: str | None = None
    width: int = 1
    unknown: str = ""
    """The name that is not known here, when it is about one; so far each place has its own finding."""
    unread: str = ""
    """The name that nothing reads, when it is about one."""

    @property
    def order(self) -> tuple[str, int, int, int, str]:
        """Findings are reported by file, then in the order of its text, then by code."""
        return str(self.path), self.line, self.column, int(self.code[1:]), self.message


@dataclass(frozen=True)
class Checked:
    """All findings of one run, in order, with how much was looked at."""

    findings: tuple[Finding, ...]
    files: int
    rules: int
    cases: int
