"""Standard streams that are full, closed or gone: data is whole or the exit code says so, and people get one line."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.cli import output
from mcp_compliance.cli.main import main

from .conftest import Ended, ScriptedSuite
from .console import SCRIPT

WORDS = ("test", "http://127.0.0.1:9/mcp")


def full() -> io.TextIOWrapper:
    return open("/dev/full", "w", encoding="utf-8")


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")


@needs_full
@pytest.mark.parametrize("words", [(*WORDS, "--format", "json"), (*WORDS, "--format", "ndjson"), ("--version",)])
def test_full_standard_output_is_said_and_ends_with_2(
    words: tuple[str, ...], suite: ScriptedSuite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with full() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        code = main(words)
    assert code == 2
    assert capsys.readouterr().err == "mcp-compliance: standard output: not written: No space left on device\n"


@needs_full
def test_files_are_written_although_standard_output_is_full(
    suite: ScriptedSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with full() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main((*WORDS, "--report", f"json={tmp_path / 'report.json'}")) == 2
    assert (tmp_path / "report.json").read_text(encoding="utf-8").endswith("}\n")


@needs_full
def test_the_run_goes_on_where_nobody_hears_of_it(
    suite: ScriptedSuite, run: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.script = lambda listener: listener.server_stderr("x")
    with full() as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        ended = run(*WORDS, "--verbose", "--format", "github")
        output.say("nor of this")
    assert ended.code == 0
    assert ended.out.startswith("::notice")


def test_the_next_command_knows_nothing_of_an_output_that_was_full(run: Callable[..., Ended]) -> None:
    output._unwritten.append("of before")
    assert run("--version").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors in a shell of POSIX")
def test_closed_streams() -> None:
    """Words for people do not go to standard output in the place of a standard error that is closed."""
    words = "diff - nowhere.json"
    ended = subprocess.run(
        ["sh", "-c", f'"$0" {words} 2>&-; "$0" {words} <&-; "$0" --version >&-; echo $?', SCRIPT],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert ended.stdout == "0\n"
    assert ended.stderr.startswith("mcp-compliance: standard input: is not JSON: ")
    assert "Traceback" not in ended.stderr
