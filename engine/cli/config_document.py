"""Configuration files as values that know where they stand in the text."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from mcp_compliance.cli import input_files
from mcp_compliance.cli.errors import UserError

Keys: TypeAlias = Sequence[str | int]
"""The way to a value: names of members, numbers of elements."""

_TOML_POSITION = re.compile(r"^(?P<message>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)$", re.DOTALL)
_SPARE_COMMA = re.compile(r",\s*([}\]])")
"""Python points to it from 3.13 on, and before that to what follows."""
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)")


class Members(dict[str, object]):
    """The members of a JSON object. ``twice`` has the names that stand in it more than once."""

    twice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """A file that has been read. ``root`` is the way to the part that is meant."""

    path: Path
    text: str
    value: object
    locate: Callable[[str, Keys], tuple[int, ...]]
    root: tuple[str, ...] = ()

    def place(self, *keys: str | int) -> str:
        """``file:line`` or ``file:line:column`` of a value below the root."""
        return ":".join((str(self.path), *map(str, self.locate(self.text, (*self.root, *keys)))))


def read_document(path: Path, root: tuple[str, ...] = ()) -> Document | None:
    """The file, or its part at ``root``; None where it has no such part. Raises `UserError`."""
    text = _text(path)
    value, locate = (_toml(path, text), _line_of) if path.suffix == ".toml" else (_json(path, text), _position_of)
    for name in root:
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return Document(path, text, value, locate, root)


def _text(path: Path) -> str:
    try:
        return input_files.text(path)
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such file") from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text") from error


def _json(path: Path, text: str) -> object:
    try:
        value: object = json.loads(text, object_pairs_hook=_members, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{_in_our_words(error)}") from error
    except RecursionError as error:
        raise UserError(f"{path}: is nested too deeply") from error
    except ValueError as error:
        raise UserError(f"{path}: is not JSON: {error}") from error
    return value


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is not part of it")


def _members(pairs: list[tuple[str, object]]) -> Members:
    members = Members(pairs)
    times = Counter(name for name, _ in pairs)
    members.twice = tuple(name for name in members if times[name] > 1)
    return members


def _in_our_words(error: json.JSONDecodeError) -> str:
    """Line, column, and what is wrong there."""
    text, position = error.doc, error.pos
    rest = text[position:]
    message = _lowered(error.msg)
    if not text.strip():
        message = "the file is empty; write {} at least"
    elif rest.startswith(("//", "/*", "#")):
        message = "JSON has no comments; remove this one"
    elif rest.startswith("'"):
        message = "JSON takes double quotes only"
    elif comma := _SPARE_COMMA.match(text, position) or _SPARE_COMMA.match(text, len(text[:position].rstrip()) - 1):
        message, position = f"the comma before {comma[1]} is one too many", comma.start()
    line = text.count("\n", 0, position) + 1
    return f"{line}:{position - text.rfind(chr(10), 0, position)}: {message}"


def _toml(path: Path, text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_POSITION.match(str(error))
        if found is None:
            raise UserError(f"{path}: {_lowered(str(error))}") from error
        line, column = found["line"], found["column"]
        raise UserError(f"{path}:{line}:{column}: {_lowered(found['message'])}") from error


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]


def _position_of(text: str, keys: Keys) -> tuple[int, ...]:
    """Line and column in JSON. The reader of rule files keeps them, and JSON without its escapes is YAML."""
    from mcp_compliance.catalog.yaml_reader import Reader, child

    plain = _ESCAPE.sub(lambda found: "_" + found[1], text)
    node = Reader(Path(), plain.splitlines()).read(plain)
    if node.members is None:
        return ()
    place = node.start
    for key in keys:
        inner = child(node, key)
        if inner is None:
            break
        place = node.keys[key] if isinstance(key, str) and key in node.keys else inner.start
        node = inner
    return (place.line, place.column)


def _line_of(text: str, keys: Keys) -> tuple[int, ...]:
    """The line in TOML: a statement begins behind the longest beginning of the file that can be read without it."""
    names = [key for key in keys if isinstance(key, str)]
    lines = text.splitlines(keepends=True)
    before = 0
    for number in range(len(lines) + 1):
        try:
            value: object = tomllib.loads("".join(lines[:number]))
        except tomllib.TOMLDecodeError:  # in the middle of a statement
            continue
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return (before + 1,)
        before = number
    return ()
