"""``init``: by flags, and by questions that a person answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mcp_compliance.cli import config
from mcp_compliance.cli.init_secrets import variable
from mcp_compliance.cli.saved_target import SavedTarget

from .conftest import Ended, ScriptedSuite

Run = Callable[..., Ended]
Answers = Callable[..., None]
OWN = "mcp-compliance.config.json"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("API_KEY", "MCP_TOKEN", "MCP_PASSWORD", "X_API_KEY", "TOKEN", "MINE"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Somebody at a terminal, who gives these answers; an answer that is an exception is what the keys do."""

    def given(*lines: str | type[BaseException]) -> None:
        left: Iterator[str | type[BaseException]] = iter(lines)

        def read(prompt: str = "") -> str:
            line = next(left)
            print(file=sys.stderr)
            if isinstance(line, str):
                return line
            raise line

        monkeypatch.setattr("typer._click.termui.visible_prompt_func", read)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)

    return given


def asked(ended: Ended) -> list[str]:
    return [line.strip() for line in ended.err.splitlines() if not line.startswith("mcp-compliance: ")]


def written(folder: Path) -> dict[str, object]:
    document: dict[str, object] = json.loads((folder / OWN).read_text(encoding="utf-8"))
    return document


def test_a_url_by_flags(run: Run, here: Path) -> None:
    ended = run("init", "--yes", "http://h/mcp", "-H", "X-Team: a", "--timeout", "20000", "--strict")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == f"mcp-compliance: wrote {OWN}\nmcp-compliance: next: mcp-compliance test\n"
    assert written(here) == {
        "target": {"type": "http", "url": "http://h/mcp", "headers": {"X-Team": "a"}},
        "timeout": 20000,
        "specVersion": "auto",
        "strict": True,
    }


def test_a_command_by_flags(run: Run, here: Path) -> None:
    words = ("--no-strict", "--spec-version", "2025-11-25", "-E", "LOG_LEVEL=error", "--", "npx", "-y", "pkg", "--yes")
    assert run("init", "--yes", *words).code == 0
    assert written(here) == {
        "target": {
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "pkg", "--yes"],
            "env": {"LOG_LEVEL": "error"},
        },
        "timeout": 15000,
        "specVersion": "2025-11-25",
        "strict": False,
    }


def test_what_it_writes_is_what_test_reads(run: Run, suite: ScriptedSuite, here: Path) -> None:
    assert run("init", "--yes", "node 'a b' c", "--timeout", "7").code == 0
    assert run("test").code == 0
    assert suite.seen[-1].target.display == "stdio:node a b c"
    assert suite.seen[-1].timeout == 7


def test_no_secret_is_written(run: Run, here: Path) -> None:
    """Wherever it is given: a header, a URL, a variable, an argument."""
    long = "abcdefghij0123456789klmn"
    ended = run(
        "init", "--yes", f"https://someone:hunter2@h/mcp?api_key=hunter2&page=1&x={long}",
        "-H", "Authorization: Bearer hunter2", "-H", "X-Api-Key: hunter2", "-H", f"X-Odd: {long}",
        "-H", "Cookie: a=hunter2 b",
        "-H", "X-Kept: ${MINE}", "-H", "X-Plain: plain",
    )  # fmt: skip
    text = (here / OWN).read_text(encoding="utf-8")
    for secret in ("hunter2", long):
        assert secret not in text
        assert secret not in ended.err
    assert written(here)["target"] == {
        "type": "http",
        "url": "https://someone:${MCP_PASSWORD}@h/mcp?api_key=${API_KEY}&page=1&x=${X}",
        "headers": {
            "Authorization": "Bearer ${MCP_TOKEN}",
            "X-Api-Key": "${X_API_KEY}",
            "X-Odd": "${X_ODD}",
            "Cookie": "${COOKIE}",
            "X-Kept": "${MINE}",
            "X-Plain": "plain",
        },
    }
    assert (
        "note: header X-Api-Key looks like a secret: the file takes it from the environment variable X_API_KEY"
        in ended.err
    )
    assert "set in the environment before a run: MCP_PASSWORD, API_KEY, X, MCP_TOKEN, X_API_KEY" in ended.err


def test_no_secret_of_a_command_is_written(run: Run, here: Path) -> None:
    ended = run(
        "init", "--yes", "-E", "API_KEY=hunter2", "-E", "REGION=eu", "-E", "TOKEN=${MINE}",
        "--", "node", "s.js", "--token", "hunter2", "--api-key=hunter2", "--verbose", "--auth",
    )  # fmt: skip
    assert "hunter2" not in (here / OWN).read_text(encoding="utf-8") + ended.err
    assert written(here)["target"] == {
        "type": "stdio",
        "command": "node",
        "args": ["s.js", "--token", "${TOKEN}", "--api-key=${API_KEY}", "--verbose", "--auth"],
        "env": {"API_KEY": "${API_KEY}", "REGION": "eu", "TOKEN": "${MINE}"},
    }


def test_no_secret_of_an_argument_is_written(run: Run, here: Path) -> None:
    """A bridge's header and address, a container's variable, a database."""
    ended = run(
        "init", "--yes", "--", "npx", "mcp-remote", "https://h/mcp?api%5Fkey=hunter2&page=1",
        "--header", "Authorization: Bearer hunter2", "--header", "X-Api-Key:hunter2", "-e", "DB_PASSWORD=hunter2",
        "-e", "REGION=eu", "--db=postgres://me:hunter2@h/x", "C:/key:file", "--url", "https://h/%5Bx",
    )  # fmt: skip
    assert "hunter2" not in (here / OWN).read_text(encoding="utf-8") + ended.err
    assert written(here)["target"]["args"] == [
        "mcp-remote", "https://h/mcp?api%5Fkey=${API_KEY}&page=1",
        "--header", "Authorization: Bearer ${MCP_TOKEN}", "--header", "X-Api-Key:${X_API_KEY}",
        "-e", "DB_PASSWORD=${DB_PASSWORD}",
        "-e", "REGION=eu", "--db=postgres://me:${MCP_PASSWORD}@h/x", "C:/key:file", "--url", "https://h/%5Bx",
    ]  # fmt: skip


def test_questions_about_a_url(run: Run, here: Path, answers: Answers) -> None:
    """A wrong answer is asked for again, with what is expected."""
    answers(
        "htp", "http", "h/mcp", "http://h/mcp", "nonsense", "X-Api-Key: hunter2", "X-Team: a", "", "MY KEY", "MINE",
        "soon", "20000", "2025-11-26", "", "y",
    )  # fmt: skip
    ended = run("init")
    assert (ended.code, ended.out) == (0, "")
    assert asked(ended)[0] == "Transport (http, stdio) [stdio]:"
    assert asked(ended)[-1] == "Exit 1 if a required rule fails? [y/N]:"
    assert "transport htp: choose one of http, stdio; did you mean http?" in ended.err
    assert "expected an address that begins http:// or https://" in ended.err
    assert "timeout soon: expected a whole number, 1 or more" in ended.err
    assert "hunter2" not in ended.err
    assert written(here) == {
        "target": {"type": "http", "url": "http://h/mcp", "headers": {"X-Api-Key": "${MINE}", "X-Team": "a"}},
        "timeout": 20000,
        "specVersion": "auto",
        "strict": True,
    }


def test_questions_about_a_command(run: Run, here: Path, answers: Answers) -> None:
    answers("", "node ./server.js --port 1", "LOG_LEVEL=error", "", "", "", "")
    assert asked(run("init")) == [
        "Transport (http, stdio) [stdio]:",
        "Command that starts the server:",
        "Environment variable KEY=VALUE (Enter for no more):",
        "Environment variable KEY=VALUE (Enter for no more):",
        "Timeout in milliseconds [15000]:",
        "MCP revision (auto, 2025-11-25) [auto]:",
        "Exit 1 if a required rule fails? [y/N]:",
    ]
    read = config.load(None, here)
    assert read is not None
    assert read.target == SavedTarget(
        f"{here / OWN}: target", command=("node", "./server.js", "--port", "1"), env={"LOG_LEVEL": "error"}
    )
    assert read.options == {"timeout": 15000, "spec_version": "auto", "strict": False}


def test_what_is_said_is_not_asked(run: Run, here: Path, answers: Answers) -> None:
    answers("30000")
    ended = run("init", "http://h", "-H", "A: b", "--strict", "--spec-version", "auto")
    assert asked(ended) == ["Timeout in milliseconds [15000]:"]


@pytest.mark.parametrize("keys", [KeyboardInterrupt, EOFError])
def test_breaking_off_leaves_nothing(run: Run, here: Path, answers: Answers, keys: type[BaseException]) -> None:
    answers("", keys)
    ended = run("init")
    assert (ended.code, ended.out) == (130, "")
    assert ended.err.splitlines()[-1] == "Interrupted."
    assert list(here.iterdir()) == []


def test_a_file_is_not_overwritten_unasked(run: Run, here: Path) -> None:
    (here / OWN).write_text("mine", encoding="utf-8")
    ended = run("init", "--yes", "node")
    assert (ended.code, ended.err) == (2, f"mcp-compliance: {OWN} is there already; --force overwrites it\n")
    assert (here / OWN).read_text(encoding="utf-8") == "mine"
    assert run("init", "--yes", "node", "--force").code == 0
    assert written(here)["target"] == {"type": "stdio", "command": "node", "args": []}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("init",),
            "init asks, and nobody is there to answer: give TARGET and --yes (--help lists the options)",
        ),
        (("init", "--yes"), "init --yes needs a target: give a URL, or a command that starts a server"),
        (("init", "--yes", "http://h", "extra"), "unexpected argument extra after the URL"),
        (("init", "--yes", "http://[x/mcp"), "the URL cannot be read: Invalid IPv6 URL"),
        (("init", "--yes", "http://[${X}/mcp"), "the URL cannot be read: Invalid IPv6 URL"),
        (("init", "--yes", "http:///mcp"), "the URL names no host"),
        (("init", "--yes", "ftp://h/"), "ftp:// addresses are not supported; use http:// or https://"),
        (("init", "--yes", "http://h", "-E", "A=b"), "-E/--env goes with a command, and the target is a URL"),
        (("init", "--yes", "-H", "A: b", "node"), "-H/--header goes with a URL, and the target is a command"),
        (
            ("init", "--yes", "-E", "hunter2", "node"),
            "-E/--env: expected KEY=VALUE; KEY=${KEY} takes the value from the environment",
        ),
        (("init", "--yes", "http://h", "-H", "hunter2"), "-H/--header: expected 'Name: value'"),
        (("init", "--yes", "http://h", "--timeout", "0"), "--timeout 0: expected a whole number, 1 or more"),
        (
            ("init", "--yes", "http://h", "--spec-version", "2025-11-26"),
            "--spec-version 2025-11-26: choose one of auto, 2025-11-25; did you mean 2025-11-25?",
        ),
    ],
)
def test_mistakes(run: Run, here: Path, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    ended = run(*words)
    assert (ended.code, ended.err) == (2, f"mcp-compliance: {said}\n")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "found"),
    [("X-Api-Key", "X_API_KEY"), ("--api-key", "API_KEY"), ("2fa", "MCP_2FA"), ("--", "MCP_"), ("ä", "MCP_")],
)
def test_names_of_variables(name: str, found: str) -> None:
    assert variable(name) == found
