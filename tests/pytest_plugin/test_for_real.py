"""The plugin on a real server: alone, spread over workers, and what it costs when it has nothing to do."""

from __future__ import annotations

import subprocess
import sys

import pytest

SERVER = f"{sys.executable} -m mcp_compliance.reference --stdio --fault stdout-banner"


def test_workers_share_one_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own():\n    pass\n")
    done = pytester.runpytest_subprocess("-n", "2", "--mcp-target", SERVER, "--mcp-only", "transport,tools", "-rs")
    done.stdout.fnmatch_lines(["*stdio-framing*", "MUST NOT: stdout carried *", "*= MCP compliance =*", "grade *"])
    outcomes = done.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["passed"] > 5


def test_without_a_target_next_to_nothing_is_loaded(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n\n\n"
        "def test_modules():\n"
        "    ours = sorted(name for name in sys.modules if name.startswith('mcp_compliance'))\n"
        "    assert ours == ['mcp_compliance', 'mcp_compliance.pytest_plugin', 'mcp_compliance.pytest_plugin.plugin']\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
