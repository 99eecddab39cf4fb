"""A YAML document as it is laid out: its collections with their entries, its scalars as written, its comments."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


class LayoutError(Exception):
    """The document has a layout that cannot be kept. One line for people, with the line it is about."""


@dataclass
class Entry:
    """A pair of a mapping or an item of a sequence (``key`` is None). Comments stand ``before`` it and ``after`` it on
    lines of their own, "" for an empty line; ``trailing`` ends its first line, with the blanks before it."""

    key: Written | None
    value: Written
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    trailing: str = ""


@dataclass
class Written:
    """A value. ``text`` is that of a scalar or an alias, as written; ``kind`` is scalar, mapping or sequence."""

    kind: str
    text: str
    line: int
    column: int
    end_line: int
    flow: bool = False
    anchor: str = ""
    entries: list[Entry] = field(default_factory=list)

    @property
    def is_block(self) -> bool:
        return self.kind != "scalar" and not self.flow


@dataclass
class Layout:
    """``head`` are the comments above everything else, ``foot`` those below. Lines count from 0."""

    root: Written
    head: list[str]
    foot: list[str]


def read_layout(text: str) -> Layout:
    """``text`` is a document of the language with line feeds. Raises ``LayoutError``."""
    from ruamel.yaml import YAML

    reader = _Reader(text, YAML(typ="safe", pure=False).parse(text.encode("utf-8")))
    root = reader.document()
    return reader.with_comments(root)


class _Reader:
    def __init__(self, text: str, events: Iterator[Any]) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.events = events
        self.taken: list[tuple[int, int]] = []
        """Where scalars stand, as offsets: what looks like a comment there is none."""
        self.entries: list[tuple[int, int, Entry]] = []
        """Entries of block collections with line and column, in the order of the text."""
        self.starts: list[int] = []
        self.started: dict[int, Entry] = {}
        self.ended: dict[int, Entry] = {}

    def document(self) -> Written:
        for event in self.events:
            name = type(event).__name__
            if not name.startswith(("StreamStart", "DocumentStart")):
                return self.node(event)
        raise LayoutError("the file is empty")

    def node(self, event: Any) -> Written:
        name = type(event).__name__
        start, end = event.start_mark, event.end_mark
        anchor = f"&{event.anchor} " if getattr(event, "anchor", None) and name != "AliasEvent" else ""
        if name in ("ScalarEvent", "AliasEvent"):
            source = self.text[start.index : end.index]
            source = source[len(anchor) :].lstrip() if anchor and source.startswith("&") else source
            if event.__class__.__name__ == "ScalarEvent" and event.style in ("|", ">"):
                if re.match(r"[|>][-+]?[1-9]", source):
                    raise LayoutError(f"line {start.line + 1}: a block of text that states its indentation")
                source = source if event.style + "+" in source[:2] else source.rstrip()
            self.taken.append((start.index, end.index))
            last = start.line + source.count("\n")
            return Written("scalar", source, start.line, start.column, last, anchor=anchor)
        kind = "mapping" if name == "MappingStartEvent" else "sequence"
        made = Written(kind, "", start.line, start.column, start.line, bool(event.flow_style), anchor)
        closing = "MappingEndEvent" if kind == "mapping" else "SequenceEndEvent"
        for inner in self.events:
            if type(inner).__name__ == closing:
                made.end_line = inner.end_mark.line if made.flow else made.entries[-1].value.end_line
                if made.flow:
                    source = self.text[start.index : inner.end_mark.index]
                    made.text = source[len(anchor) :].lstrip() if anchor else source
                return made
            made.entries.append(self.entry(inner, made))
        raise LayoutError("the document ends too early")

    def entry(self, event: Any, holder: Written) -> Entry:
        start = event.start_mark
        place = len(self.entries)
        entry = Entry(None, Written("scalar", "", start.line, start.column, start.line))
        if not holder.flow:
            column = holder.column if holder.kind == "sequence" else start.column
            self.entries.append((self.dash_line(start) if holder.kind == "sequence" else start.line, column, entry))
        first = self.node(event)
        entry.key, entry.value = (first, self.node(next(self.events))) if holder.kind == "mapping" else (None, first)
        assert len(self.entries) >= place
        return entry

    def dash_line(self, start: Any) -> int:
        """The line of the hyphen before an item, which may stand above the item itself."""
        at = start.index - 1
        while at >= 0 and self.text[at] != "-":
            at -= 1
        return int(start.line) - self.text.count("\n", max(at, 0), start.index)

    def with_comments(self, root: Written) -> Layout:
        layout = Layout(root, [], [])
        self.starts = [line for line, _, _ in self.entries]
        self.started = {line: entry for line, _, entry in self.entries}
        self.ended = {entry.value.end_line: entry for _, _, entry in self.entries if not entry.value.is_block}
        first = self.entries[0][0] if self.entries else root.line
        for line, column, comment, blanks in self.comments():
            if blanks:
                self.trailing(line, comment, blanks)
            elif line < first:
                layout.head.append(comment)
            else:
                self.own_line(line, column, comment, layout)
        return layout

    def comments(self) -> Iterator[tuple[int, int, str, str]]:
        """Line, column, text, and the blanks before it where something else stands before it on the line. Empty lines
        are comments without text."""
        inside = iter(sorted(self.taken))
        span, offset = next(inside, None), 0
        for number, line in enumerate(self.lines):
            at = 0
            while True:
                while span is not None and span[1] <= offset + at:
                    span = next(inside, None)
                if span is not None and span[0] <= offset + at and at < len(line):
                    at = min(span[1] - offset, len(line))
                    continue
                if at >= len(line):
                    break
                if line[at] == "#" and (at == 0 or line[at - 1] in " \t"):
                    before = line[:at].rstrip()
                    yield number, at, line[at:].rstrip(), line[len(before) : at] if before else ""
                    break
                at += 1
            within = span is not None and span[0] <= offset < span[1] and span[1] > offset + 1
            if not line.strip() and not within and number < len(self.lines) - 1:
                yield number, 0, "", ""
            offset += len(line) + 1

    def back_from(self, place: int) -> Iterator[tuple[int, int, Entry]]:
        return (self.entries[at] for at in range(place - 1, -1, -1))

    def trailing(self, line: int, comment: str, blanks: str) -> None:
        found = self.ended.get(line, self.started.get(line))
        several = found is not None and found.value.flow and found.value.line != found.value.end_line
        if found is None or found.trailing or (several and found.value.end_line != line):
            raise LayoutError(f"line {line + 1}: a comment within brackets; put it on a line of its own above them")
        found.trailing = f"{'  ' if len(blanks) < 2 else blanks}{comment}"

    def own_line(self, line: int, column: int, comment: str, layout: Layout) -> None:
        """Hands a comment to the entry below it, or to the one above it that it is indented like."""
        next_one = bisect_left(self.starts, line)
        within = next((entry for _, _, entry in self.back_from(next_one) if not entry.value.is_block), None)
        if within is not None and line <= within.value.end_line:
            if comment:
                raise LayoutError(f"line {line + 1}: a comment within brackets; put it above them")
            return
        following = self.entries[next_one] if next_one < len(self.entries) else None
        above = next((one for one in self.back_from(next_one) if one[1] <= column), None)
        if comment and above is not None and (following is None or above[1] > following[1]):
            above[2].after.append(comment)
        elif following is not None:
            following[2].before.append(comment)
        else:
            layout.foot.append(comment)
