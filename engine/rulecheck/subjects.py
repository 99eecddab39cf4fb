"""What the checks look at: a revision, and one rule of it, each with the document that it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.positions import Document
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.jsontypes import JSON
from mcp_compliance.rulecheck.findings import Finding


class Source:
    """A document that findings point into."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @property
    def path(self) -> Path:
        return self.document.path

    def at(self, pointer: Sequence[str | int]) -> JSON:
        """The value at a pointer; None when there is none."""
        value = self.document.value
        for part in pointer:
            if isinstance(value, dict) and isinstance(part, str):
                value = value.get(part)
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def finding(
        self, code: str, pointer: Sequence[str | int], message: str, hint: str | None = None, *, key: bool = False
    ) -> Finding:
        """A finding about the value at ``pointer``, or about its key."""
        place = self.document.place(pointer, key=key)
        shown = str(pointer[-1]) if key and pointer else self.at(pointer)
        width = len(shown) if isinstance(shown, str) else 1
        return self._finding(code, place.line, place.column, width, message, hint)

    def finding_within(
        self, code: str, pointer: Sequence[str | int], offset: int, width: int, message: str, hint: str | None = None
    ) -> Finding:
        """A finding about characters of the text at ``pointer``, counted from 0."""
        place = self.document.place_within(pointer, offset)
        return self._finding(code, place.line, place.column, width, message, hint)

    def _finding(self, code: str, line: int, column: int, width: int, message: str, hint: str | None) -> Finding:
        lines = self.document.source_lines
        source = lines[line - 1] if line <= len(lines) else None
        room = 1 if source is None else max(1, len(source) - column + 1)
        return Finding(self.path, line, column, code, message, hint, source, max(1, min(width, room)))


@dataclass(frozen=True)
class Lists:
    """Anchors by page, and ids of requirements; None where the revision has no such list."""

    anchors: Mapping[str, frozenset[str]] | None = None
    requirements: frozenset[str] | None = None


@dataclass
class RevisionSubject:
    """A revision that compiled. ``complete`` when the whole folder is checked, not single files of it."""

    source: Source
    revision: Revision
    lists: Lists
    complete: bool


@dataclass
class RuleSubject:
    """A rule that passed its schema and compiled without an unreadable expression."""

    source: Source
    rule: Rule
    revision: RevisionSubject
    names: frozenset[str] = field(default_factory=frozenset)
    """Names of its steps."""

    def __post_init__(self) -> None:
        self.names = frozenset(step.name for step in self.rule.steps)


@dataclass(frozen=True)
class Title:
    """The title of a rule; ``place`` is a finding there, whose message is still to be said."""

    revision: str
    rule_id: str
    text: str
    place: Finding
