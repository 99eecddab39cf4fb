"""``--expected-failures``: what the file may say, what it excuses, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.expectations import Expected, read_expectations
from mcp_compliance.cli.gates import Gates, outcome
from mcp_compliance.model.result import Report

from .conftest import Ended, ScriptedSuite, entry, report, result, write_index

FAILS = result("fail", required=True, force="MUST", rule="transport-post")
OPTIONAL = result("fail", force="SHOULD", rule="lifecycle-ping")
UNCLEAR = result("not-evaluable", rule="tools-list")
PASSES = result(rule="errors-code")


@pytest.fixture
def listed(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    monkeypatch.chdir(tmp_path)
    write_index(rules, "2026-07-28", [entry("lifecycle-discover", "lifecycle"), entry("tools-list", "tools")])

    def write(text: str) -> Path:
        path = Path("known.txt")
        path.write_text(text, encoding="utf-8")
        return path

    return write


def ended(graded: Report, path: Path, **gates: object) -> tuple[int, tuple[str, ...]]:
    demanded = Gates(expected=read_expectations(path), **gates)  # type: ignore[arg-type]
    found = outcome(demanded.marked(graded), demanded)
    return found.code, found.reasons


def test_lines_comments_reasons_and_revisions(listed: Callable[[str], Path]) -> None:
    text = "\ufeff# known\n\n  lifecycle-ping\ntransport-post the proxy eats it\ntools-list # see above\n"
    text += "2026-07-28/tools-list\n"
    assert read_expectations(listed(text)).rules == (
        Expected("lifecycle-ping"),
        Expected("transport-post", None, "the proxy eats it"),
        Expected("tools-list", None, "see above"),
        Expected("tools-list", "2026-07-28"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nlifecycle-pong\n", ":2: lifecycle-pong is no rule of any revision; did you mean lifecycle-ping?"),
        ("zzz", ":1: zzz is no rule of any revision; mcp-compliance test --list shows all"),
        (
            "tools",
            ":1: tools is no rule of any revision, but a category; list its rules one by one "
            "(mcp-compliance test --list --only tools shows them)",
        ),
        ("2026-07-28/errors-code", ":1: errors-code is no rule of MCP 2026-07-28, but of MCP 2025-11-25"),
        (
            "2024-01-01/tools-list",
            ":1: 2024-01-01/tools-list: there is no revision 2024-01-01; known are 2025-11-25, 2026-07-28",
        ),
    ],
)
def test_an_id_that_no_catalogue_knows(listed: Callable[[str], Path], text: str, message: str) -> None:
    path = listed(text)
    with pytest.raises(UserError) as refused:
        read_expectations(path)
    assert str(refused.value) == f"{path}{message}"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"missing\.txt: cannot be read: No such file"):
        read_expectations(tmp_path / "missing.txt")
    (tmp_path / "latin").write_bytes(b"# \xe9")
    with pytest.raises(UserError, match=r"latin: is no text in UTF-8 \(byte 3\)"):
        read_expectations(tmp_path / "latin")


def test_listed_failures_fail_nothing(listed: Callable[[str], Path]) -> None:
    path = listed("transport-post\nlifecycle-ping\ntools-list\n")
    graded = report(FAILS, OPTIONAL, UNCLEAR, PASSES)
    assert ended(graded, path, strict=True, fail_on="any") == (0, ())
    assert ended(graded, path, fail_on="must") == ended(graded, path, fail_on="required") == (0, ())


def test_the_grade_stays_what_it_is(listed: Callable[[str], Path]) -> None:
    code, reasons = ended(report(FAILS, PASSES), listed("transport-post"), min_grade="D")
    assert (code, reasons) == (1, ("--min-grade D: the grade is F",))  # 30


@pytest.mark.parametrize("other", [OPTIONAL, UNCLEAR], ids=["optional", "not evaluable"])
def test_any_other_failure_is_named(listed: Callable[[str], Path], other: object) -> None:
    path = listed("transport-post")
    code, reasons = ended(report(FAILS, other), path)  # type: ignore[arg-type]
    assert code == 1
    assert reasons == (f"--expected-failures: 1 failure is not listed in {path}: {other.id}",)  # type: ignore[attr-defined]


def test_of_many_failures_the_first_are_named(listed: Callable[[str], Path]) -> None:
    path = listed("")
    _, (reason,) = ended(report(*(result("fail", rule=f"r{number}") for number in range(12))), path)
    assert reason.endswith(f"12 failures are not listed in {path}: r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 and 2 more")


def test_a_line_for_another_revision_excuses_nothing(listed: Callable[[str], Path]) -> None:
    assert ended(report(UNCLEAR), listed("2026-07-28/tools-list\nlifecycle-discover"))[0] == 1
    assert ended(report(UNCLEAR), listed("2025-11-25/tools-list"))[0] == 0


def test_what_could_not_be_done_stays_undone(listed: Callable[[str], Path]) -> None:
    path = listed("transport-post")
    assert ended(report(FAILS, error="unreachable"), path)[0] == 2
    assert ended(report(FAILS, result("broken", rule="lifecycle-ping")), path)[0] == 2


def test_a_listed_rule_that_passes_is_named_and_one_that_measured_nothing_is_not(
    suite: ScriptedSuite, run: Callable[..., Ended], listed: Callable[[str], Path]
) -> None:
    path = listed("transport-post  the proxy eats it\nerrors-code\ntools-list\nlifecycle-discover")
    suite.report = replace(
        report(FAILS, PASSES, result("skip", rule="tools-list")),
        warnings=("grade means little", "b"),
        caveats=("grade means little",),
    )
    done = run("test", "http://127.0.0.1:9/mcp", "--expected-failures", str(path), "--no-color")
    stale = f"{path} lists a rule that passes; take its line out: errors-code"
    assert done.code == 0
    assert done.err == f"mcp-compliance: note: {stale}\n"
    shown = " ".join(done.out.split())
    assert "FAILURES (1) all expected" in shown
    assert "transport-post required, expected" in shown
    assert "expected the proxy eats it" in shown
    assert "FAIL transport-post (expected) fail it is" in shown
    assert stale in shown
    assert shown.index("· grade means little") < shown.index(stale) < shown.index("· b ")


def test_a_typo_is_told_before_the_run(
    suite: ScriptedSuite, run: Callable[..., Ended], listed: Callable[[str], Path]
) -> None:
    path = listed("transport-pots")
    done = run("test", "http://127.0.0.1:9/mcp", "--expected-failures", str(path))
    assert (done.code, done.out, suite.seen) == (2, "", [])
    assert (
        done.err
        == f"mcp-compliance: {path}:1: transport-pots is no rule of any revision; did you mean transport-post?\n"
    )
