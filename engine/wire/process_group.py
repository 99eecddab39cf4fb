"""Starting a command in a process group of its own, and signalling the whole group. All that differs between
systems.

A descendant that starts a session of its own (a daemon) leaves the group and cannot be found again; servers
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

import trio

from mcp_compliance.wire.errors import StartError


async def start(command: Sequence[str], env: Mapping[str, str] | None, cwd: str | None) -> trio.Process:
    """Start the command with pipes on all three streams. Raises ``StartError``; relative paths count from
    ``cwd``.

    ``env`` is the complete environment, None the parent's own.
    """
    if not command or not command[0]:
        raise StartError("no command given")
    try:
        return await _open(_resolved(command, env), env, cwd)
    except (OSError, ValueError) as error:
        raise StartError(_reason(command[0], error, env, cwd)) from None


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
    return f"cannot start {name}: {reason.lower()}"


async def _open(words: list[str], env: Mapping[str, str] | None, cwd: str | None) -> trio.Process:
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        return await trio.lowlevel.open_process(
            words,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=env,
            cwd=cwd,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
        )
    return await trio.lowlevel.open_process(
        words, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=cwd, start_new_session=True
    )


def _resolved(command: Sequence[str], env: Mapping[str, str] | None) -> list[str]:
    """The command as it can be started: on Windows a .cmd or .bat shim (npx) goes through the command
    interpreter.
    """
    if sys.platform != "win32":
        return list(command)
    variables = env or os.environ
    found = shutil.which(command[0], path=variables.get("PATH"))
    if found is None:
        raise FileNotFoundError(command[0])
    if found.lower().endswith((".cmd", ".bat")):
        return [variables.get("COMSPEC", "cmd.exe"), "/d", "/c", found, *command[1:]]
    return [found, *command[1:]]


async def signal_group(process: trio.Process, *, force: bool) -> bool:
    """Ask (or with ``force`` make) the process and its descendants end. False when nobody was left in the
    group.
    """
    if sys.platform == "win32":
        if not force:
            if process.returncode is not None:
                return False
            process.send_signal(signal.CTRL_BREAK_EVENT)
            return True
        await trio.run_process(
            ["taskkill", "/T", "/F", "/PID", str(process.pid)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return process.returncode is None
    try:
        # The group id is the child's pid, and stays taken as long as a member lives, also when the child is
        # gone.
        os.killpg(process.pid, signal.SIGKILL if force else signal.SIGTERM)
    except (ProcessLookupError, PermissionError):
        return False
    return True
