"""What a shell is answered when it asks how a line may go on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli.completion import SHELLS, VARIABLE
from mcp_compliance.cli.main import main

from .conftest import Ended

Run = Callable[..., Ended]
Ask = Callable[[str], list[str]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ask:
    """The words for the end of a line; they are asked for as the script for bash does it."""

    def asked(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv(VARIABLE, "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        with pytest.raises(SystemExit) as ended:
            main([])
        assert ended.value.code == 0
        out, err = capfd.readouterr()
        assert err == ""
        return out.split()

    return asked


def test_commands_and_options(ask: Ask) -> None:
    assert {"test", "explain", "diff", "benchmark", "completion"} <= set(ask("mcp-compliance "))
    assert ask("mcp-compliance test --min") == ["--min-grade"]
    assert ask("mcp-compliance benchmark --req") == ["--requests"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("test --min-grade ", ["A", "B", "C", "D", "F"]),
        ("test --min-grade B", ["B"]),
        ("test --fail-on ", ["must", "required", "any"]),
        ("test --list --transport ", ["http", "stdio"]),
        ("test --format sa", ["sarif"]),
        ("diff --format ", ["terminal", "json", "markdown", "github"]),
        ("explain --format ", ["terminal", "json"]),
        ("benchmark --format ", ["terminal", "json"]),
        ("serve --spec-version ", [*known_revisions()]),
        ("test --spec-version ", ["auto", *known_revisions()]),
        ("benchmark --spec-version a", ["auto"]),
        ("completion ", ["bash", "zsh", "fish", "powershell"]),
        # files are left to the shell
        ("test --env-file ", []),
        ("test node ./ser", []),
    ],
)
def test_values(ask: Ask, line: str, words: list[str]) -> None:
    assert ask(f"mcp-compliance {line}") == words


def test_rules_of_the_revision_that_the_line_names(ask: Ask, rules: Path) -> None:
    everything = ["transport", "transport-post", "lifecycle", "lifecycle-init", "lifecycle-ping"]
    everything += ["stdio-framing", "tools", "tools-list", "errors", "errors-code"]
    for option in ("--only", "--skip"):
        assert sorted(ask(f"mcp-compliance test {option} ")) == sorted(everything)
        assert ask(f"mcp-compliance test {option} lifecycle-") == ["lifecycle-init", "lifecycle-ping"]
    assert ask("mcp-compliance explain tools-") == ["tools-list"]
    assert ask("mcp-compliance test --spec-version 2025-11-25 --only tools-") == ["tools-list"]
    assert ask("mcp-compliance test --spec-version 2026-07-28 --only tools-") == []


def test_of_a_list_the_last_word(ask: Ask, rules: Path) -> None:
    assert ask("mcp-compliance test --only tools,lifecycle-") == ["tools,lifecycle-init", "tools,lifecycle-ping"]
    assert ask("mcp-compliance test --only lifecycle-ping,lifecycle-") == ["lifecycle-ping,lifecycle-init"]


def test_options_of_the_server_do_not_get_in_the_way(ask: Ask, rules: Path) -> None:
    assert ask("mcp-compliance test npx -y server --only tools-") == ["tools-list"]
    assert ask("mcp-compliance benchmark node s.js --verbose --format j") == ["json"]


def test_nothing_is_read_and_nothing_said(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rules: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mcp-compliance.config.json").write_text("broken", encoding="utf-8")
    (rules / "2025-11-25" / "_index.json").write_text("broken", encoding="utf-8")
    assert ask("mcp-compliance test --min-grade ") == ["A", "B", "C", "D", "F"]
    assert ask("mcp-compliance test --only ") == []


def test_faults_of_the_bundled_server(ask: Ask) -> None:
    assert "stdout-banner" in ask("mcp-compliance serve --fault stdout-")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_script(run: Run, shell: str) -> None:
    ended = run("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert f"complete_{shell}" in ended.out
    assert VARIABLE in ended.out


def test_an_unknown_shell_is_one_line(run: Run) -> None:
    ended = run("completion", "csh")
    assert (ended.code, ended.out) == (2, "")
    assert "choose one of bash, zsh, fish, powershell" in ended.err


@pytest.mark.skipif(os.name == "nt" or shutil.which("bash") is None, reason="needs bash")
def test_bash_itself_completes() -> None:
    script = (
        'eval "$(mcp-compliance completion bash)"\n'
        "complete -p mcp-compliance\n"
        "COMP_WORDS=(mcp-compliance test --only lifecycle-pi); COMP_CWORD=3\n"
        "_mcp_compliance_completion mcp-compliance\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        "complete -o default -F _mcp_compliance_completion mcp-compliance",
        "lifecycle-ping",
    ]
