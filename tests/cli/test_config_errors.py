"""What is wrong in a configuration file is said in one line, with its place and without a value that may be secret."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Ended, ScriptedSuite

Run = Callable[..., Ended]
OWN = "mcp-compliance.config.json"
HTTP = '"target": {"url": "http://h/mcp"}'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # the form of the file
        ("", ":1:1: the file is empty; write {} at least"),
        ("[]", ":1:1: the file: expected an object, not a list"),
        ('{\n"timeout": 1 ,\n}', ":2:14: the comma before } is one too many"),
        ('{"only": ["tools",]}', ":1:18: the comma before ] is one too many"),
        ('{\n  // patient\n  "timeout": 1}', ":2:3: JSON has no comments; remove this one"),
        ("{'timeout': 1}", ":1:2: JSON takes double quotes only"),
        ('{"timeout": 1 "retries": 2}', ":1:15: expecting ',' delimiter"),
        ('{"timeout": NaN}', ": is not JSON: NaN is not part of it"),
        ("[" * 100_000, ": is nested too deeply"),
        ('{"timeout": 1,\n "strict": true,\n "timeout": 2}', ":1:2: timeout is set more than once; keep one of them"),
        # unknown names
        ('{\n\t"timeuot": 1}', ":2:2: unknown field timeuot; did you mean timeout?"),
        ('{"specversion": "auto"}', ":1:2: unknown field specversion; did you mean specVersion?"),
        ('{"spec-version": "auto"}', ":1:2: unknown field spec-version; did you mean specVersion?"),
        ('{"url": "http://h"}', ":1:2: unknown field url; it goes into target"),
        ('{"target": {"url": "http://h",\n"strict": true}}', ":2:1: unknown field strict; it goes beside target"),
        ('{"target": {"url": "http://h", "header": {}}}', ":1:32: unknown field header; did you mean headers?"),
        # values
        ('{"timeout": "15"}', ":1:2: timeout: expected a whole number, 1 or more, not a text"),
        ('{"timeout": 0}', ":1:2: timeout 0: expected a whole number, 1 or more"),
        ('{"timeout": 1.5}', ":1:2: timeout: expected a whole number, 1 or more, not the number 1.5"),
        ('{"timeout": true}', ":1:2: timeout: expected a whole number, 1 or more, not true"),
        ('{"seed": null}', ":1:2: seed: expected a whole number, not null"),
        ('{"strict": "yes"}', ":1:2: strict: expected true or false, not a text"),
        ('{"only": "tools"}', ':1:2: only: expected a list, as in ["tools", "lifecycle"], not a text'),
        ('{"only": [\n"tools",\n7]}', ":3:1: only: expected a text, not the number 7"),
        ('{"minGrade": "E"}', ":1:2: minGrade E: choose one of A, B, C, D, F"),
        ('{"minGrade": 1}', ":1:2: minGrade: expected one of A, B, C, D, F in quotes, not the number 1"),
        (
            '{"specVersion": "2025-11-26"}',
            ":1:2: specVersion 2025-11-26: choose one of auto, 2025-11-25; did you mean 2025-11-25?",
        ),
        ('{"failOn": "mus"}', ":1:2: failOn mus: choose one of must, required, any; did you mean must?"),
        ('{"output": ""}', ":1:2: output: is empty"),
        ('{"output": 1}', ":1:2: output: expected a text, not the number 1"),
        ('{"report": ["a"]}', ':1:2: report: expected an object, as in {"junit": "report.xml"}, not a list'),
        (
            '{"report": {"junt": "a"}}',
            ":1:13: report: junt is no format; choose one of "
            "terminal, json, ndjson, sarif, github, markdown, html, junit; did you mean junit?",
        ),
        # the target
        ('{"target": "http://h/mcp"}', ":1:2: target: expected an object, not a text"),
        ('{"target": {}}', ":1:2: target needs url, or command"),
        ('{"target": {"type": "http"}}', ":1:2: a target of type http needs url"),
        ('{"target": {"type": "stdio", "url": "http://h"}}', ":1:2: a target of type stdio needs command"),
        ('{"target": {"type": "sse", "url": "http://h"}}', ":1:13: type sse: choose one of http, stdio"),
        ('{"target": {"url": "http://h", "command": "x"}}', ":1:32: target has url and command; keep one of them"),
        (
            '{"target": {"url": "http://h", "args": ["x"]}}',
            ":1:32: args goes with a command, and this target is of type http",
        ),
        (
            '{"target": {"command": "x", "headers": {}}}',
            ":1:29: headers goes with a URL, and this target is of type stdio",
        ),
        (
            '{"target": {"url": "http://h", "headers": {"X-Key": ["hunter2"]}}}',
            ":1:44: headers: X-Key: expected a text in quotes, not a list",
        ),
        (
            '{"target": {"url": "http://h", "headers": {"X Key": "hunter2"}}}',
            ":1:44: headers: 'X Key' cannot be the name of a header",
        ),
        (
            '{"target": {"url": "http://h", "headers": {"A": "hunter2", "A": "hunter3"}}}',
            ":1:44: A is set more than once; keep one of them",
        ),
        (
            '{"target": {"command": "x", "env": {"PORT": 3000}}}',
            ":1:37: env: PORT: expected a text in quotes, not the number 3000",
        ),
        (
            '{"target": {"command": "x", "args": "hunter2"}}',
            ':1:29: args: expected a list, as in ["./server.js"], not a text',
        ),
        ('{"target": {"url": "hunter2"}}', ": target: url: expected an address that begins http:// or https://"),
        (
            '{"target": {"url": "http://h", "headers": {"X-Key": "hunter2\\n"}}}',
            ": target: header X-Key: the value holds a line break, which a header cannot carry",
        ),
        ('{"target": {"command": "x", "cwd": "nowhere"}}', ": target: cwd nowhere: no such directory"),
        (
            '{"target": {"command": "x", "envFile": "no.env"}}',
            ": target: envFile no.env: cannot be read: No such file or directory",
        ),
    ],
)
def test_json(run: Run, suite: ScriptedSuite, here: Path, text: str, said: str) -> None:
    (here / OWN).write_text(text, encoding="utf-8")
    ended = run("test")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines()[-1] == f"mcp-compliance: {OWN}{said}"
    assert "hunter" not in ended.err
    assert suite.seen == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.mcp-compliance]\ntimeout 1\n", ":2:9: expected '=' after a key in a key/value pair"),
        ("[tool.mcp-compliance]\ntimeout = 1\ntimeout = 2\n", ":3:12: cannot overwrite a value"),
        ("[tool.mcp-compliance]\nonly = ['a'\n", ": unclosed array (at end of document)"),
        ("a = 1\n\n[tool.mcp-compliance]\n# x\ntimeuot = 1\n", ":5: unknown field timeuot; did you mean timeout?"),
        ("[tool.mcp-compliance]\nonly = [\n'a',\n1]\n", ":2: only: expected a text, not the number 1"),
        ("[tool.mcp-compliance]\ntime-out = 1\n", ":2: unknown field time-out; did you mean timeout?"),
        (
            "[tool.mcp-compliance]\nspec-version = 'auto'\nspecVersion = 'auto'\n",
            ":3: specVersion and spec-version are the same field; keep one of them",
        ),
        (
            "[tool.mcp-compliance]\n\n[tool.mcp-compliance.targt]\nurl = 'x'",
            ":3: unknown field targt; did you mean target?",
        ),
        ("[tool.mcp-compliance]\nseed = 2020-01-01\n", ":2: seed: expected a whole number, not a date"),
        ("tool = {mcp-compliance = 1}", ":1: the file: expected an object, not the number 1"),
    ],
)
def test_toml(run: Run, suite: ScriptedSuite, here: Path, text: str, said: str) -> None:
    (here / "pyproject.toml").write_text(text, encoding="utf-8")
    ended = run("test", "node")
    assert (ended.code, ended.err) == (2, f"mcp-compliance: pyproject.toml{said}\n")


def test_package_json(run: Run, suite: ScriptedSuite, here: Path) -> None:
    """Its escapes, as tools write them, do not move the places."""
    text = '{\n  "author": "\\ud83d\\ude00 \\u00e9",\n  "mcp-compliance": {"ab": 1}\n}'
    (here / "package.json").write_text(text, encoding="utf-8")
    assert run("test").err.startswith(
        "mcp-compliance: package.json:3:22: unknown field ab; known are specVersion, only"
    )
    (here / "package.json").write_text('{"mcp-compliance": {"timeout": 1}', encoding="utf-8")
    assert run("test").err == "mcp-compliance: package.json:1:34: expecting ',' delimiter\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("none.json", None, "none.json: there is no such file"),
        pytest.param(
            ".",
            None,
            ".: cannot be read: Is a directory",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="there it is a lack of permission"),
        ),
        ("pyproject.toml", "[tool.other]", "pyproject.toml: has no [tool.mcp-compliance] table"),
        ("package.json", "{}", 'package.json: has no "mcp-compliance" field'),
        ("x.json", b"\xff{}", "x.json: is not UTF-8 text"),
    ],
)
def test_a_file_named_by_hand_has_to_be_there(
    run: Run, suite: ScriptedSuite, here: Path, name: str, text: str | bytes | None, said: str
) -> None:
    if text is not None:
        (here / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    ended = run("test", "--config", name, "node")
    assert (ended.code, ended.err) == (2, f"mcp-compliance: {said}\n")


def test_a_byte_order_mark_is_no_mistake(run: Run, suite: ScriptedSuite, here: Path) -> None:
    (here / OWN).write_bytes(b"\xef\xbb\xbf{" + HTTP.encode() + b"}")
    assert run("test").code == 0


def test_help_is_there_even_when_the_file_is_broken(run: Run, here: Path) -> None:
    (here / OWN).write_text("{", encoding="utf-8")
    assert run("test", "--help").code == 0
    assert run("test", "--no-config", "--list").code == 0
