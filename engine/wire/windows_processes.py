"""Processes on Windows: each has a job object, from which no descendant gets away. See ``process_group``."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ctypes import wintypes

import trio

from mcp_compliance.wire.windows_command import environment, prepared

assert sys.platform == "win32"

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGBREAK)

_CREATE_SUSPENDED = 0x4
_ACCESS = 0x1 | 0x100 | 0x800  # PROCESS_TERMINATE, PROCESS_SET_QUOTA, PROCESS_SUSPEND_RESUME
_ACCOUNTING, _EXTENDED_LIMITS = 1, 9  # of JOBOBJECTINFOCLASS
_KILL_ON_JOB_CLOSE = 0x2000
_KILLED = 1
"""Exit code of a process that was ended from here."""

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.CreateJobObjectW.restype = wintypes.HANDLE
_kernel.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
_kernel.OpenProcess.restype = wintypes.HANDLE
_kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
_kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
_kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD)
_kernel.QueryInformationJobObject.argtypes = (
    wintypes.HANDLE,
    ctypes.c_int,
    wintypes.LPVOID,
    wintypes.DWORD,
    wintypes.LPVOID,
)
_kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
_kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
_nt = ctypes.WinDLL("ntdll")
_nt.NtResumeProcess.argtypes = (wintypes.HANDLE,)


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_user_time", wintypes.LARGE_INTEGER),
        ("per_job_user_time", wintypes.LARGE_INTEGER),
        ("flags", wintypes.DWORD),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", wintypes.DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority_class", wintypes.DWORD),
        ("scheduling_class", wintypes.DWORD),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io", ctypes.c_ulonglong * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class _Accounting(ctypes.Structure):
    _fields_ = (
        ("times", wintypes.LARGE_INTEGER * 4),
        ("page_faults", wintypes.DWORD),
        ("total", wintypes.DWORD),
        ("active", wintypes.DWORD),
        ("terminated", wintypes.DWORD),
    )


class Job:
    """A job object. Its members end when it is closed, and so when this process ends, however that comes about."""

    def __init__(self) -> None:
        self._handle: int | None = _checked(_kernel.CreateJobObjectW(None, None))
        limits = _ExtendedLimits()
        limits.basic.flags = _KILL_ON_JOB_CLOSE
        size = ctypes.sizeof(limits)
        _checked(_kernel.SetInformationJobObject(self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), size))

    def take_in(self, pid: int) -> None:
        """Make a suspended process a member, and let it run. Raises ``OSError``."""
        process = _checked(_kernel.OpenProcess(_ACCESS, False, pid))
        try:
            _checked(_kernel.AssignProcessToJobObject(self._handle, process))
            _nt.NtResumeProcess(process)
        finally:
            _kernel.CloseHandle(process)

    @property
    def active(self) -> int:
        """Members that live."""
        if self._handle is None:
            return 0
        seen = _Accounting()
        size = ctypes.sizeof(seen)
        _kernel.QueryInformationJobObject(self._handle, _ACCOUNTING, ctypes.byref(seen), size, None)
        return int(seen.active)

    def terminate(self) -> None:
        if self._handle is not None:
            _kernel.TerminateJobObject(self._handle, _KILLED)

    def close(self) -> None:
        if self._handle is not None:
            _kernel.CloseHandle(self._handle)
            self._handle = None


def _checked(result: int | None) -> int:
    if not result:
        raise ctypes.WinError(ctypes.get_last_error())
    return result


class WindowsGroup:
    """A process and its job."""

    def __init__(self, process: trio.Process, job: Job) -> None:
        self.process = process
        self._job = job

    def ask_to_end(self) -> bool:
        if self._job.active == 0:
            return False
        with suppress(OSError):  # without a console in common there is nothing to press Ctrl+Break on
            self.process.send_signal(signal.CTRL_BREAK_EVENT)
        return True

    def kill(self) -> bool:
        left = self._job.active > 0
        self._job.terminate()
        return left

    def close(self) -> None:
        self._job.close()


async def launch(command: Sequence[str], env: Mapping[str, str] | None, cwd: str | None, stdin: int) -> WindowsGroup:
    """Raises ``OSError`` and ``ValueError``."""
    variables = environment(os.environ if env is None else env)
    line = prepared(command, variables, cwd, lambda name: shutil.which(name, path=variables.get("PATH")))
    pipe = subprocess.PIPE
    job, process = Job(), None
    try:
        process = await trio.lowlevel.open_process(
            line,
            stdin=stdin,
            stdout=pipe,
            stderr=pipe,
            env=variables,
            cwd=cwd,
            # Suspended until it is in the job: what it started before would be outside.
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | _CREATE_SUSPENDED,
        )
        job.take_in(process.pid)
    except BaseException:
        if process is not None:
            process.kill()
        job.close()
        raise
    return WindowsGroup(process, job)


def launch_apart(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
    )
