"""Cutting a byte stream into lines within a bound of memory, free of input and output."""

from __future__ import annotations

from dataclasses import dataclass

SHOWN = 16 * 1024


@dataclass(frozen=True)
class Line:
    """Bytes up to a newline, without it. ``cut``: it was longer than the bound, this is its beginning."""

    data: bytes
    cut: bool = False


class LineSplitter:
    """Feed it bytes in any pieces. A line beyond the bound is handed out, cut, as soon as it is too long."""

    def __init__(self, bound: int, given_up: int) -> None:
        self._bound = bound
        self._given_up = given_up
        self._buffer = bytearray()
        self._skipped = 0

    @property
    def endless(self) -> bool:
        """Whether so much came without a newline that reading on makes no sense."""
        return self._skipped > self._given_up

    def feed(self, data: bytes) -> list[Line]:
        lines: list[Line] = []
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            lines.extend(self._take(data[start:end]))
            if self._skipped:
                self._skipped = 0
            else:
                lines.append(Line(bytes(self._buffer)))
            self._buffer = bytearray()
            start = end + 1
        lines.extend(self._take(data[start:]))
        return lines

    def _take(self, part: bytes) -> list[Line]:
        if self._skipped:
            self._skipped += len(part)
            return []
        if len(self._buffer) + len(part) <= self._bound:
            self._buffer += part
            return []
        self._skipped = len(self._buffer) + len(part)
        beginning = bytes(self._buffer[:SHOWN] + part[:SHOWN])[:SHOWN]
        self._buffer = bytearray()
        return [Line(beginning, cut=True)]

    def end(self) -> list[Line]:
        """The unfinished last line, if there is one."""
        rest = bytes(self._buffer)
        self._buffer = bytearray()
        return [Line(rest)] if rest else []
