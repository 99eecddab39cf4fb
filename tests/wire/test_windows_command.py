"""How a batch file is called, read back in the way of the command interpreter and of the C runtime."""

from __future__ import annotations

import pytest

from mcp_compliance.wire.windows_command import batch_call, environment, is_batch, prepared, quoted

OPERATORS = set("&|<>()^\n\r")
NPX = r"C:\Program Files\nodejs\npx.cmd"
FOUND = {"npx": NPX, "node": r"C:\node\node.exe", r"C:\work\.\start.bat": r"C:\work\.\start.bat"}


def expanded(line: str) -> str:
    """Variables replaced as at the prompt: from left to right, where the sign of one that is not set stays."""
    variables = {"cd:~,": "", "PATH": "EXPANDED"}
    read, at = "", 0
    while at < len(line):
        end = line.find("%", at + 1) if line[at] == "%" else -1
        value = variables.get(line[at + 1 : end]) if end > 0 else None
        if value is None:
            read, at = read + line[at], at + 1
        else:
            read, at = read + value, end + 1
    return read


def operators_seen(line: str) -> set[str]:
    """What the command interpreter takes for operators: what stands outside of quotes, which each quote opens or
    closes.
    """
    seen, inside = set(), False
    for char in line:
        if char == '"':
            inside = not inside
        elif not inside and char in OPERATORS:
            seen.add(char)
    return seen | ({"open quote"} if inside else set())


def words_read(line: str) -> list[str]:
    """Words as the C runtime takes them apart: backslashes are plain but before a quote, where two stand for one and an
    odd one makes the quote plain; two quotes inside of quotes stand for one.
    """
    words: list[str] = []
    word, inside, begun, at = "", False, False, 0
    while at < len(line):
        backslashes = 0
        while at < len(line) and line[at] == "\\":
            backslashes, at = backslashes + 1, at + 1
        char = line[at] if at < len(line) else ""
        if char == '"':
            word += "\\" * (backslashes // 2)
            begun = True
            if backslashes % 2:
                word += '"'
            elif inside and line[at + 1 : at + 2] == '"':
                word += '"'
                at += 1
            else:
                inside = not inside
        else:
            word += "\\" * backslashes
            begun = begun or bool(backslashes)
            if char in ("", " ") and not inside:
                if begun:
                    words.append(word)
                word, begun = "", False
            else:
                word, begun = word + char, True
        at += 1
    return [*words, word] if begun else words


HOSTILE = [
    "plain",
    "",
    "two words",
    "a&calc.exe",
    "a|b>c<d",
    "(x)",
    "^caret^",
    "%PATH%",
    "100%",
    "!delayed!",
    'say "hi"',
    'a"&calc.exe&"b',
    '"&calc',
    '\\"&calc',
    "C:\\dir\\",
    "C:\\my dir\\",
    'back\\slash\\"quote',
    "--flag=a,b;c",
    "ünïcode 字",
    "tab\there",
]


@pytest.mark.parametrize("argument", HOSTILE)
def test_an_argument_arrives_as_it_is_and_nothing_is_carried_out(argument: str) -> None:
    line = expanded(batch_call(NPX, ["-y", argument, "last"]))
    assert operators_seen(line) == set()
    assert words_read(line) == [NPX, "-y", argument, "last"]


def test_what_needs_no_quotes_gets_none() -> None:
    assert [quoted(word) for word in ("-y", "@scope/pkg", "C:\\a\\b", "8080")] == [
        "-y",
        "@scope/pkg",
        "C:\\a\\b",
        "8080",
    ]
    assert quoted("a=b") == '"a=b"'  # the interpreter takes = , and ; for blanks


@pytest.mark.parametrize("argument", ["two\nlines", "carriage\rreturn", "nul\0"])
def test_what_nothing_can_protect_is_refused(argument: str) -> None:
    with pytest.raises(ValueError, match="argument 2 holds a line break or a NUL"):
        batch_call(NPX, ["-y", argument])


def test_a_batch_file_goes_through_the_command_interpreter() -> None:
    line = prepared(["npx", "-y", "a b"], {"COMSPEC": r"C:\Windows\system32\cmd.exe"}, None, FOUND.get)
    assert line == f'"C:\\Windows\\system32\\cmd.exe" /d /e:on /v:off /s /c ""{NPX}" -y "a b""'


def test_a_program_is_started_as_it_is() -> None:
    assert prepared(["node", "a b"], {}, None, FOUND.get) == [r"C:\node\node.exe", "a b"]
    with pytest.raises(FileNotFoundError):
        prepared(["deno"], {}, None, FOUND.get)


def test_a_relative_path_counts_from_the_directory_of_the_server() -> None:
    line = prepared([".\\start.bat"], {"SYSTEMROOT": r"D:\Win"}, r"C:\work", FOUND.get)
    assert isinstance(line, str)
    assert line.startswith('"D:\\Win\\System32\\cmd.exe" ')
    assert r'"C:\work\.\start.bat"' in line


@pytest.mark.parametrize(
    ("path", "batch"),
    [("a.cmd", True), ("A.BAT", True), ("a.bat. .", True), ("a.exe", False), ("a.cmd.exe", False), ("cmd", False)],
)
def test_what_a_batch_file_is(path: str, batch: bool) -> None:
    assert is_batch(path) is batch


def test_names_of_variables_have_no_letter_case() -> None:
    assert environment({"Path": "a", "PATH": "b", "temp": "c"}) == {"PATH": "b", "TEMP": "c"}
