"""Options of the commands that grade nothing, through the console script."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from typer.main import get_command

from mcp_compliance.cli.main import app

from .console import SCRIPT, console

COMMANDS = ("test", "init", "explain", "diff", "benchmark", "mcp", "serve", "completion")


def test_every_command_has_a_help() -> None:
    """All at once, since each of them starts a process."""
    assert set(COMMANDS) == set(getattr(get_command(app), "commands", {}))
    commands = [(), *((name,) for name in COMMANDS)]
    asked = [(*command, "--help") for command in commands] + [("-h",)]
    running = [subprocess.Popen((SCRIPT, *words), stdout=subprocess.PIPE, encoding="utf-8") for words in asked]
    shown = {words: process.communicate(timeout=120)[0] for words, process in zip(asked, running, strict=True)}
    assert {process.returncode for process in running} == {0}
    assert shown["-h",] == shown["--help",]
    for command in commands:
        assert " ".join(("Usage: mcp-compliance", *command)) in shown[*command, "--help"]


def test_version_on_standard_output(tmp_path: Path) -> None:
    ended = console("--version", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("mcp-compliance ")


def test_init_by_flags_alone(tmp_path: Path) -> None:
    file = tmp_path / "mcp-compliance.config.json"
    command = ("--", "node", "./server.js", "--quiet")
    first = ("-E", "LOG_LEVEL=error", "--env", "TOKEN=${TOKEN}", "--timeout", "9000", "--strict")
    ended = console("init", "--yes", *first, "--spec-version", "2025-11-25", *command, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    written = json.loads(file.read_text(encoding="utf-8"))
    written.pop("$schema", None)
    assert written == {
        "target": {
            "type": "stdio",
            "command": "node",
            "args": ["./server.js", "--quiet"],
            "env": {"LOG_LEVEL": "error", "TOKEN": "${TOKEN}"},
        },
        "timeout": 9000,
        "specVersion": "2025-11-25",
        "strict": True,
    }
    second = ("https://server.example/mcp", "-H", "X-Tenant: acme", "--header", "Authorization: Bearer ${TOKEN}")
    kept = console("init", "--yes", *second, cwd=tmp_path)
    assert kept.returncode == 2
    assert "--force" in kept.stderr
    ended = console("init", "--yes", "--force", "--no-strict", *second, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["strict"] is False
    assert written["target"] == {
        "type": "http",
        "url": "https://server.example/mcp",
        "headers": {"X-Tenant": "acme", "Authorization": "Bearer ${TOKEN}"},
    }


def test_faults_are_listed(tmp_path: Path) -> None:
    ended = console("serve", "--list-faults", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "stdout-banner  [2025-11-25, stdio]" in ended.stdout.splitlines()
