"""``--mcp-config``: the files of clients, in the shapes that they have there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.mcp_config import named_target
from mcp_compliance.cli.saved_target import SavedTarget
from mcp_compliance.model.options import HttpTarget, StdioTarget

from .conftest import Ended, ScriptedSuite

Run = Callable[..., Ended]
SERVERS = {
    "files": {"command": "npx", "args": ["-y", "pkg"], "env": {"KEY": "${KEY}"}, "disabled": True},
    "plain": {"command": "server"},
    "remote": {"type": "http", "url": "http://h/mcp", "headers": {"X-Key": "${KEY}"}},
    "streamable": {"type": "streamable-http", "url": "http://h/mcp"},
    "untyped": {"url": "http://h/mcp"},
    "vscode": {"type": "stdio", "command": "node", "envFile": ".env", "cwd": "work"},
    "old": {"type": "sse", "url": "http://h/sse"},
    "other": {"type": "ws", "url": "ws://h"},
    "bare": {"type": "stdio"},
    "nowhere": {"type": "http"},
    "words": {"command": "x", "args": "a b"},
    "numbers": {"command": "x", "env": {"PORT": 1}},
    "list": [],
    "names": {"url": "http://h", "headers": {"X Key": "a"}},
}
TEXT = json.dumps({"mcpServers": SERVERS}, indent="\t")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / ".mcp.json"
    path.write_text(TEXT, encoding="utf-8")
    return path


def place(name: str, *keys: str) -> str:
    """Line and column of a server, or of something in it."""
    offset = TEXT.index(f'"{name}": ')
    for key in keys:
        offset = TEXT.index(f'"{key}": ', offset)
    before = TEXT[:offset]
    return f"{before.count(chr(10)) + 1}:{len(before.rpartition(chr(10))[2]) + 1}"


def test_the_shapes(file: Path) -> None:
    def read(name: str) -> SavedTarget:
        return named_target(file, (name,))

    assert read("files") == SavedTarget(f"{file}: files", command=("npx", "-y", "pkg"), env={"KEY": "${KEY}"})
    assert read("plain") == SavedTarget(f"{file}: plain", command=("server",))
    assert read("remote") == SavedTarget(f"{file}: remote", url="http://h/mcp", headers=(("X-Key", "${KEY}"),))
    assert read("streamable").url == read("untyped").url == "http://h/mcp"
    assert (read("vscode").env_file, read("vscode").cwd) == (file.parent / ".env", file.parent / "work")


def test_vscode_calls_the_list_servers(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"inputs": [], "servers": {"one": {"url": "http://h"}}}), encoding="utf-8")
    assert named_target(path, ()) == SavedTarget(f"{path}: one", url="http://h")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), f"--mcp-config FILE: which server? Name one of {', '.join(SERVERS)}"),
        (("file",), "--mcp-config FILE: has no server file; did you mean files?"),
        (("zzz",), f"--mcp-config FILE: has no server zzz; known are {', '.join(SERVERS)}"),
        (
            ("files", "-H"),
            "--mcp-config: -H behind the name files: give one name, and options before it",
        ),
        (
            ("old",),
            f"FILE:{place('old', 'type')}: old: type sse is the transport of 2024, which is not tested; "
            "give the Streamable HTTP address",
        ),
        (("other",), f"FILE:{place('other', 'type')}: other: type ws: known are stdio and http"),
        (("bare",), f"FILE:{place('bare')}: bare: has no command"),
        (("nowhere",), f"FILE:{place('nowhere')}: nowhere: has no url"),
        (("words",), f'FILE:{place("words", "args")}: words: args: expected a list of texts, as in ["server.py"]'),
        (("numbers",), f"FILE:{place('numbers', 'env')}: numbers: env: expected an object with a text for each name"),
        (("list",), f"FILE:{place('list')}: list: expected an object, not a list"),
        (("names",), f"FILE:{place('names', 'headers')}: names: headers: 'X Key' cannot be the name of a header"),
    ],
)
def test_mistakes(file: Path, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(UserError) as raised:
        named_target(file, words)
    assert str(raised.value) == said.replace("FILE", str(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", ': has no "mcpServers", and no "servers"'),
        ('{"mcpServers": {}}', ":1:2: mcpServers lists no server"),
        ('{"mcpServers": []}', ":1:2: mcpServers: expected an object, not a list"),
        ('{"mcpServers": {"a": {}, "a": {}}}', ":1:17: a is set more than once; keep one of them"),
        ("{", ":1:2: expecting property name enclosed in double quotes"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as raised:
        named_target(path, ())
    assert str(raised.value) == f"{path}{said}"


def test_a_run(run: Run, suite: ScriptedSuite, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a server may look like anything; options stand on both sides of it."""
    monkeypatch.setenv("KEY", "hunter2")
    assert run("test", "--mcp-config", str(file), "remote", "-H", "X-More: 1", "--timeout", "5").code == 0
    assert run("test", f"--mcp-config={file}", "-E", "MORE=1", "files").code == 0
    first, second = suite.seen
    assert first.target == HttpTarget("http://h/mcp", (("X-Key", "hunter2"), ("X-More", "1")), ("hunter2",))
    assert first.timeout == 5
    assert second.target == StdioTarget(("npx", "-y", "pkg"), {"KEY": "hunter2", "MORE": "1"}, secrets=("hunter2",))


def test_a_list_of_what_would_run(run: Run, suite: ScriptedSuite, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEY", raising=False)
    assert "stdio-framing" in run("test", "--list", "--mcp-config", str(file), "files").out
    assert "stdio-framing" not in run("test", "--list", "--mcp-config", str(file), "remote").out
    ended = run("test", "--mcp-config", str(file), "files")
    assert (ended.code, ended.err) == (
        2,
        f"mcp-compliance: {file}: files: env KEY: the environment variable KEY is not set; "
        "set it, or write ${KEY:-default}\n",
    )
