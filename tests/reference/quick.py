"""The reference server in a process of its own, sooner than its command starts it."""

from __future__ import annotations

import multiprocessing
import os
import selectors
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

# Every server needs these; they are here to be in memory before the fork.
import mcp_compliance.reference.endpoint
import mcp_compliance.reference.faults
import mcp_compliance.reference.http
import mcp_compliance.reference.stdio  # noqa: F401
from mcp_compliance.reference.command import serve
from tests.forking import FORKING

STDIO = (sys.executable, "-I", "-S", str(Path(__file__).with_name("start.py")), "--stdio")
"""The command of a stdio server: without the packages that are installed, none of which it needs."""
Serve: TypeAlias = Callable[[Sequence[str]], int]
"""Serves on the standard streams, as the arguments say; gives the status to end with. At the top of a module."""
MOST_ARGUMENTS = 65_536
"""Bytes of the arguments of one server."""


@contextmanager
def http(*arguments: str, token: str | None = None) -> Iterator[str]:
    """An HTTP server, forked; gives the line in which it says that it listens."""
    environment = {**os.environ, **({"MCP_REFERENCE_TOKEN": token} if token else {})}
    said, stderr = FORKING.Pipe(duplex=False)
    process = FORKING.Process(target=_become, args=(["--http", "0", *arguments], environment, stderr))
    process.start()
    stderr.close()
    try:
        with os.fdopen(said.fileno(), encoding="utf-8", closefd=False) as lines:
            yield lines.readline()
    finally:
        process.kill()
        process.join()
        said.close()


def stdio(*arguments: str) -> tuple[str, ...]:
    """A command that starts sooner than ``STDIO``."""
    return handing_over(serve, "--stdio", *arguments)


def handing_over(server: Serve, *arguments: str) -> tuple[str, ...]:
    """A command that hands its pipes to a server that is forked, and ends with it and as it does.

    The server is forked where the module of ``server`` is in memory, and all that this imports.
    """
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("hand_over.py")), _nursery(server), *arguments)


@cache
def _nursery(server: Serve) -> str:
    """The socket at which a process of this one's own waits for those that want to become this server."""
    # Kept by the process that waits: the folder goes when this one does.
    folder = tempfile.TemporaryDirectory(prefix="mcp-")
    path = str(Path(folder.name, "stdio"))
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(128)
    process = FORKING.Process(target=_fork_servers, args=(listening, server), daemon=True)
    process.start()
    listening.close()
    _folders.append(folder)
    return path


_folders: list[tempfile.TemporaryDirectory[str]] = []


def _become(arguments: Sequence[str], environment: Mapping[str, str], stderr: Connection) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(stderr.fileno(), 2)
    stderr.close()
    sys.exit(serve(arguments))


def _fork_servers(listening: socket.socket, server: Serve) -> None:
    """Until the process that asked for it is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        selector.register(parent.sentinel, selectors.EVENT_READ)
        while all(key.fileobj is listening for key, _ in selector.select()):
            link, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _take_over(link, server)
            link.close()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _take_over(link: socket.socket, server: Serve) -> None:
    """Serve on the streams that arrive, tell how that ended, and end."""
    words, streams, _, _ = socket.recv_fds(link, MOST_ARGUMENTS, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    threading.Thread(target=_end_with, args=(link,), daemon=True).start()
    code = 1
    try:
        code = server(words.decode().split("\0")[:-1])
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os.closerange(0, 3)
        with suppress(OSError):
            link.send(bytes([code]))
        os._exit(code)


def _end_with(link: socket.socket) -> None:
    """Whoever started what handed the streams over may kill that; the server is meant."""
    link.recv(1)
    os.kill(os.getpid(), signal.SIGKILL)
