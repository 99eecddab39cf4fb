"""URLs and commands, and the options that go with each."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.target import TargetOptions, read_target
from mcp_compliance.model.options import HttpTarget, StdioTarget

NO_TARGET = (
    "no target: give a URL, a command that starts a server, or --demo; "
    "mcp-compliance init writes a configuration file that names one"
)


def read(*words: str, **options: object) -> HttpTarget | StdioTarget:
    return read_target(words, TargetOptions(**options))  # type: ignore[arg-type]


def test_a_url() -> None:
    assert read("https://example.com/mcp") == HttpTarget("https://example.com/mcp")
    assert read("http://[::1]:3001/mcp?a=b") == HttpTarget("http://[::1]:3001/mcp?a=b")
    assert read("http://h/mcp#part") == HttpTarget("http://h/mcp")


def test_headers() -> None:
    target = read("http://h/mcp", headers=("X-Key: abc", "X-List:a: b ", "x-key: again"), auth="Bearer t")
    assert isinstance(target, HttpTarget)
    assert target.headers == (
        ("X-Key", "abc"),
        ("X-List", "a: b"),
        ("x-key", "again"),
        ("Authorization", "Bearer t"),
    )


def test_credentials_leave_the_url() -> None:
    target = read("http://us%40er:p%3Aw@h:8080/mcp")
    assert target == HttpTarget("http://h:8080/mcp", (("Authorization", "Basic dXNAZXI6cDp3"),))
    assert "p%3Aw" not in target.display


def test_a_command() -> None:
    assert read("npx", "-y", "pkg", "/tmp") == StdioTarget(("npx", "-y", "pkg", "/tmp"))


def test_a_command_in_one_pair_of_quotes_is_taken_apart() -> None:
    assert read("npx -y 'a b' \"c\"") == StdioTarget(("npx", "-y", "a b", "c"))


def test_a_file_with_a_blank_in_its_name_is_not(tmp_path: Path) -> None:
    program = tmp_path / "my server"
    program.write_text("", encoding="utf-8")
    assert read(str(program)) == StdioTarget((str(program),))
    assert read("my server", cwd=tmp_path) == StdioTarget(("my server",), {}, tmp_path)


def test_environment(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    lines = [
        "# comment",
        "",
        "PLAIN=one",
        'export QUOTED="two words"',
        "SINGLE='a $HOME'",
        "BOTH=file",
        "EMPTY=",
    ]
    file.write_text("\n".join([*lines, "RAW=${HOME}/x"]), encoding="utf-8")
    target = read("node", env=("BOTH=option", "EQUALS=a=b", "BLANK="), env_file=file)
    assert isinstance(target, StdioTarget)
    assert target.env == {
        "PLAIN": "one",
        "QUOTED": "two words",
        "SINGLE": "a $HOME",
        "BOTH": "option",
        "EMPTY": "",
        "RAW": "${HOME}/x",
        "EQUALS": "a=b",
        "BLANK": "",
    }


def test_a_broken_line_of_an_env_file_is_named_and_not_shown(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\nsecret stuff here\n", encoding="utf-8")
    with pytest.raises(UserError) as raised:
        read("node", env_file=file)
    assert str(raised.value) == f"--env-file {file}:2: expected KEY=VALUE"


def test_a_nul_character_in_a_file_of_variables(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\nKEY=a\0b\n", encoding="utf-8")
    with pytest.raises(UserError, match=r":2: holds a NUL character"):
        read("node", env_file=file)


def test_a_key_without_value(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\nKEY\n", encoding="utf-8")
    with pytest.raises(UserError, match=r":2: expected KEY=VALUE, but there is no = sign"):
        read("node", env_file=file)


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        ((), {}, NO_TARGET),
        (("",), {}, NO_TARGET),
        (("ftp://h/x",), {}, "ftp:// addresses are not supported; use http:// or https://"),
        (("ws://h/x",), {}, "ws:// addresses are not supported; use http:// or https://"),
        (("http://",), {}, "the URL names no host"),
        (("http:///mcp",), {}, "the URL names no host"),
        (("http://h:0/mcp",), {}, "the URL names no port to connect to"),
        (("http://h:x/mcp",), {}, "the URL cannot be read: Port could not be cast to integer value as 'x'"),
        (("http://h/mcp", "extra"), {}, "unexpected argument extra after the URL"),
        (("http://h",), {"env": ("A=b",)}, "-E/--env applies to a command, and the target is a URL"),
        (("http://h",), {"env_file": Path("x")}, "--env-file applies to a command, and the target is a URL"),
        (("http://h",), {"cwd": Path("x")}, "--cwd applies to a command, and the target is a URL"),
        (("node",), {"auth": "x"}, "--auth applies to a URL, and the target is a command"),
        (("node",), {"headers": ("A: b",)}, "-H/--header applies to a URL, and the target is a command"),
        (("node",), {"cwd": Path("/no/such")}, "--cwd /no/such: no such directory"),
        (
            ("localhost:3001/mcp",),
            {},
            "localhost:3001/mcp is neither a URL nor a command; did you mean http://localhost:3001/mcp?",
        ),
        (("localhost",), {}, "localhost is neither a URL nor a command; did you mean http://localhost?"),
        (("127.0.0.1/mcp",), {}, "127.0.0.1/mcp is neither a URL nor a command; did you mean http://127.0.0.1/mcp?"),
        (("a.example/mcp",), {}, "a.example/mcp is neither a URL nor a command; did you mean https://a.example/mcp?"),
        (("http:/a.example",), {}, "http:/a.example is neither a URL nor a command; did you mean http://a.example?"),
        (("node 'x",), {}, "the command cannot be taken apart: No closing quotation"),
        (
            ("http://u:p@h",),
            {"auth": "x"},
            "credentials stand in the URL and in -H or --auth; leave one of them out",
        ),
        (
            ("http://h",),
            {"headers": ("authorization: a",), "auth": "x"},
            "--auth and -H both set Authorization; leave one of them out",
        ),
    ],
)
def test_mistakes(words: tuple[str, ...], options: dict[str, object], message: str) -> None:
    if sys.platform == "win32" and "no/such" in message:
        pytest.skip("the path prints with backslashes")
    with pytest.raises(UserError) as raised:
        read(*words, **options)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("X-Key: hunter2\r\nEvil: 1", "-H X-Key: the value holds a line break, which a header cannot carry"),
        ("X-Key: hunter2\nEvil: 1", "-H X-Key: the value holds a line break, which a header cannot carry"),
        ("X-Key: hunter2\0", "-H X-Key: the value holds characters that a header cannot carry"),
        ("X-Key: hunter2\u20ac", "-H X-Key: the value holds characters that a header cannot carry"),
        ("X-Key:", "-H X-Key: the value is empty"),
        ("hunter2", "-H/--header: expected 'Name: value' with a header name before the colon"),
        ("X Key: hunter2", "-H/--header: expected 'Name: value' with a header name before the colon"),
        ("X\r\nKey: hunter2", "-H/--header: expected 'Name: value' with a header name before the colon"),
        (": hunter2", "-H/--header: expected 'Name: value' with a header name before the colon"),
    ],
)
def test_bad_headers_are_refused_without_showing_their_value(line: str, message: str) -> None:
    with pytest.raises(UserError) as raised:
        read("http://h", headers=(line,))
    assert str(raised.value) == message
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("pair", ["hunter2", "=hunter2", "", "KEY=hunter2\0"])
def test_bad_variables_are_refused_without_showing_their_value(pair: str) -> None:
    with pytest.raises(UserError) as raised:
        read("node", env=(pair,))
    assert "hunter2" not in str(raised.value)


def test_a_variable_without_a_value_is_not_taken_from_the_environment_by_itself() -> None:
    with pytest.raises(UserError, match=r"^-E/--env: expected KEY=VALUE; -E 'KEY=\$\{KEY\}' takes the value"):
        read("node", env=("API_KEY",))


@pytest.mark.parametrize("word", ["no-such-command", "server.py", "dist/index.js", "./server", "tool.exe"])
def test_what_is_no_slip_is_left_to_the_start(word: str, tmp_path: Path) -> None:
    assert read(word, cwd=tmp_path) == StdioTarget((word,), {}, tmp_path)


@pytest.mark.parametrize(("name", "meant"), [("s.py", "python s.py"), ("s.mjs", "node s.mjs"), ("run", "./run")])
def test_a_file_is_no_command(name: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    with pytest.raises(UserError) as raised:
        read(name, "--verbose", cwd=tmp_path)
    assert str(raised.value) == f"{name} is a file and not a command; did you mean {meant}?"
