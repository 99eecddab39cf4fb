"""Values from the environment: where they are filled in, and that none of them is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.expansion import Expansion
from mcp_compliance.cli.saved_target import SavedTarget
from mcp_compliance.cli.target import TargetOptions, read_target
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.suite.report import display

ENVIRON = {"TOKEN": "hunter2", "EMPTY": "", "P": "1", "PIN": "42", "HOME": "/home/someone", "SHORT_KEY": "abc"}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRON.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("UNSET", raising=False)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("", ""),
        ("Bearer ${TOKEN}", "Bearer hunter2"),
        ("${TOKEN}${P}", "hunter21"),
        ("${env:TOKEN}", "hunter2"),
        ("${UNSET:-none}", "none"),
        ("${EMPTY:-none}", "none"),
        ("${UNSET:-}", ""),
        ("${TOKEN:-none}", "hunter2"),
        ("$TOKEN $$ $ {TOKEN} 100%", "$TOKEN $$ $ {TOKEN} 100%"),
        ("$${TOKEN}", "${TOKEN}"),
        ("$${ and ${P}", "${ and 1"),
    ],
)
def test_references(text: str, filled: str) -> None:
    assert Expansion(ENVIRON).fill(text, "here") == filled


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("${UNSET}", "here: the environment variable UNSET is not set; set it, or write ${UNSET:-default}"),
        ("${EMPTY}", "here: the environment variable EMPTY is empty; set it, or write ${EMPTY:-default}"),
        ("x ${input:token}", "here: expected ${NAME} or ${NAME:-default}; write $${ for the characters ${"),
        ("${", "here: expected ${NAME} or ${NAME:-default}; write $${ for the characters ${"),
        ("${1}", "here: expected ${NAME} or ${NAME:-default}; write $${ for the characters ${"),
    ],
)
def test_mistakes(text: str, said: str) -> None:
    with pytest.raises(UserError) as raised:
        Expansion(ENVIRON).fill(text, "here")
    assert str(raised.value) == said


def test_what_is_filled_in_is_secret_unless_everybody_knows_it() -> None:
    expansion = Expansion(ENVIRON)
    for name in ENVIRON:
        expansion.fill(f"${{{name}:-default-text}}", "here")
    assert expansion.secrets == ("hunter2", "abc")


def http(*words: str, saved: SavedTarget | None = None, **options: object) -> HttpTarget:
    target = read_target(words, TargetOptions(**options), saved)  # type: ignore[arg-type]
    assert isinstance(target, HttpTarget)
    return target


def stdio(*words: str, saved: SavedTarget | None = None, **options: object) -> StdioTarget:
    target = read_target(words, TargetOptions(**options), saved)  # type: ignore[arg-type]
    assert isinstance(target, StdioTarget)
    return target


def shown(target: HttpTarget | StdioTarget, text: str) -> str:
    return Secrets.of_target(target).mask(text)


def test_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "headers.txt"
    file.write_text("X-File: a ${TOKEN} b\n", encoding="utf-8")
    target = http("http://h/mcp", headers=("X-Line: ${P}${P}",), auth="Bearer ${TOKEN}", header_file=file)
    assert target.headers == (("X-File", "a hunter2 b"), ("X-Line", "11"), ("Authorization", "Bearer hunter2"))
    assert shown(target, "says hunter2") == "says ***"
    assert stdio("node", env=("KEY=${TOKEN}",)).env == {"KEY": "hunter2"}


def test_in_the_url_of_the_command_line() -> None:
    target = http("https://u:${TOKEN}@${HOST_NAME:-h}/mcp?key=${TOKEN}")
    assert target.url == "https://h/mcp?key=hunter2"
    assert display(RunOptions(target), Secrets.of_target(target)) == "https://h/mcp?key=***"


def test_a_value_inside_of_a_url_is_coded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "a@b/c:d&e")
    target = http("http://u:${TOKEN}@h:80/mcp?key=${TOKEN}&x=1")
    assert target.url == "http://h:80/mcp?key=a%40b%2Fc%3Ad%26e&x=1"
    assert target.headers == (("Authorization", "Basic dTphQGIvYzpkJmU="),)  # u:a@b/c:d&e
    assert "a%40b" not in shown(target, target.url)


def test_a_command_line_belongs_to_its_shell() -> None:
    assert stdio("sh", "-c", "echo ${UNSET} ${HOME}").command == ("sh", "-c", "echo ${UNSET} ${HOME}")


def test_in_a_saved_command() -> None:
    saved = SavedTarget("f: t", command=("node", "--key", "${TOKEN}"), env={"A": "${P}", "B": "${UNSET}"})
    target = stdio(saved=saved, env=("B=2",))
    assert (target.command, target.env) == (("node", "--key", "hunter2"), {"A": "1", "B": "2"})
    assert display(RunOptions(target), Secrets.of_target(target)) == "stdio:node --key ***"
    assert shown(target, "hunter2") == "***"


def test_a_filled_in_word_stays_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "two words")
    assert stdio(saved=SavedTarget("f", command=("node ${TOKEN}",))).command == ("node", "two words")


def test_in_a_saved_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADDRESS", "https://where.example/mcp")
    saved = SavedTarget("f: t", url="${ADDRESS}", headers=(("X-A", "${UNSET}"), ("X-B", "${TOKEN}")))
    target = http(saved=saved, headers=("x-a: 1",))
    assert target.headers == (("X-B", "hunter2"), ("x-a", "1"))
    # where a server is, is no secret
    assert display(RunOptions(target), Secrets.of_target(target)) == "https://where.example/mcp"


@pytest.mark.parametrize(
    ("saved", "place"),
    [
        (SavedTarget("f: t", url="http://${UNSET}"), "f: t: url"),
        (SavedTarget("f: t", url="http://h", headers=(("X-A", "${UNSET}"),)), "f: t: header X-A"),
        (SavedTarget("f: t", command=("node", "${UNSET}")), "f: t: the command"),
        (SavedTarget("f: t", command=("node",), env={"A": "${UNSET}"}), "f: t: env A"),
    ],
)
def test_the_place_is_named(saved: SavedTarget, place: str) -> None:
    with pytest.raises(UserError, match=f"^{place}: the environment variable UNSET is not set"):
        read_target((), TargetOptions(), saved)


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"headers": ("X-A: ${UNSET}",)}, "-H X-A"),
        ({"auth": "${UNSET}"}, "--auth"),
    ],
)
def test_the_option_is_named(options: dict[str, object], place: str) -> None:
    with pytest.raises(UserError, match=f"^{place}: the environment variable UNSET is not set"):
        http("http://h", **options)
    with pytest.raises(UserError, match=r"^-E KEY: the environment variable UNSET is not set"):
        stdio("node", env=("KEY=${UNSET}",))


def test_a_header_on_the_command_line_takes_the_place_of_the_files(tmp_path: Path) -> None:
    file = tmp_path / "h"
    file.write_text("# all of them\n\n  X-A: 1\nx-b: 2\nX-C: 3\nX-C: 4\nAuthorization: Basic x\n", encoding="utf-8")
    target = http("http://h", header_file=file, headers=("X-B: 5",), auth="Bearer t")
    assert target.headers == (("X-A", "1"), ("X-C", "3"), ("X-C", "4"), ("X-B", "5"), ("Authorization", "Bearer t"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"X-A: 1\nhunter2\n", ":2: expected 'Name: value' with a header name before the colon"),
        (b"X-A: 1\n\n#\nX-B: hunter2\x00\n", ":4: X-B: the value holds characters that a header cannot carry"),
        (b"X-A:\n", ":1: X-A: the value is empty"),
        (b"X-A: ${UNSET}\n", ":1: X-A: the environment variable UNSET is not set; set it, or write ${UNSET:-default}"),
        (b"X-A: hunter2\xff", ": cannot be read: it is not UTF-8 text"),
    ],
)
def test_a_broken_line_of_a_header_file_is_named_and_not_shown(tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "h"
    file.write_bytes(text)
    with pytest.raises(UserError) as raised:
        http("http://h", header_file=file)
    assert str(raised.value) == f"--header-file {file}{said}"


def test_a_header_file_that_is_not_there() -> None:
    with pytest.raises(UserError, match=r"^--header-file no-file: cannot be read: No such file or directory$"):
        http("http://h", header_file=Path("no-file"))
