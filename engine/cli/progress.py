"""What people see on standard error during a run: a bar, and with ``--verbose`` a line for each rule."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from mcp_compliance.cli.output import colored, is_terminal, tell
from mcp_compliance.model.result import Result, Verdict
from mcp_compliance.reporters.untrusted import visible

if TYPE_CHECKING:
    from rich.progress import Progress

_WORDS: dict[Verdict, tuple[str, str]] = {
    "pass": ("PASS", "32"),
    "fail": ("FAIL", "31"),
    "not-evaluable": ("FAIL", "31"),
    "skip": ("SKIP", "33"),
    "broken": ("BROKEN", "35"),
}
_DIM = "2"


@dataclass(frozen=True)
class Watching:
    """What to show. No terminal, no bar; ``status`` lines are for the terminal format."""

    bar: bool = False
    status: bool = False
    verbose: bool = False
    no_color: bool = False


class ProgressListener:
    """The run's listener, to be used as a context manager so that the bar goes away however the run ends."""

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._color = colored(sys.stderr, no_color=watching.no_color)
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressListener:
        if self._watching.bar and is_terminal(sys.stderr):
            self._bar = _bar(no_color=not self._color)
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def planned(self, total: int, spec_version: str) -> None:
        if self._bar is not None:
            for task in self._bar.task_ids:
                self._bar.update(task, total=total, description=f"MCP {spec_version}")

    def started(self, rule_id: str) -> None:
        if self._bar is not None:
            for task in self._bar.task_ids:
                self._bar.update(task, rule=rule_id)

    def finished(self, result: Result) -> None:
        if self._bar is not None:
            for task in self._bar.task_ids:
                self._bar.advance(task)
        if self._watching.verbose:
            word, code = _WORDS[result.verdict]
            rest = f"  {result.id}  {visible(result.message)} ({result.duration_ms} ms)"
            self._print(self._paint(f"{word:<6}", code) + rest)

    def status(self, message: str) -> None:
        if self._watching.status:
            self._print(self._paint(visible(message), _DIM))

    def server_stderr(self, line: str) -> None:
        if self._watching.verbose:
            self._print(self._paint(f"server | {visible(line)}", _DIM))

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._color else text

    def _print(self, line: str) -> None:
        if self._bar is None:
            tell(line)
        else:
            from rich.text import Text

            self._bar.console.print(Text.from_ansi(line), soft_wrap=True)


def _bar(*, no_color: bool) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[rule]}", markup=False),
        console=Console(stderr=True, no_color=no_color, highlight=False, markup=False, emoji=False),
        transient=True,
        refresh_per_second=8,
    )
    progress.add_task("connecting and reading the rules", total=None, rule="")
    return progress
