"""The shipped index of a revision's rules: what ``--list`` prints, without loading a single rule document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import mcp_compliance.rules

REVISION_FILE = "_revision.yaml"
INDEX_FILE = "_index.json"


class IndexFileError(Exception):
    """The index of a revision is missing or not what this version writes. The text is one line for people."""


@dataclass(frozen=True)
class IndexEntry:
    """One rule. ``level``: required, optional or required-if-declared; ``spec``: an absolute URL or empty."""

    id: str
    title: str
    category: str
    level: str
    capability: str | None
    transports: tuple[str, ...]
    spec: str


@dataclass(frozen=True)
class Index:
    """The rules of one revision, in the order of the suite."""

    revision: str
    entries: tuple[IndexEntry, ...]


def rules_root() -> Path:
    """Folder of the installed rule files."""
    return Path(next(iter(mcp_compliance.rules.__path__)))


def known_revisions(root: Path | None = None) -> tuple[str, ...]:
    """Names of the revision folders, oldest first (they are dates, so the alphabet sorts them)."""
    folder = rules_root() if root is None else root
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{REVISION_FILE}")))


def load_index(revision: str, root: Path | None = None) -> Index:
    """Read the index of ``revision``. Raises `IndexFileError`."""
    path = (rules_root() if root is None else root) / revision / INDEX_FILE
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        entries = tuple(
            IndexEntry(
                id=entry["id"],
                title=entry["title"],
                category=entry["category"],
                level=entry["level"],
                capability=entry["capability"],
                transports=tuple(entry["transports"]),
                spec=entry["spec"],
            )
            for entry in document["entries"]
        )
    except OSError as error:
        raise IndexFileError(f"{path}: cannot be read ({error.strerror}); reinstall mcp-compliance") from error
    except (ValueError, KeyError, TypeError) as error:
        raise IndexFileError(f"{path}: is not a rule index ({error!r}); reinstall mcp-compliance") from error
    return Index(revision=document["revision"], entries=entries)


def revisions_with(word: str, root: Path | None = None) -> tuple[str, ...]:
    """The revisions that have a rule or a category of this name, oldest first. Raises `IndexFileError`."""
    return tuple(
        revision
        for revision in known_revisions(root)
        if any(word in (entry.id, entry.category) for entry in load_index(revision, root).entries)
    )
