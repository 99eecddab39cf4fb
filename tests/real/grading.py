"""Grades a real server and keeps what there is to compare."""

from __future__ import annotations

import json
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.replay.forked import run_words
from tests.replay.tool import PIN_OPTION, Outcome, clean_environment, run_tool

from . import zoo

TOOL = Path(sys.executable).with_name("mcp-compliance")
MARKER = "ORCHARD_RUN"
CAP_S = 60.0
PATIENCE_S = 2.0
PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Graded:
    """One run. ``left`` are processes that it left behind (empty where the system does not list them)."""

    outcome: Outcome
    left: tuple[int, ...]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The report. Fails the test when standard output is no JSON document."""
        try:
            found: dict[str, Any] = json.loads(self.outcome.stdout)
        except ValueError:
            raise AssertionError(f"no report: {self.outcome.printed[-3000:]}") from None
        return found

    @cached_property
    def tests(self) -> Mapping[str, Mapping[str, Any]]:
        return {test["id"]: test for test in self.document["tests"]}

    @property
    def warned(self) -> dict[str, str]:
        """The warnings that rules ended with, by rule id."""
        found: dict[str, str] = {}
        for warning in self.document["warnings"]:
            rule, _, text = warning.partition(": ")
            if rule in self.tests:
                found[rule] = f"{found[rule]}; {text}" if rule in found else text
        return found

    @property
    def notices(self) -> list[str]:
        """The warnings that no rule ended with."""
        return [text for text in self.document["warnings"] if text.partition(": ")[0] not in self.tests]


def grade(
    server: zoo.Server, folder: Path, spec_version: str, options: Sequence[str] = (), *, installed: bool = False
) -> Graded:
    """Run every rule against the server; a folder of its own below ``folder`` is used for it. ``spec_version`` is a
    revision or ``auto``. With ``installed`` the console script is started as users start it, else a process is forked
    that has read the rules before, which is a second cheaper.
    """
    place = folder / f"{server.id}-{uuid.uuid4().hex[:8]}"
    place.mkdir()
    mark = uuid.uuid4().hex
    with zoo.target(server, place) as words:
        fixed = (PIN_OPTION, spec_version, "--format", "json", "--strict", "--seed", "1")
        argv = [*fixed, *options, *words]
        outcome = (
            run_tool([str(TOOL), "test", *argv], place, {MARKER: mark}, CAP_S)
            if installed
            else run_words(argv, place, {**clean_environment(), MARKER: mark}, CAP_S)
        )
        left = _left(mark)
    return Graded(outcome, left)


def _left(mark: str) -> tuple[int, ...]:
    """Processes that the run started and that do not end: they have inherited its environment."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := _marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _marked(mark: str) -> tuple[int, ...]:
    wanted = f"{MARKER}={mark}".encode()
    found = []
    for folder in PROCESSES.glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if wanted in environment:
            found.append(int(folder.name))
    return tuple(found)
