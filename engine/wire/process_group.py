"""Processes with everything that they start in turn. The one place that knows how systems differ in this: what is asked
for here is done by ``posix_processes`` (sessions and signals) or by ``windows_processes`` (job objects).

On POSIX a descendant that starts a session of its own (a daemon) leaves the group and cannot be found again; servers
that do so are the only processes that may outlive a run.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import trio

from mcp_compliance.wire.errors import StartError

if sys.platform == "win32":
    from mcp_compliance.wire.windows_processes import ENDING_SIGNALS, launch, launch_apart
else:
    from mcp_compliance.wire.posix_processes import ENDING_SIGNALS, launch, launch_apart


class ProcessGroup(Protocol):
    """A process that was started, and its descendants."""

    @property
    def process(self) -> trio.Process: ...

    def ask_to_end(self) -> bool:
        """SIGTERM, or Ctrl+Break on Windows, to all of them. False when nobody is left."""
        ...

    def kill(self) -> bool:
        """End all of them at once. False when nobody was left."""
        ...

    def close(self) -> None:
        """Nothing more will be asked. May be called twice."""
        ...


async def start(
    command: Sequence[str], env: Mapping[str, str] | None, cwd: str | None, *, stdin: int = subprocess.PIPE
) -> ProcessGroup:
    """Start the command with pipes for its output, and for its input too unless ``stdin`` says something else. Raises
    ``StartError``; relative paths count from ``cwd``.

    ``env`` is the complete environment, None the parent's own. A ``.cmd`` or ``.bat`` file is started on Windows as
    any other program is.
    """
    if not command or not command[0]:
        raise StartError("no command given")
    try:
        return await launch(command, env, cwd, stdin)
    except (OSError, ValueError) as error:
        raise StartError(_reason(command[0], error, env, cwd)) from None


def start_apart(command: Sequence[str]) -> subprocess.Popen[str]:
    """Start a helper of our own, with a pipe for its stderr alone, that Ctrl+C does not reach. Raises ``OSError``."""
    return launch_apart(command)


def ending_signals() -> tuple[signal.Signals, ...]:
    """The signals, beside that of Ctrl+C, by which this system asks a program to end."""
    return ENDING_SIGNALS


def _reason(name: str, error: Exception, env: Mapping[str, str] | None, cwd: str | None) -> str:
    """The one line for an error of the start. The system reports a missing directory or interpreter like a
    missing command, so both are looked for.
    """
    if cwd is not None and not Path(cwd).is_dir():
        return f"cannot start {name}: the working directory {cwd} does not exist"
    if isinstance(error, FileNotFoundError):
        bare = os.path.dirname(name) == ""
        found = shutil.which(name, path=(env or os.environ).get("PATH")) if bare else name
        if found is not None and Path(cwd or ".", found).is_file():
            return f"cannot start {name}: the interpreter that its first line names does not exist"
        if " " in name and bare:
            return f"command not found: {name!r} (one word per argument; this is a single one)"
        return f"command not found: {name}"
    if isinstance(error, PermissionError):
        return f"cannot start {name}: permission denied (is it executable?)"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot start {name}: {reason[:1].lower()}{reason[1:]}"
