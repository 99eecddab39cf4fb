"""Processes on Linux and macOS: each group is a session, and is signalled as one. See ``process_group``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

import trio

assert sys.platform != "win32"

# A closed terminal ends the tool by SIGHUP; servers have sessions of their own, which that does not reach.
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class PosixGroup:
    """The session of a process. Its id is the pid, and stays taken as long as a member lives, also when the process
    itself is gone.
    """

    def __init__(self, process: trio.Process) -> None:
        self.process = process

    def ask_to_end(self) -> bool:
        return self._signal(signal.SIGTERM)

    def kill(self) -> bool:
        return self._signal(signal.SIGKILL)

    def close(self) -> None:
        return

    def _signal(self, number: signal.Signals) -> bool:
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS refuses where only zombies are left
            return False
        return True


async def launch(command: Sequence[str], env: Mapping[str, str] | None, cwd: str | None, stdin: int) -> PosixGroup:
    """Raises ``OSError`` and ``ValueError``."""
    pipe = subprocess.PIPE
    return PosixGroup(
        await trio.lowlevel.open_process(
            list(command), stdin=stdin, stdout=pipe, stderr=pipe, env=env, cwd=cwd, start_new_session=True
        )
    )


def launch_apart(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
