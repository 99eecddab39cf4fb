"""What is handed to every evaluation beside the root: the named data that functions may look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.patterns import PatternSet, load_pattern_sets


@dataclass(frozen=True, eq=False)
class Library:
    """``patterns`` holds the pattern sets of a revision by name: what ``pattern_hits(x, name)`` and the
    predicates ``matches: <name>`` and ``matches_none: <name>`` refer to. One library serves a whole run."""

    patterns: Mapping[str, PatternSet] = field(default_factory=dict)


def load_library(*pattern_files: Path) -> Library:
    """The library with the sets of these YAML files; a later file's set replaces one of the same name. Raises
    ``PatternError``."""
    return Library(load_pattern_sets(*pattern_files))
