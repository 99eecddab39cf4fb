"""Ours or the server's: every word of a command line."""

from __future__ import annotations

import pytest

from mcp_compliance.cli.arguments import Division, divide
from mcp_compliance.cli.errors import UserError

OPTIONS = {
    "--format": True,
    "--verbose": False,
    "--only": True,
    "-E": True,
    "--env": True,
    "-H": True,
    "--header": True,
    "--transport": True,
    "--timeout": True,
    "--list": False,
    "-h": False,
    "--help": False,
}
NOT_WITH_A_COMMAND = frozenset({"-H", "--header", "--transport"})


def divided(line: str) -> Division:
    return divide(line.split(), OPTIONS, NOT_WITH_A_COMMAND)


@pytest.mark.parametrize(
    ("line", "ours", "target"),
    [
        ("http://h/mcp --format json", "--format json", "http://h/mcp"),
        ("--format json http://h/mcp", "--format json", "http://h/mcp"),
        ("HTTPS://h/mcp --verbose", "--verbose", "HTTPS://h/mcp"),
        ("npx -y @scope/server /tmp", "", "npx -y @scope/server /tmp"),
        ("npx -yv server", "", "npx -yv server"),
        ("python -m server -c config -x", "", "python -m server -c config -x"),
        ("node ./server.js --verbose", "--verbose", "node ./server.js"),
        ("node ./server.js --format=json --port 3", "--format=json", "node ./server.js --port 3"),
        ("node ./server.js --port=3 --flag", "", "node ./server.js --port=3 --flag"),
        ("-E KEY=v -- python server.py --verbose", "-E KEY=v", "python server.py --verbose"),
        ("-EKEY=v node x", "-EKEY=v", "node x"),
        ("node x -E KEY=v", "-E KEY=v", "node x"),
        ("node x -EKEY=v", "", "node x -EKEY=v"),
        ("docker run -e A=b -i --rm image", "", "docker run -e A=b -i --rm image"),
        ("uvx server --transport stdio", "", "uvx server --transport stdio"),
        ("npx mcp-remote https://h/mcp --header A:b", "", "npx mcp-remote https://h/mcp --header A:b"),
        ("http://h/mcp -H A:b", "-H A:b", "http://h/mcp"),
        ("--transport stdio --list", "--transport stdio --list", ""),
        ("--only -1 node", "--only -1", "node"),
        ("cat -", "", "cat -"),
        ("- x", "", "- x"),
        ("-- -odd --name", "", "-odd --name"),
        ("-- npm exec pkg -- --verbose", "", "npm exec pkg -- --verbose"),
        ("node x -- --format json", "", "node x --format json"),
        ("node x -h", "-h", "node x"),
        ("", "", ""),
    ],
)
def test_division(line: str, ours: str, target: str) -> None:
    found = divided(line)
    assert (found.ours, found.target) == (tuple(ours.split()), tuple(target.split()))


def test_words_are_never_split_or_joined() -> None:
    found = divide(["node", "a b", "", "--flag=x y"], OPTIONS)
    assert found.target == ("node", "a b", "", "--flag=x y")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--fromat json http://h", "unknown option --fromat; did you mean --format?"),
        ("http://h --fromat json", "unknown option --fromat; did you mean --format?"),
        ("http://h --fromat=json", "unknown option --fromat; did you mean --format?"),
        (
            "-y npx pkg",
            "unknown option -y; options of the server's own go after its command (--help lists ours)",
        ),
        ("http://h -y", "unknown option -y; --help lists all"),
        ("http://h --form", "unknown option --form; did you mean --format?"),
        ("node x --timeout", "--timeout needs a value"),
        ("--timeout --verbose node", "--timeout needs a value"),
        ("--timeout -- node", "--timeout needs a value"),
    ],
)
def test_mistakes(line: str, message: str) -> None:
    with pytest.raises(UserError) as raised:
        divided(line)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        (
            "-- node x --verbose",
            "--verbose after -- goes to the server; put it before -- if mcp-compliance is meant",
        ),
        (
            "-- node x --format json --only=a --format y",
            "--format, --only after -- goes to the server; put it before -- if mcp-compliance is meant",
        ),
        ("--verbose -- node x --verbose", None),
        ("-- node x --other -y", None),
        ("-- node x --transport stdio", None),
        ("node x --transport stdio", "--transport does not apply to a command, so it goes to the server"),
        ("node x --timeuot 5", "--timeuot goes to the server; did you mean --timeout?"),
        ("node x --port 5", None),
        ("npx -y pkg", None),
    ],
)
def test_notes(line: str, notes: str | None) -> None:
    assert divided(line).notes == ((notes,) if notes else ())
