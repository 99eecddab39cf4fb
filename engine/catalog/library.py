"""What is handed to every evaluation beside the root: the named data that functions may look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.patterns import PatternSet, load_pattern_sets
from mcp_compliance.catalog.wire_schema import WireSchema


@dataclass(frozen=True, eq=False)
class Library:
    """``patterns`` holds the pattern sets of a revision by name: what ``pattern_hits(x, name)`` and the
    predicates ``matches: <name>`` and ``matches_none: <name>`` refer to. ``wire`` is its schema of messages, which
    ``wire_check(items)`` needs; None where it has none. One library serves a whole run."""

    patterns: Mapping[str, PatternSet] = field(default_factory=dict)
    wire: WireSchema | None = None


def load_library(*pattern_files: Path, wire: Path | None = None) -> Library:
    """The library with the sets of these YAML files (a later file's set replaces one of the same name), and with the
    wire schema in ``wire`` if there is such a file; that is read when it is first needed. Raises ``PatternError``."""
    return Library(load_pattern_sets(*pattern_files), wire_schema(wire))


def wire_schema(file: Path | None) -> WireSchema | None:
    return WireSchema(file) if file is not None and file.is_file() else None
