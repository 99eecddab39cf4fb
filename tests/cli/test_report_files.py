"""Files beside the report: each its own, never one that was read, never a device or a link that is replaced."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.cli.report_files import write_whole

from .conftest import Ended, ScriptedSuite

WORDS = ("test", "http://127.0.0.1:9/mcp")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--report", "json=a", "--report", "html=./a"), "--report html a: is the file of --report json, too; name"),
        (("--report", "json=a", "--output", "b/../a"), "--output b/../a: is the file of --report json, too; name"),
        (("--report", "json=a", "--evidence", "a"), "--evidence a: is the file of --report json, too; name another"),
        (("--evidence", "h", "--header-file", "h"), "--evidence h: is the file of --header-file, too; name another"),
        (("--evidence", "-"), "--evidence -: name a file; what goes to standard output is chosen with --format"),
        (("--output", "n" * 300), f"--output {'n' * 300}: cannot be written: File name too long"),
    ],
)
def test_refused(
    words: tuple[str, ...],
    message: str,
    suite: ScriptedSuite,
    run: Callable[..., Ended],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "h").write_text("X-Y: z\n", encoding="utf-8")
    ended = run(*WORDS, *words)
    assert ended.code == 2
    assert ended.err.startswith(f"mcp-compliance: {message}")
    assert suite.seen == []
    assert (tmp_path / "h").read_text(encoding="utf-8") == "X-Y: z\n"


def test_a_device_may_be_named_twice(suite: ScriptedSuite, run: Callable[..., Ended]) -> None:
    assert run(*WORDS, "--report", "json=/dev/null", "--report", "html=/dev/null").code == 0


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("kept")
    assert write_whole("--evidence", tmp_path / "link", "new") is None
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "new"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kept", "link"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="a system without /proc")
def test_what_a_name_of_standard_output_stands_for_is_not_replaced(tmp_path: Path) -> None:
    """As root a file would take the place of /dev/stdout, for every program of the machine."""
    file = tmp_path / "out"
    with open(file, "w", encoding="utf-8") as stream:
        stream.write("before\n")
        stream.flush()
        before = file.stat().st_ino
        for name in ("/proc/self/fd", "/dev/fd"):
            assert write_whole("--evidence", Path(f"{name}/{stream.fileno()}"), "evidence\n") is None
    assert file.read_text(encoding="utf-8") == "before\nevidence\nevidence\n"
    assert file.stat().st_ino == before
