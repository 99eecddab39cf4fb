"""Demands on what the checker prints, some of which take a second run in another format."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..stage import Stage

SCREEN_LINES = 24


def _first_screen(stage: Stage, rule: str) -> None:
    """The id is on the first screen of the terminal output."""
    lines = stage.run("terminal").stdout.splitlines()[:SCREEN_LINES]
    assert rule in "\n".join(lines), "\n".join(lines)


def _counts_skips(stage: Stage, _: None) -> None:
    """The terminal output says how many were skipped, apart from the passed ones."""
    counts = re.findall(r"(\d+) skipped", stage.run("terminal").stdout)
    assert str(stage.rated.summary["skipped"]) in counts, counts


def _terminal_says(stage: Stage, patterns: list[str]) -> None:
    """A run for the terminal prints what matches each pattern."""
    printed = stage.run("terminal").printed
    for pattern in patterns:
        assert re.search(stage.fill(pattern), printed), f"the terminal does not say {pattern}: {printed[:1500]}"


def _totals_on_one_line(stage: Stage, _: None) -> None:
    """One line of the terminal output, and one only, has the totals."""
    lines = stage.run("terminal").stdout.splitlines()
    totals = [line for line in lines if re.search(r"\d+ passed", line) and re.search(r"\d+ failed", line)]
    assert len(totals) == 1, totals


def _never_prints(stage: Stage, pattern: str) -> None:
    """The pattern is nowhere in the output, as JSON and in the terminal."""
    for output in ("json", "terminal"):
        assert not re.search(pattern, stage.run(output).printed), f"{output} output has {pattern}"


def _hidden(stage: Stage, secret: str) -> None:
    """The text is nowhere in the output, verbose or not."""
    assert secret not in stage.outcome.printed
    assert secret not in stage.run("terminal", ["--verbose"]).printed


def _not_in_arguments(stage: Stage, secret: str) -> None:
    """The text is not among the words that the checker was started with, and it starts no other process over HTTP."""
    assert not [word for word in stage.outcome.argv if secret in word]


def _on_stderr(stage: Stage, patterns: list[str]) -> None:
    """stderr matches each pattern."""
    for pattern in patterns:
        assert re.search(stage.fill(pattern), stage.outcome.stderr), stage.outcome.stderr


DEMANDS: dict[str, Callable[[Stage, Any], None]] = {
    "terminal-first-screen": _first_screen,
    "terminal-counts-skips": _counts_skips,
    "terminal-says": _terminal_says,
    "totals-on-one-line": _totals_on_one_line,
    "never-prints": _never_prints,
    "hidden": _hidden,
    "not-in-arguments": _not_in_arguments,
    "on-stderr": _on_stderr,
}
