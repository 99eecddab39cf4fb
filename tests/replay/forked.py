"""Starts the checker in a process that is forked from one which has the program and the rules in memory.

All else is as ``run_tool`` has it: a process, session and folder of its own, and the same arguments and variables.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.forking import FORKING

from .tool import PEAK_PER_MIB, TOOL, Outcome, clean_environment


def run_forked(argv: Sequence[str], folder: Path, env: Mapping[str, str], cap_s: float) -> Outcome:
    """``run_tool`` for an ``argv`` that begins with ``TOOL``."""
    return run_words(argv[len(TOOL) :], folder, {**clean_environment(), **env}, cap_s)


def run_words(words: Sequence[str], folder: Path, env: Mapping[str, str], cap_s: float) -> Outcome:
    """Run ``mcp-compliance test`` with these words and these variables alone; ``folder`` receives what it prints."""
    argv = ["mcp-compliance", "test", *words]
    started = time.monotonic()
    process = FORKING.Process(target=_become, args=(argv, str(folder), dict(env)))
    process.start()
    process.join(cap_s)
    hung = process.is_alive()
    if hung and process.pid is not None:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
    ended = time.monotonic()
    peak, peers = folder / "peak", folder / "peers"
    return Outcome(
        argv=tuple(argv),
        exit=process.exitcode if process.exitcode is not None else -signal.SIGKILL,
        stdout=(folder / "stdout").read_text("utf-8", errors="replace"),
        stderr=(folder / "stderr").read_text("utf-8", errors="replace"),
        seconds=ended - started,
        ended_at=ended,
        peak_mib=int(peak.read_text("ascii")) / PEAK_PER_MIB if peak.exists() else 0.0,
        hung=hung,
        peers=frozenset(peers.read_text("utf-8").splitlines()) if peers.exists() else frozenset(),
    )


def _become(words: list[str], folder: str, env: dict[str, str]) -> None:
    """Turn the forked process into a started checker, and end as that does."""
    from mcp_compliance.cli.entry import main

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    for stream, name, flags in ((0, os.devnull, os.O_RDONLY), (1, "stdout", _WRITE), (2, "stderr", _WRITE)):
        opened = os.open(name, flags, 0o600)
        os.dup2(opened, stream)
        os.close(opened)
    _note_peers(Path("peers"))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = words
    try:
        sys.exit(main())
    finally:
        Path(folder, "peak").write_text(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss), "ascii")


def _note_peers(file: Path) -> None:
    """Write down every host that this process looks up or connects to from now on, one a line."""
    peers = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        host = None
        if event == "socket.getaddrinfo":
            host = arguments[0]
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            host = arguments[1][0]
        if host is not None:
            os.write(peers, f"{host.decode() if isinstance(host, bytes) else host}\n".encode())

    sys.addaudithook(hear)


_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
