"""``explain``, once through the console script and otherwise in this process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .conftest import Ended

SCRIPT = Path(sys.executable).with_name("mcp-compliance")


def test_for_people_through_the_console_script() -> None:
    words = ("explain", "lifecycle-init", "--spec-version", "2025-11-25", "--no-color", "--format", "terminal")
    done = subprocess.run([SCRIPT, *words], capture_output=True, encoding="utf-8", timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:5] == [
        "lifecycle-init",
        "",
        "MCP 2025-11-25",
        "  initialize is answered with a result",
        "  what       lifecycle, required, over Streamable HTTP and stdio",
    ]
    assert [line.split()[0] for line in lines[5:] if line[:3] == "  " + line[2:3].strip()] == [
        "sends", "why", "fix", "spec", "covers",
    ]  # fmt: skip


def test_as_json(run: Callable[..., Ended]) -> None:
    done = run("explain", "tools-list", "--format", "json")
    found = json.loads(done.out)
    assert (done.code, found["id"]) == (0, "tools-list")
    assert [each["specVersion"] for each in found["explanations"]] == ["2025-11-25", "2026-07-28"]
    first = found["explanations"][0]
    assert (first["level"], first["capability"], first["transports"]) == (
        "required-if-declared",
        "tools",
        ["http", "stdio"],
    )
    assert first["spec"][0]["force"] in ("MUST", "SHOULD")


def test_refusals(run: Callable[..., Ended]) -> None:
    nothing = run("explain")
    assert (nothing.code, nothing.out) == (2, "")
    assert nothing.err == "mcp-compliance: ID is missing; mcp-compliance explain --help says what is taken\n"
    unknown = run("explain", "tools-lits")
    assert (unknown.code, unknown.out) == (2, "")
    assert unknown.err.endswith("did you mean tools-list?\n")
    assert run("explain", " ").err == (
        "mcp-compliance: explain needs the id of a test, as a report names it; mcp-compliance test --list shows all\n"
    )
    other = run("explain", "tools-list", "--spec-version", "2025-11-26")
    assert other.code == 2
    assert "--spec-version 2025-11-26: choose one of auto, 2025-11-25, 2026-07-28" in other.err
