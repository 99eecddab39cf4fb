"""``rulecheck --watch``: checks once, then looks at each rule again when it is saved, and plays its cases.

A saved rule is looked at alone, which takes a moment; what other files share (a revision, its lists, pattern sets)
leads to a look at everything.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mcp_compliance.cli.output import write
from mcp_compliance.rulecheck.check import NothingToCheckError, check_paths
from mcp_compliance.rulecheck.errors import CannotError
from mcp_compliance.rulecheck.gather import Gathered, gather
from mcp_compliance.rulecheck.lookup import rule_for
from mcp_compliance.rulecheck.playing import play
from mcp_compliance.rulecheck.render import counted, shown_path, summary, text

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
QUIET = 400
"""Milliseconds after which a wait for changes looks up."""
RULED = 72
"""Width of the line that parts two looks where the screen cannot be cleared."""


def watch_rules(paths: Sequence[Path], changes: Iterable[frozenset[Path]], *, terminal: bool) -> None:
    """One look at everything, and one more for each set of changed files, until ``changes`` ends."""
    _show(_look_at_all(paths), "", terminal=terminal)
    for changed in filter(None, changes):
        names = ", ".join(path.name for path in sorted(changed)[:3]) + (", ..." if len(changed) > 3 else "")
        _show(_look(paths, changed), f"{names} changed", terminal=terminal)


def changes_of(paths: Sequence[Path]) -> Iterator[frozenset[Path]]:
    """Sets of YAML files that were saved, made or removed in the folders that a check of the paths reads; empty when
    nothing was for a while, and the first time: from then on nothing is missed. Raises ``CannotError`` when the folders
    cannot be watched, and KeyboardInterrupt on Ctrl+C."""
    from watchfiles import watch

    folders = watched_folders(gather(paths), paths)
    try:
        kept = watch(
            *folders,
            watch_filter=lambda _, name: name.endswith(".yaml"),
            rust_timeout=QUIET,
            yield_on_timeout=True,
        )
        for batch in kept:
            yield frozenset(Path(name) for _, name in batch)
    except OSError as error:
        raise CannotError(f"--watch: {folders[0]} cannot be watched: {error.strerror}") from error


def watched_folders(gathered: Gathered, paths: Sequence[Path]) -> list[Path]:
    """The folders of the revisions, with what they share beside them; else what was given."""
    found = [folder.path for folder in gathered.folders]
    found += [path.parent / "shared" for path in found if (path.parent / "shared").is_dir()]
    found += [stray.parent for stray in gathered.strays] + [path for path in paths if path.is_dir()]
    return list(dict.fromkeys(path.resolve() for path in found))


def _look(paths: Sequence[Path], changed: frozenset[Path]) -> str:
    if any(path.name.startswith("_") or not path.exists() for path in changed):
        return _look_at_all(paths)
    return "".join(_look_at_rule(path) for path in sorted(changed))


def _look_at_all(paths: Sequence[Path]) -> str:
    try:
        checked = check_paths(paths)
    except NothingToCheckError as error:
        return f"{error}\n"
    return f"{text(checked)}{summary(checked)}\n"


def _look_at_rule(path: Path) -> str:
    """Its findings; without any, what its cases came to, as many as the screen has room for."""
    checked = check_paths([path])
    if checked.findings:
        return f"{text(checked)}{summary(checked)}\n"
    rule, revision = rule_for(str(path), "", None)
    lines = play(rule, rule.cases, revision, verbose=False)[0].splitlines()
    columns, rows = shutil.get_terminal_size()
    room = max(rows - 6, 5)
    shown = [line if len(line) <= columns else f"{line[: columns - 3]}..." for line in lines[:room]]
    rest = [f"... and {counted(len(lines) - room, 'line')} more: rulecheck play {rule.id}"] if len(lines) > room else []
    return "".join(f"{line}\n" for line in (*shown, *rest, f"{shown_path(path)}: {summary(checked)}"))


def _show(words: str, why: str, *, terminal: bool) -> None:
    head = f"{time.strftime('%H:%M:%S')}  {why}".rstrip()
    top = CLEAR if terminal else f"{'-' * RULED}\n" if why else ""
    write(f"{top}{head}\n{words}waiting for a change; Ctrl+C ends\n")
