"""The servers that the guide to failures takes its examples from do what it says of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from . import zoo
from .grading import grade

PYTHON = str(zoo.ROOT / "methodology" / "examples" / "fixed_server.py")
BIN = "Scripts" if sys.platform == "win32" else "bin"
MENDED = (
    "error-invalid-request-code",
    "error-parse-code",
    "transport-batch-reject",
    "transport-session-invalid",
    "security-origin-validation",
    "security-cors-headers",
    "security-ssrf-internal",
)
SERVERS = (
    *(
        zoo.Server(
            f"fixed-{venv}", "http", (f"{{zoo}}/{venv}/{BIN}/python", PYTHON, "{port}"), (f"{venv}/{BIN}/python",)
        )
        for venv in ("mcp1", "mcp2")
    ),
    zoo.Server("fixed-ts1", "http", ("node", "{zoo}/npm-v1/fixed_server.mjs", "{port}"), ("npm-v1/fixed_server.mjs",)),
)


@pytest.mark.real
@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
def test_what_an_example_mends_passes(server: zoo.Server, tmp_path: Path) -> None:
    zoo.demand(server)
    graded = grade(server, tmp_path, "2025-11-25", ("--only", ",".join(MENDED)))
    verdicts = {rule: graded.tests[rule]["verdict"] for rule in MENDED}
    assert verdicts == dict.fromkeys(MENDED, "pass"), {rule: graded.tests[rule]["details"] for rule in MENDED}
    assert graded.outcome.exit == 0
