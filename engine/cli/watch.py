"""``test --watch``: run, wait until a file changes, and run again, until Ctrl+C.

The watcher gathers what changes in a thread of its own, so nothing is missed during a run. A run is never cut short:
half a report is of no use, and the server's process is ended in order. What changed meanwhile leads to one more run.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from mcp_compliance.cli import output
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.gates import Gates
from mcp_compliance.cli.running import Presentation, run
from mcp_compliance.cli.termination import Termination
from mcp_compliance.cli.watch_filter import WatchFilter, named_files
from mcp_compliance.model.options import RunOptions, StdioTarget
from mcp_compliance.reporters.untrusted import visible

QUIET = 500
"""Milliseconds without a further change after which the next run begins: editors and builds write in bursts."""
LONGEST_BURST = 5000
ROUND = 600
"""Milliseconds after which a wait for changes looks up; longer than ``QUIET``, or nothing would ever be gathered."""
ECHOES = 3
"""Runs in a row during which a file changed, after which its changes during runs are the server's own."""


def watch_and_run(options: RunOptions, shown: Presentation) -> int:
    """Run again and again. Ends with KeyboardInterrupt, when everything is cleaned up. Raises `UserError` when the
    current directory cannot be watched.
    """
    root = Path.cwd()
    if options.seed is None:  # between two runs nothing but the files is to differ
        options = replace(options, seed=secrets.randbelow(2**31))
    kept = watch_filter(options, shown, root)
    echoes = Echoes()
    with Termination():
        changes = _changes(kept)
        next(changes)  # from here on nothing is missed
        _say_what_is_watched(kept)
        number, changed = 1, frozenset[Path]()
        while True:
            _say_what_runs(number, changed, root, bold=output.colored(sys.stderr, no_color=shown.no_color))
            run(options, Gates(), shown)
            during = next(changes)
            echoed = echoes.after(during)
            for path in sorted(echoed):
                output.notes([_of_the_echo(path, root)])
            changed = during - echoes.own
            if not changed:
                output.say(f"waiting for a change in {root}; Ctrl+C ends")
            while not changed:
                changed = next(changes)
            number += 1


def watch_filter(options: RunOptions, shown: Presentation, root: Path) -> WatchFilter:
    """Which files below ``root`` are a reason to run again."""
    target = options.target
    files = [file.path for file in shown.files] + ([] if shown.evidence is None else [shown.evidence])
    named: frozenset[Path] = frozenset()
    if isinstance(target, StdioTarget):
        named = named_files(target.command, root if target.cwd is None else root / target.cwd, root)
    return WatchFilter(root, frozenset(Path(os.path.normpath(root / file)) for file in files), named)


@dataclass
class Echoes:
    """Files that the server itself writes: they change during every run. Without this they would cause the next run,
    and that the one after it, for ever.
    """

    own: frozenset[Path] = frozenset()
    _seen: dict[Path, int] = field(default_factory=dict)

    def after(self, during: frozenset[Path]) -> frozenset[Path]:
        """Tell what changed during a run; returns the files that are taken for the server's own since then."""
        self._seen = {path: self._seen.get(path, 0) + 1 for path in during}
        found = frozenset(path for path, runs in self._seen.items() if runs >= ECHOES) - self.own
        self.own |= found
        return found


def _changes(kept: WatchFilter) -> Iterator[frozenset[Path]]:
    """What changed since the last call, after a moment of quiet; empty when nothing did for a while."""
    from watchfiles import Change, watch

    streams = _redirected()

    def wanted(change: Change, name: str) -> bool:
        path = Path(name)
        return kept.watches(path) and not path.is_dir() and _identity(path) not in streams

    def batches(*, unreadable: bool) -> Iterator[set[tuple[Change, str]]]:
        return watch(
            kept.root,
            watch_filter=wanted,
            step=QUIET,
            debounce=LONGEST_BURST,
            rust_timeout=ROUND,
            yield_on_timeout=True,
            ignore_permission_denied=unreadable,
        )

    try:
        try:
            found = batches(unreadable=False)
            first = next(found)
        except PermissionError:  # folders of others are left out; not at once, as every other problem would be, too
            found = batches(unreadable=True)
            first = next(found)
        for batch in chain((first,), found):
            yield frozenset(Path(name) for _, name in batch)
    except (OSError, RuntimeError) as error:  # the latter is what becomes of a system's limit
        raise UserError(f"--watch: {kept.root} cannot be watched: {error}") from error


def _redirected() -> set[tuple[int, int]]:
    """The files that standard output and standard error go to: ``> report.md`` must not cause the next run."""
    found = [_identity(number) for number in (1, 2)]
    return {identity for identity in found if identity is not None}


def _identity(file: int | Path) -> tuple[int, int] | None:
    """What tells a regular file from all others, whatever its name; None for anything else."""
    try:
        about = os.stat(file)
    except OSError:
        return None
    return (about.st_dev, about.st_ino) if stat.S_ISREG(about.st_mode) else None


def _say_what_is_watched(kept: WatchFilter) -> None:
    if kept.hidden:
        names = ", ".join(_short(path, kept.root) for path in kept.hidden)
        output.notes([f"what a build writes is not watched, except for {names}, which the command names"])


def _say_what_runs(number: int, changed: frozenset[Path], root: Path, *, bold: bool) -> None:
    why = f": {_named(sorted(changed), root)} changed" if changed else ""
    bar = "=" * 8
    line = f"{bar} {time.strftime('%H:%M:%S')}  run {number}{why} {bar}"
    lead = "\n" if number > 1 else ""
    print(lead + (f"\x1b[1m{line}\x1b[0m" if bold else line), file=sys.stderr, flush=True)


def _of_the_echo(path: Path, root: Path) -> str:
    return (
        f"{_short(path, root)} changed during {ECHOES} runs in a row, so the server seems to write it; "
        "its changes during a run are left out from now on"
    )


def _named(paths: Sequence[Path], root: Path) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    # Some editors write a file under a passing name and then rename it: what is left is what was edited.
    first = next((path for path in paths if path.exists()), paths[0])
    return f"{_short(first, root)}{more}"


def _short(path: Path, root: Path) -> str:
    return visible(str(path.relative_to(root) if path.is_relative_to(root) else path))
