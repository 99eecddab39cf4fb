"""``diff``: exit codes, formats, and what is said of files that are no reports."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.model.test_comparison import row, written

from .conftest import Ended, write_index

SCRIPT = Path(sys.executable).with_name("mcp-compliance")
BEFORE = written(
    row("fails-now", required=True),
    row("was-skipped", "skip"),
    row("is-fixed", "fail"),
    row("is-skipped"),
    row("measures", "skip"),
    row("stays-broken", "fail"),
    row("goes"),
    score=67,
    toolVersion="0.19.0",
)
AFTER = written(
    row("fails-now", "fail", required=True, details="MUST: drew <b>HTTP\n500</b>, `@all` 100%"),
    row("was-skipped", "fail"),
    row("is-fixed"),
    row("is-skipped", "skip", details="no tools | declared"),
    row("measures"),
    row("stays-broken", "fail"),
    row("comes", "fail"),
    score=30,
)


@pytest.fixture
def files(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def write(before: dict[str, Any] = BEFORE, after: dict[str, Any] = AFTER) -> None:
        Path("before.json").write_text(json.dumps(before), encoding="utf-8")
        Path("after.json").write_text("\ufeff" + json.dumps(after), encoding="utf-8")

    write()
    return write


Run = Callable[..., Ended]


def test_for_people(run: Run, files: Callable[..., None]) -> None:
    done = run("diff", "before.json", "after.json")
    assert (done.code, done.err) == (1, "")
    assert (
        done.out
        == """\
mcp-compliance diff  MCP 2025-11-25

Baseline   B 85/100  before.json
Current    F 12/100  after.json

Newly failing (2)
  fails-now  required, passed before
    MUST: drew <b>HTTP\\n500</b>, `@all` 100%
  was-skipped  optional, skipped before
    fail it is

Fixed (1)
  is-fixed  optional

Newly skipped (1)
  is-skipped  optional, passed before
    no tools | declared

No longer skipped (1)
  measures  optional

New tests (1)
  comes  optional, failed
    fail it is

Removed tests (1)
  goes

Still failing (1)
  stays-broken

Notes
  · before.json (mcp-compliance 0.19.0) recorded 67/100; scored from its results as this version
    does, it is 85
  · after.json (an earlier version) recorded 30/100; scored from its results as this version does,
    it is 12

2 tests fail that did not before.
"""
    )


def test_skips_never_fail_it(run: Run, files: Callable[..., None]) -> None:
    files(written(row("a"), row("b", "skip")), written(row("a", "skip"), row("b")))
    done = run("diff", "before.json", "after.json")
    assert done.code == 0
    assert done.out.endswith("\nNothing fails that did not before.\n")
    assert "Newly skipped (1)" in done.out
    assert "No longer skipped (1)" in done.out


def test_as_json(run: Run, files: Callable[..., None]) -> None:
    done = run("diff", "before.json", "after.json", "--format", "json")
    found = json.loads(done.out)
    assert (done.code, found["schemaVersion"], found["specVersion"], found["regressed"]) == (1, "1", "2025-11-25", True)
    groups = ("newlyFailing", "fixed", "newlySkipped", "noLongerSkipped", "added", "removed", "stillFailing")
    assert {group: [change["id"] for change in found[group]] for group in groups} == {
        "newlyFailing": ["fails-now", "was-skipped"],
        "fixed": ["is-fixed"],
        "newlySkipped": ["is-skipped"],
        "noLongerSkipped": ["measures"],
        "added": ["comes"],
        "removed": ["goes"],
        "stillFailing": ["stays-broken"],
    }
    assert found["newlyFailing"][1] == {
        "id": "was-skipped",
        "before": "skip",
        "after": "fail",
        "required": False,
        "details": "fail it is",
    }
    assert (found["baseline"]["score"], found["baseline"]["grade"], found["baseline"]["recordedScore"]) == (85, "B", 67)


def test_as_markdown(run: Run, files: Callable[..., None]) -> None:
    done = run("diff", "before.json", "after.json", "--format", "markdown")
    lines = done.out.splitlines()
    assert lines[:3] == [
        "## MCP compliance: B 85/100 → F 12/100",
        "",
        "**2 tests fail that did not before.** (MCP 2025-11-25)",
    ]
    head = "- fails-now (required, passed before): "
    assert f"{head}MUST: drew &lt;b>HTTP\\\\n500&lt;/b>, \\`@&#8203;all\\` 100%" in lines
    assert "- is-skipped (optional, passed before): no tools \\| declared" in lines


def test_as_annotations(run: Run, files: Callable[..., None]) -> None:
    done = run("diff", "before.json", "after.json", "--format", "github")
    lines = done.out.splitlines()
    assert lines[0] == "::error title=Newly failing%3A fails-now::MUST: drew <b>HTTP\\n500</b>, `@all` 100%25"
    assert "::notice title=Newly skipped::is-skipped" in lines
    assert lines[-1] == ("::notice title=MCP compliance diff::B 85/100 to F 12/100 (MCP 2025-11-25), 2 newly failing")
    assert all(line.startswith("::") for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("before.json", "none.json"), "none.json: cannot be read: No such file or directory"),
        (("before.json", "text"), "text: is not JSON: Expecting value (line 2, column 1)"),
        (("before.json", "long"), "long: is no report: a number in it is too long"),
        (("before.json", "latin"), "latin: is no text in UTF-8 (byte 2)"),
        (("other.json", "before.json"), "other.json: grades MCP 2031-01-01, which this version does not know"),
        (("-", "-"), "only one of the two reports can come from standard input"),
        (("before.json", "after.json", "--format", "html"), "--format html: choose one of terminal, json, markdown"),
        (
            ("before.json", "newer.json"),
            "before.json grades MCP 2025-11-25 and newer.json MCP 2026-07-28, whose tests are not the same; "
            "run again with --spec-version 2025-11-25, or make a new baseline with --spec-version 2026-07-28",
        ),
        (("down.json", "before.json"), "down.json: holds nothing to compare: its run ended with an error (refused)"),
    ],
)
def test_refusals(run: Run, files: Callable[..., None], rules: Path, words: tuple[str, ...], message: str) -> None:
    write_index(rules, "2026-07-28", [])
    Path("newer.json").write_text(json.dumps({**AFTER, "specVersion": "2026-07-28"}), encoding="utf-8")
    Path("text").write_text("\nMCP compliance", encoding="utf-8")
    Path("long").write_text("9" * 5000, encoding="utf-8")
    Path("latin").write_bytes(b'"\xe9"')
    Path("other.json").write_text(json.dumps({**BEFORE, "specVersion": "2031-01-01"}), encoding="utf-8")
    Path("down.json").write_text(json.dumps({**BEFORE, "error": "refused"}), encoding="utf-8")
    done = run("diff", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"mcp-compliance: {message}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("score", ["NaN", "1e999", "1" + "0" * 400, "-1"])
def test_a_score_that_is_none_is_not_repeated(run: Run, files: Callable[..., None], score: str) -> None:
    text = Path("after.json").read_text(encoding="utf-8-sig")
    document = {**json.loads(text), "score": "here"}
    Path("after.json").write_text(json.dumps(document).replace('"here"', score), encoding="utf-8")
    done = run("diff", "before.json", "after.json")
    assert done.code == 1
    assert done.out.count("recorded") == 1  # that of before.json


def test_one_of_them_from_standard_input(run: Run, files: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({**AFTER, "schemaVersion": "7"}).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    done = run("diff", "before.json", "-")
    assert done.err.startswith('mcp-compliance: standard input: has the schemaVersion "7", and this version reads "1"')


def test_the_console_script(files: Callable[..., None]) -> None:
    done = subprocess.run(
        [SCRIPT, "diff", "--no-color", "--format", "markdown", "before.json", "after.json"],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("## MCP compliance: B 85/100 → F 12/100\n")
