"""Files that the user names are read whole, or refused with one line: also those that never end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.cli import input_files

from .conftest import Ended, ScriptedSuite

endless = pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without /dev/zero")


@endless
@pytest.mark.parametrize("option", ["--config", "--header-file", "--expected-failures", "--mcp-config"])
def test_a_file_without_end(option: str, suite: ScriptedSuite, run: Callable[..., Ended]) -> None:
    ended = run("test", *(() if option == "--mcp-config" else ("http://127.0.0.1:9/mcp",)), option, "/dev/zero")
    assert (ended.code, ended.out, suite.seen) == (2, "", [])
    assert ended.err.endswith("/dev/zero: cannot be read: File too large\n")
    assert ended.err.count("\n") == 1


@endless
def test_an_environment_without_end(suite: ScriptedSuite, run: Callable[..., Ended]) -> None:
    ended = run("test", "--env-file", "/dev/zero", "--", "node")
    assert ended.err == "mcp-compliance: --env-file /dev/zero: cannot be read: File too large\n"


def test_lines_and_the_mark_in_front(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n\xc3\xa9")
    assert input_files.text(tmp_path / "a") == "a\nb\nc\né"


def test_as_large_as_may_be(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert input_files.content(tmp_path / "a", 5) == b"12345"
    with pytest.raises(OSError, match="File too large"):
        input_files.content(tmp_path / "a", 4)
