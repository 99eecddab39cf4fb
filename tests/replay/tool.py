"""Starts the checker as its users do and measures what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TOOL = (sys.executable, "-m", "mcp_compliance.cli.main", "test")
# Corpus folders are named after revisions, and a case pins that of its folder unless it says otherwise.
PIN_OPTION = "--spec-version"
# What the machine has set for the outside world must not reach a run against loopback.
CLEARED = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"})
PEAK_PER_MIB = 1024 * 1024 if sys.platform == "darwin" else 1024
"""``ru_maxrss`` is in bytes there and in KiB elsewhere."""


@dataclass(frozen=True)
class Outcome:
    """One finished run. `exit` is negative for a signal; `ended_at` is monotonic seconds; `peers` are the hosts that it
    looked up or connected to, of runs that were forked.
    """

    argv: tuple[str, ...]
    exit: int
    stdout: str
    stderr: str
    seconds: float
    ended_at: float
    peak_mib: float
    hung: bool
    peers: frozenset[str] = frozenset()

    @property
    def printed(self) -> str:
        return f"{self.stdout}\n{self.stderr}"


def run_tool(
    argv: Sequence[str],
    folder: Path,
    env: Mapping[str, str],
    cap_s: float,
    begun: Callable[[int], None] = lambda process: None,
) -> Outcome:
    """Run to the end, or kill the whole process group after `cap_s` seconds; `begun` is told the process at once."""
    out, err = folder / "stdout", folder / "stderr"
    started = time.monotonic()
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env={**clean_environment(), **env},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    hung = threading.Event()
    timer = threading.Timer(cap_s, _kill_group, (process.pid, hung))
    timer.start()
    begun(process.pid)
    try:
        # wait4 and not Popen.wait: it alone gives the memory of this one process.
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    ended = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(
        argv=tuple(argv),
        exit=process.returncode,
        stdout=out.read_text("utf-8", errors="replace"),
        stderr=err.read_text("utf-8", errors="replace"),
        seconds=ended - started,
        ended_at=ended,
        peak_mib=usage.ru_maxrss / PEAK_PER_MIB,
        hung=hung.is_set(),
    )


def processes_with(marker: str) -> list[int]:
    """Processes that live and have this text in their command line; zombies have none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line:
            found.append(int(folder.name))
    return found


def wait_until_gone(marker: str, patience_s: float = 1.0) -> list[int]:
    """The processes that still live after `patience_s`; a killed one needs a moment to vanish."""
    deadline = time.monotonic() + patience_s
    while (left := processes_with(marker)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def kill_all(processes: Sequence[int]) -> None:
    """End processes that a run should have ended itself."""
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _kill_group(process: int, hung: threading.Event) -> None:
    hung.set()
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def clean_environment() -> dict[str, str]:
    """This process's variables without those that would reach past loopback, for a plain terminal of fixed width."""
    kept = {name: value for name, value in os.environ.items() if name.upper() not in CLEARED}
    return {**kept, "NO_COLOR": "1", "COLUMNS": "100"}
