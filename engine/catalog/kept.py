"""Keeps what was read from rule files for the next run in the same process, as long as the files stay as they are."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from mcp_compliance.catalog.load import load_revision, load_rules
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Rule

Stamp: TypeAlias = tuple[tuple[str, int, int], ...]


def stamp_of(folder: Path) -> Stamp:
    """Name, time of change and size of every file that a revision is made of."""
    files = [*folder.glob("_*.yaml"), *folder.glob("*/*.yaml"), *folder.parent.glob("shared/*.yaml")]
    return tuple(sorted((str(path), (facts := path.stat()).st_mtime_ns, facts.st_size) for path in files))


@lru_cache(maxsize=4)
def kept_revision(folder: Path, stamp: Stamp) -> Revision:
    """The revision as it is at this stamp. Raises what ``load_revision`` raises."""
    return load_revision(folder)


@lru_cache(maxsize=8)
def kept_rules(folder: Path, stamp: Stamp, only: tuple[str, ...]) -> tuple[Rule, ...]:
    """These rules of the revision, in suite order and without their cases."""
    return load_rules(kept_revision(folder, stamp), only, cases=False)
