"""A credential from the environment reaches the server, and neither a list of processes nor any output. These run real
processes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

TOKEN = "tok-5b1f0e9c77aa4d02"
SCRIPT = str(Path(sys.executable).with_name("mcp-compliance"))
NARROW = ("--only", "lifecycle-init", "--spec-version", "2025-11-25")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The bundled server, which refuses whoever does not show the token."""
    words = (SCRIPT, "serve", "--http", "0", "--auth-token", TOKEN)
    server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    found = re.search(r"http://\S+", server.stderr.readline())
    assert found is not None
    try:
        yield found[0]
    finally:
        server.terminate()
        server.communicate()


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str
    arguments: str


def run(folder: Path, *words: str) -> Ran:
    environment = {**os.environ, "TOKEN": TOKEN, "NO_COLOR": "1"}
    process = subprocess.Popen(
        (SCRIPT, *words),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    arguments = _arguments(process)
    out, err = process.communicate()
    return Ran(process.returncode, out, err, arguments)


def _arguments(process: subprocess.Popen[str]) -> str:
    """What a list of processes shows of it; empty where a system has no such files."""
    shown = Path(f"/proc/{process.pid}/cmdline")
    while shown.exists() and process.poll() is None:
        text = shown.read_text(encoding="utf-8")
        if text:  # it is empty while the program is being loaded
            return text
    return ""


def files(folder: Path, names: Sequence[str]) -> str:
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def test_from_a_configuration_file(url: str, tmp_path: Path) -> None:
    made = run(tmp_path, "init", "--yes", url, "-H", "Authorization: Bearer ${TOKEN}")
    assert made.code == 0
    ran = run(tmp_path, "test", *NARROW, "--format", "json", "--verbose", "--evidence", "evidence.json")
    assert json.loads(ran.out)["grade"] == "A"
    assert "note: target, timeout and strict from mcp-compliance.config.json" in ran.err
    seen = f"{made}{ran}" + files(tmp_path, ["mcp-compliance.config.json", "evidence.json"])
    assert "Bearer ${TOKEN}" in files(tmp_path, ["mcp-compliance.config.json"])
    assert TOKEN not in seen
    assert ("--evidence" in ran.arguments) == Path("/proc/self/cmdline").exists()


def test_from_a_header_file_for_a_server_of_a_client(url: str, tmp_path: Path) -> None:
    (tmp_path / "ours.json").write_text('{"timeout": 5000, "strict": true}', encoding="utf-8")
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"remote": {"url": url}}}), encoding="utf-8")
    (tmp_path / "headers.txt").write_text("# from the vault\nAuthorization: Bearer ${TOKEN}\n", encoding="utf-8")
    words = ("test", *NARROW, "--mcp-config", ".mcp.json", "--header-file", "headers.txt", "--config", "ours.json")
    ran = run(tmp_path, *words, "--no-strict", "remote", "--verbose")
    assert (ran.code, "lifecycle-init" in ran.out) == (0, True)
    assert "note: timeout from ours.json" in ran.err
    assert re.search(r"\b0 failed", ran.out)
    assert TOKEN not in f"{ran}"


def test_without_the_variable_nothing_is_sent(url: str, tmp_path: Path) -> None:
    ran = run(tmp_path, "test", url, "--auth", "Bearer ${TOKEN_THAT_NOBODY_SET}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "mcp-compliance: --auth: the environment variable TOKEN_THAT_NOBODY_SET is not set; "
        "set it, or write ${TOKEN_THAT_NOBODY_SET:-default}\n"
    )
