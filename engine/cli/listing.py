"""``--list``: the rules that would run, without connecting to anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from mcp_compliance.catalog.index import IndexEntry, load_index, revisions_with
from mcp_compliance.suite.filters import Selection, select

_TRANSPORTS = {"http": "HTTP", "stdio": "stdio"}


@dataclass(frozen=True)
class Section:
    """What of one revision would run."""

    revision: str
    transport: str | None
    selection: Selection[IndexEntry]


def sections(
    revisions: Sequence[str], only: Sequence[str], skip: Sequence[str], transport: str | None
) -> tuple[Section, ...]:
    """One section for each revision. Raises `mcp_compliance.catalog.index.IndexFileError`."""
    return tuple(
        Section(revision, transport, select(load_index(revision).entries, only, skip, transport, revisions_with))
        for revision in revisions
    )


def as_text(listed: Sequence[Section]) -> str:
    """A heading for each revision, its warnings, then a line for each rule: id, level, title, where it applies."""
    return "\n\n".join("\n".join(_section(section)) for section in listed) + "\n"


def as_json(listed: Sequence[Section]) -> str:
    """The same as one JSON document."""
    document = [
        {
            "specVersion": section.revision,
            "transport": section.transport,
            "tests": [asdict(entry) for entry in section.selection.kept],
            "warnings": section.selection.warnings,
        }
        for section in listed
    ]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _section(section: Section) -> list[str]:
    kept = section.selection.kept
    over = f" over {_TRANSPORTS[section.transport]}" if section.transport else ""
    lines = [f"MCP {section.revision}: {len(kept)} {'rule' if len(kept) == 1 else 'rules'}{over}"]
    lines += [f"  warning: {warning}" for warning in section.selection.warnings]
    if not kept:
        return [*lines, "  No tests would run -- check --only/--skip"]
    ids = max(len(entry.id) for entry in kept)
    levels = max(len(_level(entry)) for entry in kept)
    category = None
    for entry in kept:
        if entry.category != category:
            category = entry.category
            lines += ["", category]
        lines.append(f"  {entry.id:<{ids}}  {_level(entry):<{levels}}  {entry.title}{_where(section, entry)}")
    return lines


def _where(section: Section, entry: IndexEntry) -> str:
    if section.transport is not None or len(entry.transports) > 1:
        return ""
    return f" ({_TRANSPORTS[entry.transports[0]]} only)"


def _level(entry: IndexEntry) -> str:
    return f"required with {entry.capability}" if entry.level == "required-if-declared" else entry.level
