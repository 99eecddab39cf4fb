"""What exists on one system alone stands behind the interface for processes, and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.house.test_house import ROOT, python_files

INTERFACE = {f"engine/wire/{name}.py" for name in ("posix_processes", "windows_processes")}
"""Modules that are loaded on one system only. ``process_group`` chooses, and everything else uses that."""
MODULES = {"crypt", "fcntl", "grp", "msvcrt", "nt", "posix", "pty", "pwd", "resource", "spwd", "syslog", "termios",
           "tty", "winreg", "_winapi"}  # fmt: skip
MEMBERS = {
    "os": {
        "chown", "chroot", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups",
        "getloadavg", "getpgid", "getpgrp", "getsid", "getuid", "killpg", "lchown", "mkfifo", "mknod", "nice",
        "openpty", "pipe2", "posix_spawn", "sched_getaffinity", "setegid", "seteuid", "setgid", "setpgid", "setpgrp",
        "setsid", "setuid", "startfile", "statvfs", "sysconf", "ttyname", "uname", "wait", "wait3", "wait4",
        "waitid", "waitpid",
    },
    "select": {"devpoll", "epoll", "kqueue", "poll"},
    "signal": {
        "CTRL_BREAK_EVENT", "CTRL_C_EVENT", "SIGALRM", "SIGBREAK", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE",
        "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGUSR1", "SIGUSR2", "SIGWINCH", "alarm", "pause", "pthread_kill",
        "pthread_sigmask", "setitimer", "sigpending", "sigwait",
    },
    "socket": {"AF_UNIX"},
    "asyncio": {"create_unix_server", "open_unix_connection", "start_unix_server"},
    "subprocess": {"CREATE_NEW_CONSOLE", "CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW", "STARTUPINFO"},
    "ctypes": {"WinDLL", "WinError", "windll", "wintypes"},
}  # fmt: skip
KEYWORDS = {"creationflags", "extra_groups", "pass_fds", "preexec_fn", "process_group", "start_new_session",
            "startupinfo"}  # fmt: skip


def uses(source: str) -> Iterator[str]:
    """What a module uses that not every system has."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in MEMBERS.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Attribute) and node.attr == "add_signal_handler":
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            if (node.module or "").partition(".")[0] in MODULES:
                yield str(node.module)
            for alias in node.names:
                if alias.name in MEMBERS.get(node.module or "", ()):
                    yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.Call):
            yield from (str(keyword.arg) for keyword in node.keywords if keyword.arg in KEYWORDS)


def test_only_the_interface_knows_the_system() -> None:
    used = {
        f"{path.relative_to(ROOT)}: {use}"
        for path in python_files("engine", "reporters")
        if path.relative_to(ROOT).as_posix() not in INTERFACE
        for use in uses(path.read_text(encoding="utf-8"))
    }
    assert not used


def test_the_interface_is_where_it_is_looked_for() -> None:
    for name in INTERFACE:
        assert list(uses((ROOT / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("os.killpg(1, 2)", "os.killpg"),
        ("from os import setsid", "os.setsid"),
        ("import fcntl", "fcntl"),
        ("import resource as r", "resource"),
        ("signal.signal(signal.SIGHUP, f)", "signal.SIGHUP"),
        ("Popen(x, start_new_session=True)", "start_new_session"),
        ("socket.socket(socket.AF_UNIX)", "socket.AF_UNIX"),
    ],
)
def test_uses_are_seen(line: str, use: str) -> None:
    assert use in set(uses(line))
