"""``rulecheck --watch``: what it shows after each save."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_compliance.rulecheck.gather import gather
from mcp_compliance.rulecheck.main import main
from mcp_compliance.rulecheck.watching import CLEAR, watch_rules, watched_folders

EXAMPLES = Path(__file__).parent / "examples" / "2020-01-01"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    target = tmp_path / "rules" / "2020-01-01"
    shutil.copytree(EXAMPLES, target, ignore=shutil.ignore_patterns("bad", "other"))
    revision = target / "_revision.yaml"
    text = revision.read_text(encoding="utf-8")
    revision.write_text(text[: text.index("  bad: [")], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return target


def test_each_save_shows_the_rule_that_was_saved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = folder / "good" / "say-hello.yaml"
    good = rule.read_text(encoding="utf-8")
    shown: list[str] = []

    def saves() -> Iterator[frozenset[Path]]:
        shown.append(capsys.readouterr().out)
        rule.write_text(good.replace("pass: greeted", "pas: greeted"), encoding="utf-8")
        yield frozenset({rule})
        shown.append(capsys.readouterr().out)
        rule.write_text(good, encoding="utf-8")
        yield frozenset({rule})
        shown.append(capsys.readouterr().out)
        yield frozenset({folder / "_revision.yaml"})
        shown.append(capsys.readouterr().out)
        rule.unlink()
        yield frozenset({rule})

    watch_rules([Path("rules")], saves(), terminal=False)
    shown.append(capsys.readouterr().out)
    first, broken, mended, revised, removed = shown
    assert "5 rules, 20 cases: no findings\nwaiting for a change; Ctrl+C ends\n" in first
    assert "say-hello.yaml changed" in broken
    assert "unknown key 'pas'" in broken
    assert "did you mean 'pass'?" in broken
    assert "ok    greeted (http): pass: greeted" in mended
    assert "rules/2020-01-01/good/say-hello.yaml: 1 rule, 2 cases: no findings" in mended
    assert "5 rules, 20 cases: no findings" in revised
    assert "there is no file good/say-hello.yaml" in removed


def test_a_terminal_is_cleared_and_holds_no_more_than_fits(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "10")
    rule = folder / "good" / "refuse-nonsense.yaml"
    watch_rules([rule], [frozenset({rule})], terminal=True)
    last = capsys.readouterr().out.split(CLEAR)[-1].splitlines()
    assert len(last) <= 9
    assert all(len(line) <= 40 for line in last[1:6])
    assert "more: rulecheck play refuse-nonsense" in last[-3]


def test_what_a_rule_shares_with_others_is_watched_too(folder: Path) -> None:
    rule = folder / "good" / "say-hello.yaml"
    (folder.parent / "shared").mkdir()
    assert watched_folders(gather([rule]), [rule]) == [folder.resolve(), (folder.parent / "shared").resolve()]


@pytest.mark.parametrize("words", [["--format", "json"], ["--drop-checks"]])
@pytest.mark.usefixtures("folder")
def test_watching_goes_with_text_alone(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--watch", *words]) == 2
    assert "leave the other option out" in capsys.readouterr().err
    assert main(["--watch", "no-such-folder"]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent as a signal")
def test_the_command_watches_until_it_is_interrupted(folder: Path) -> None:
    rule = folder / "good" / "say-hello.yaml"
    command = [str(Path(sys.executable).parent / "rulecheck"), "--watch", str(rule)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            assert any("waiting for a change" in line for line in lines)
            rule.write_text(rule.read_text(encoding="utf-8") + "\n", encoding="utf-8")
            assert any("say-hello.yaml changed" in line for line in lines)
            assert any("ok    greeted (http): pass: greeted" in line for line in lines)
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
        finally:
            process.kill()
