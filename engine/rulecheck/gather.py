"""Finds the files to check, and the revision that each rule belongs to."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.index import REVISION_FILE


@dataclass
class Folder:
    """A revision's folder with the rule files to check; ``complete`` when all of them are."""

    path: Path
    rules: list[Path] = field(default_factory=list)
    complete: bool = False


@dataclass
class Gathered:
    """``strays`` are rule files above which no revision stands."""

    folders: list[Folder]
    strays: list[Path]
    missing: list[Path]


def gather(paths: Iterable[Path]) -> Gathered:
    """Rule files below the paths, by revision. A path is a file, a category, a revision, or a folder of them.

    What rules share (a revision's lists, the pattern sets of all revisions) stands for all rules that it concerns, so
    that the names of changed files may be given as they are. Files that are no YAML are passed over.
    """
    folders: dict[Path, Folder] = {}
    strays: list[Path] = []
    missing: list[Path] = []
    for given in paths:
        if not given.exists():
            missing.append(given)
            continue
        path = Path(os.path.abspath(given))  # the revision may stand above the working directory
        for revision in sorted(path.rglob(REVISION_FILE)) if path.is_dir() else ():
            folder = folders.setdefault(revision.parent.resolve(), Folder(revision.parent))
            folder.complete = True
        for file in sorted(path.rglob("*.yaml")) if path.is_dir() else [path]:
            home = _revision_of(file)
            if file.name.startswith("_"):
                for concerned in _concerned(file) if file == path else ():
                    folders.setdefault(concerned.resolve(), Folder(concerned)).complete = True
            elif file.suffix not in (".yaml", ".yml"):
                continue
            elif home is None:
                strays.append(file)
            else:
                folder = folders.setdefault(home.resolve(), Folder(home))
                if file not in folder.rules:
                    folder.rules.append(file)
    for folder in folders.values():
        if folder.complete:
            folder.rules = sorted(file for file in folder.path.rglob("*.yaml") if not file.name.startswith("_"))
    return Gathered(list(folders.values()), strays, missing)


def _revision_of(file: Path) -> Path | None:
    return next((folder for folder in file.parents if (folder / REVISION_FILE).is_file()), None)


def _concerned(file: Path) -> list[Path]:
    """The revisions that a shared file belongs to: the one that it lies in, else those beside its folder."""
    home = _revision_of(file)
    if home is not None:
        return [home]
    return sorted(revision.parent for revision in file.parent.parent.glob(f"*/{REVISION_FILE}"))
