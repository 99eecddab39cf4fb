"""Which files ``--watch`` looks at: what people edit, not what tools and the run itself write."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

FOLDERS = frozenset(
    # of version control and of package managers
    {".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", ".venv", "venv", ".tox", ".nox", ".eggs"}
    # of builds and their caches
    | {"dist", "build", "target", "__pycache__", ".cache", ".gradle", ".next", ".nuxt", ".parcel-cache", ".svelte-kit"}
    | {".turbo", ".vite", ".yarn", ".pnpm-store"}
    # of tests, checkers and editors
    | {"coverage", "htmlcov", ".nyc_output", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".idea"}
)
"""Nothing in folders of these names is looked at."""

_FILES = re.compile(
    r"""
      .*\.log(\.\d+)? | npm-debug\.log.*                                     # logs
    | .*\.sw[a-z] | 4913 | .*~ | \.\#.* | \#.*\# | .*___jb_(tmp|old)___      # swap files and copies of editors
    | .*\.(tmp|temp|bak|orig|pid) | \.tmp.* | tmp[a-z0-9_]{8}               # temporary files
    | .*-(journal|wal|shm)                                                 # those of SQLite
    | .*\.py[cod] | .*\.tsbuildinfo | \.eslintcache | \.coverage(\..*)?      # what tools keep beside the sources
    | \.DS_Store | Thumbs\.db
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class WatchFilter:
    """``root`` is the watched folder, absolute, as are the others. ``own`` are the files that the run writes. ``named``
    are files that the command names: they are looked at wherever they lie, since it is they that are started.
    """

    root: Path
    own: frozenset[Path] = frozenset()
    named: frozenset[Path] = frozenset()

    def watches(self, path: Path) -> bool:
        """Whether a change of this file, absolute, is a reason to run again. No file is looked up."""
        if self._is_own(path):
            return False
        if path in self.named:
            return True
        *folders, name = _below(path, self.root) or ("",)
        if not name or any(folder in FOLDERS or folder.endswith(".egg-info") for folder in folders):
            return False
        return _FILES.fullmatch(name) is None

    def _is_own(self, path: Path) -> bool:
        # a report is written under another name at first, and takes its own when it is whole
        return path in self.own or any(
            path.parent == file.parent and path.name.startswith(f".{file.name}.") for file in self.own
        )

    @property
    def hidden(self) -> tuple[Path, ...]:
        """Those named files whose folder is not looked at otherwise."""
        bare = WatchFilter(self.root)
        return tuple(sorted(path for path in self.named if not bare.watches(path)))


def _below(path: PurePath, root: PurePath) -> tuple[str, ...]:
    try:
        return path.relative_to(root).parts
    except ValueError:
        return ()


def named_files(command: Sequence[str], cwd: Path, root: Path) -> frozenset[Path]:
    """The files below ``root`` that words of the command name. ``cwd`` is where the command is started."""
    found = set()
    for word in command:
        # a word may be any text, also one that is no path at all
        try:
            path = Path(os.path.normpath(cwd / word))  # not resolved: changes are told under the names of links
            if path.is_file() and path.is_relative_to(root):
                found.add(path)
        except (OSError, ValueError):
            continue
    return frozenset(found)
