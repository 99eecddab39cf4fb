"""The real servers: what they are started with, whether they are installed here, starting and ending them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

import pytest

ROOT = Path(__file__).resolve().parents[2]
ZOO = ROOT / ".zoo"
SERVERS = Path(__file__).parent / "servers"
REQUIRE = "MCP_COMPLIANCE_REQUIRE_ZOO"
LOOPBACK = "127.0.0.1"
START_S = 30.0
END_S = 5.0
ATTEMPTS = 3

_NODE = "node"
_MODULES = "npm-v1/node_modules/@modelcontextprotocol"
_EVERYTHING = f"{_MODULES}/server-everything/dist/index.js"
_FILESYSTEM = f"{_MODULES}/server-filesystem/dist/index.js"
_BIN = "Scripts" if sys.platform == "win32" else "bin"
_PY_SERVER = str(SERVERS / "py_server.py")


@dataclass(frozen=True)
class Server:
    """One server over one transport. ``command`` is relative to ``.zoo``, where it has to find all of ``needs``;
    ``{port}`` and ``{folder}`` in it and in ``env`` stand for the free port and the scratch folder of a start.
    """

    name: str
    transport: Literal["http", "stdio"]
    command: tuple[str, ...]
    needs: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.name}-{self.transport}"

    def words(self, folder: Path, port: int) -> list[str]:
        return [_filled(word, folder, port) for word in self.command]


def _filled(text: str, folder: Path, port: int) -> str:
    return text.replace("{port}", str(port)).replace("{folder}", str(folder)).replace("{zoo}", str(ZOO))


def _python(venv: str, transport: Literal["http", "stdio"]) -> Server:
    python = f"{venv}/{_BIN}/python"
    way = ("http", "{port}") if transport == "http" else ("stdio",)
    return Server(f"py-{venv}", transport, (f"{{zoo}}/{python}", _PY_SERVER, *way), (python,))


def _typescript(transport: Literal["http", "stdio"]) -> Server:
    way = ("http", "{port}") if transport == "http" else ("stdio",)
    script = "npm-v2/ts_server.mjs"
    return Server("ts-sdk2", transport, (_NODE, f"{{zoo}}/{script}", *way), (script, "npm-v2/node_modules"))


# Python's mcp 2 and the TypeScript SDK 2 serve both eras, the others the older one.
ALL = (
    Server("everything", "stdio", (_NODE, f"{{zoo}}/{_EVERYTHING}", "stdio"), (_EVERYTHING,)),
    Server(
        "everything",
        "http",
        (_NODE, "--import", "{zoo}/npm-v1/only_loopback.mjs", f"{{zoo}}/{_EVERYTHING}", "streamableHttp"),
        (_EVERYTHING, "npm-v1/only_loopback.mjs"),
        {"PORT": "{port}"},
    ),
    Server("filesystem", "stdio", (_NODE, f"{{zoo}}/{_FILESYSTEM}", "{folder}"), (_FILESYSTEM,)),
    _python("mcp1", "stdio"),
    _python("mcp1", "http"),
    _python("mcp2", "stdio"),
    _python("mcp2", "http"),
    _typescript("stdio"),
    _typescript("http"),
)


def by_id(server_id: str) -> Server:
    return next(server for server in ALL if server.id == server_id)


def missing(server: Server) -> str | None:
    """Why the server cannot be started here; None when it can."""
    if server.command[0] == _NODE and shutil.which(_NODE) is None:
        return "node is not installed"
    absent = [path for path in server.needs if not (ZOO / path).exists()]
    return f"{ZOO / absent[0]} is missing: run python3 tests/run.py, which installs it" if absent else None


def demand(server: Server) -> None:
    """Skip the running test when the server is not installed, or fail it where the environment demands servers."""
    reason = missing(server)
    if reason is None:
        return
    if os.environ.get(REQUIRE) == "1":
        pytest.fail(f"{server.id}: {reason} ({REQUIRE}=1)")
    pytest.skip(reason)


@contextmanager
def target(server: Server, folder: Path) -> Iterator[list[str]]:
    """The words that name the server on the tool's command line, after ``--`` for a command.

    ``folder`` is an empty one that the server may use. An HTTP server runs for as long as the context lasts.
    """
    files = folder / "files"
    files.mkdir()
    (files / "harvest.txt").write_text("cherries\nquinces\n", encoding="utf-8")
    if server.transport == "stdio":
        yield ["--", *server.words(files, 0)]
        return
    with (folder / "server.log").open("wb") as log:
        process, port = _start(server, files, log)
        try:
            yield [f"http://{LOOPBACK}:{port}/mcp"]
        finally:
            end(process)


def _start(server: Server, folder: Path, log: IO[bytes]) -> tuple[subprocess.Popen[bytes], int]:
    """A listening process. Another program may take the free port first, so there is more than one attempt."""
    for _ in range(ATTEMPTS):
        port = _free_port()
        process = subprocess.Popen(
            server.words(folder, port),
            env={**os.environ, **{name: _filled(value, folder, port) for name, value in server.env.items()}},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        if _listens(process, port):
            return process, port
        end(process)
    raise AssertionError(f"{server.id} does not listen; it wrote: {Path(log.name).read_text(errors='replace')[-2000:]}")


def _free_port() -> int:
    with socket.socket() as held:
        held.bind((LOOPBACK, 0))
        port: int = held.getsockname()[1]
        return port


def _listens(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection((LOOPBACK, port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return True
    return False


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process and its descendants, by force after a while."""
    if sys.platform == "win32":
        process.kill()
        process.wait()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            continue
        break
    # What the leader leaves behind in its group goes with it.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
