"""Starting is cheap, and the console script is the same program. These run real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ENTRIES, write_index

SLOW = {"httpx", "jsonschema", "jinja2", "trio", "jmespath", "ruamel", "dotenv"}
PROBE = """
import json, pathlib, sys
from mcp_compliance.catalog import index
index.rules_root = lambda: pathlib.Path(sys.argv[1])
from mcp_compliance.cli.main import main
code = main(sys.argv[2:])
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["test", "--help"],
        ["test", "--list"],
        ["test", "--list", "--transport", "http"],
    ],
)
def test_nothing_slow_is_loaded(tmp_path: Path, words: list[str]) -> None:
    write_index(tmp_path, "2025-11-25", ENTRIES)
    ended = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path), *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    code, modules = json.loads(ended.stderr.splitlines()[-1])
    assert code == 0
    assert SLOW.isdisjoint(modules)
    if "--help" not in words:
        assert "rich" not in modules


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcp_compliance.cli.main", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_module_is_the_command() -> None:
    ended = command("--version")
    assert (ended.returncode, ended.stdout) == (0, "mcp-compliance 0.1.0\n")


def test_exit_code_of_a_mistake() -> None:
    ended = command("test", "--fromat", "json", "http://127.0.0.1:9/mcp")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "mcp-compliance: unknown option --fromat; did you mean --format?\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no /dev/full")
def test_a_reader_that_goes_away_is_no_crash() -> None:
    script = f"{sys.executable} -m mcp_compliance.cli.main test --help | head -1; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
