"""YAML 1.2 documents as JSON values, with the place of every key and value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_compliance.catalog.yaml_reader import DocumentProblem, Node, Place, Reader, child
from mcp_compliance.jsontypes import JSON

__all__ = ["Document", "DocumentError", "DocumentProblem", "Place", "load_document", "parse_document"]

MAX_BYTES = 1 << 20
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class DocumentError(Exception):
    """All that is wrong with one file: ``problems`` is never empty and in the order of the text."""

    def __init__(self, problems: Sequence[DocumentProblem], source_lines: Sequence[str] = ()) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{problems[0]}{more}")
        self.problems = tuple(problems)
        self.source_lines = tuple(source_lines)


_CHARACTER = {
    '"': re.compile(r"\\x..|\\u.{4}|\\U.{8}|\\.|[^\\]"),
    "'": re.compile(r"''|."),
}
"""One character of a quoted text as it is written, by kind of quote."""


@dataclass(frozen=True)
class Document:
    """A file's value, and where its parts stand. Nothing in ``value`` may be changed: aliases share it."""

    path: Path
    value: JSON
    source_lines: tuple[str, ...]
    _root: Node

    def place(self, pointer: Sequence[str | int], *, key: bool = False) -> Place:
        """Where the value at ``pointer`` starts, or with ``key`` its key; its nearest ancestor when absent.

        What came in by an alias or a merge is found where it was written.
        """
        node, found = self._root, self._root.start
        for depth, part in enumerate(pointer):
            member = child(node, part)
            if member is None:
                return found
            last = depth == len(pointer) - 1
            named = isinstance(part, str) and (key or not last)
            found = node.keys[str(part)] if named else member.start
            node = member
        return found

    def place_within(self, pointer: Sequence[str | int], offset: int) -> Place:
        """Where character ``offset`` (from 0) of the text at ``pointer`` stands; its start when it is folded."""
        start = self.place(pointer)
        line = self.source_lines[start.line - 1] if start.line <= len(self.source_lines) else ""
        at = start.column - 1
        quote = line[at : at + 1]
        if quote not in ("'", '"'):
            return start if quote in ("|", ">", "&", "*") else Place(start.line, start.column + offset)
        at += 1
        for _ in range(offset):
            at += len(found[0]) if (found := _CHARACTER[quote].match(line, at)) else 1
        return Place(start.line, at + 1) if at < len(line) else start

    def lines_of(self, key: str) -> int:
        """How many lines of the file the top-level ``key`` takes, its own line included; 0 when absent."""
        value = child(self._root, key)
        if value is None:
            return 0
        # A block ends where the next key starts, at the left margin of a later line.
        ends_later = value.end.column == 1 and value.end.line > value.start.line
        last = value.end.line - 1 if ends_later else value.end.line
        return last - self._root.keys[key].line + 1

    def comment_after(self, pointer: Sequence[str | int]) -> Place | None:
        """Place of a ``#`` comment that follows the unquoted text at ``pointer`` on its line, else None."""
        node: Node | None = self._root
        for part in pointer:
            node = child(node, part) if node is not None else None
        if node is None or not node.plain or node.end.line > len(self.source_lines):
            return None
        rest = self.source_lines[node.end.line - 1][node.end.column - 1 :]
        hit = re.match(r"\s+#", rest)
        return Place(node.end.line, node.end.column + hit.end() - 1) if hit else None


def load_document(path: Path) -> Document:
    """Reads one file. Raises ``DocumentError`` with everything that is wrong with it."""
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise DocumentError([DocumentProblem(path, 1, 1, f"cannot be read: {error.strerror}")]) from None
    if size > MAX_BYTES:
        raise DocumentError([DocumentProblem(path, 1, 1, f"{size} bytes; at most {MAX_BYTES} are read")])
    return parse_document(content, path)


def parse_document(content: bytes, path: Path) -> Document:
    """Reads the text of a file; ``path`` is only named in errors. Raises ``DocumentError``."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        message = f"byte 0x{content[error.start]:02x} is not UTF-8"
        place = _place_after(before)
        raise DocumentError(
            [DocumentProblem(path, place.line, place.column, message, "save the file as UTF-8")],
            before.splitlines(),
        ) from None
    text = text.removeprefix("\ufeff")
    lines = tuple(text.splitlines())
    if (bad := _FORBIDDEN.search(text)) is not None:
        place = _place_after(text[: bad.start()])
        message = f"control character U+{ord(bad.group()):04X} cannot stand in YAML"
        suggestion = 'write it as an escape in a quoted text, such as "\\x07"'
        raise DocumentError([DocumentProblem(path, place.line, place.column, message, suggestion)], lines)
    reader = Reader(path, lines)
    root = reader.read(text)
    if reader.problems:
        reader.problems.sort(key=lambda problem: (problem.line, problem.column))
        raise DocumentError(reader.problems, lines)
    return Document(path, root.value, lines, root)


def _place_after(text: str) -> Place:
    lines = (text + "x").splitlines()
    return Place(len(lines), len(lines[-1]))
